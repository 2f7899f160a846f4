"""Sets, sheets and responses with one hostile field each, and the commands that read them.

`prepared` makes a folder with documents, a set and everything that belongs to it. `cases` sets each field of each file
to something hostile, one at a time: every field, and of a list each kind of item.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.annotation.decisions import Decisions
from synth.annotation.records import Annotation, sample_hash
from synth.cli.main import COMMANDS as EVERY_COMMAND
from synth.cli.main import main
from synth.core.jsonl import dumps, read_samples, write_rows

Trail = tuple[str | int, ...]
"""The way to a field: names of members and numbers of items."""

ABSENT = object()
HUGE = 10**18
_TEXT = (
    "# {0} line\n\n## When did the {0} station open?\n\nThe {0} station opened in {1}. It has two platforms.\n\n"
    "## When was the {0} school founded?\n\nThe {0} school was founded in {2}.\n"
)
_NAMES = ("Alder", "Cedar", "Elm", "Oak")
_FEW = 2
_ALIKE = ("documents", "outlines", "metrics", "scores", "definitions", "verdicts", "corpus_bleu")
"""Objects with many members that are alike, of which a few are tried."""


def values(address: str, secret: str) -> dict[str, Any]:
    """Hostile values by name. `address` is a server that nobody named, `secret` a file that nobody named."""
    return {
        "address": address,
        "file": secret,
        "up": "../../outside/secret.txt",
        "device": "/dev/zero",
        "nul": "a\0b",
        "surrogate": "\ud800",
        "long": "word " * 40_000,
        "control": "\x1b[2J\u202e\r\n\n",
        "formula": '=HYPERLINK("http://x.example")',
        "pattern": "(a+)+$" * 50,
        "variable": "SECRET_KEY",
        "negative": -1,
        "huge": HUGE,
        "endless": 10**400,
        "real": 1e308,
        "infinite": float("inf"),
        "nothing": None,
        "true": True,
        "empty text": "",
        "empty list": [],
        "empty object": {},
        "nested": [[{"a": [None]}]],
        "object": {"a": {"b": []}},
        "deep": _deep(900),
        "wide": [0] * 200_000,
        "absent": ABSENT,
    }


def _deep(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


def trails(value: Any, trail: Trail = ()) -> Iterator[Trail]:
    """The ways to all parts of a JSON value; of items and members that are alike, to the first of each kind."""
    if trail:
        yield trail
    members: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        members = list(value.items())[: _FEW if trail and trail[-1] in _ALIKE else None]
    elif isinstance(value, list):
        first: dict[str, int] = {}
        for number, item in enumerate(value):
            first.setdefault(_kind(item), number)
        members = [(number, value[number]) for number in first.values()]
    for name, inner in members:
        yield from trails(inner, (*trail, name))


def _kind(value: Any) -> str:
    """What items are alike by: the names of an object, else the type."""
    return ",".join(sorted(value)) if isinstance(value, dict) else type(value).__name__


def changed(value: Any, trail: Trail, other: Any) -> Any:
    """A copy of a JSON value with another part at the end of `trail`."""
    if not trail:
        return other
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    if len(trail) == 1 and other is ABSENT:
        del copy[trail[0]]
    else:
        copy[trail[0]] = changed(copy[trail[0]], trail[1:], other)
    return copy


def _json(value: Any) -> str:
    return json.dumps(value)


def _lines(value: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in value) if isinstance(value, list) else json.dumps(value)


def _csv(value: Any) -> str:
    """A table of texts; what is no text is written as JSON."""
    out = io.StringIO(newline="")
    table = csv.writer(out)
    rows = value if isinstance(value, list) else [value]
    names = list(dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row))
    table.writerow(names)
    for row in rows:
        cells = [row.get(name, "") for name in names] if isinstance(row, dict) else [row]
        table.writerow([cell if isinstance(cell, str) else json.dumps(cell, default=str) for cell in cells])
    return out.getvalue()


@dataclass(frozen=True)
class Material:
    """A file whose fields are changed: its name, how it is read as a value, and how a value is written."""

    name: str
    read: Callable[[str], Any]
    written: Callable[[Any], str]


def _rows(text: str) -> Any:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _table(text: str) -> Any:
    return [*csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))]


MATERIALS: Mapping[str, Material] = {
    "manifest": Material("set.manifest.json", json.loads, _json),
    "row": Material("set.jsonl", _rows, _lines),
    "refused": Material("set.rejected.jsonl", _rows, _lines),
    "retired": Material("set.retired.jsonl", _rows, _lines),
    "responses": Material("responses.jsonl", _rows, _lines),
    "columns": Material("columns.json", json.loads, _json),
    "sheet": Material("sheet.csv", _table, _csv),
    "label studio": Material("studio.json", json.loads, _json),
    "doccano": Material("doccano.jsonl", _rows, _lines),
    "argilla": Material("argilla/records.json", json.loads, _json),
    "labels": Material("labels.jsonl", _rows, _lines),
    "human": Material("human.jsonl", _rows, _lines),
    "run": Material("run.json", json.loads, _json),
    "scores": Material("run.rows.jsonl", _rows, _lines),
    "foreign": Material("foreign.json", json.loads, _json),
    "log": Material("log.jsonl", _rows, _lines),
    "personas": Material("personas.jsonl", _rows, _lines),
    "journal": Material(".set.jsonl.swap", json.loads, _json),
}

_SET = ("row", "manifest", "journal")
_METRICS = ",".join(
    """faithfulness image_faithfulness topic_adherence agent_goal_accuracy sql_equivalence tool_call_f1 table_f1
    pattern_match answer_correctness""".split()
)
_MODEL = "--llm m --base-url SERVER --trust"
COMMANDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "generate": ("generate docs -o set.jsonl -n 3", ("manifest", "row", "journal")),
    "generate like": (
        "generate docs -o new.jsonl -n 2 --like log.jsonl --personas personas.jsonl",
        ("log", "personas"),
    ),
    "generate against": ("generate docs -o new.jsonl -n 2 --against set.jsonl", _SET),
    "estimate": ("estimate docs -n 2 --against set.jsonl --llm m", ("row",)),
    "show": ("show set.jsonl", _SET),
    "verify": ("verify set.jsonl --corpus docs", _SET),
    "score": (
        "score set.jsonl --corpus docs --human human.jsonl --graph -o out.json --html out.html",
        (*_SET, "human"),
    ),
    "rejudge": ("rejudge set.jsonl --corpus docs -o new.jsonl", (*_SET, "refused")),
    "update": ("update set.jsonl --corpus changed -o new.jsonl --without-model", (*_SET, "retired", "refused")),
    "update in place": (
        "update set.jsonl --corpus changed -o set.jsonl --without-model",
        (*_SET, "retired", "refused"),
    ),
    "update with a model": (f"update set.jsonl --corpus changed -o new.jsonl {_MODEL}", _SET),
    "log": ("log set.jsonl", _SET),
    "diff": ("diff set.jsonl old.jsonl", _SET),
    "view": ("view set.jsonl old.jsonl --corpus docs --port 0", _SET),
    "annotate review": ("annotate review set.jsonl --corpus docs --port 0", (*_SET, "refused")),
    "annotate export": ("annotate export set.jsonl --corpus docs -o out.xlsx", (*_SET, "refused")),
    "annotate export argilla": ("annotate export set.jsonl -o out --format argilla", ("row",)),
    "annotate import": ("annotate import set.jsonl sheet.csv --annotator a", (*_SET, "sheet")),
    "annotate import label studio": ("annotate import set.jsonl studio.json --annotator a", ("label studio",)),
    "annotate import doccano": ("annotate import set.jsonl doccano.jsonl --annotator a", ("doccano",)),
    "annotate import argilla": ("annotate import set.jsonl argilla --annotator a", ("argilla",)),
    "annotate agreement": ("annotate agreement set.jsonl", ("row", "refused")),
    "annotate accept": (
        "annotate accept set.jsonl -o new.jsonl --with-unreviewed --recalibrate --apply out.toml",
        (*_SET, "refused"),
    ),
    "annotate guideline": ("annotate guideline set.jsonl -o out.md", ("row",)),
    "evaluate": (
        "evaluate set.jsonl responses.jsonl --by difficulty,category -o out.json --html out.html --runs runs",
        ("row", "manifest", "responses"),
    ),
    "evaluate columns": ("evaluate set.jsonl columns.json -o out.json", ("columns",)),
    "evaluate with a judge": (
        f"evaluate set.jsonl responses.jsonl --llm m --base-url SERVER --metrics {_METRICS}",
        ("row", "responses"),
    ),
    "compare": ("compare run.json other.json", ("run", "scores")),
    "judge-check": ("judge-check labels.jsonl --metric faithfulness", ("labels",)),
    "judge-check filters": ("judge-check set.jsonl --filters --corpus docs --plant 1", ("row",)),
    "run": ("run set.jsonl --corpus docs -o out.jsonl", ("row", "journal")),
    "sweep": ("sweep set.jsonl --corpus docs --sizes 200 --retrievers bm25 -o out.json", ("row",)),
    "export": ("export set.jsonl --to csv -o out.csv", _SET),
    "export ragas": ("export set.jsonl --to ragas -o out.jsonl", ("row",)),
    "export deepeval": ("export set.jsonl --to deepeval -o out.json", ("row",)),
    "export beir": ("export set.jsonl --to beir --corpus docs -o out", ("row",)),
    "export huggingface": ("export set.jsonl --to huggingface --corpus docs -o out", ("row",)),
    "export llamaindex": ("export set.jsonl --to llamaindex -o out.json", ("row",)),
    "export promptfoo": ("export set.jsonl --to promptfoo -o out.jsonl", ("row",)),
    "adopt": ("adopt set.jsonl --corpus docs -o new.jsonl", ("row", "journal")),
    "adopt foreign": ("adopt foreign.json --corpus docs -o new.jsonl", ("foreign",)),
    "adopt sheet": ("adopt sheet.csv --corpus docs -o new.jsonl", ("sheet",)),
}
"""Command lines by name, and the files that each reads. SERVER is the endpoint that the user names."""

READ_NO_SET = ("brief", "init", "graph", "merge", "explain", "doctor")
"""Commands that read no set, sheet or responses; `merge` reads the user's own workspaces."""

