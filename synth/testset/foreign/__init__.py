"""Sets of other tools and people: reading of their files and rows."""
