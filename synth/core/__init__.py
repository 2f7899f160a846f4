"""Foundations: records, errors, JSONL files, the store, discovery of parts by name, progress."""
