"""What the structure of a document states (headings, lists, tables), and the questions that it answers."""
