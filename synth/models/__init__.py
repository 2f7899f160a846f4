"""Chat models and encoders behind one door each, and the prompts."""
