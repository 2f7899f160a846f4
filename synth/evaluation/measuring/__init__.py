"""Computations behind the metrics, without models: matching, counting and comparing by value."""
