"""Transforms: what is read in each document, and how it enters the knowledge graph. One file a transform."""
