"""Blind reading by construction: which rules of the author without a model make questions that readers accept.

    read_constructions.py draw [NAME=]SET.jsonl … --out DIR [--per 25] [--seed 0] [--packet 100]
                               [--most N=CONSTRUCTION …] [--human N=SET.jsonl …]
    read_constructions.py count PACKET.verdicts.json … [--keys DIR]
    read_constructions.py show

A SET is a testset as `synth generate` writes it. `draw` sorts its rows by construction, takes up to PER of each (of
some fewer, by --most), spread evenly over the sets, mixes in N rows of each --human set, and writes all of them
shuffled into DIR/packet1.md, packet2.md, …, by the format that blind readers get. The key of each packet stands
beside it (packet1.key.json) and is not for the reader. A row counts for its style, or else for the pattern that made
it. What was read is not drawn again.

Verdicts are {"0": {"accept": true, "fault": "", "why": "…"}, …} for packet1.md in packet1.verdicts.json. `count`
adds them to scripts/construction_verdicts.jsonl, where a row is a digest and no text, and prints the table that
`show` prints: for each language and construction accepted of read, with Wilson's 95 % interval and the faults.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from synth.core.records import digest
from synth.evaluation.intervals import wilson

VERDICTS = Path(__file__).with_name("construction_verdicts.jsonl")
HUMAN = "human"
LEAST = 0.7
"""Share of its questions that readers must accept for a construction to stay."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question as a reader gets it, and what made it."""

    construction: str
    source: str
    kind: str
    language: str
    question: str
    answers: tuple[str, ...]
    evidence: tuple[tuple[str, str], ...]

    @property
    def key(self) -> dict[str, str]:
        return {
            "language": self.language,
            "construction": self.construction,
            "source": self.source,
            "row": digest(self.question, self.answers, self.evidence)[:16],
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader said of a row."""

    language: str
    construction: str
    source: str
    row: str
    accepted: bool
    fault: str


def rows_of(source: str, path: Path) -> Iterator[Row]:
    """The rows of a testset."""
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        row = json.loads(line)
        metadata = row.get("metadata") or {}
        evidence = row.get("evidence") or [{"doc_id": row.get("doc_id", ""), "text": ""}]
        rest = (
            source,
            metadata.get("question_type", "simple"),
            str(metadata.get("language", "")),
        )
        proof = tuple(row.get("golden_answers") or ()), tuple((e["doc_id"], e["text"]) for e in evidence)
        yield Row(construction(metadata), *rest, row["question"], *proof)


def construction(metadata: dict[str, Any]) -> str:
    """The style of a row, or else its question type and the pattern that made it."""
    if metadata.get("style"):
        return f"style: {metadata['style']}"
    return f"{metadata.get('question_type', 'simple')}: {metadata.get('pattern', '?')}"


def drawn(rows: Sequence[Row], per: int, chooser: Random, most: Mapping[str, int]) -> list[Row]:
    """Up to `per` rows of each construction, or what `most` says, in turn from its sources; no question twice."""
    shelves: dict[tuple[str, str], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        shelves[row.language, row.construction][row.source].append(row)
    found: dict[str, Row] = {}
    for (_, name), by_source in shelves.items():
        wanted = most.get(name, per)
        for shelf in by_source.values():
            chooser.shuffle(shelf)
        taken = 0
        while taken < wanted and any(by_source.values()):
            for source in sorted(by_source):
                if by_source[source] and taken < wanted:
                    row = by_source[source].pop()
                    taken += row.question not in found
                    found.setdefault(row.question, row)
    return list(found.values())


def draw(options: argparse.Namespace) -> None:
    chooser = Random(options.seed)
    known = {verdict.row for verdict in _kept()}
    every = (row for source in options.sources for row in rows_of(*_named(source)))
    rows = [row for row in every if row.key["row"] not in known]
    most = {name: int(number) for number, name in (one.split("=", 1) for one in options.most)}
    items = drawn(rows, options.per, chooser, most)
    for wanted in options.human:
        count, path = wanted.split("=", 1)
        items += [human(row) for row in chooser.sample(list(rows_of(HUMAN, Path(path))), int(count))]
    chooser.shuffle(items)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    packets = -(-len(items) // options.packet)
    for number in range(packets):
        packet = items[number::packets]
        (out / f"packet{number + 1}.md").write_text("".join(map(_shown, range(len(packet)), packet)), "utf-8")
        key = {str(place): row.key for place, row in enumerate(packet)}
        (out / f"packet{number + 1}.key.json").write_text(json.dumps(key, ensure_ascii=False), "utf-8")
    for (language, name), count in sorted(Counter((row.language, row.construction) for row in items).items()):
        print(f"{language:8} {name:36} {count:4}")
    print(f"{len(items)} rows in {packets} packets in {out}")


def human(row: Row) -> Row:
    """A row that people wrote, under their name."""
    return Row(HUMAN, HUMAN, row.kind, row.language, row.question, row.answers, row.evidence)


def _named(source: str) -> tuple[str, Path]:
    name, _, path = source.rpartition("=")
    return name or Path(path).stem, Path(path)


def _shown(number: int, row: Row) -> str:
    answers = " / ".join(row.answers) or "(the documents do not say)"
    evidence = "".join(f"E [{doc}]: {text}\n" for doc, text in row.evidence)
    return f"## {number} ({row.kind})\nQ: {row.question}\nA: {answers}\n{evidence}\n"


def count(options: argparse.Namespace) -> None:
    kept = list(_kept())
    for path in map(Path, options.verdicts):
        name = path.name.removesuffix(".verdicts.json")
        keys = json.loads((Path(options.keys or path.parent) / f"{name}.key.json").read_text(encoding="utf-8"))
        said = json.loads(path.read_text(encoding="utf-8"))
        if missing := sorted(set(keys) - set(said), key=int):
            sys.exit(f"{path}: no verdict for rows {', '.join(missing)}")
        kept += [
            Verdict(**key, accepted=bool(said[number]["accept"]), fault=said[number]["fault"])
            for number, key in keys.items()
        ]
    lines = dict.fromkeys(json.dumps(asdict(verdict), ensure_ascii=False) for verdict in kept)
    VERDICTS.write_text("".join(line + "\n" for line in sorted(lines)), encoding="utf-8")
    show(options)


def show(options: argparse.Namespace) -> None:
    groups: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in _kept():
        groups[verdict.language, verdict.construction].append(verdict)
    for (language, construction), verdicts in sorted(groups.items()):
        good, read = sum(verdict.accepted for verdict in verdicts), len(verdicts)
        low, high = wilson(good / read, read)
        faults = Counter(verdict.fault for verdict in verdicts if not verdict.accepted).most_common(3)
        said = ", ".join(f"{fault} {number}" for fault, number in faults)
        mark = "" if good >= LEAST * read else "*"
        print(f"{language:8} {construction:36} {good:3} of {read:3} {mark:1} ({low:4.0%} to {high:4.0%})  {said}")


def _kept() -> Iterator[Verdict]:
    if VERDICTS.exists():
        for line in VERDICTS.read_text(encoding="utf-8").split("\n")[:-1]:
            yield Verdict(**json.loads(line))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw", help="write blind packets")
    drawing.add_argument("sources", nargs="+", metavar="[NAME=]SET.jsonl")
    drawing.add_argument("--out", required=True, metavar="DIR")
    drawing.add_argument("--per", type=int, default=25, help="rows of each construction (25)")
    drawing.add_argument("--most", nargs="*", default=[], metavar="N=CONSTRUCTION", help="fewer rows of one")
    drawing.add_argument("--seed", type=int, default=0)
    drawing.add_argument("--packet", type=int, default=100, help="rows of a packet, about (100)")
    drawing.add_argument("--human", nargs="*", default=[], metavar="N=SET.jsonl")
    drawing.set_defaults(run=draw)
    counting = commands.add_parser("count", help="keep verdicts and print the table")
    counting.add_argument("verdicts", nargs="+", metavar="PACKET.verdicts.json")
    counting.add_argument("--keys", metavar="DIR", help="where the keys are (beside the verdicts)")
    counting.set_defaults(run=count)
    showing = commands.add_parser("show", help="print the table of what was read")
    showing.set_defaults(run=show)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
