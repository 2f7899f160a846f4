"""The records that travel through synth: frozen, slotted, keyword-only, identified by content."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

UNANSWERABLE = "unanswerable"
"""The question type of rows that the corpus gives no answer to."""

ADOPTED = "adopted"
"""The `metadata.source` of rows of a set that was made elsewhere."""

_WIDE = r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
_WRAP = re.compile(rf"(?<={_WIDE})[^\S\n]*\n\s*(?={_WIDE})")
_SPACE = re.compile(r"\s+")


def nothing() -> Mapping[str, Any]:
    """An empty mapping that cannot be written to."""
    return MappingProxyType({})


def digest(*parts: object) -> str:
    """SHA-256, as hex, of `parts` in canonical JSON, so that no two different lists collide."""
    canonical = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def text_hash(text: str) -> str:
    """The content hash of a text, as written in rows and manifests: `sha256:<hex>`."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unwrapped(text: str) -> str:
    """A text as it reads however it is laid out: every run of white space is one space, and none where a line breaks
    between Chinese characters."""
    return _SPACE.sub(" ", _WRAP.sub("", text)).strip()


NEAR_DUPLICATE = "near_duplicate"
"""Kind of the relationship between passages that say the same in nearly the same words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One loaded file.

    `doc_id` is the path inside the corpus with forward slashes; `source` says where it was read
    from; all offsets anywhere in synth count characters (code points) of `text`. `metadata` holds
    at least `format` ("markdown", "text" or "passage").
    """

    doc_id: str
    source: str
    title: str
    text: str
    content_hash: str
    metadata: Mapping[str, Any] = field(default_factory=nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of a document: `document.text[start:end] == text`, always."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A thing that chunks mention, under one canonical name.

    `entity_id` is a hash of the canonical key; `surface_forms` are the spellings met.
    """

    entity_id: str
    name: str
    kind: str
    surface_forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """An edge of the knowledge graph; `shared` says why it is there."""

    source_id: str
    target_id: str
    kind: str
    weight: float = 1.0
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What is to be asked, before it is asked: where, which type, and in which manner.

    `slot` numbers the scenarios of one passage; `worth`, from 0 to 1, is how promising it looked; `sentences` are
    those that are to be its evidence, as far as they are known, each by its document and where it starts.
    """

    scenario_id: str
    synthesizer: str
    question_type: str
    chunk_ids: tuple[str, ...]
    language: str
    seed: int
    slot: int = 0
    worth: float = 0.0
    path: tuple[str, ...] = ()
    sentences: tuple[tuple[str, int], ...] = ()
    persona: str | None = None
    style: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A question as an author wrote it, before it has met a filter.

    `spans` are the evidence as (start, end) offsets in the text of the document; `pattern` names the
    construction that made it; `worth`, from 0 to 1, ranks the drafts of an author among themselves.
    """

    question: str
    golden_answers: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    pattern: str
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the way from the evidence to an answer; the value of the last step is the answer.

    `says` is what the step establishes, `value` what it yields. `operation` is "read" when the value
    stands in the pieces of evidence numbered (from 0) by `evidence`, else the name of what was done
    with the values of the earlier steps numbered by `of`, such as "years_between"; see
    `synth.generation.derivation`.
    """

    says: str
    value: str
    operation: str = "read"
    evidence: tuple[int, ...] = ()
    of: tuple[int, ...] = ()


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
    """What one filter said of one sample. `score` is None when the filter has no scale.

    `tag` is what a row is to be marked with that the filter keeps all the same.
    """

    filter: str
    kept: bool
    reason: str
    score: float | None = None
    tag: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A row of the testset.

    `steps` is the chain of reasoning of a question that takes more than reading one sentence;
    `evolutions` names the operators that made the question out of a simpler one, in order, and
    `lineage` says for each of them what it was applied to. An unanswerable question has neither
    golden answers nor evidence.
    """

    question: str
    golden_answers: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    question_type: str
    language: str
    verdicts: tuple[Verdict, ...] = ()
    steps: tuple[Step, ...] = ()
    evolutions: tuple[str, ...] = ()
    lineage: tuple[Mapping[str, Any], ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=nothing)
    provenance: Mapping[str, Any] = field(default_factory=nothing)

    @property
    def id(self) -> str:
        """Hash of the question and the evidence texts: neither places nor lay-out matter, so it moves with them."""
        return "q-" + digest(self.question, [unwrapped(e.text) for e in self.evidence])[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A file that was not loaded, and why."""

    source: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a system retrieved or put before its model: known by id, by place, by text, or by several of them.

    `start` and `end` count characters of the document `doc_id`, as evidence does. `score` is the
    system's, higher is better.
    """

    id: str = ""
    doc_id: str = ""
    start: int | None = None
    end: int | None = None
    text: str = ""
    score: float | None = None

    @property
    def placed(self) -> bool:
        """Whether it says where in which document it stands."""
        return bool(self.doc_id) and self.start is not None and self.end is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool: its name, and its arguments as JSON values."""

    name: str
    arguments: Any = field(default_factory=nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a system gave for one row of a testset; None stands for what it did not say anything of.

    `retrieved` is in order of rank, `contexts` are the passages its model saw.
    """

    sample_id: str
    answer: str | None = None
    retrieved: tuple[Passage, ...] | None = None
    contexts: tuple[Passage, ...] | None = None
    tool_calls: tuple[ToolCall, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a metric says of one response; `value` None means undefined, and `reason` says why.

    `detail` is what a judged value rests on, as JSON values, or None.
    """

    sample_id: str
    metric: str
    value: float | None
    reason: str = ""
    detail: Any = None
