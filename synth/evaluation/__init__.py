"""Evaluation of responses and of sets: metrics, statistics, reports, and a reference RAG system."""
