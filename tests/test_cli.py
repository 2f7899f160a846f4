"""The command line as a person meets it: real commands, real files, real exit codes."""

import json
import os
import random
import subprocess
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path

import pytest

import synth
from synth.cli.commands.base import print_skipped
from synth.cli.main import main
from synth.core.jsonl import read_samples, sample_to_row
from synth.core.records import Evidence, Sample, Skipped
from synth.workflows import generating, overwriting

ROOT = Path(__file__).parents[1]
CORPORA = ROOT / "corpora"
LOUD = Namespace(quiet=False)


@pytest.fixture(scope="session")
def workspace(tmp_path_factory):
    return tmp_path_factory.mktemp("workspace")


@pytest.fixture
def run(workspace, capsys):
    def run(*arguments):
        code = main([str(a) for a in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def generate(run, workspace, corpus, output, *options):
    return run("generate", corpus, "-o", output, "--workspace", workspace, "--quiet", *options)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_main_job(run, workspace, tmp_path, language):
    output = tmp_path / "testset.jsonl"
    code, out, _ = generate(run, workspace, CORPORA / language, output, "-n", 20)
    assert code == 0
    assert "20 rows" in out
    samples = read_samples(output).samples
    assert len(samples) == 20
    assert len({s.question for s in samples}) == 20
    assert {s.language[:2] for s in samples} == {language}
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["set"]["rows"] == 20
    rejected = [json.loads(line) for line in (tmp_path / "rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    funnel = manifest["funnel"].values()
    assert {s.question_type for s in samples} == {"simple", "reasoning", "multi_context", "conditional"}
    assert sum(of_type["kept"] for of_type in funnel) == 20
    assert sum(of_type["tried"] for of_type in funnel) == 20 + len(rejected)
    code, out, _ = run("verify", output, "--corpus", CORPORA / language, "--workspace", workspace, "--quiet")
    assert (code, out) == (0, "20 of 20 rows are valid (100.0%)\n")


@pytest.mark.parametrize("folder", ["en/lighthouses", "zh/chenghu/wuxi"])
def test_what_a_plan_offers_is_made(run, workspace, tmp_path, folder):
    asked = ["-n", 60, "--types", "simple=.5,unanswerable=.5"]
    code, out, err = run("generate", CORPORA / folder, *asked, "--plan", "--json", "--workspace", workspace, "--quiet")
    offered = {kind: count for kind, count in json.loads(out)["nearest"].items() if count}
    assert code == 5
    assert f"-n {sum(offered.values())}, which" in err
    types = ",".join(f"{kind}={count}" for kind, count in offered.items())
    output = tmp_path / "testset.jsonl"
    assert generate(run, workspace, CORPORA / folder, output, "-n", sum(offered.values()), "--types", types)[0] == 0
    assert Counter(sample.question_type for sample in read_samples(output).samples) == offered


def test_both_scripts_of_chinese_are_asked_in_their_own(run, workspace, tmp_path):
    output = tmp_path / "testset.jsonl"
    generate(run, workspace, CORPORA / "zh", output, "-n", 40)
    languages = [s.language for s in read_samples(output).samples]
    assert min(languages.count("zh-Hans"), languages.count("zh-Hant")) >= 8


def test_the_same_seed_gives_the_same_bytes_wherever_and_however_it_runs(tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in ("lighthouses/bell-rock.md", "lighthouses/fresnel-lens.md"):
        (corpus / Path(name).name).write_bytes((CORPORA / "en" / name).read_bytes())
    for number, path in enumerate(sorted((CORPORA / "zh").rglob("*.md"))[:3]):
        (corpus / f"茶 {number}.md").write_bytes(path.read_bytes())
    made = set()
    for turn, hash_seed in enumerate(("0", "1", "77")):
        place = tmp_path / f"somewhere {turn}"
        place.mkdir()
        where = os.path.relpath(corpus, place) if turn else str(corpus)
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        workspace = tmp_path / ("warm" if turn else "cold")
        command = [
            sys.executable,
            "-m",
            "synth",
            "generate",
            where,
            "-o",
            "out.jsonl",
            "-n",
            "8",
            "--workspace",
            str(workspace),
        ]
        subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)
        made.add(
            tuple((place / name).read_bytes() for name in ("out.jsonl", "out.rejected.jsonl", "out.manifest.json"))
        )
    assert len(made) == 1


def test_another_seed_gives_another_set_and_a_larger_one_extends_a_smaller(run, workspace, tmp_path):
    ids = {}
    for name, options in {"a": (), "b": ("--seed", 1), "big": ("-n", 30)}.items():
        generate(run, workspace, CORPORA / "en", tmp_path / f"{name}.jsonl", "-n", 10, *options)
        ids[name] = [s.id for s in read_samples(tmp_path / f"{name}.jsonl").samples]
    assert ids["a"] != ids["b"]
    assert set(ids["a"]) <= set(ids["big"])


def test_a_smaller_set_is_announced_before_it_replaces_a_larger_one(run, workspace, tmp_path):
    output = tmp_path / "testset.jsonl"
    generate(run, workspace, CORPORA / "en", output, "-n", 4)
    code, out, err = generate(run, workspace, CORPORA / "en", output, "-n", 3)
    assert code == 0
    assert f"synth: {output} contains 4 rows, and a complete run replaces them by 3" in err.splitlines()[0]
    assert f"3 rows in {output}, replacing 4" in out
    _, out, err = generate(run, workspace, CORPORA / "en", output, "-n", 5)
    assert "replacing" not in out + err


def test_the_replaced_set_is_read_once(run, workspace, tmp_path, monkeypatch):
    output = tmp_path / "testset.jsonl"
    generate(run, workspace, CORPORA / "en", output, "-n", 4)
    paths = []
    monkeypatch.setattr(overwriting, "read_samples", lambda path: paths.append(path) or read_samples(path))
    monkeypatch.setattr(generating, "read_samples", overwriting.read_samples)
    _, out, _ = generate(run, workspace, CORPORA / "en", output, "-n", 3)
    assert f"3 rows in {output}, replacing 4" in out
    assert paths == [output]


def test_a_shortfall_is_told_with_the_table_and_its_own_exit_code(run, workspace, tmp_path):
    corpus = tmp_path / "short.md"
    corpus.write_text(
        "# Kell\n\n## Who built the Kell lighthouse?\n\nAnn Harrow built the Kell lighthouse in 1811.\n",
        encoding="utf-8",
    )
    code, out, err = generate(run, workspace, corpus, tmp_path / "testset.jsonl", "-n", 50)
    assert code == 5
    assert "tried" in out
    assert "of 50 rows could be made" in err
    made = synth.generate(corpus, tmp_path / "testset.jsonl", synth.Settings(n=50, workspace=workspace))
    assert err == f"synth: {made.shortage}\n".replace("`llm` of Settings", "--llm")
    assert "add documents, ask for fewer rows" in repr(made)
    assert "add documents, ask for fewer rows" in made._repr_html_()
    assert 1 <= len(read_samples(tmp_path / "testset.jsonl").samples) < 50


def test_bad_files_are_named_and_cost_nothing_else(run, workspace, tmp_path):
    corpus = tmp_path / "my corpus"
    corpus.mkdir()
    (corpus / "configuration.md").write_bytes((CORPORA / "en" / "tideline" / "configuration.md").read_bytes())
    bad = {
        'leer "quoted".md': (b"", "empty"),
        "binär 😀.txt": (bytes(range(256)) * 20, "binary"),
        "损坏的.pdf": (b"%PDF-1.4 nothing else", "damaged"),
        "two\nlines.xyz": (b"hello", "unknown kind"),
    }
    for name, (data, _) in bad.items():
        (corpus / name).write_bytes(data)
    output = tmp_path / "testset.jsonl"
    code, out, _ = run("generate", corpus, "-o", output, "--workspace", workspace, "-n", 3)
    assert code == 0
    for name, (_, reason) in bad.items():
        line = next(line for line in out.splitlines() if name.replace("\n", "\\n") in line)
        assert f" {reason}" in line
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert {s["source"]: s["reason"] for s in manifest["corpus"]["skipped"]} == {n: r for n, (_, r) in bad.items()}
    assert "leer" not in generate(run, workspace, corpus, tmp_path / "quiet.jsonl", "-n", 3)[1]
    (corpus / "new.pdf").write_bytes(b"%PDF-1.4 nothing else")
    _, out, _ = run("verify", output, "--corpus", corpus, "--workspace", workspace)
    assert "new.pdf" in out
    assert "leer" not in out
    (corpus / "new.pdf").unlink()
    code, _, err = generate(run, workspace, corpus, tmp_path / "strict.jsonl", "-n", 3, "--strict")
    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert "损坏的.pdf" in err
    assert not (tmp_path / "strict.jsonl").exists()


def test_many_files_of_one_kind_that_is_not_read_are_told_in_one_line(capsys):
    alike = [Skipped(source=f"src/{n}.go", reason="unknown kind", detail="suffix '.go'") for n in range(6)]
    others = [Skipped(source=f"{n}.pdf", reason="damaged", detail="no header") for n in range(5)]
    print_skipped([*alike, *others], LOUD)
    head, _, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["file", "not", "read", "reason", "detail"]
    assert lines[0].split("  ")[0] == "6 files, such as src/0.go"
    assert [line.split()[0] for line in lines[1:]] == [f"{n}.pdf" for n in range(5)]
    print_skipped([], LOUD)
    assert capsys.readouterr().out == ""


def test_files_read_in_part_or_with_a_guessed_encoding_have_headings_of_their_own(capsys):
    reasons = ("damaged", "hidden", "not read", "encoding guessed")
    print_skipped([Skipped(source=f"{reason}.x", reason=reason, detail="") for reason in reasons], LOUD)
    lines = [line.split("  ")[0].strip() for line in capsys.readouterr().out.splitlines() if not line.startswith("-")]
    assert lines == [
        "file not read",
        "damaged.x",
        "part not read",
        "hidden.x",
        "not read.x",
        "file with a guessed encoding",
        "encoding guessed.x",
    ]


def test_verify_names_each_row_that_does_not_hold(run, workspace, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in ("configuration.md", "error-codes.md"):
        (corpus / name).write_bytes((CORPORA / "en" / "tideline" / name).read_bytes())
    output = tmp_path / "testset.jsonl"
    assert generate(run, workspace, corpus, output, "-n", 6)[0] == 0
    lines = output.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[0])
    row["golden_answers"] = ["Wellington boots"]
    output.write_text("\n".join([json.dumps(row), *lines[1:], "no row"]) + "\n", encoding="utf-8")
    code, out, _ = run("verify", output, "--corpus", corpus, "--workspace", workspace, "--quiet", "--json")
    found = json.loads(out)
    assert code == 1
    assert (found["checked"], found["valid"]) == (7, 5)
    assert [(f["line"], f["id"]) for f in found["failures"]] == [(1, row["id"]), (7, "")]
    assert "grounded" in found["failures"][0]["reason"]
    changed = corpus / "configuration.md"
    changed.write_text("# New\n\n" + changed.read_text(encoding="utf-8"), encoding="utf-8")
    code, out, _ = run("verify", output, "--corpus", corpus, "--workspace", workspace, "--quiet")
    assert "has changed since" in out


def test_a_set_is_verified_with_the_filters_and_thresholds_of_an_older_synth_that_there_still_are(
    run, workspace, tmp_path
):
    corpus, output, manifest = tmp_path / "configuration.md", tmp_path / "testset.jsonl", tmp_path / "manifest.json"
    corpus.write_bytes((CORPORA / "en" / "tideline" / "configuration.md").read_bytes())
    assert generate(run, workspace, corpus, output, "-n", 3)[0] == 0
    made = json.loads(manifest.read_text(encoding="utf-8"))
    made["filters"] = [{**filter_, "permutations": 128} for filter_ in made["filters"]] + [
        {"name": "gone", "threshold": 1}
    ]
    manifest.write_text(json.dumps(made), encoding="utf-8")
    assert run("verify", output, "--corpus", corpus, "--workspace", workspace, "--quiet")[0] == 0
    for filter_ in made["filters"]:
        filter_.update(max_words=2) if filter_["name"] == "well_formed" else None
    manifest.write_text(json.dumps(made), encoding="utf-8")
    assert run("verify", output, "--corpus", corpus, "--workspace", workspace, "--quiet")[0] == 1


def test_no_row_repeats_one_of_the_set_it_is_made_against(run, workspace, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in ("configuration.md", "error-codes.md"):
        (corpus / name).write_bytes((CORPORA / "en" / "tideline" / name).read_bytes())
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    simple = ("--types", "simple=1")
    assert generate(run, workspace, corpus, old, "-n", 4, *simple)[0] == 0
    with old.open("a", encoding="utf-8") as file:
        file.write("no row\n")
    assert generate(run, workspace, corpus, new, "-n", 3, *simple, "--against", old)[0] == 0
    asked = [{sample.question for sample in read_samples(path).samples} for path in (old, new)]
    assert (len(asked[0]), len(asked[1]), asked[0] & asked[1]) == (4, 3, set())
    manifest = json.loads((tmp_path / "new.manifest.json").read_text(encoding="utf-8"))
    assert (manifest["against"]["rows"], len(manifest["against"]["damaged"])) == (4, 1)
    rejected = [json.loads(line) for line in (tmp_path / "new.rejected.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sum(row["rejected"]["stage"] == "duplicate" for row in rejected) >= 3
    code, _, err = generate(run, workspace, corpus, old, "-n", 3, "--against", old)
    assert (code, "would be overwritten" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["generate", "no/such/folder", "-o", "x.jsonl"], 2, "no/such/folder"),
        (["verify", "none.jsonl", "--corpus", str(CORPORA / "en")], 2, "cannot read none.jsonl"),
        (["generate", str(CORPORA / "en"), "-o", "x.jsonl", "-n", "0"], 2, "n must be at least 1"),
        (["generate", str(CORPORA / "en"), "-o", "x.jsonl", "--types", "hard=1"], 2, "unknown question type 'hard'"),
        (["generate", str(CORPORA / "en"), "-o", "x.jsonl", "--config", "none.toml"], 2, "none.toml"),
        (["generate", str(CORPORA / "en"), "-o", "x.jsonl", "--against", "none.jsonl"], 2, "cannot read none.jsonl"),
        (
            ["generate", str(CORPORA / "zh"), "-o", "x.jsonl", "--language", "en"],
            2,
            "no questions can be written about",
        ),
        (["generate", str(CORPORA / "en"), "-o", "x.jsonl", "--chunk-size", "-4"], 2, "size"),
    ],
)
def test_a_mistake_is_one_clear_line(run, workspace, tmp_path, monkeypatch, arguments, code, complaint):
    monkeypatch.chdir(tmp_path)
    found, _, err = run(*arguments, "--workspace", workspace, "--quiet")
    assert found == code
    assert complaint in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err
    assert not (tmp_path / "x.jsonl").exists()


def test_progress_counts_documents_by_their_name(run, workspace, tmp_path):
    for n in range(3):
        (tmp_path / f"{n}.md").write_text(f"# Pier {n}\n\nPier {n} was built in 190{n}.\n", encoding="utf-8")
    _, out, err = run("graph", "build", tmp_path, "--workspace", workspace)
    assert "documents: 3 done" in out + err


def test_levels_give_way_with_nearest_and_only_then(run, workspace, tmp_path):
    asked = [
        "generate",
        CORPORA / "zh",
        "-n",
        10,
        "--difficulty",
        "easy=.5,hard=.5",
        "--workspace",
        workspace,
        "--quiet",
    ]
    output = tmp_path / "x.jsonl"
    code, _, err = run(*asked, "--plan")
    assert (code, "does not allow 1 hard simple" in err, "other levels" in err) == (5, True, True)
    code, _, err = run(*asked, "-o", output)
    assert (code, "missing: 1 hard simple" in err) == (5, True)
    code, out, _ = run(*asked, "--plan", "--nearest")
    assert (code, "generate will write 10 rows" in out, "so other levels replace them" in out) == (0, True, True)
    assert run(*asked, "-o", output, "--nearest")[0] == 0
    assert len(read_samples(output).samples) == 10


def test_show_prints_rows_with_their_places(run, workspace, tmp_path):
    output = tmp_path / "testset.jsonl"
    generate(run, workspace, CORPORA / "en", output, "-n", 10)
    _, out, _ = run("show", output, "-n", 3)
    chosen = random.Random(0).sample(read_samples(output).samples, 3)
    assert all(s.question in out and s.evidence[0].doc_id in out for s in chosen)
    assert all(f"row:      {s.id}, {s.question_type}" in out and s.evidence[0].text in out for s in chosen)
    assert out.count("answer:") == 3


def test_show_prints_the_rows_that_fit_every_option(run, tmp_path):
    rows = [
        row_of("What does the pass cost?", "simple", ["keyword"], "Fares.md"),
        row_of("Who steers?", "simple", [], "crew.md"),
        row_of("What if it rains?", "conditional", ["keyword"], "crew.md"),
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def shown(*options):
        code, out, err = run("show", path, *options, "--json")
        assert code == 0, err
        return {row["question"].split()[-1] for row in json.loads(out)}

    assert shown("--id", rows[2]["id"], rows[0]["id"][:8]) == {"rains?", "cost?"}
    assert shown("--type", "simple", "--tag", "keyword") == {"cost?"}
    assert shown("--doc", "fares") == {"cost?"}
    assert shown("--doc", "fares", "crew", "--difficulty", "easy") == {"cost?", "steers?", "rains?"}
    assert shown("--text", "RAINS", "-n", "5") == {"rains?"}
    code, _, err = run("show", path, "--type", "reasoning")
    assert code == 2
    assert "values for --type: conditional, simple" in err


def test_show_prints_level_tags_and_objections_and_finds_rows_with_objections(run, tmp_path):
    rows = [row_of(f"What does pass {n} cost?", "simple", [], "Fares.md") for n in range(3)]
    rows[0]["metadata"] |= {"tags": ["vague"], "signals": {"copied": "9 words"}}
    rows[1]["metadata"]["doubt"] = "too broad"
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _, out, _ = run("show", path, "--signals")
    assert "signal:   copied: 9 words" in out
    assert "signal:   judge: too broad" in out
    assert "tags:     vague" in out
    assert out.count(", simple, easy") == 2
    assert "2 of 2 rows that fit; the set contains 3" in out


def test_show_counts_the_reasons_of_refused_candidates(run, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row_of("Who steers?", "simple", [], "crew.md")) + "\n", encoding="utf-8")
    code, _, err = run("show", path, "--rejected")
    assert (code, "x.rejected.jsonl is missing" in err) == (2, True)
    refused = [
        ("copied", "9 words, at most 8"),
        ("copied", "12 words, at most 8"),
        ("path", "the owner's pages don't name 'a'"),
    ]
    lines = [{"rejected": {"stage": stage, "reason": reason}} for stage, reason in refused]
    (tmp_path / "x.rejected.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    _, out, _ = run("show", path, "--rejected", "--json")
    assert [(one["stage"], one["reason"], one["candidates"]) for one in json.loads(out)] == [
        ("copied", "… words, at most …", 2),
        ("path", "the owner's pages don't name …", 1),
    ]
    _, out, _ = run("show", path, "--rejected", "-n", "1")
    assert "3 refused candidates in" in out
    assert "owner" not in out


def test_show_prints_metadata_of_strangers(run, tmp_path):
    row = row_of("Who steers?", "simple", [], "crew.md")
    row["metadata"] |= {"difficulty": 3, "signals": ["copied"], "doubt": 5}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    code, out, _ = run("show", path, "--difficulty", "3")
    assert (code, ", simple, 3\n" in out, "signal:" in out) == (0, True, False)
    assert run("show", path, "--signals")[0] == 2


def test_show_counts_refused_candidates_that_fit(run, tmp_path):
    rows = [row_of("Who steers?", "simple", [], "crew.md"), row_of("Who rows?", "conditional", [], "crew.md")]
    lines = [{**row, "rejected": {"stage": "copied", "reason": "9 words"}} for row in rows]
    lines.append({"rejected": {"stage": "path", "reason": "no name"}})
    (tmp_path / "x.rejected.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    _, out, _ = run("show", tmp_path / "x.jsonl", "--rejected", "--type", "simple", "--json")
    assert json.loads(out) == [{"stage": "copied", "reason": "… words", "candidates": 1}]


def row_of(question, type, tags, doc):
    """A row with the fields that show selects by."""
    text = "It costs 3 pounds."
    sample = Sample(
        question=question,
        golden_answers=("3 pounds",),
        evidence=(Evidence(doc_id=doc, doc_hash="sha256:0", chunk_id="c-1", start=0, end=len(text), text=text),),
        question_type=type,
        language="en",
        metadata={"difficulty": "easy", "tags": tags},
    )
    return sample_to_row(sample)


@pytest.mark.parametrize("text", ["", "{}\n"], ids=["empty", "damaged"])
def test_show_refuses_a_file_without_a_row(run, tmp_path, text):
    (tmp_path / "x.jsonl").write_text(text)
    code, out, err = run("show", tmp_path / "x.jsonl")
    assert (code, out) == (2, "")
    assert "x.jsonl contains no readable row" in err


def test_graph_build_computes_once_and_one_changed_file_only(run, workspace, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for path in sorted((CORPORA / "zh").rglob("*.md"))[:6]:
        (corpus / path.name).write_bytes(path.read_bytes())

    def counts():
        code, out, _ = run("graph", "build", corpus, "--workspace", tmp_path / "ws", "--quiet", "--json")
        assert code == 0
        entities = json.loads(out)["transforms"]["entities"]
        return entities["computed"], entities["reused"]

    assert counts() == (6, 0)
    assert counts() == (0, 6)
    changed = sorted(corpus.iterdir())[0]
    changed.write_text(changed.read_text(encoding="utf-8") + "\n新的一句話在這裡。\n", encoding="utf-8")
    assert counts() == (1, 5)


def test_graph_stats_and_doctor_speak_json(run, workspace):
    code, out, _ = run("graph", "stats", CORPORA / "en", "--workspace", workspace, "--quiet", "--json")
    stats = json.loads(out)["stats"]
    assert code == 0
    assert stats["nodes"]["document"] >= 12
    assert stats["edges"]["contains"] == stats["nodes"]["chunk"]
    code, out, _ = run("doctor", "--json")
    assert code == 0
    assert {"spacy", "English pipeline", "Chinese segmenter"} <= {f["name"] for f in json.loads(out)}


def test_every_command_has_help_with_an_example(capsys):
    for command in ("generate", "verify", "show", "graph", "doctor"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
        assert f"synth {command}" in capsys.readouterr().out.partition("example:")[2]
