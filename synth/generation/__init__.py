"""Questions: who writes them, what filters them, what is chosen."""
