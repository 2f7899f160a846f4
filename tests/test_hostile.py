"""Numbers that are none, outputs that are no files, secrets in addresses, and what a terminal or a spreadsheet obeys."""

import base64
import csv
import json
import os
import socket
import stat
import threading
from dataclasses import replace

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import read_samples, sample_to_row, write_atomic, write_bytes, write_rows
from synth.core.table import table
from synth.evaluation.responses.reading import Responses
from synth.workflows.endpoints import models
from synth.workflows.evaluating import EvaluationSettings, evaluate
from synth.workflows.generating import shown
from synth.workflows.judges import Judging
from synth.workflows.reporting import write_csv
from synth.workflows.settings import ModelSettings, Settings, read_settings
from tests.test_evaluation import answered, made_set

DOC = (
    "# Kell\n\n## When was the Kell lighthouse built?\n\nThe Kell lighthouse was built in 1811 by Robert Stevenson.\n\n"
    "## Who lit the Kell lamp?\n\nAnn Moor lit the Kell lamp in 1820.\n"
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "kell.md").write_text(DOC, encoding="utf-8")
    return tmp_path


def generate(*arguments):
    return main(["generate", "docs", "-n", "1", "--quiet", *map(str, arguments)])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--max-cost", "nan"), "max_cost must be a number"),
        (("--max-cost", "inf"), "max_cost must be a number"),
        (("--max-cost=-1",), "max_cost must be at least 0"),
        (("--timeout", "nan"), "timeout_s must be a number"),
        (("--timeout", "inf"), "timeout_s must be a number"),
        (("--max-calls=-1",), "max_calls must be at least 0"),
        (("--max-tokens=-1",), "max_tokens must be at least 0"),
        (("--types", "simple=nan"), "types must be a table of numbers"),
        (("--types", "simple=inf"), "types must be a table of numbers"),
        (("--types", "simple=1e308,reasoning=1e308"), "types must be shares"),
        (("--types", "simple=0"), "at least one share"),
        (("--difficulty", "easy=nan"), "difficulty must be a table of numbers"),
        (("--styles", "plain=inf"), "styles must be a table of numbers"),
        (
            ("--styles", "formal=.5,keywords=.5"),
            "in the style formal or keywords; name one with `--llm`",
        ),
        (("--limits", "vague=nan"), "limits must be a table of numbers"),
        (("--header", "X-Key: a\rb"), "one line without control characters"),
    ],
)
def test_numbers_that_are_none_are_refused(here, capsys, options, said):
    assert generate("-o", "t.jsonl", *options) == 2
    assert said in capsys.readouterr().err
    assert not (here / "t.jsonl").exists()


def test_a_threshold_is_a_number(here, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", "t.jsonl", "r.jsonl", "--min", "token_f1=nan"])
    assert ended.value.code == 2
    assert "must have the form METRIC=VALUE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("evaluate", "t", "r", "--k", "99999999999"), "k must be from 1 to 10000, was 99999999999"),
        (("evaluate", "t", "r", "--metrics", "ndcg@" + "9" * 5000), "with k from 1 to 10000"),
        (("evaluate", "t", "r", "--llm", "m", "--votes", "99999999999"), "an odd number of at most 99"),
        (
            ("run", "t", "--corpus", "docs", "-o", "x", "--k", "99999999999"),
            "k must be from 1 to 10000, was 99999999999",
        ),
        (("sweep", "t", "--corpus", "docs", "--ks", "99999999999"), "k must be from 1 to 10000, was 99999999999"),
        (("generate", "docs", "-o", "x", "--include", "[z-a].md"), "'[z-a].md' is not a valid file name pattern"),
    ],
)
def test_numbers_and_patterns_that_would_cost_too_much_are_refused(here, capsys, command, said):
    (here / "t").write_text(json.dumps({"question": "Who?", "golden_answers": ["a"]}) + "\n", encoding="utf-8")
    (here / "r").write_text(json.dumps({"question": "Who?", "answer": "a"}) + "\n", encoding="utf-8")
    assert main([*command, "--quiet"]) == 2
    assert said in capsys.readouterr().err


