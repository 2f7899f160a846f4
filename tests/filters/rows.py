"""Rows over several pieces of evidence, for the tests of the filters that hold a question to its type."""

from dataclasses import replace

from synth.core.records import UNANSWERABLE, Sample
from tests.corpus import sample


def row(of, kind, question, answer, quotes, language=None, **more):
    """A sample whose evidence are `quotes`, each where the corpus first has it."""
    made = [sample(of, question, answer, quote, language=language) for quote in quotes]
    evidence = tuple(piece for one in made for piece in one.evidence)
    return replace(made[0], question_type=kind, evidence=evidence, **more)


def unanswerable(question, language="en"):
    return Sample(question=question, golden_answers=(), evidence=(), question_type=UNANSWERABLE, language=language)


def reasons(filter_, corpus, *samples):
    """For each sample why a filter refuses it, or "" when it is kept."""
    verdicts = [filter_.decide(one, corpus) for one in samples]
    return ["" if verdict.kept else verdict.reason for verdict in verdicts]
