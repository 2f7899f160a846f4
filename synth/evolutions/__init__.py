"""Evolutions: operators that make a question out of a simpler one, or out of two."""
