"""The chat author: proposals on passages, their judgement, and the choice of the best."""
