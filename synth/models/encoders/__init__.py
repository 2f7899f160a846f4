"""Encoders: texts become vectors whose cosine says how alike the texts are."""
