"""Foundations for all other packages: records, errors, JSONL files, the store, plugins and progress."""
