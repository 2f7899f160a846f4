"""Metrics of responses and of sets, statistics, reports, and the reference system."""
