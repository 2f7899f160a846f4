"""Chinese pack of the grammar author."""
