"""What the filters catch of planted faults, and what they wrongly refuse, without a model.

    python scripts/bench_filters.py [--languages en,zh-Hans,zh-Hant] [--human FOLDER …] [--level TESTSET …]
        [--workspace DIR]

Rows are made from corpora/ (for zh-Hant its Chinese documents in traditional script), and each is spoilt in every way
that fits it. A fault is caught when any filter refuses it; those that did are named with their counts. `clean` are
rows put in another manner, which must pass, and `near miss` ones are a row's question with another number, which must
not be taken for a duplicate. FOLDER holds docs/ and human_questions.jsonl (question, golden_answers, doc_id): of each
filter the share of those questions, with their own passage, that it refuses; and how well the fit of `answerable` tells
their own passage from the best other one by BM25 (AUC). With a TESTSET over each FOLDER, in their order: how far the
reference retrievers are apart on it and on people's questions (mean gap of MRR@10), on those that pass the filters, and
on those of them that are on documents of the set.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from random import Random

from synth.core.progress import Silent
from synth.core.records import Document, Evidence, Sample, Verdict, text_hash
from synth.corpus.corpus import Corpus
from synth.corpus.documents.loading import load
from synth.evaluation.judging.statistics import auc
from synth.generation.filters.answerable import fit
from synth.generation.filters.base import Filter
from synth.generation.judge_controls import with_fault
from synth.grammar.typing_errors import typing_errors
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified, to_traditional
from synth.text.tokens import content_words
from synth.workflows.api import generate
from synth.workflows.assembly import set_filters
from synth.workflows.session import opened, opened_corpus
from synth.workflows.set_scoring import score
from synth.workflows.settings import Settings

ROOT = Path(__file__).parents[1]
ROWS = 120
MODEL_ONLY = {
    "ambiguous beside a name": "which of the things that the question names is meant",
    "other number of the text": "the answer stands in the evidence and is of the right kind",
    "last name alone": "that a reader does not know who is meant",
}
"""Faults that only a model can see, and why."""

_NAME = re.compile(r"(?<=[a-z] )(?:[A-Z][\w'’-]+ ?)+(?=[ ?,])")
_SUBJECT = re.compile(r"^[当如果在从自把对为若]*([^，,？?的是在由于有哪什谁何多几怎为被把从与和、当接]{2,})")
# A name with its article, ordinal and head: "the fourth Eddystone Lighthouse", "the Heron Point light".
_THE_NAME = re.compile(
    r"(?:(?<= )the (?:[a-z]+ )?)?(?<=[a-z] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*(?: [a-z]+(?=\?))?(?=[ ?,])"
)
_DIGITS = re.compile(r"\d+")
OFF_CORPUS = {
    "en": [("Who painted the Mona Lisa?", "Leonardo da Vinci"), ("What is the capital of Mongolia?", "Ulaanbaatar"),
           ("How many players does a football team have on the pitch?", "eleven")],
    "zh": [("《蒙娜丽莎》是谁画的？", "达·芬奇"), ("蒙古国的首都是哪里？", "乌兰巴托"),
           ("一支足球队上场多少名球员？", "十一名")],
}  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """A corpus, its filters, and rows that passed them."""

    language: str
    corpus: Corpus
    filters: Sequence[Filter]
    rows: Sequence[Sample]
    settings: Settings

    def refused_by(self, sample: Sample) -> str:
        """The first filter that refuses a sample, or ""."""
        for filter_ in self.filters:
            if not filter_.decide(sample, self.corpus).kept:
                return filter_.name
        return ""

    def other(self, sample: Sample, rng: Random) -> Sample:
        """Another row, of another document."""
        home = {piece.doc_id for piece in sample.evidence}
        return rng.choice([row for row in self.rows if home.isdisjoint(piece.doc_id for piece in row.evidence)])


Fault = Callable[[Sample, Bench, Random], Sample | None]


def wrong_answer(sample: Sample, bench: Bench, rng: Random) -> Sample:
    return replace(sample, golden_answers=bench.other(sample, rng).golden_answers)


def wrong_number(sample: Sample, bench: Bench, rng: Random) -> Sample | None:
    answer = sample.golden_answers[0]
    wrong = _DIGITS.sub(lambda match: str(int(match.group()) + rng.randrange(1, 9)), answer)
    return replace(sample, golden_answers=(wrong,)) if wrong != answer else None


def another_number(sample: Sample, bench: Bench, rng: Random) -> Sample | None:
    answer = sample.golden_answers[0]
    found = [n for n in _DIGITS.findall(bench.corpus.plain_evidence(sample)) if n not in answer + sample.question]
    return (
        replace(sample, golden_answers=(_DIGITS.sub(found[0], answer, count=1),))
        if found and _DIGITS.search(answer)
        else None
    )


def unsupported(sample: Sample, bench: Bench, rng: Random) -> Sample:
    joint = "，而且" if is_chinese(sample.language) else ", and "
    claim = content_words(bench.other(sample, rng).evidence[0].text)[:5]
    said = ("" if is_chinese(sample.language) else " ").join(claim)
    return replace(sample, golden_answers=(f"{sample.golden_answers[0]}{joint}{said}",))


def missing_evidence(sample: Sample, bench: Bench, rng: Random) -> Sample:
    return replace(sample, evidence=bench.other(sample, rng).evidence)


def ambiguous(sample: Sample, bench: Bench, rng: Random) -> Sample | None:
    """A pointer in the place of the thing that the question names first."""
    if is_chinese(sample.language):
        found = _SUBJECT.match(to_simplified(sample.question))
        turn = _pointer(sample, rng)
        return _put(sample, found.span(1), turn) if found else None
    name = _THE_NAME.search(sample.question)
    return _put(sample, name.span(), _pointer(sample, rng)) if name else None


def ambiguous_beside(sample: Sample, bench: Bench, rng: Random) -> Sample | None:
    """A pointer in the place of a word behind the thing that a Chinese question names first, or of a later name."""
    if is_chinese(sample.language):
        first = _SUBJECT.match(to_simplified(sample.question))
        rest = sample.question[first.end() :] if first else ""
        words = [word for word in content_words(rest) if len(word) > 1 and word in rest]
        if not words:
            return None
        start = sample.question.index(max(words, key=len), len(sample.question) - len(rest))
        return _put(sample, (start, start + max(map(len, words))), _pointer(sample, rng))
    names = list(_THE_NAME.finditer(sample.question))
    return _put(sample, names[-1].span(), _pointer(sample, rng)) if len(names) > 1 else None


def _pointer(sample: Sample, rng: Random) -> str:
    if not is_chinese(sample.language):
        return rng.choice(("it", "this section", "the above", "this company"))
    turn = rng.choice(("该公司", "上文", "它", "这一节"))
    return to_traditional(turn) if sample.language == "zh-Hant" else turn


def _put(sample: Sample, span: tuple[int, int], text: str) -> Sample:
    return replace(sample, question=f"{sample.question[: span[0]]}{text}{sample.question[span[1] :]}")


def last_name(sample: Sample, bench: Bench, rng: Random) -> Sample | None:
    name = _NAME.search(sample.question)
    parts = name.group().split() if name else []
    return replace(sample, question=sample.question.replace(" ".join(parts), parts[-1], 1)) if len(parts) > 1 else None


def leaked(sample: Sample, bench: Bench, rng: Random) -> Sample:
    mark = sample.question[-1]
    said = f"（{sample.golden_answers[0]}）" if is_chinese(sample.language) else f" ({sample.golden_answers[0]})"
    return replace(sample, question=f"{sample.question[:-1]}{said}{mark}")


def two_in_one(sample: Sample, bench: Bench, rng: Random) -> Sample:
    other = bench.other(sample, rng).question
    if is_chinese(sample.language):
        return replace(sample, question=f"{sample.question[:-1]}，{other}")
    return replace(sample, question=f"{sample.question[:-1]}, and {other[0].lower()}{other[1:]}")


def wrong_language(sample: Sample, bench: Bench, rng: Random) -> Sample:
    return replace(sample, question=OFF_CORPUS["en" if is_chinese(sample.language) else "zh"][rng.randrange(3)][0])


def off_corpus(sample: Sample, bench: Bench, rng: Random) -> Sample:
    question, answer = OFF_CORPUS["zh" if is_chinese(sample.language) else "en"][rng.randrange(3)]
    if sample.language == "zh-Hant":
        question, answer = to_traditional(question), to_traditional(answer)
    return replace(sample, question=question, golden_answers=(answer,))


FAULTS: dict[str, Fault] = {
    "wrong answer": wrong_answer,
    "wrong number": wrong_number,
    "other number of the text": another_number,
    "unsupported claim": unsupported,
    "missing evidence": missing_evidence,
    "ambiguous reference": ambiguous,
    "ambiguous beside a name": ambiguous_beside,
    "last name alone": last_name,
    "answer leaked": leaked,
    "two questions in one": two_in_one,
    "wrong language": wrong_language,
    "off-corpus fact": off_corpus,
}


def mistyped(sample: Sample, rng: Random) -> Sample | None:
    """The row with typing errors, which is no fault but a duplicate."""
    names = [match.group().strip() for match in _NAME.finditer(sample.question)]
    made = typing_errors(sample.question, sample.language, rng, [*names, *_DIGITS.findall(sample.question)])
    return replace(sample, question=made, metadata={**sample.metadata, "style": "typos"}) if made else None


def near_miss(sample: Sample) -> Sample | None:
    other = _DIGITS.sub(lambda match: str(int(match.group()) + 1), sample.question, count=1)
    return replace(sample, question=other) if other != sample.question else None


def documents(language: str) -> list[Document]:
    """The documents of corpora/ in a language; traditional script is made of the simplified ones."""
    folder = ROOT / "corpora" / ("zh" if is_chinese(language) else "en")
    found = load([folder]).documents
    if language != "zh-Hant":
        return list(found)
    texts = [(document, to_traditional(document.text)) for document in found]
    return [replace(d, text=text, content_hash=text_hash(text), title=to_traditional(d.title)) for d, text in texts]


def planted(bench: Bench) -> Iterator[tuple[str, int, Counter[str]]]:
    """Each fault with how many rows could be spoilt so, and the filters that refused how many."""
    for name, spoil in FAULTS.items():
        tally: Counter[str] = Counter()
        made = [spoil(row, bench, Random(f"{name}:{row.id}")) for row in bench.rows]
        tally.update(bench.refused_by(one) for one in made if one)
        yield name, tally.total(), tally
    controls = [wrong for row in bench.rows if (wrong := with_fault(row, bench.corpus))]
    tally = Counter(bench.refused_by(wrong) for _, wrong in controls)
    yield "control item", tally.total(), tally


def against_the_set(bench: Bench) -> Iterator[tuple[str, int, Counter[str]]]:
    """What the filters that see the set say of the same question mistyped, and of one with another number."""
    with opened(bench.settings) as (_, parts):
        of_set = set_filters(bench.settings, parts.encoder)
        for row in bench.rows:
            for filter_ in of_set:
                filter_.admit(row)
        for name, made in (
            ("duplicate with typing errors", [mistyped(row, Random(row.id)) for row in bench.rows]),
            ("near-miss number: kept", [near_miss(row) for row in bench.rows]),
        ):
            verdicts = [_first_refusal([filter_.check(one) for filter_ in of_set]) for one in made if one]
            yield name, len(verdicts), Counter(verdicts)


def _first_refusal(verdicts: Sequence[Verdict]) -> str:
    return next((verdict.filter for verdict in verdicts if not verdict.kept), "")


def line(*cells: object) -> None:
    print("  ".join(f"{cell!s:<26}" if n == 0 else f"{cell!s:>9}" for n, cell in enumerate(cells)), flush=True)


def on_corpora(language: str, workspace: str) -> None:
    settings = Settings(n=ROWS, nearest=True, workspace=workspace)
    sources = documents(language)
    with tempfile.TemporaryDirectory() as folder:
        made = generate(sources, Path(folder) / "rows.jsonl", settings)
    with opened_corpus(sources, settings, Silent()) as (_, run):
        corpus, parts = run.corpus, run.parts
        wanted = {"zh-Hans", "zh-Hant"} if language == "zh-Hans" else {language}
        rows = [sample for sample in made.outcome.samples if sample.language in wanted and sample.evidence]
        bench = Bench(language, corpus, parts.filters, rows, settings)
        print(f"\n{language}: {len(rows)} rows")
        line("fault", "planted", "caught", "filters")
        for name, count, tally in [*planted(bench), *against_the_set(bench)]:
            by = ", ".join(f"{filter_} {n}" for filter_, n in tally.most_common() if filter_)
            line(name, count, f"{1 - tally[''] / count:.1%}" if count else "", by, MODEL_ONLY.get(name, ""))
        clean = [one for row in rows if (one := mistyped(row, Random(row.id)))]
        tally = Counter(map(bench.refused_by, clean))
        by = ", ".join(f"{filter_} {n}" for filter_, n in tally.most_common() if filter_)
        line("clean: typing errors", len(clean), f"{1 - tally[''] / (len(clean) or 1):.1%}", by, "(false alarms)")


def on_human_questions(folder: Path, testset: Path | None, workspace: str) -> None:
    settings = Settings(workspace=workspace)
    asked = [json.loads(one) for one in (folder / "human_questions.jsonl").read_text(encoding="utf-8").splitlines()]
    whole = replace(settings, chunks=replace(settings.chunks, size=10_000))
    with opened_corpus([folder / "docs"], whole, Silent()) as (_, run):
        corpus, parts = run.corpus, run.parts
        samples = {str(row["id"]): sample for row in asked if (sample := _human(row, corpus))}
        print(f"\n{folder}: {len(samples)} human questions with their own passage")
        line("filter", "refused")
        refused: set[str] = set()
        for filter_ in parts.filters:
            of_filter = {name for name, sample in samples.items() if not filter_.decide(sample, corpus).kept}
            line(filter_.name, f"{len(of_filter) / len(samples):.1%}")
            refused |= of_filter
        line("any", f"{len(refused) / len(samples):.1%}")
        right, wrong = zip(*(_fits(sample, corpus) for sample in samples.values()), strict=True)
        line("AUC of the fit", f"{auc([True] * len(right) + [False] * len(wrong), [*right, *wrong]):.3f}")
    if testset:
        _level(folder, testset, samples.keys() - refused, settings)


def _level(folder: Path, testset: Path, passed: Set[str], settings: Settings) -> None:
    """How far the retrievers are apart on a set and on people's questions: on all, and on what can be compared."""
    found = score(testset, [folder / "docs"], settings, human=folder / "human_questions.jsonl")
    assert found.scores
    assert found.human
    mine, people = found.scores, found.human
    on = {probe.document for probe in mine.probes}
    chosen = {
        "all": [True for _ in people.probes],
        "that pass the filters": [probe.id in passed for probe in people.probes],
        "and on its documents": [probe.id in passed and probe.document in on for probe in people.probes],
    }
    line("people's questions", "number", "gap of MRR@10")
    for name, which in chosen.items():
        gap = abs(mine.mrr.mean(1) - people.mrr[:, which].mean(1)).mean()
        line(name, sum(which), f"{gap:.3f}")


