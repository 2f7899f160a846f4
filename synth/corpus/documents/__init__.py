"""Loading of files as documents, and cutting of documents into chunks."""
