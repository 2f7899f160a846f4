"""Filters that a sample must pass before it becomes a row."""
