"""The corpus: documents, their knowledge graph, and the transforms that add knowledge to the graph."""
