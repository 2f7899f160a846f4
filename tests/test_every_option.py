"""Every option of generate, and the update after it, on a small and on a large corpus, with each author."""

import json

import pytest

from synth.cli.main import main
from synth.core.jsonl import read_samples
from tests.chat import NAMES, behave, stations

PERSONAS = '{"name": "a traveller", "about": "wants to know when stations opened", "keywords": ["station"]}\n'
LOG = "".join(
    json.dumps({"question": f"When did the {name} halt open?"}) + "\n"
    for name in ("Nettle", "Gorse", "Heather", "Sedge")
)
SHORT, UPDATED = 5, (0, 5, 10, 11)
"""Exit codes: of a run that gave fewer rows than wanted, and of updates that changed nothing, or something."""

BOTH = {
    "none": [],
    "types": ["--types", "simple=1"],
    "types that must make up": ["--types", "simple=1,conditional=1", "--nearest"],
    "styles": ["--styles", "typos=1"],
    "personas": ["--personas", "PERSONAS"],
    "difficulty": ["--difficulty", "easy=1,hard=1", "--nearest"],
    "like": ["--like", "LOG", "--types", "simple=1"],
    "against": ["--against", "OTHER", "--types", "simple=1"],
    "lengths": ["--lengths", "medium=1", "--types", "simple=1"],
    "limits": ["--limits", "vague=0.5"],
    "chunking": ["--chunk-strategy", "sentence", "--chunk-size", "60"],
    "language": ["--language", "zh", "--types", "simple=1"],
    "seed": ["--seed", "7"],
    "distractors": ["--distractors", "halts.md", "s*.md"],
    "transforms": ["--transforms", "entities,key_phrases,topics"],
}
OF_AUTHOR = {
    "grammar": {**BOTH, "topics": ["--personas", "topics"], "unanswerable": ["--types", "unanswerable=1,simple=1"]},
    "chat": {**BOTH, "brief": ["--brief", "Pages on railway stations."], "control": ["--control", "0.5"]},
}


@pytest.fixture
def sizes(monkeypatch):
    """Read a corpus as a small one, or a few documents and excerpts at a time as a large one."""

    def set_to(size):
        if size == "large":
            for name, value in {
                "synth.workflows.portions.FIRST": 150,
                "synth.workflows.portions.A_ROW": 60,
                "synth.workflows.portions.LONGEST_WHOLE": 300,
                "synth.corpus.excerpts.SIZE": 150,
                "synth.generation.pipeline.A_ROW": 60,
                "synth.generation.pipeline.AHEAD": 0,
                "synth.generation.pipeline.PATIENCE": 1,
            }.items():
                monkeypatch.setattr(name, value)

    return set_to


@pytest.fixture
def docs(tmp_path):
    """Stations, in short documents and in a long one."""
    folder = stations(tmp_path / "docs")
    more = "".join(
        f"## {name} halt\n\nThe {name}ford station opened in 18{n + 10}.\n\n" for n, name in enumerate(NAMES)
    )
    asked = "## 渡口的客船什么时候停航？\n\n风力超过八级时，渡口的客船全部停航，乘客可以在候船室免费改签船票。\n\n"
    asked += "## 团体票怎样预订？\n\n团体票须提前三天在售票处预订，十人以上可以享受八折优惠。\n"
    (folder / "渡口.md").write_text(f"# 海边渡口指南\n\n{asked}", encoding="utf-8")
    (folder / "halts.md").write_text(f"# Halts\n\n{more}", encoding="utf-8")
    return folder


def made(docs, place, options):
    """Make a set twice, bring it up to a changed document, and verify both; return the rows of each."""
    place.mkdir()
    for name, text in (("PERSONAS", PERSONAS), ("LOG", LOG)):
        (place / f"{name}.jsonl").write_text(text, encoding="utf-8")
    workspace = ["--workspace", str(place / "ws"), "--quiet"]
    options = [str(place / f"{value}.jsonl") if value.isupper() else value for value in options]
    output, updated = place / "t.jsonl", place / "updated" / "t.jsonl"
    command = ["generate", str(docs), "-o", str(output), "-n", "4", *workspace, *options]
    assert main(command) in (0, SHORT)
    # The manifest of a chat model says how many replies were asked for, and how many were there.
    files = [output, *([] if "--llm" in options else [output.with_name("t.manifest.json")])]
    first, rows = [file.read_bytes() for file in files], read_samples(output).samples
    assert main([*command, "--force"]) in (0, SHORT)
    assert [file.read_bytes() for file in files] == first, "the same command gives the same bytes"
    verify = ["verify", "--corpus", str(docs), *workspace, *of_verb(options, "--chunk")]
    assert main([*verify, str(output)]) == 0
    changed = docs / rows[0].evidence[0].doc_id
    before = changed.read_text(encoding="utf-8")
    changed.write_text(f"{before}\nThe Dunmore station opened in 1870.\n", encoding="utf-8")
    of_model = of_verb(options, "--llm", "--base-url")
    assert main(["update", str(output), "--corpus", str(docs), "-o", str(updated), *workspace, *of_model]) in UPDATED
    assert main([*verify, str(updated)]) == 0
    changed.write_text(before, encoding="utf-8")
    return rows, read_samples(updated).samples


def of_verb(options, *names):
    """The options, each with its value, whose names begin with one of these."""
    at = [n for n, value in enumerate(options) if value.startswith(names)]
    return [value for n in at for value in options[n : n + 2]]


@pytest.mark.parametrize("size", ["small", "large"])
@pytest.mark.parametrize(
    ("author", "option"), [(author, name) for author, names in OF_AUTHOR.items() for name in names]
)
def test_every_option_gives_sound_rows_on_a_corpus_of_every_size(author, option, size, docs, tmp_path, serve, sizes):
    sizes(size)
    options = [*OF_AUTHOR[author][option]]
    if author == "chat":
        options += ["--llm", "m", "--base-url", serve(behave).url, "--trust"]
    if "OTHER" in options:
        made(docs, tmp_path / "other", [])
        options[options.index("OTHER")] = str(tmp_path / "other" / "t.jsonl")
    rows, updated = made(docs, tmp_path / "set", options)
    assert rows
    assert len(updated) == len(rows)
