"""Reference retrievers over the passages of a corpus."""
