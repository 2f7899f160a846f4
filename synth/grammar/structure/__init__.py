"""What the structure of a document says, and the questions that it answers."""
