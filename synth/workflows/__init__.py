"""The verbs, one module each, with their settings and the assembly of parts."""
