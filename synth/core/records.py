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
"""Metadata key for the sub-questions of a row, one per passage.

Each sub-question after the first contains the answer to an earlier sub-question.
"""

ADOPTED = "adopted"
"""Value of `metadata.source` in rows of a set that was made with another tool."""

EDITED = "edited"
"""Value of `metadata.source` in rows that a reviewer edited."""

BY_PEOPLE = ("human", EDITED)
"""Values of `metadata.source` in rows that a person wrote."""

STATEMENT_KINDS = ("definition", "attribute", "procedure", "list", "rule", "cause", "event", "faq")
"""Kinds of statement that a passage can make."""

WITH_PLACES = ("alternatives", "hard_negatives", "pages")
"""Metadata fields that refer to places in the corpus. They are dropped when the evidence of the row changes."""

NEAR_DUPLICATE = "near_duplicate"
"""Kind of the relationship between passages with nearly the same wording."""

_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_WRAP = re.compile(rf"(?<={_WIDE})[^\S\n]*\n\s*(?={_WIDE})")
_SPACE = re.compile(r"\s+")


def empty_mapping() -> Mapping[str, Any]:
    """Return an empty read-only mapping."""
    return MappingProxyType({})


_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def digest(*parts: object) -> str:
    """Return the SHA-256 of `parts` as canonical JSON, in hexadecimal digits."""
    return hashlib.sha256(_canonical(parts).encode("utf-8", "surrogatepass")).hexdigest()


def pseudo_random(*parts: object) -> float:
    """Return a pseudo-random number, at least 0 and below 1, that depends only on `parts`."""
    return int(digest(*parts)[:12], 16) / 16**12


def pseudo_random_each(first: object, names: Iterable[str]) -> list[float]:
    """Return `pseudo_random(first, name)` for each name, twice as fast as single calls for many names."""
    head = hashlib.sha256(_canonical([first]).removesuffix("]").encode("utf-8", "surrogatepass") + b",")
    numbers = []
    for name in names:
        whole = head.copy()
        whole.update((encode_basestring(name) + "]").encode("utf-8", "surrogatepass"))
        numbers.append(int.from_bytes(whole.digest()[:6]) / 16**12)
    return numbers


def text_hash(text: str) -> str:
    """Return the content hash of a text as written in rows and manifests: `sha256:<hex>`."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unwrapped(text: str) -> str:
    """Return the text independent of its layout.

    Each run of white space becomes one space. Line breaks between Chinese characters are removed.
    """
    return _SPACE.sub(" ", _WRAP.sub("", text)).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A loaded file.

    `doc_id` is the path inside the corpus, with forward slashes. `source` is where the file was read from. Every offset
    in synth counts characters (code points) of `text`. `metadata` contains at least `format`, which is "markdown",
    "text" or "passage".
    """

    doc_id: str
    source: str
    title: str
    text: str
    content_hash: str
    metadata: Mapping[str, Any] = field(default_factory=empty_mapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document, with `document.text[start:end] == text`.

    `headings` are the headings that the passage is under.
    """

    chunk_id: str
    doc_id: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Person, product or other thing that chunks mention, under one canonical name.

    `entity_id` is a hash of the canonical key. `surface_forms` are the spellings of the entity in the corpus.
    """

    entity_id: str
    name: str
    kind: str
    surface_forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Fact, rule or procedure that a passage states, as material for a question.

    `kind` is one of `STATEMENT_KINDS`. `subject` is the thing that the statement is about. `text` is the statement in
    one sentence. `scope` is used to link statements. The scope of a rule is the cases to which the rule applies. The
    scope of a value is the attribute. Any other statement has the kind of its subject as its scope. `spans` are the
    evidence, as (start, end) offsets in the document. `statement_id` is a hash of document, kind, text and evidence.
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
    """Edge of the knowledge graph. `shared` lists the reasons for the edge as texts."""

    source_id: str
    target_id: str
    kind: str
    weight: float = 1.0
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Plan of a question: its passages and its type.

    `synthesizer` names the component that writes the question. `slot` numbers the scenarios of one passage, from 0.
    `worth`, from 0 to 1, is the expected quality. `path` lists the ids of the entities that the question is about.
    `sentences` are the planned evidence as (document id, start offset), empty if unknown. `pattern` names the sentence
    pattern of the question, "" if unknown.
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

    `spans` are the evidence, as (start, end) offsets in the text of the document. `pattern` names the sentence pattern
    of the question. `worth`, from 0 to 1, ranks the drafts of one author. `items` is the number of items if the answer
    is a list, else 0. `reckoning` is the calculation that gives the answer, "" if there is none.
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
    """Decision of one filter on one sample.

    `reason` says why. `score` is None if the filter has no scale. `tag` marks a reservation or a failure of the filter,
    "" for none.
    """

    filter: str
    kept: bool
    reason: str
    score: float | None = None
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A row of the testset.

    `evolutions` names, in order, the steps that made the question from a simpler one. `lineage` contains the parent
    question of each step. An unanswerable question has neither golden answers nor evidence.
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
    """File or line that was not loaded.

    `reason` is a category such as "empty". `detail` explains it, "" if there is no more to say.
    """

    source: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Passage that a system retrieved or gave to its model.

    It is identified by an id, a place, a text, or several of these. The place is `doc_id` with the offsets `start` and
    `end` in that document. `score` is the score that the system reported; higher is better.
    """

    id: str = ""
    doc_id: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""
    score: float | None = None

    @property
    def placed(self) -> bool:
        """Whether document and offsets are known."""
        return bool(self.doc_id) and self.start is not None and self.end is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool: the tool's name, and the arguments as JSON values."""

    name: str
    arguments: Any = field(default_factory=empty_mapping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """Response of a system to one row of a testset. A field that the system did not report is None.

    `retrieved` is in order of rank. `contexts` are the passages that the model saw.
    """

    sample_id: str
    answer: str | None = None
    retrieved: tuple[Passage, ...] | None = None
    contexts: tuple[Passage, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Value of a metric for one response. An undefined value is None, and `reason` says why.

    `detail` contains the findings on which a judge's value is based, as JSON values, or is None.
    """

    sample_id: str
    metric: str
    value: float | None
    reason: str = ""
    detail: Any = None
