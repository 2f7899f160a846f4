"""A testset as such: its files, its manifest, whether it holds, how it follows the corpus, other formats."""
