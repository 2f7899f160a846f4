"""Transforms, one file for each kind of knowledge in the graph. README.md explains how to add a transform."""
