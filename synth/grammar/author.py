"""The author without a model: the drafts of a document, in whichever language it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from synth.grammar import parsing
from synth.grammar.reading import Reading
from synth.records import Draft, digest
from synth.source_digest import source_digest
from synth.store import Cache
from synth.text.language import is_chinese

KIND = "drafts"


def drafts(reading: Reading, cache: Cache | None = None) -> list[Draft]:
    """Every simple question the grammar finds in a document, best first.

    A document in a language that the grammar does not know has none. With a `cache` they are kept
    under the document, the parser and the grammar's own source, so that a better grammar writes anew.
    """
    author = _author(reading.language)
    if author is None:
        return []
    document = reading.document
    made_from = (document.title, document.metadata.get("format"), document.content_hash)
    key = digest(KIND, version(reading.language), *made_from)
    kept = cache.get(KIND, key) if cache else None
    if kept is not None:
        return [_from_row(row) for row in json.loads(kept)]
    made = author(reading)
    if cache:
        cache.put(KIND, key, json.dumps([asdict(draft) for draft in made], ensure_ascii=False).encode())
    return made


def knows(language: str) -> bool:
    """Whether the grammar can write in a language."""
    return _author(language) is not None


def version(language: str) -> str:
    """Identity of the grammar of a language: its parser, and the digest of its source and all that it uses."""
    if is_chinese(language):
        return f"{parsing.chinese_version()}-{source_digest('synth.grammar.chinese')}"
    return f"{parsing.english_version()}-{source_digest('synth.grammar.english')}"


def _author(language: str) -> Callable[[Reading], list[Draft]] | None:
    if language == "en":
        from synth.grammar import english

        return english.drafts
    if is_chinese(language):
        from synth.grammar import chinese

        return chinese.drafts
    return None


def _from_row(row: dict[str, object]) -> Draft:
    return Draft(
        question=str(row["question"]),
        golden_answers=tuple(row["golden_answers"]),  # type: ignore[arg-type]
        spans=tuple((start, end) for start, end in row["spans"]),  # type: ignore[attr-defined]
        pattern=str(row["pattern"]),
        worth=float(row["worth"]),  # type: ignore[arg-type]
    )
