"""What everything stands on: records, errors, files, the store, parts found by name, progress."""
