"""What a system answered and retrieved, read from the shapes that tools write."""
