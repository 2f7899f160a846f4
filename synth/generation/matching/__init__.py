"""Comparison of words: how much of a question a text covers, and whether two answers are the same."""
