"""Metrics of responses, one a file, found by name; see README.md."""
