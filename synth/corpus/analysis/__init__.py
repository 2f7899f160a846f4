"""Features of passages that transforms share: headings, phrases, names, subjects, pruning of edges."""
