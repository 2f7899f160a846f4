"""Responses of a system, read from the formats that RAG tools write."""
