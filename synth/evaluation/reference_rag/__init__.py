"""A plain RAG system for experiments: index, retrievers, rerankers, generators, and ways to put them together."""
