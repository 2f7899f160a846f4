"""A plain RAG system for experiments: index, retrievers, rerankers, generators and pipelines."""
