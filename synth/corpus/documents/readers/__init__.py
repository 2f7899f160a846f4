"""Readers, one file for each kind of document. See README.md for how to add one."""
