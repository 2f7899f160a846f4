"""Mentions: names in English and Chinese sentences and in code, and merging of mentions into entities."""
