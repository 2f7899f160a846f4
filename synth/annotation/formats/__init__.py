"""Rows for other tools and back: one file a format."""
