"""Reading of sets written by other tools or by people."""
