"""Features of passages that transforms share: headings, phrases, names, salience, subjects, pruning of edges."""
