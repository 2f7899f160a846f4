"""The grammar author: questions on a document, written by grammar rules in any language that has a language pack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace

from synth.core.records import Draft, digest
from synth.core.source_digest import source_digest
from synth.core.store import Cache
from synth.grammar.headed_questions import HeadedForms, headed_drafts
from synth.grammar.pack import LanguagePack
from synth.grammar.reading import Reading
from synth.grammar.registry import pack_of, packs
from synth.grammar.structure.author import StructureAuthor
from synth.grammar.structure.facts import Fact, Told
from synth.text.normalise import to_taiwan
from synth.text.same_answer import gist

KIND, FACTS = "drafts", "facts"

_TEMPLATE = re.compile(r"\{%|\{\{")
_CODE = re.compile(r"(`+)[^`]*\1")
"""Inline code, in which double braces are placeholders of commands and not template tags."""


def drafts(reading: Reading, cache: Cache | None = None) -> list[Draft]:
    """Return the draft questions that grammar rules write on a document, best first.

    The list is empty if the document's language has no pack. With a `cache`, drafts are stored under a hash of the
    document, the parser and the source of the pack. So they are written again when the grammar changes.
    """
    pack = pack_of(reading.language)
    if pack is None:
        return []
    key = drafts_key(reading)
    kept = cache.get(KIND, key) if cache else None
    if kept is not None:
        return [_from_row(row) for row in json.loads(kept)]
    new_drafts, new_facts = _read(reading, pack)
    if cache:
        for kind, rows in ((KIND, map(asdict, new_drafts)), (FACTS, (fact.packed() for fact in new_facts))):
            cache.put(kind, key, json.dumps(list(rows), ensure_ascii=False).encode())
    return new_drafts


def facts(reading: Reading, cache: Cache | None = None) -> list[Fact]:
    """Return the facts that headings, lists and tables of a document state. Facts are cached with the drafts.

    The list is empty if the language has no pack, or if its pack has no `structure`.
    """
    pack = pack_of(reading.language)
    if pack is None or pack.structure is None:
        return []
    kept = cache.get(FACTS, drafts_key(reading)) if cache else None
    if kept is not None:
        return [Fact.unpacked(row) for row in json.loads(kept)]
    return _read(reading, pack)[1]


def _read(reading: Reading, pack: LanguagePack) -> tuple[list[Draft], list[Fact]]:
    """Return the drafts of a document, best first, and the facts that its structure states."""
    found = [*pack.drafts(reading)]
    told: list[Told] = []
    if pack.structure is not None:
        author = StructureAuthor(reading, pack.structure)
        told = list(author.told())
        found += [*_headed(reading, pack, author), *(draft for one in told for draft in one.drafts)]
    made = [draft for draft in _undisputed(found, reading) if not _has_template(reading.document.text, draft)]
    return sorted(made, key=lambda draft: -draft.worth), [one.fact for one in told]


def _headed(reading: Reading, pack: LanguagePack, author: StructureAuthor) -> Iterator[Draft]:
    """Yield the questions that headings ask. A language may add the subject of the document to a question."""
    forms = HeadedForms.of(pack.folder)
    for draft in headed_drafts(reading, forms) if forms else ():
        question = author.about(draft.question, author.subject) if author.subject else ""
        yield replace(draft, question=question or draft.question)


def _has_template(text: str, draft: Draft) -> bool:
    """Return whether the evidence contains a template tag ("{{ name }}"), which readers see replaced by a value."""
    return any(_TEMPLATE.search(_CODE.sub("", text[slice(*span)])) for span in draft.spans)


def _undisputed(drafts: Iterable[Draft], reading: Reading) -> list[Draft]:
    """Return each question once. A question to which the document gives two different answers gets worth 0."""
    by_question: dict[str, Draft] = {}
    disputed: set[str] = set()
    for draft in drafts:
        if reading.language == "zh-Hant":
            draft = replace(draft, question=to_taiwan(draft.question, reading.document.text))
        name = draft.question.casefold()
        first = by_question.setdefault(name, draft)
        if first.worth < draft.worth:
            by_question[name] = draft
        if gist(first.golden_answers[0]) != gist(draft.golden_answers[0]):
            disputed.add(name)
    return [replace(one, worth=0.0) if name in disputed else one for name, one in by_question.items()]


def drafts_key(reading: Reading) -> str:
    """Return the cache key of a document's drafts: a hash of all that they depend on."""
    pack, document = pack_of(reading.language), reading.document
    made_from = (document.title, document.metadata.get("format"), document.content_hash)
    return digest(KIND, version(pack) if pack else "", *made_from)


def knows(language: str) -> bool:
    """Return whether there is a pack for a language."""
    return pack_of(language) is not None


def languages() -> list[str]:
    """Return the tags of the languages that have a pack."""
    return list(packs())


def version(pack: LanguagePack) -> str:
    """Return the version of a pack's drafts: its parser's version, and hashes of its source and of this module's."""
    return f"{pack.parser.version()}-{source_digest(pack.folder + '.pack')}-{source_digest(__name__)}"


def _from_row(row: dict[str, object]) -> Draft:
    return Draft(
        question=str(row["question"]),
        golden_answers=tuple(row["golden_answers"]),  # type: ignore[arg-type]
        spans=tuple((start, end) for start, end in row["spans"]),  # type: ignore[attr-defined]
        pattern=str(row["pattern"]),
        worth=float(row["worth"]),  # type: ignore[arg-type]
        question_type=str(row["question_type"]),
        items=int(row["items"]),  # type: ignore[call-overload]
        reckoning=str(row["reckoning"]),
    )
