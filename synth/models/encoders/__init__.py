"""Encoders of texts as vectors, whose cosine is the similarity of the texts."""
