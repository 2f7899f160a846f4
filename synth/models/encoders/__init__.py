"""Encoders, which turn texts into vectors whose cosine is the similarity of the texts."""
