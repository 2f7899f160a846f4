"""English: simple questions from dependency parses, judged and ranked."""
