"""Comparison of words: how much of a question a text speaks of, and whether two answers say the same."""
