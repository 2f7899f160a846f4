"""Immutable records shared by all packages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from types import MappingProxyType
from typing import Any

UNANSWERABLE = "unanswerable"
"""Question type of rows whose question the corpus does not answer."""

SUB_QUESTIONS = "sub_questions"
"""Key in the metadata of a row for the questions on each of its passages, the later with the answer of the earlier."""

ADOPTED = "adopted"
"""Value of `metadata.source` in rows of a set that another tool made."""

STATEMENT_KINDS = ("definition", "attribute", "procedure", "list", "rule", "cause", "event", "faq")
"""Kinds of statement that a passage makes."""

NEAR_DUPLICATE = "near_duplicate"
"""Kind of the relationship between passages with nearly the same wording."""

_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_WRAP = re.compile(rf"(?<={_WIDE})[^\S\n]*\n\s*(?={_WIDE})")
_SPACE = re.compile(r"\s+")


def empty_mapping() -> Mapping[str, Any]:
    """An empty read-only mapping."""
    return MappingProxyType({})


_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def digest(*parts: object) -> str:
    """SHA-256, in hex, of `parts` as canonical JSON."""
    return hashlib.sha256(_canonical(parts).encode("utf-8", "surrogatepass")).hexdigest()


def pseudo_random(*parts: object) -> float:
    """A pseudo-random number, from 0 up to, but not including, 1, that depends on `parts` alone."""
    return int(digest(*parts)[:12], 16) / 16**12


def pseudo_random_each(first: object, names: Iterable[str]) -> list[float]:
    """`pseudo_random(first, name)` of each name, in half the time where there are many."""
    head = hashlib.sha256(_canonical([first]).removesuffix("]").encode("utf-8", "surrogatepass") + b",")
    numbers = []
    for name in names:
        whole = head.copy()
        whole.update((encode_basestring(name) + "]").encode("utf-8", "surrogatepass"))
        numbers.append(int.from_bytes(whole.digest()[:6]) / 16**12)
    return numbers


def text_hash(text: str) -> str:
    """Content hash of a text as written in rows and manifests: `sha256:<hex>`."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unwrapped(text: str) -> str:
    """Text independent of its layout: each run of white space is one space, line breaks between Chinese characters
    are removed."""
    return _SPACE.sub(" ", _WRAP.sub("", text)).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A loaded file.

    `doc_id` is the path inside the corpus with forward slashes; `source` is where the file was read. Every offset in
    synth counts characters (code points) of `text`. `metadata` has at least `format` ("markdown", "text" or
    "passage").
    """

    doc_id: str
    source: str
    title: str
    text: str
    content_hash: str
    metadata: Mapping[str, Any] = field(default_factory=empty_mapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document: `document.text[start:end] == text`."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A thing that chunks mention, under one canonical name.

    `entity_id` is a hash of the canonical key; `surface_forms` are its spellings in the corpus.
    """

    entity_id: str
    name: str
    kind: str
    surface_forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something that a passage says, in a form that can be asked.

    `kind` is one of `STATEMENT_KINDS`. `subject` is the thing it is about and `text` what is said, in one sentence.
    `scope` says what the statement can be linked by: the cases that a rule applies to, the attribute that a value is
    of, or else the kind of thing that the subject is. `spans` are its evidence, as offsets in the document.
    `statement_id` is a hash of document, kind, text and evidence.
    """

    statement_id: str
    kind: str
    subject: str
    text: str
    chunk_id: str
    doc_id: str
    spans: tuple[tuple[int, int], ...]
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """An edge of the knowledge graph; `shared` lists the reasons for it."""

    source_id: str
    target_id: str
    kind: str
    weight: float = 1.0
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Plan of a question: its passages and type.

    `synthesizer` is the name of the writer; `slot` numbers the scenarios of one passage; `worth`, from 0 to 1, is the
    expected quality; `path` has the ids of the entities that the question is about; `sentences` are the planned
    evidence, where known, as (document id, start offset); `pattern` is the construction of the question, where known.
    """

    scenario_id: str
    synthesizer: str
    question_type: str
    chunk_ids: tuple[str, ...]
    language: str
    slot: int = 0
    worth: float = 0.0
    path: tuple[str, ...] = ()
    sentences: tuple[tuple[str, int], ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question as its author wrote it, before any filter.

    `spans` are the evidence as (start, end) offsets in the text of the document; `pattern` is the name of the
    construction; `worth`, from 0 to 1, ranks the drafts of one author. `items` is the number of items of an answer that
    is a list, else 0; `reckoning` the computation that gives the answer, if there is one.
    """

    question: str
    golden_answers: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    pattern: str
    worth: float
    question_type: str = "simple"
    items: int = 0
    reckoning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The exact characters that prove an answer: `document.text[start:end] == text`."""

    doc_id: str
    doc_hash: str
    chunk_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Decision of one filter on one sample. `score` is None when the filter has no scale.

    `tag` marks a row that the filter keeps with a reservation.
    """

    filter: str
    kept: bool
    reason: str
    score: float | None = None
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A row of the testset.

    `evolutions` names the moves that developed the question from a simpler one, in order, and `lineage` gives the
    input of each. An unanswerable question has neither golden answers nor evidence.
    """

    question: str
    golden_answers: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    question_type: str
    language: str
    verdicts: tuple[Verdict, ...] = ()
    evolutions: tuple[str, ...] = ()
    lineage: tuple[Mapping[str, Any], ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=empty_mapping)
    provenance: Mapping[str, Any] = field(default_factory=empty_mapping)

    @property
    def id(self) -> str:
        """Hash of the question as written and of the evidence texts without their layout."""
        return "q-" + digest(self.question, [unwrapped(e.text) for e in self.evidence])[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file that was not loaded, and the reason."""

    source: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage that a system retrieved or gave to its model, identified by id, place or text, or by several of them.

    `start` and `end` are offsets in the document `doc_id`. `score` is the system's; higher is better.
    """

    id: str = ""
    doc_id: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""
    score: float | None = None

    @property
    def placed(self) -> bool:
        """True if document and offsets are known."""
        return bool(self.doc_id) and self.start is not None and self.end is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool: its name, and its arguments as JSON values."""

    name: str
    arguments: Any = field(default_factory=empty_mapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """Response of a system to one row of a testset; a field that it did not report is None.

    `retrieved` is in order of rank; `contexts` are the passages that the model saw.
    """

    sample_id: str
    answer: str | None = None
    retrieved: tuple[Passage, ...] | None = None
    contexts: tuple[Passage, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Value of a metric for one response; None when it is undefined, with the `reason`.

    `detail` holds the basis of a judged value as JSON values, or None.
    """

    sample_id: str
    metric: str
    value: float | None
    reason: str = ""
    detail: Any = None
