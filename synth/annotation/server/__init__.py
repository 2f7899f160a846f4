"""The review page and its server."""
