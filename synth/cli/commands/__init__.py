"""The commands of the command line, one file each: SUMMARY, EXAMPLE, add_options and run."""
