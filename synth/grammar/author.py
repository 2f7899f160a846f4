"""The author without a model: the drafts of a document, in whichever language it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace

from synth.core.records import Draft, digest
from synth.core.source_digest import source_digest
from synth.core.store import Cache
from synth.grammar.continued_definitions import continued
from synth.grammar.pack import LanguagePack
from synth.grammar.reading import Reading
from synth.grammar.registry import pack_of, packs

KIND = "drafts"
_TEMPLATE = re.compile(r"\{%|\{\{")


def drafts(reading: Reading, cache: Cache | None = None) -> list[Draft]:
    """Every simple question the grammar finds in a document, best first.

    A document in a language that has no pack has none. With a `cache` they are kept under the document, the
    parser and the source of the pack, so that a better grammar writes anew.
    """
    pack = pack_of(reading.language)
    if pack is None:
        return []
    key = drafts_key(reading)
    kept = cache.get(KIND, key) if cache else None
    if kept is not None:
        return [_from_row(row) for row in json.loads(kept)]
    found = _none_amid_code(continued(pack.drafts(reading), reading, pack.folder), reading, pack.facts)
    new_drafts = [draft for draft in found if not _has_template(reading.document.text, draft)]
    if cache:
        cache.put(KIND, key, json.dumps([asdict(draft) for draft in new_drafts], ensure_ascii=False).encode())
    return new_drafts


def _none_amid_code(drafts: Sequence[Draft], reading: Reading, facts: Sequence[str]) -> list[Draft]:
    """The drafts; those of the constructions in `facts` have no worth if the document has blocks of code.

    Of such questions on documentation of software readers accepted 20 of 59, and elsewhere 432 of 533.
    """
    if not any(block.kind == "code" for block in reading.blocks):
        return [*drafts]
    return [replace(draft, worth=0.0) if draft.pattern in facts else draft for draft in drafts]


def _has_template(text: str, draft: Draft) -> bool:
    """True if the evidence has a tag of a template, so that what readers see stands somewhere else."""
    return any(_TEMPLATE.search(text, *span) for span in draft.spans)


def drafts_key(reading: Reading) -> str:
    """Cache key of the drafts of a document: hash of everything they are made from."""
    pack, document = pack_of(reading.language), reading.document
    made_from = (document.title, document.metadata.get("format"), document.content_hash)
    return digest(KIND, version(pack) if pack else "", *made_from)


def knows(language: str) -> bool:
    """True if there is a pack of a language."""
    return pack_of(language) is not None


def languages() -> list[str]:
    """The tags of the languages that have a pack."""
    return list(packs())


def version(pack: LanguagePack) -> str:
    """Identity of the drafts of a pack: its parser, and the digests of its source and of this, with all they use."""
    return f"{pack.parser.version()}-{source_digest(pack.folder + '.pack')}-{source_digest(__name__)}"


def _from_row(row: dict[str, object]) -> Draft:
    return Draft(
        question=str(row["question"]),
        golden_answers=tuple(row["golden_answers"]),  # type: ignore[arg-type]
        spans=tuple((start, end) for start, end in row["spans"]),  # type: ignore[attr-defined]
        pattern=str(row["pattern"]),
        worth=float(row["worth"]),  # type: ignore[arg-type]
    )
