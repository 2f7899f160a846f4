"""The chat author: it proposes questions on passages, judges them, and chooses the best."""
