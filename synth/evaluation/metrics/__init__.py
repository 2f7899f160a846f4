"""Metrics of responses: one module per family, found by name. README.md explains how to add a metric."""
