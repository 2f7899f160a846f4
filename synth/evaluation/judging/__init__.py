"""Metrics that ask a chat model: the judge, claims and their verdicts, control claims, agreement with people."""
