"""What a model says that a passage states, held against the sentence it quotes: a fact, or the reason it is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from synth.records import Chunk, Fact, Term
from synth.text.language import is_chinese
from synth.text.locate import locate
from synth.text.normalise import to_simplified
from synth.text.prose import Sentence
from synth.text.tokens import content_words
from synth.transforms.claim_parts import Parts, Unproved, find
from synth.transforms.claim_relations import Relation, chinese_relation, english_relation
from synth.transforms.claim_words import BARE, BENIGN, COMPLEMENT, FOLLOWING, HEDGES, LEANING, LIMITS, PRONOUN

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.grammar.reading import Reading

_LONGEST_STATEMENT = 20  # content words
_SURE, _RESOLVED = 0.8, 0.6


@dataclass(frozen=True, slots=True)
class Claim:
    """One item of a reply, as the model wrote it."""

    quote: str
    subject: str
    relation: str
    object: str
    qualifiers: tuple[tuple[str, str], ...]
    negated: bool

    @classmethod
    def of(cls, item: Mapping[str, Any]) -> Claim:
        """The claim in an item of a reply that is valid by the prompt's schema."""
        qualifiers = tuple((q["kind"], q["text"].strip()) for q in item["qualifiers"])
        quote, subject, relation, object = (item[name].strip() for name in ("quote", "subject", "relation", "object"))
        return cls(quote, subject, relation, object, qualifiers, item["negated"])


@dataclass(frozen=True, slots=True)
class Passage:
    """The whole sentences of a chunk, and their numbers in the reading of its document."""

    reading: Reading
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, reading: Reading, chunk: Chunk) -> Passage:
        """The sentences that lie in `chunk` from their first character to their last."""
        inside = (n for n, s in enumerate(reading.sentences) if chunk.start <= s.start and s.end <= chunk.end)
        return cls(reading, tuple(inside))

    @property
    def sentences(self) -> list[Sentence]:
        return [self.reading.sentences[n] for n in self.numbers]

    @property
    def text(self) -> str:
        """One sentence a line, without markup."""
        return "\n".join(sentence.text for sentence in self.sentences)

    def parse(self, place: int) -> Doc:
        """The parse of a sentence of an English passage."""
        return self.reading.english[self.numbers[place]]


def proved(claim: Claim, passage: Passage) -> Fact:
    """The fact that the passage bears out. Raises Unproved, with a reason from a short list, when it does not."""
    place = _quoted(claim, passage.sentences)
    sentence = passage.sentences[place]
    chinese = is_chinese(passage.reading.language)
    before = passage.sentences[place - 1] if place and passage.sentences[place - 1].text == sentence.previous else None
    doc = None if chinese else passage.parse(place)
    parts = Parts.of(sentence.text, claim.subject, claim.object, claim.qualifiers, before, doc)
    _check_sentence(claim, parts)
    if doc:
        parts, named = _with_complement(parts, claim.relation)
        relation = english_relation(parts, named, doc)
    else:
        relation = chinese_relation(parts, claim.relation)
    _check_left_out(parts, relation)
    if relation.negated != claim.negated:
        raise Unproved("the negation is not that of the sentence")
    return _fact(passage, sentence, before, parts, relation)


def _quoted(claim: Claim, sentences: Sequence[Sentence]) -> int:
    """The sentence that the claim quotes; of several, the first that has its object or its qualifiers."""
    found = [
        n
        for n, sentence in enumerate(sentences)
        if locate(claim.quote, sentence.text, markdown=False) or locate(sentence.text, claim.quote, markdown=False)
    ]
    if not found:
        raise Unproved("the quotation is not in the passage")
    wanted = [part for part in (claim.object, *(text for _, text in claim.qualifiers)) if part]
    for n in found:
        if all(find(part, sentences[n].text) for part in wanted):
            return n
    raise Unproved("a part is not in the sentence quoted")


def _check_sentence(claim: Claim, parts: Parts) -> None:
    if parts.simple.rstrip("\"'”’」』）)").endswith(("?", "？")):
        raise Unproved("the sentence is a question")
    subject = to_simplified(claim.subject if parts.resolved else parts.text[slice(*parts.subject)])
    subject = subject[:1].lower() + subject[1:]
    if LEANING.match(subject) or BARE.match(subject):
        raise Unproved("the subject does not read alone")
    if parts.object and LEANING.match(parts.simple[slice(*parts.object)]):
        raise Unproved("the object does not read alone")


def _with_complement(parts: Parts, named: str) -> tuple[Parts, str]:
    """Parts and relation, where "is a bridge over", "the river" is made "is", "a bridge over the river"."""
    match = COMPLEMENT.match(parts.between(parts.object[0])) if parts.object else None
    first = named.partition(" ")[0].casefold()
    if parts.object is None or match is None or first != match["verb"] or first == named.casefold():
        return parts, named
    return replace(parts, object=(parts.subject[1] + match.end(), parts.object[1])), match["verb"]


def _check_left_out(parts: Parts, relation: Relation) -> None:
    """A condition, a doubt, somebody's word or a limit in the sentence must be in a part of the fact."""
    rest = parts.uncovered()
    if HEDGES.search(rest):
        raise Unproved("a condition, a doubt or reported speech is left out")
    for start, end in relation.places:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    if LIMITS.search(rest):
        raise Unproved("a limit such as 'only' is left out")


def _fact(passage: Passage, sentence: Sentence, before: Sentence | None, parts: Parts, relation: Relation) -> Fact:
    spans = [(sentence.start, sentence.end)]
    if parts.resolved and before is not None:
        spans.insert(0, (before.start, before.end))
    subject = _term(sentence, parts.subject, head=relation.head(parts.subject))
    if parts.resolved:
        subject = Term(text=_name(parts.resolved), start=subject.start, end=subject.end)
    return Fact(
        doc_id=passage.reading.document.doc_id,
        spans=tuple(spans),
        subject=subject,
        relation=relation.text,
        object=_term(sentence, parts.object, head=relation.head(parts.object)) if parts.object else None,
        qualifiers=tuple(_term(sentence, place, kind=kind) for kind, place in parts.qualifiers),
        negated=relation.negated,
        modal=relation.modal,
        wording={"statement": sentence.text} if _is_one_short_clause(parts) else {},
        trust=_RESOLVED if parts.resolved else _SURE,
    )


def _term(sentence: Sentence, place: tuple[int, int], *, head: str = "", kind: str = "") -> Term:
    start, end = sentence.body.origin(*place)
    return Term(text=_name(sentence.text[slice(*place)]), start=start, end=end, head=head, kind=kind)


def _name(text: str) -> str:
    """A part as it reads inside a sentence: an article or a preposition at its head is small."""
    small = text.partition(" ")[0].casefold() in BENIGN | FOLLOWING or PRONOUN.match(text)
    return text[:1].lower() + text[1:] if small else text


def _is_one_short_clause(parts: Parts) -> bool:
    """Whether the sentence, as it stands, says this fact and no other, and reads alone."""
    return (
        not parts.resolved
        and not parts.text[: parts.subject[0]].strip()
        and not any(mark in parts.text.rstrip(".。！!") for mark in ",;:()，；：（）")
        and len(content_words(parts.text)) <= _LONGEST_STATEMENT
    )
