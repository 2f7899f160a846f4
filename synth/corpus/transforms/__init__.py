"""Transforms, one file for each kind of knowledge in the graph. See README.md for how to add one."""
