"""A toy language, as a folder beside English and Chinese would be."""
