"""Documents, their knowledge graph, and the transforms that read it."""
