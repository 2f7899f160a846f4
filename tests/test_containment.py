"""An exception on one document, row or line leaves out that item, records it, and lets the run go on."""

import errno
import json
import re
import sqlite3
from dataclasses import dataclass

import pytest

from synth.cli.main import main
from synth.core.containment import collecting, contained, contained_so_far
from synth.core.errors import BudgetSpent, ConfigError
from synth.corpus.documents.readers.plain import MarkdownReader
from synth.corpus.transforms.key_phrases import KeyPhrases
from synth.corpus.transforms.topics import Topics
from synth.evaluation.evaluation import Measurement
from synth.evaluation.evaluation import evaluate as evaluation_of
from synth.evaluation.metrics.answer_words import ExactMatch
from synth.evaluation.metrics.base import Metric
from synth.generation.filters.base import RAISED
from synth.generation.filters.duplicate import Duplicate
from synth.generation.filters.grounded import Grounded
from synth.generation.synthesizers.grammar_drafts import GrammarSimple
from synth.grammar import author as grammar
from synth.grammar.reading import Unparsable
from synth.models.chat.base import RequestFailed
from synth.testset.adoption import adopt_row
from synth.testset.update.recheck import Rechecker
from tests.corpus import corpus, sample
from tests.test_evaluation import answered, made_set

TOWNS = ("Kell", "Maro", "Dunmore", "Fogbrook")
DOCS = {
    f"{town.lower()}.md": f"# {town}\n\n## When was the {town} lighthouse built?\n\n"
    f"The {town} lighthouse was built in {1811 + n} by Robert Stevenson.\n\n"
    f"## Who lit the lamp of the {town} lighthouse?\n\n"
    f"The lamp of the {town} lighthouse was lit by Ann Moor on 4 May {1820 + n}.\n"
    for n, town in enumerate(TOWNS)
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "docs").mkdir()
    for name, text in DOCS.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys, *arguments):
    code = main([*arguments, "--quiet"])
    return code, capsys.readouterr()


def manifest(here, name="manifest.json"):
    return json.loads((here / name).read_text(encoding="utf-8"))


def raising(original, when):
    """A function that raises where `when`, told its arguments, says so."""

    def wrapped(*arguments, **named):
        if when(*arguments, **named):
            raise IndexError("list index out of range")
        return original(*arguments, **named)

    return wrapped


def of_fogbrook(*arguments):
    return any("Fogbrook" in str(getattr(one, "document", "")) for one in arguments)


def test_what_a_rule_leaves_out_has_no_place_in_code():
    with contained("part", "a.md") as ran:
        raise Unparsable("501 characters without a space, at most 500 are parsed")
    assert ran.error == "501 characters without a space, at most 500 are parsed"
    with contained("part", "a.md") as ran:
        raise ValueError("no")
    assert re.fullmatch(r"ValueError: no \(test_containment\.py:\d+\)", ran.error)


def test_what_is_contained_is_named_once():
    with collecting() as found:
        for part in ("one", "other"):
            with contained(part, "a.txt") as guard:
                raise ValueError(f"no such thing: {object()!r}")
        assert guard.error.startswith("ValueError: no such thing: <object object> (test_containment.py:")
        with contained("third", "b.txt") as guard:
            pass
        assert guard.error == ""
        assert contained_so_far() == found()
    assert [(one.part, one.item) for one in found()] == [("one", "a.txt")]
    assert contained_so_far() == ()