assert {*EVERY_COMMAND} == {*READ_NO_SET, *(name.partition(" ")[0] for name in COMMANDS)}


@dataclass(frozen=True)
class Case:
    """A command on a file with one changed field."""

    command: str
    material: str
    trail: Trail
    value: str

    def __str__(self) -> str:
        return f"{self.command}: {self.material} {'.'.join(map(str, self.trail))} = {self.value}"


def cases(home: Path, *, every: int, seed: int = 0) -> Iterator[Case]:
    """For each command and each field of the files that it reads, `every` hostile values, all with 0.

    They are drawn in turn, so that over all commands each field has each value.
    """
    names = [*values("", "")]
    for material, file in MATERIALS.items():
        whole = file.read((home / file.name).read_text(encoding="utf-8"))
        readers = [command for command, (_, reads) in COMMANDS.items() if material in reads]
        for trail in trails(whole):
            order = random.Random(f"{seed} {material} {trail}").sample(names, len(names))
            for turn, command in enumerate(readers):
                for offset in range(every or len(names)):
                    yield Case(command, material, trail, order[(turn * (every or 1) + offset) % len(names)])


def write_case(case: Case, home: Path, hostile: Mapping[str, Any]) -> None:
    """Change the file of a case in the folder."""
    file = MATERIALS[case.material]
    whole = changed(file.read((home / file.name).read_text(encoding="utf-8")), case.trail, hostile[case.value])
    (home / file.name).write_text(file.written(whole), encoding="utf-8", errors="surrogatepass")


