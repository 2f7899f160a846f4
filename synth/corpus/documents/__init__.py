"""Loading of files as documents, and their cutting into chunks."""
