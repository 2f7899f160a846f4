"""File formats of annotation tools: export of rows and import of decisions, one module per format."""