def arguments(case: Case, server: str) -> list[str]:
    """The command line of a case."""
    words = COMMANDS[case.command][0].replace("SERVER", server).split()
    return [*words, *(["--quiet"] if words[0] not in ("log", "diff", "show", "annotate") else [])]


def prepared(home: Path) -> None:
    """Make the documents, the set and the other files. The workspace is the folder ws."""
    opened = {"before": {}, "docs": {"Oak": 1953}, "changed": {"Oak": 1953, "Elm": 1962}}
    for folder, years in opened.items():
        (home / folder).mkdir(parents=True)
        for number, name in enumerate(_NAMES):
            text = _TEXT.format(name, years.get(name, 1900 + number), 1920 + number)
            (home / folder / f"{name}.md").write_text(text, encoding="utf-8")
    (home / "docs" / "copy.md").write_text(f"Travel.\n\n{_TEXT.format('Elm', 1902, 1922)}", encoding="utf-8")
    at = ("--workspace", str(home / "ws"), "--quiet")
    testset = home / "set.jsonl"
    _done("generate", str(home / "before"), "-o", str(testset), "-n", "4", *at)
    _done("update", str(testset), "--corpus", str(home / "docs"), "-o", str(testset), "--without-model", *at)
    (home / "old.jsonl").write_bytes(testset.read_bytes())
    _enrich(home)
    samples = read_samples(testset).samples
    ids = [sample.id for sample in samples]
    passages = [
        {
            "id": piece.chunk_id,
            "doc_id": piece.doc_id,
            "start": piece.start,
            "end": piece.end,
            "text": piece.text,
            "score": 1.5,
        }
        for piece in samples[0].evidence
    ]
    response = {"answer": "In 1901.", "retrieved": passages, "contexts": ["A text.", *passages], "tool_calls": [_CALL]}
    write_rows(home / "responses.jsonl", [{"id": id, **response} for id in ids])
    questions = [sample.question for sample in samples]
    columns = {"user_input": questions, "response": ["Yes."] * len(ids), "retrieved_contexts": [["A text."]] * len(ids)}
    (home / "columns.json").write_text(_json(columns), encoding="utf-8")
    write_rows(home / "labels.jsonl", [_LABEL] * 2)
    human = [
        {"id": f"h{number}", "question": f"{questions[0]} {number}", "golden_answers": ["1901"], "doc_id": "Elm.md"}
        for number in range(30)
    ]
    write_rows(home / "human.jsonl", human)
    write_rows(home / "log.jsonl", [{"question": question} for question in questions])
    write_rows(home / "personas.jsonl", [_PERSONA])
    _done("evaluate", str(testset), str(home / "responses.jsonl"), "-o", str(home / "run.json"), "--quiet")
    _done("evaluate", str(testset), str(home / "responses.jsonl"), "-o", str(home / "other.json"), "--quiet")
    for name, format_ in (
        ("sheet.csv", "csv"),
        ("studio.json", "label-studio"),
        ("doccano.jsonl", "doccano"),
        ("argilla", "argilla"),
    ):
        _done(
            "annotate",
            "export",
            str(testset),
            "--corpus",
            str(home / "docs"),
            "-o",
            str(home / name),
            "--format",
            format_,
        )
    _fill_in(home)
    foreign = [
        {
            "id": "1",
            "question": questions[0],
            "answer": "1901",
            "contexts": [passages[0]["text"]],
            "metadata": {"doc_id": "Elm.md"},
        }
    ]
    (home / "foreign.json").write_text(_json({"examples": foreign}), encoding="utf-8")
    (home / ".set.jsonl.swap").write_text(_json([["other.txt", ""], ["new.txt", ".x.1.part"]]), encoding="utf-8")
    with Decisions(home / "set.annotations.sqlite") as decisions:
        for sample in samples[:2]:
            made = Annotation(sample_id=sample.id, sample_hash=sample_hash(sample), annotator="a", decision="accept")
            decisions.add(made, "review")


