"""Web pages for review and browsing, and their HTTP server."""
