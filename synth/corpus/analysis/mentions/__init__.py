"""Mentions: names in English and Chinese sentences and in code, and their merging to entities."""
