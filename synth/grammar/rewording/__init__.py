"""Questions in other words than those of the passage they were written from."""