def test_a_link_is_followed(here):
    (here / "real").mkdir()
    (here / "real" / "set.jsonl").write_text("old", encoding="utf-8")
    (here / "link.jsonl").symlink_to(here / "real" / "set.jsonl")
    (here / "new.jsonl").symlink_to(here / "real" / "new.jsonl")
    for name in ("link", "new"):
        write_atomic(here / f"{name}.jsonl", name)
        assert (here / f"{name}.jsonl").is_symlink()
    assert (here / "real" / "set.jsonl").read_text(encoding="utf-8") == "link"
    assert (here / "real" / "new.jsonl").read_text(encoding="utf-8") == "new"
    (here / "round.jsonl").symlink_to(here / "round.jsonl")
    with pytest.raises(InputError, match="cannot write"):
        write_atomic(here / "round.jsonl", "x")


def test_devices_and_pipes_are_written_to(here):
    for write, content in ((write_atomic, "text"), (write_bytes, b"text")):
        write(here / os.devnull, content)
        assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    os.mkfifo(here / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((here / "pipe").read_text(encoding="utf-8")))
    reader.start()
    write_atomic(here / "pipe", "through the pipe")
    reader.join()
    assert read == ["through the pipe"]
    assert stat.S_ISFIFO((here / "pipe").stat().st_mode)


def test_a_full_device_is_said_and_left_as_it_is(here, capsys):
    assert generate("-o", "/dev/full") == 2
    assert "cannot write /dev/full: No space left" in capsys.readouterr().err
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_a_socket_and_a_folder_are_refused(here):
    with socket.socket(socket.AF_UNIX) as held:
        held.bind("socket")
        with pytest.raises(InputError, match="it is a socket"):
            write_atomic(here / "socket", "x")
    with pytest.raises(InputError, match="cannot write"):
        write_atomic(here / "docs", "x")


def test_a_dash_is_standard_output(here, capfd):
    assert generate("-o", "-") == 0
    out, err = capfd.readouterr()
    (row,) = map(json.loads, out.splitlines())
    assert row["question"]
    assert "1 row in -" in err
    assert sorted(path.name for path in here.iterdir()) == ["docs", "ws"]


URL = "http://username:pass%2Fword@127.0.0.1:9/v1?api-key=queried-secret"
SECRETS = ("username", "pass", "queried-secret")


def test_no_secret_of_an_address_is_written():
    told = shown(Settings(model=ModelSettings(name="m", base_url=URL, judge_url=URL, encoder_url=URL)))
    for name in ("base_url", "judge_url", "encoder_url"):
        assert told["model"][name] == "http://127.0.0.1:9/v1"
    assert shown(Settings(model=ModelSettings(base_url="no address")))["model"]["base_url"] == ""
    assert not any(secret in json.dumps(told) for secret in SECRETS)


def test_no_secret_of_an_address_is_shown():
    model = models(ModelSettings(name="m", base_url=URL))["author"]
    basic = base64.b64encode(b"username:pass/word").decode()
    echoed = model._one_line(f"no such key: Basic {basic}, {URL}, pass/word, queried-secret")
    assert not any(secret in echoed for secret in (*SECRETS, basic))
    assert "pass" not in repr(model)
    assert "pass" not in model.identity


def test_scores_hold_no_address_with_a_secret(here, serve):
    server = serve(lambda body, number: '{"verdicts": []}' if number % 2 else "{}")
    url = server.url.replace("http://", "http://username:password@") + "?api-key=queried-secret"
    how = EvaluationSettings(
        metrics=("answer_correctness",), judging=Judging(model=ModelSettings(name="m", base_url=url))
    )
    evaluate(made_set(2), answered(2), how, output=here / "s.json")
    told = (here / "s.json").read_text(encoding="utf-8")
    assert f'"base_url": "{server.url}"' in told
    assert "password" not in told
    assert "queried-secret" not in told


