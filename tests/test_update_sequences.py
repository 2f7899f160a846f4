"""Edits one after the other, drawn at random: what an update makes of each, and of all at once."""

import shutil
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synth.workflows.api import update, verify
from synth.workflows.update_job import settings_of_set
from tests.update_desk import ROWS, Desk, apart, documents_of, make_home, named_by


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("made"))


def contents(docs):
    return {path.name: path.read_bytes() for path in docs.iterdir()}


EDITS = ("insert", "number", "delete", "rename", "add", "swap", "space")


def apply(docs, kind, pick, number):
    """One edit that can be made after any other; none undoes another."""
    paths = sorted(docs.glob("*.md"))
    path = paths[pick % len(paths)]
    text = path.read_text(encoding="utf-8")
    parts = text.split("\n\n")
    if kind == "insert":
        text = "\n\n".join([parts[0], f"Paragraph {number} has nothing to say. 第{number}段。", *parts[1:]])
    elif kind == "number":
        text = "".join(str((int(c) + 1) % 10) if c.isdigit() and number % 2 else c for c in text)
    elif kind == "delete" and len(parts) > 2:
        text = "\n\n".join(parts[:-1])
    elif kind == "rename":
        path.unlink()
        path = path.with_name(f"{number}-{path.name}")
    elif kind == "add":
        path = docs / f"new-{number}.md"
        text = f"# Ash {number}\n\nAsh {number} station opened in {2000 + number}.\n\n岚{number}大桥建于{2000 + number}年。\n"
    elif kind == "swap":
        text = "\n\n".join([parts[0], *reversed(parts[1:])])
    elif kind == "space":
        text = text.replace("\n\n", "\n \n\n\n").replace(" in ", "\n   in ")
    path.write_text(text, encoding="utf-8")


def followed(desk, name):
    """The set updated to the documents as they are: what became of each row, and it holds and has its rows."""
    path = desk.home / name
    made_with = replace(settings_of_set(path), workspace=str(desk.workspace))
    done = update(path, [str(desk.docs)], path, made_with)
    held = verify(path, [str(desk.docs)], made_with)
    assert (held.valid, held.checked) == (ROWS, ROWS), held.failures
    return done


@settings(max_examples=20, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(st.tuples(st.sampled_from(EDITS), st.integers(0, 10)), min_size=2, max_size=3))
def test_step_by_step_and_at_once_keep_the_same_rows(made, tmp_path_factory, edits):
    desk = Desk(made, tmp_path_factory.mktemp("steps"))
    shutil.copy(desk.home / "testset.jsonl", desk.home / "once.jsonl")
    shutil.copy(desk.home / "manifest.json", desk.home / "once.manifest.json")
    first = desk.rows()
    for number, (kind, pick) in enumerate(edits, start=1):
        before, old = contents(desk.docs), desk.rows()
        apply(desk.docs, kind, pick, number)
        after = contents(desk.docs)
        changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        done, new = followed(desk, "testset.jsonl"), desk.rows()
        assert all(new[one.id] == old[one.id] for one in done.decisions if one.kind == "keep")
        for id, line in old.items():
            if not documents_of(line) & changed:
                assert apart(new[id]) == apart(line)
            if not named_by(line) & changed and not changed - set(before):
                assert new[id] == line
    followed(desk, "once.jsonl")
    stepwise, once = desk.rows(), desk.rows("once.jsonl")
    assert {id for id in first if id in stepwise} == {id for id in first if id in once}
    assert {id: apart(stepwise[id]) for id in first if id in once} == {
        id: apart(once[id]) for id in first if id in once
    }