def _fill_in(home: Path) -> None:
    """Fill the sheets in as people do."""
    for material in ("sheet", "label studio", "doccano", "argilla"):
        file = MATERIALS[material]
        rows = file.read((home / file.name).read_text(encoding="utf-8-sig"))
        for row in rows:
            if material == "sheet":
                row["decision"] = "accept"
            elif material == "label studio":
                chosen = {
                    "from_name": "decision",
                    "to_name": "question",
                    "type": "choices",
                    "value": {"choices": ["accept"]},
                }
                row["annotations"] = [
                    {"completed_by": {"email": "a@x.example"}, "result": [chosen], "was_cancelled": False}
                ]
            elif material == "doccano":
                row["label"] = [text.replace("decision:", "decision: accept") for text in row["label"]]
            elif material == "argilla":
                row["responses"] = {"decision": [{"value": "accept", "user_id": "a", "status": "submitted"}]}
        (home / file.name).write_text(file.written(rows), encoding="utf-8")


_CALL = {"name": "search", "arguments": {"query": "stations"}}
_LABEL = {
    "question": "When?", "answer": "In 1901.", "label": 1, "golden_answers": ["1901"], "metadata": {"language": "en"},
    "contexts": ["It opened in 1901."],
}  # fmt: skip
_PERSONA = {"name": "Ann", "about": "A traveller.", "keywords": ["station"], "style": "formal", "level": "novice"}


