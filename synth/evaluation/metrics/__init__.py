"""Metrics of responses, a module for each family, found by name; see README.md."""
