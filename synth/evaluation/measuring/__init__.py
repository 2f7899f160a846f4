"""Formulas and readings that metrics share: how texts are compared, rankings graded and tables read."""
