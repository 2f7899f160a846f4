"""Rows over several pieces of evidence, for the tests of the filters that hold a question to its type."""

from dataclasses import replace

from synth.core.records import UNANSWERABLE, Sample, Step
from tests.corpus import sample


def read(value, *evidence, says="a value", of=()):
    return Step(says=says, value=value, evidence=evidence or (0,), of=of)


def then(operation, value, *of):
    return Step(says="what follows", value=value, operation=operation, of=of)


def row(of, kind, question, answer, quotes, steps=(), language=None, **more):
    """A sample whose evidence are `quotes`, each where the corpus first has it."""
    made = [sample(of, question, answer, quote, language=language) for quote in quotes]
    evidence = tuple(piece for one in made for piece in one.evidence)
    return replace(made[0], question_type=kind, evidence=evidence, steps=tuple(steps), **more)


def unanswerable(question, language="en"):
    return Sample(question=question, golden_answers=(), evidence=(), question_type=UNANSWERABLE, language=language)


def reasons(filter_, corpus, *samples):
    """For each sample why a filter refuses it, or "" when it is kept."""
    verdicts = [filter_.decide(one, corpus) for one in samples]
    return ["" if verdict.kept else verdict.reason for verdict in verdicts]
