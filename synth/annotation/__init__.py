"""Review by people: rows out, decisions in, agreement and acceptance."""
