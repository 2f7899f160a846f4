"""Chat models, encoders and prompts."""
