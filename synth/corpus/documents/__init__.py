"""Files become documents, documents become chunks; every offset stays checkable."""
