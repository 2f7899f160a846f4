"""What a person looks at: the graph as a page."""
