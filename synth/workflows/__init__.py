"""One module a verb, on settings and the parts they name."""
