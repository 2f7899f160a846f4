"""Synthesizers: from a scenario of the graph to a sample that the filters can judge."""
