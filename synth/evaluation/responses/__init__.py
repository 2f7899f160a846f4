"""Responses of a system, read from the formats that tools write."""
