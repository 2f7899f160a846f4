"""Synthesizers: writers that turn a scenario of the graph into a sample for the filters, without a chat model."""
