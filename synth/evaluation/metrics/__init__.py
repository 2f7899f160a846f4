"""What a response is worth: each metric one file, found by its name."""
