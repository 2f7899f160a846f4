"""Exporters, one module for each format of another tool. README.md explains how to add an exporter."""
