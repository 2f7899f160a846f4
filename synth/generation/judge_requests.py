"""Requests to the judge of candidates, and the judge's reply on each candidate."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from typing import Any

from synth.core.records import SUB_QUESTIONS, Evidence, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.graph import Span
from synth.corpus.sections import HEADING, Section, harmless, is_boilerplate, lines_of, numbered, section_of, shown_name
from synth.generation.spoiling import list_items
from synth.models.chat.base import Completion, Request, RequestFailed
from synth.models.prompt_labels import headed, label
from synth.text.normalise import collapse_space, normalise
from synth.text.stems import stems

CLOSED, OPEN, ANSWER = "filters/closed", "filters/open", "filters/answer"
NO_BRIEF = "-"

_RIVALS = 2  # chunks for a candidate besides the nearest one in each document of its evidence
_RANKED = 40  # best chunks that are searched for chunks of the same document
_LISTED = 2  # minimum items of a list that another place must contain to be shown
_CLIPPED = 300  # characters shown of each rival, around its best sentences; a wide character counts twice
_TELLING = 3  # best sentences of a rival, which are always shown
_AROUND = 1000  # characters around the evidence in its own passage, where steps, items or exceptions may follow


@dataclass(frozen=True, slots=True)
class Judgement:
    """Judgement on a candidate: the verdict and the judge's ratings.

    `ratings` are from 1 to 5 ("natural", "matters"). `question_type` is the type that the judge assigns, or "" if the
    judge was not asked for a type. `doubt` is an objection that does not reject the candidate, or "".
    """

    verdict: Verdict
    ratings: Mapping[str, int] = field(default_factory=dict)
    question_type: str = ""
    doubt: str = ""


JudgeReply = Mapping[str, Any] | str
"""Verdict of a judge on an item, or the reason why there is none."""


def holds(reply: Mapping[str, Any]) -> bool:
    """Return whether the judge finds a golden answer right, and its proof complete or without a grave gap.

    `reply` is the reply of the open judge, which reads the evidence.
    """
    return bool(reply["right"]) and bool(reply["proved"] or not reply["grave"])


def closed_request(samples: Sequence[Sample], corpus: Corpus) -> Request:
    """Return the request to the closed judge, which reads only the questions of some samples, without documents."""
    questions = "\n".join(f"[{n}] {collapse_space(sample.question)}" for n, sample in enumerate(samples))
    return _request(CLOSED, {"brief": corpus.brief or NO_BRIEF, "questions": questions}, samples[0], corpus)


def open_request(samples: Sequence[Sample], corpus: Corpus) -> Request:
    """Return the request to the open judge, which reads some samples with their evidence and the nearest passages."""
    language = samples[0].language
    question, answer = label("question", language), label("golden", language)
    items = "\n\n".join(
        f"{label('item', language)} {n} ({sample.question_type})\n"
        f"{headed(question, collapse_space(sample.question), language)}\n"
        f"{evidence_text(sample.evidence, corpus, 'evidence', language)}"
        for n, sample in enumerate(samples)
    )
    # The golden answers come last, so that the judge answers before it sees them.
    golden = "\n".join(
        headed(f"{answer} {n}", collapse_space(" / ".join(sample.golden_answers)), language)
        for n, sample in enumerate(samples)
    )
    items = f"{items}\n\n{golden}"
    others = _others(samples, corpus)
    return _request(
        OPEN, {"brief": corpus.brief or NO_BRIEF, "items": items, "others": others or "-"}, samples[0], corpus
    )


def answer_request(items: str, sample: Sample, corpus: Corpus) -> Request:
    """Return the request to answer the questions in `items`, each from its own text, in the language of `sample`."""
    return _request(ANSWER, {"items": items}, sample, corpus)


def _others(samples: Sequence[Sample], corpus: Corpus) -> str:
    """Return the text that the judge sees besides the evidence.

    It contains the surroundings of the evidence, and sentences elsewhere that may compete with it, each passage once.
    """
    # The items already contain the evidence itself.
    evidence = {(piece.doc_id, piece.start, piece.end) for sample in samples for piece in sample.evidence}
    around: dict[str, list[Span]] = {}
    home: dict[str, Section] = {}
    for piece in (piece for sample in samples for piece in sample.evidence):
        section = home.setdefault(piece.chunk_id, section_of(corpus, piece.chunk_id))
        around.setdefault(section.section_id, []).append((piece.start, piece.end))
    own = numbered(corpus, [*home.values()], longest=_AROUND, around=around, without=evidence)
    telling: dict[str, list[Span]] = {}
    rivals: dict[str, Section] = {}
    for sample in samples:
        for name in _rivals(sample, home, corpus):
            section = rivals.setdefault(name, section_of(corpus, name))
            telling.setdefault(section.section_id, []).extend(_telling(sample, section, corpus))
    shown = numbered(corpus, [*rivals.values()], len(own.lines), _CLIPPED, telling)
    return f"{own.text}\n\n{shown.text}".strip()


def _rivals(sample: Sample, home: Collection[str], corpus: Corpus) -> list[str]:
    """Return the chunks that may complete, restrict or contradict the answer of a question.

    If the answer is a list, the chunk outside the evidence with the most of its items is included. The nearest chunk in
    each document of the evidence and the nearest chunk elsewhere are included. The other places go to the next nearest
    chunks of any document, because another section of the page often has the exception. Chunks near the question alone
    alternate with chunks near question and answer. Left out are boilerplate, and chunks that only repeat what the
    evidence or an earlier chunk says.
    """
    said = {normalise(text) for text in corpus.texts(sample)}

    def is_told(name: str) -> bool:
        if is_boilerplate(corpus, [name]):
            return False
        section = section_of(corpus, name)
        text = corpus.document(section.doc_id).text
        telling = {normalise(text[start:end]) for start, end in _telling(sample, section, corpus)}
        repeats = bool(telling) and telling <= said
        said.update(telling)
        return not repeats

    both = _nearest(" ".join((sample.question, *sample.golden_answers)), home, corpus)
    asked = _nearest(sample.question, home, corpus)
    doc_ids = both | asked
    ranked = dict.fromkeys(name for pair in zip_longest(asked, both) for name in pair if name)
    documents = dict.fromkeys(piece.doc_id for piece in sample.evidence)
    beside = (next((n for n in ranked if doc_ids[n] == own and is_told(n)), "") for own in documents)
    same_page = [name for name in beside if name]
    elsewhere = next((name for name in ranked if doc_ids[name] not in documents and is_told(name)), "")
    first = [name for name in (*same_page, elsewhere) if name]
    others = (name for name in ranked if name not in first and is_told(name))
    nearest = islice(chain(first, others), len(same_page) + _RIVALS)
    listing = _listing(sample, [name for name in home if name in corpus], corpus)
    return list(dict.fromkeys((*listing, *nearest)))


def _nearest(query: str, home: Collection[str], corpus: Corpus) -> dict[str, str]:
    """Return the best chunks for a query, each mapped to its document. Chunks in `home` are left out."""
    ranked = (name for name, _ in corpus.index.top(query, _RANKED + len(home)) if name not in home)
    return {name: corpus.chunk(name).doc_id for name in ranked}


def _telling(sample: Sample, section: Section, corpus: Corpus) -> list[Span]:
    """Return the offsets of the sentences of a section that share the most words with a question and its answers.

    The answers of its sub-questions count too.
    """
    asked = set(stems(" ".join((sample.question, *sample.golden_answers, *answers_of_parts(sample)))))
    frequencies = corpus.index.by_stem()
    ranked = sorted(
        (-sum(1 / frequencies.get(word, 1) for word in asked.intersection(stems(line.text))), line.start, line.end)
        for line in lines_of(corpus, section)
        if line.kind != HEADING
    )
    return [(start, end) for weight, start, end in ranked[:_TELLING] if weight]


def answers_of_parts(sample: Sample) -> list[str]:
    """Return the answers of the sub-questions of a question."""
    parts = sample.metadata.get(SUB_QUESTIONS, ())
    given = [part.get("answer") for part in parts if isinstance(part, Mapping)]
    return [answer for answer in given if isinstance(answer, str)]


def near_spans(sample: Sample, chosen: Iterable[Section], corpus: Corpus) -> dict[str, list[Span]]:
    """Return, by section id, the offsets of the sentences that share the most words with a question and its answers."""
    return {section.section_id: _telling(sample, section, corpus) for section in chosen}


def _listing(sample: Sample, home: Collection[str], corpus: Corpus) -> list[str]:
    """Return the chunk outside `home` that contains the most items of an answer that is a list.

    The result has at most one chunk. It is [] if the answer is no list, or if no such chunk contains two items.
    """
    items = [normalise(item) for answer in sample.golden_answers for item in list_items(answer)]
    best: tuple[int, str] = (_LISTED - 1, "")
    for name, _ in corpus.index.top(" ".join(items), _RANKED) if items else ():
        if name not in home:
            text = normalise(corpus.chunk(name).text)
            best = max(best, (sum(item in text for item in items), name), key=lambda pair: pair[0])
    return [best[1]] if best[1] else []


def evidence_text(pieces: Sequence[Evidence], corpus: Corpus, word: str, language: str) -> str:
    """Return pieces of evidence as a judge reads them, each under its document and headings, labelled `word`.

    A piece that is only a heading is left out if another piece stands under that heading.
    """
    texts = corpus.texts_of(pieces)
    over = [(corpus.document(piece.doc_id).title, *corpus.headings(piece)) for piece in pieces]
    shown = {(piece.doc_id, normalise(name)) for piece, names in zip(pieces, over, strict=True) for name in names}
    lines: list[str] = []
    before = ""
    for piece, text, names in zip(pieces, texts, over, strict=True):
        own = (piece.doc_id, normalise(text))
        if own in shown and any(normalise(other) != own[1] for other in texts):
            continue
        place = " / ".join(harmless(filter(None, [corpus.folder_title(piece.doc_id), *names])))
        parts = [label(word, language), f"{label('in', language)} {shown_name(piece.doc_id)}"]
        head = label("comma", language).join([*parts, *([f"{label('under', language)} {place}"] if place else ())])
        lines.append(headed(head, text, language) if head != before else text)
        before = head
    return "\n".join(lines)


def _request(prompt: str, values: Mapping[str, str], sample: Sample, corpus: Corpus) -> Request:
    return Request.of(corpus.prompt(prompt, sample.language), values, purpose=prompt, role="judge")


def by_item(reply: Completion | RequestFailed, count: int) -> list[JudgeReply]:
    """Return the verdict of a reply on each of `count` items.

    If an item has two verdicts, the first counts. An item without a verdict gets the reason as a text.
    """
    if isinstance(reply, RequestFailed):
        return [str(reply)] * count
    verdicts: list[JudgeReply] = ["the judge's reply omits this item"] * count
    for verdict in reversed(reply.data["verdicts"]):
        if 0 <= verdict["item"] < count:
            verdicts[verdict["item"]] = verdict
    return verdicts
