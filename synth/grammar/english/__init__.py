"""English language pack: questions from dependency parses and from document structure."""