def _human(row: dict[str, object], corpus: Corpus) -> Sample | None:
    document = corpus.document(str(row["doc_id"]))
    chunk = corpus.chunk_at(document.doc_id, 0)
    if chunk is None:
        return None
    piece = Evidence(
        doc_id=document.doc_id, doc_hash=document.content_hash, chunk_id=chunk.chunk_id,
        start=0, end=len(document.text), text=document.text,
    )  # fmt: skip
    return Sample(
        question=str(row["question"]),
        golden_answers=tuple(map(str, row["golden_answers"])),  # type: ignore[call-overload]
        evidence=(piece,),
        question_type="simple",
        language="zh-Hans" if re.search("[\u4e00-\u9fff]", str(row["question"])) else "en",
    )


def _fits(sample: Sample, corpus: Corpus) -> tuple[float, float]:
    """The fit of a question with its own passage, and with the best other one by BM25."""
    own = sample.evidence[0].chunk_id
    other = next(name for name, _ in corpus.index.top(sample.question, 2) if name != own)
    return fit(sample.question, own, corpus), fit(sample.question, other, corpus)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--languages", default="en,zh-Hans,zh-Hant", metavar="CODE,…")
    parser.add_argument("--human", nargs="*", default=[], type=Path, metavar="FOLDER")
    parser.add_argument("--level", nargs="*", default=[], type=Path, metavar="TESTSET")
    parser.add_argument("--workspace", default="", metavar="DIR")
    options = parser.parse_args()
    for language in filter(None, options.languages.split(",")):
        on_corpora(language, options.workspace)
    for folder, testset in zip_longest(options.human, options.level):
        if folder is None:
            parser.error("--level needs a folder of --human for each testset")
        on_human_questions(folder, testset, options.workspace)


if __name__ == "__main__":
    main()