def _done(*words: str) -> None:
    if (code := main(words)) not in (0, 5, 10, 11):
        raise SystemExit(f"{' '.join(words)} ended with exit code {code}")


def _enrich(home: Path) -> None:
    """Give the set every part that a command reads, also those of rows by a chat model or by people."""
    path = home / "set.jsonl"
    rows = _rows(path.read_text(encoding="utf-8"))
    for row in rows:
        piece = row["evidence"][0]
        metadata = row["metadata"]
        metadata.setdefault("alternatives", [{"replaces": 0, **piece}])
        metadata.setdefault("hard_negatives", [{name: piece[name] for name in ("chunk_id", "doc_id", "start", "end")}])
        metadata.update(
            ratings={"natural": 4, "matters": 4, "worth": 4}, nearest=[piece["chunk_id"]], persona="Ann", style="plain",
            sub_questions=[{"question": "When?", "answer": "1901", "evidence": [[piece["doc_id"], 0, 5]]}],
            lineage=[{"move": "deepen", "parents": [{"id": "q-1"}]}], evolutions=["deepen"], reckoning="-",
            condition="", pages=[1], refused={"copied": "its wording"}, supersedes="q-1", review={"reason": "look"},
            annotation={"decision": "reject", "annotators": ["a"], "ratings": {"fluency": 3}}, tags=["keyword"],
            table=[["a", "b"], ["1", "2"]], sql="SELECT 1", tool_calls=[_CALL], topics=["trains"], goal="Travel",
            answer_pattern="19\\d\\d", images=["a.png"],
        )  # fmt: skip
        row["relevance"] = {piece["chunk_id"]: 1}
        row["outputs"] = {"stage": {"answer": "1901"}}
    path.write_text("".join(dumps(row) + "\n" for row in rows), encoding="utf-8")
    refused = home / "set.rejected.jsonl"
    stages = ("copied", "judged")
    more = [
        {
            **rows[0],
            "question": f"{rows[0]['question']} {stage}",
            "rejected": {"stage": stage, "reason": "r", "score": 0.5, "scenario": "s"},
        }
        for stage in stages
    ]
    for row in more:
        row.pop("outputs")
    refused.write_text(refused.read_text(encoding="utf-8") + _lines(more), encoding="utf-8")
    place = home / "set.manifest.json"
    manifest = json.loads(place.read_text(encoding="utf-8"))
    names = (
        "name",
        "base_url",
        "judge",
        "judge_url",
        "key_env",
        "key_file",
        "judge_key_env",
        "encoder_url",
        "encoder_key_env",
    )
    manifest["settings"].setdefault("model", {}).update(dict.fromkeys(names, ""))
    manifest["settings"].update(
        workspace="", brief="", prompts="", like="", against="", types={"simple": 1}, limits={"vague": 0.5},
        difficulty={"easy": 1}, styles={"plain": 1}, lengths={"short": 1}, filters={"copied": {"max_share": 0.9}},
    )  # fmt: skip
    manifest["trial"] = {"judge": True}
    manifest["brief"] = "Pages on stations."
    manifest["model"] = {"calls": 3, "cached": 1}
    manifest["set"]["stopped"] = ""
    manifest.setdefault("set", {}).setdefault("goal", {"simple": 4})
    place.write_text(_json(manifest), encoding="utf-8")
