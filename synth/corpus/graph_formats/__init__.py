"""Formats of other tools for exporting a knowledge graph."""
