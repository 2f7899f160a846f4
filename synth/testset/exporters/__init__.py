"""Exporters, one file for each format of another tool. See README.md for how to add one."""
