"""English pack of the grammar author: questions from dependency parses and from structure."""
