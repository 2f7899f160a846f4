"""Review of rows by people: export of rows, import of decisions, agreement between annotators, accepted rows."""
