"""Chinese for the author without a model."""
