"""Handing rows to people and taking their decisions back."""