@pytest.mark.parametrize(
    "error",
    [
        ConfigError("no"),
        BudgetSpent("no"),
        RequestFailed("server", "no"),
        KeyboardInterrupt(),
        ImportError("no"),
        sqlite3.OperationalError("no"),
        OSError(errno.ENOSPC, "no space"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_is_meant_for_people_goes_through(error):
    with collecting() as found, pytest.raises(type(error)), contained("part", "item"):
        raise error
    assert found() == ()


def test_a_generator_that_raises_is_contained_and_one_that_is_closed_is_not():
    def steps():
        with contained("part", "item") as guard:
            yield 1
            raise RecursionError
        yield guard.error

    running = steps()
    assert next(running) == 1
    assert next(running).startswith("RecursionError")
    other = steps()
    next(other)
    other.close()


PARTS = {
    "transform": (KeyPhrases, "run", "transform 'key_phrases'"),
    "grammar": (grammar, "drafts", "the grammar"),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_document_on_which_a_part_raises_is_left_out_and_named(here, capsys, monkeypatch, part):
    owner, name, said = PARTS[part]
    monkeypatch.setattr(owner, name, raising(getattr(owner, name), of_fogbrook))
    command = ("generate", "docs", "-o", "t.jsonl", "-n", "3", "--transforms", "entities,key_phrases,topics")
    code, told = run(capsys, *command)
    assert code == 0
    assert "fogbrook.md" in told.out
    assert "IndexError: list index out of range (test_containment.py:" in told.out
    (one,) = manifest(here, "t.manifest.json")["errors"]
    assert (one["part"], one["item"]) == (said, "fogbrook.md")
    assert len((here / "t.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    again = (here / "t.jsonl").read_bytes(), (here / "t.manifest.json").read_bytes()
    assert run(capsys, *command)[0] == 0
    assert again == ((here / "t.jsonl").read_bytes(), (here / "t.manifest.json").read_bytes())


def test_a_transform_that_cannot_merge_is_left_out(here, capsys, monkeypatch):
    monkeypatch.setattr(Topics, "merge", raising(Topics.merge, lambda *_: True))
    command = ("generate", "docs", "-o", "t.jsonl", "-n", "3", "--transforms", "entities,key_phrases,topics")
    assert run(capsys, *command)[0] == 0
    (one,) = manifest(here, "t.manifest.json")["errors"]
    assert (one["part"], one["item"]) == ("transform 'topics'", "the graph")


def test_a_writer_that_raises_on_one_document_plans_the_others(here, capsys, monkeypatch):
    plan = raising(GrammarSimple.plan, lambda _, material: "fogbrook.md" in material.readings)
    monkeypatch.setattr(GrammarSimple, "plan", plan)
    assert run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "3")[0] == 0
    (one,) = manifest(here, "t.manifest.json")["errors"]
    assert (one["part"], one["item"]) == ("writer 'grammar_simple'", "fogbrook.md")
    assert "Fogbrook" not in (here / "t.jsonl").read_text(encoding="utf-8")


def test_a_writer_that_raises_on_one_scenario_writes_the_others(here, capsys, monkeypatch):
    def on_fogbrook(_, scenario, material):
        return material.corpus.chunk(scenario.chunk_ids[0]).doc_id == "fogbrook.md"

    monkeypatch.setattr(GrammarSimple, "write", raising(GrammarSimple.write, on_fogbrook))
    code, _ = run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "12")
    assert code == 5
    refused = [json.loads(line) for line in (here / "t.rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    failed = [one for one in refused if one["rejected"]["stage"] == "failed"]
    assert failed
    assert "IndexError" in failed[0]["rejected"]["reason"]
    assert {one["item"] for one in manifest(here, "t.manifest.json")["errors"]} == {"fogbrook.md"}


@pytest.mark.parametrize("filter_", [Grounded, Duplicate])
def test_a_candidate_on_which_a_filter_raises_is_refused(here, capsys, monkeypatch, filter_):
    monkeypatch.setattr(filter_, "check", raising(filter_.check, lambda _, one, *more: "Fogbrook" in one.question))
    assert run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "3")[0] == 0
    assert "Fogbrook" not in (here / "t.jsonl").read_text(encoding="utf-8")
    told = manifest(here, "t.manifest.json").get("errors", [])
    assert {one["part"] for one in told} <= {f"filter '{filter_.name}'"}


def test_a_reader_that_raises_costs_its_file(here, capsys, monkeypatch):
    monkeypatch.setattr(MarkdownReader, "read", raising(MarkdownReader.read, lambda _, file: "fog" in file.name))
    assert main(["generate", "docs", "-o", "t.jsonl", "-n", "3"]) == 0
    assert "fogbrook.md" in capsys.readouterr().out
    (one,) = manifest(here, "t.manifest.json")["corpus"]["skipped"]
    assert (one["source"], one["reason"]) == ("fogbrook.md", "failed")
    assert one["detail"].startswith("IndexError")


def adoptable(here):
    asked = [
        {
            "question": f"Who built the {town} lighthouse?",
            "answer": "Robert Stevenson",
            "document": f"{town.lower()}.md",
        }
        for town in TOWNS
    ]
    (here / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked), encoding="utf-8")


def test_a_line_on_which_adopting_raises_is_not_adopted(here, capsys, monkeypatch):
    adoptable(here)
    monkeypatch.setattr("synth.workflows.adopting.adopt_row", raising(adopt_row, lambda line, *_, **__: line == 2))
    code, told = run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "t.jsonl")
    assert code == 5
    assert "set.jsonl:2" in told.out
    refused = json.loads((here / "t.rejected.jsonl").read_text(encoding="utf-8"))
    assert (refused["line"], refused["reason"].partition(":")[0]) == (2, "the adoption raised an error")
    assert [one["item"] for one in manifest(here, "t.manifest.json")["errors"]] == ["set.jsonl:2"]


def test_a_rule_that_raises_marks_an_adopted_row_and_drops_none(here, capsys, monkeypatch):
    adoptable(here)
    monkeypatch.setattr(Grounded, "check", raising(Grounded.check, lambda _, one, __: "Maro" in one.question))
    assert run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "t.jsonl")[0] == 0
    rows = [json.loads(line) for line in (here / "t.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(TOWNS)
    assert "could not be judged: IndexError" in rows[1]["metadata"]["signals"]["grounded"]


def test_update_keeps_a_row_that_it_cannot_follow_for_a_person(here, capsys, monkeypatch):
    assert run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "4")[0] == 0
    before = (here / "t.jsonl").read_text(encoding="utf-8").splitlines()
    (here / "docs" / "new.md").write_text(
        "# New\n\n## When was the New lighthouse built?\n\nThe New lighthouse was built in 1900 by Jo Hill.\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(Rechecker, "recheck", raising(Rechecker.recheck, lambda _, one: one.existing.line == 2))
    code, told = run(capsys, "update", "t.jsonl", "--corpus", "docs", "-o", "u.jsonl", "--json")
    assert code == 11
    found = json.loads(told.out)
    assert [one["line"] for one in found["review"]] == [2]
    assert "the update of this row raised an error: IndexError" in found["review"][0]["reason"]
    assert [one["item"] for one in found["errors"]] == ["line 2"]
    assert (here / "u.jsonl").read_text(encoding="utf-8").splitlines() == before


def test_update_retires_no_row_because_a_filter_raises(here, capsys, monkeypatch):
    assert run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "4")[0] == 0
    (here / "docs" / "new.md").write_text(
        "# New\n\n## When was the New lighthouse built?\n\nThe New lighthouse was built in 1900 by Jo Hill.\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(Grounded, "check", raising(Grounded.check, lambda *_: True))
    code, told = run(capsys, "update", "t.jsonl", "--corpus", "docs", "-o", "u.jsonl", "--json")
    assert code in (0, 10)
    found = json.loads(told.out)
    assert found["counts"].get("retire", 0) == 0
    assert {one["part"] for one in found["errors"]} == {"filter 'grounded'"}


@dataclass(frozen=True)
class Fragile(Metric):
    """A metric of another package that cannot do one row."""

    name = "fragile"
    needs = "answer"

    def measure(self, case):
        if case.item.id == "q-2":
            raise KeyError("colour")
        return {self.name: 1.0}


def test_a_metric_that_raises_on_one_row_measures_the_others():
    with collecting() as found:
        measured = evaluation_of(made_set(), answered(), Measurement(metrics=[Fragile()]))
    assert measured.metrics["fragile"].estimate.n == 5
    assert [(one.part, one.item) for one in found()] == [("metric 'fragile'", "row q-2")]


def test_evaluate_names_what_a_metric_could_not_do(here, capsys, monkeypatch):
    assert run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "3")[0] == 0
    rows = [json.loads(line) for line in (here / "t.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = ({"id": row["id"], "answer": row["golden_answers"][0]} for row in rows)
    (here / "r.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    first = rows[0]["id"]
    monkeypatch.setattr(ExactMatch, "measure", raising(ExactMatch.measure, lambda _, case: case.item.id == first))
    code, told = run(capsys, "evaluate", "t.jsonl", "r.jsonl", "--metrics", "exact_match", "-o", "s.json")
    assert code == 0
    assert f"row {first}" in told.out
    kept = manifest(here, "s.json")
    assert kept["metrics"]["exact_match"]["n"] == 2
    assert [one["item"] for one in kept["errors"]] == [f"row {first}"]


def test_a_filter_that_raises_says_so_in_its_verdict(monkeypatch):
    of = corpus(kell=DOCS["kell.md"])
    row = sample(of, "Who built the Kell lighthouse?", "Robert Stevenson", "was built in 1811 by Robert Stevenson")
    monkeypatch.setattr(Grounded, "check", raising(Grounded.check, lambda *_: True))
    verdict = Grounded().decide(row, of)
    assert (verdict.kept, verdict.tag) == (False, RAISED)
    assert "IndexError" in verdict.reason


def test_a_manifest_says_nothing_of_it_where_nothing_raised(here, capsys):
    assert run(capsys, "generate", "docs", "-o", "t.jsonl", "-n", "3")[0] == 0
    assert "errors" not in manifest(here, "t.manifest.json")
