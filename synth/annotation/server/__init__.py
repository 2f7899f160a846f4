"""The review page and what serves it."""
