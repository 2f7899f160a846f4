"""Formats of other tools for a knowledge graph."""
