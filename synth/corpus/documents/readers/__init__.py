"""Readers, one file for each kind of document. README.md explains how to add a reader."""
