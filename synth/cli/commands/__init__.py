"""The commands, one module each, with SUMMARY, EXAMPLE, add_options and run."""
