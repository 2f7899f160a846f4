"""Filters: what a sample must pass before it becomes a row."""