def test_cells_of_a_csv_are_no_formulas(here):
    rows = [
        {"id": "=1+1", "question": "Who?", "golden_answers": ["a"], "metadata": {"question_type": "@simple"}},
        {"id": "-2", "question": "When?", "golden_answers": ["b"], "metadata": {"question_type": "+simple"}},
    ]
    (here / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    answers = Responses.of([{"id": "=1+1", "answer": "a"}, {"id": "-2", "answer": "b"}])
    found = evaluate(here / "t.jsonl", answers, EvaluationSettings(metrics=("exact_match",)))
    write_csv(found, here / "t.jsonl", here / "s.csv")
    with (here / "s.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in list(csv.reader(file))[1:] for cell in row]
    assert cells[0] == "'=1+1"
    assert not any(cell.startswith(("=", "+", "@", "-")) for cell in cells)


ESCAPE = "\x1b]0;owned\x07\x9b31m"


def test_what_a_terminal_obeys_is_shown_escaped(here, capsys):
    assert generate("-o", "t.jsonl") == 0
    (row,) = read_samples(here / "t.jsonl").samples
    *_, piece = row.evidence
    piece = replace(piece, doc_id=piece.doc_id + ESCAPE, text=piece.text + ESCAPE, end=piece.end + len(ESCAPE))
    question, metadata = row.question + ESCAPE, {**row.metadata, "kind": ESCAPE}
    row = replace(row, question=question, golden_answers=(ESCAPE,), evidence=(piece,), metadata=metadata)
    write_rows(here / "t.jsonl", [sample_to_row(row)])
    write_rows(here / "r.jsonl", [{"id": row.id, "answer": ESCAPE}])
    capsys.readouterr()
    for command in (
        ["show", "t.jsonl"],
        ["show", "t.jsonl", "--json"],
        ["evaluate", "t.jsonl", "r.jsonl", "--by", "kind", "--quiet"],
        ["evaluate", "t.jsonl", "r.jsonl", "--by", "kind", "--quiet", "--json"],
    ):
        main(command)
        told = capsys.readouterr()
        assert "owned" in told.out + told.err
        assert not any(char in told.out + told.err for char in "\x1b\x07\x9b")


def test_the_head_of_a_table_is_escaped_too():
    assert "\x1b" not in table([ESCAPE], [[ESCAPE]])


def test_settings_from_a_file_are_checked_alike(here):
    (here / "synth.toml").write_text("[model]\ntimeout_s = nan\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"synth\.toml: field 'model\.timeout_s' must be a number"):
        read_settings(here / "synth.toml")


@pytest.mark.parametrize("mark", ["(", "[", "'", "=", "#", '"', "!", ",", "x"])
def test_a_word_of_many_characters_costs_its_sentence_and_is_named(here, capsys, mark):
    (here / "docs" / "long.md").write_text(
        f"# Kell\n\nIda Brandt built the Kell tower in 1871.\n\nHere it is {mark * (25_000 // len(mark))} at last.\n",
        encoding="utf-8",
    )
    assert main(["generate", "docs", "-n", "1", "-o", "t.jsonl", "--quiet"]) in (0, 5)
    told = capsys.readouterr().out
    assert "long.md, character" in told
    assert "characters without a space" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("，。" * 12_000, "1 row in t.jsonl"),
        ("灯" * 300_000, "the sentence has 20,000 characters"),
        ("`" * 25_000, "1 row in t.jsonl"),
    ],
)
def test_a_document_without_words_or_ends_costs_itself_alone(here, capsys, text, told):
    (here / "docs" / "long.md").write_text(text, encoding="utf-8")
    assert generate("-o", "t.jsonl") == 0
    assert told in capsys.readouterr().out
