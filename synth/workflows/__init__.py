"""The commands as functions, one module each, with their settings and the assembly of their parts."""
