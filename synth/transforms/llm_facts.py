"""What each chunk states, as a chat model reads it; every part is found again in its sentence or dropped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth import prompts
from synth.llm.base import Request
from synth.records import Chunk, Document, Fact
from synth.text.language import LANGUAGES
from synth.text.normalise import collapse_space
from synth.text.orders import gives_orders, without_orders
from synth.transforms.claim_parts import Unproved
from synth.transforms.claims import Claim, Passage, proved
from synth.transforms.lazy import LazyTransform

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.llm.base import Steps

_PROMPT = "transforms/facts"


@dataclass(frozen=True)
class LlmFacts(LazyTransform[Chunk]):
    """Facts by a chat model, one request a chunk; a chunk without a whole sentence makes none.

    `model` is the identity of the model, under which the facts are kept; `folder` holds prompts that go
    before the packaged ones. A claim of which a part is not where a fact would have it is dropped, and
    counted under its reason: what a weak model misreads does not pass for a fact.
    """

    name = "llm_facts"
    node = "chunk"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.facts",)
    model: str
    folder: Path | None = None

    def parameters(self) -> dict[str, Any]:
        read = [prompts.load(_PROMPT, language, self.folder).digest for language in ("en", "zh")]
        return {"model": self.model, "prompts": read}

    def read(self, reading: Reading, node: Chunk) -> Steps[dict[str, Any]]:
        passage = Passage.of(reading, node)
        text = _without_orders(passage, node)
        if not text or reading.language not in LANGUAGES:
            return {"facts": [], "dropped": {}}
        prompt = prompts.load(_PROMPT, reading.language, self.folder)
        completion = yield Request.of(prompt, {"passage": text}, purpose=self.name)
        return judged(passage, completion.data["facts"])

    def told(self, artifact: Mapping[str, Any], document: Document) -> list[Fact]:
        """The facts of a chunk, in the order of its text."""
        return [Fact.unpacked({**row, "doc_id": document.doc_id}) for row in artifact["facts"]]


def _without_orders(passage: Passage, chunk: Chunk) -> str:
    """The passage without the sentences of paragraphs that speak to language models."""
    if not gives_orders(chunk.text):
        return passage.text
    told = collapse_space(without_orders(chunk.text))
    return "\n".join(one.text for one in passage.sentences if collapse_space(one.text) in told)


def judged(passage: Passage, replied: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of the facts in a reply, the rows of those that the passage bears out, and why the others were dropped."""
    facts: dict[str, Fact] = {}
    dropped: Counter[str] = Counter()
    for item in replied:
        try:
            fact = proved(Claim.of(item), passage)
        except Unproved as why:
            dropped[str(why)] += 1
        else:
            facts.setdefault(fact.fact_id, fact)
    ordered = sorted(facts.values(), key=lambda fact: (fact.spans, fact.subject.start, fact.relation, fact.fact_id))
    rows = [{name: value for name, value in fact.packed().items() if name != "doc_id"} for fact in ordered]
    return {"facts": rows, "dropped": dict(sorted(dropped.items()))}
