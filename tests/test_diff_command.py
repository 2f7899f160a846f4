"""The command diff: rows added and removed, and of changed rows what differs."""

import json

import pytest

from synth.cli.main import main
from synth.core.jsonl import row_to_sample


def row(number, start=0, **fields):
    text = fields.pop("text", f"Lamp {number} was lit in {1800 + number}.")
    piece = {
        "doc_id": "lamp.md",
        "doc_hash": "sha256:0",
        "chunk_id": "c-1",
        "start": start,
        "end": start + len(text),
        "text": text,
    }
    made = {
        "question": f"When was lamp {number} lit?",
        "golden_answers": [f"in {1800 + number}"],
        "evidence": [piece],
        "metadata": {"question_type": "simple", "language": "en", **fields.pop("metadata", {})},
        **fields,
    }
    return {"id": row_to_sample(made, "").id, **made}


@pytest.fixture
def diff(tmp_path, capsys):
    def run(old, new, *more):
        for name, rows in (("old", old), ("new", new)):
            (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
        assert main(["diff", str(tmp_path / "old.jsonl"), str(tmp_path / "new.jsonl"), *more]) == 0
        return capsys.readouterr().out

    return run


def test_a_changed_row_shows_what_differs(diff):
    old = row(1)
    new = row(1, 7, question="When was the lamp lit?", golden_answers=["in 1900"], text="It was lit in 1900.")
    new["metadata"]["supersedes"] = old["id"]
    lines = diff([old, row(2)], [new, row(2)]).splitlines()
    assert lines[:6] == [
        "revised (1)",
        f"  {new['id']}  When was the lamp lit?",
        f"      id: {old['id']} → {new['id']}",
        "      question: When was lamp 1 lit? → When was the lamp lit?",
        "      answers: in 1801 → in 1900",
        "      evidence: lamp.md 0-23: Lamp 1 was lit in 1801. → lamp.md 7-26: It was lit in 1900.",
    ]
    assert "lamp 2" not in "".join(lines)


def test_what_is_equal_is_not_shown(diff):
    out = diff([row(1)], [row(1, metadata={"difficulty": "hard"})])
    assert out.startswith("changed (1)")
    assert 'metadata.difficulty: nothing → "hard"' in out
    assert "answers" not in out
    assert "evidence" not in out


def test_added_and_removed_questions_are_named(diff):
    out = diff([row(1), row(2)], [row(1), row(3, 40)])
    added, removed = row(3)["id"], row(2)["id"]
    assert f"added (1)\n  + {added}  When was lamp 3 lit?  → in 1803\n      lamp.md 40-63: Lamp 3" in out
    assert f"retired (1)\n  - {removed}  When was lamp 2 lit?  → in 1802\n" in out


def test_the_first_twenty_are_shown_and_the_rest_counted(diff):
    new = [row(0), *(row(i) for i in range(1, 32))]
    out = diff([row(0)], new)
    assert out.count("  + q-") == 20
    assert "  and 11 more; --json prints all" in out
    assert len(json.loads(diff([row(0)], new, "--json"))["changes"]) == 31
