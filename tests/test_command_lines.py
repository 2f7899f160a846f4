"""Command lines that are wrong, the help, and what is not overwritten."""

import argparse
import json
import re
import shutil
import tomllib
from importlib import resources
from pathlib import Path
from typing import get_args

import pytest

from synth.annotation.acceptance import OUTCOMES
from synth.annotation.records import DECISIONS
from synth.annotation.records import REASONS as REJECTIONS
from synth.cli.commands.base import settings_of
from synth.cli.commands.explain import explanations
from synth.cli.main import COMMANDS, GROUPS, build_parser, main
from synth.corpus.documents.reasons import REASONS as FILES
from synth.evaluation.failures import MEANINGS
from synth.evaluation.scoring import COUNTED
from synth.generation.admission import SHARE
from synth.generation.difficulty import LEVELS, TAGS
from synth.generation.pipeline import FAILED
from synth.generation.proposals.archive import MOVES
from synth.generation.proposals.candidates import PATH
from synth.generation.proposals.run import REPEATED
from synth.models.chat.base import FaultKind
from synth.retrieval.reference import DESCRIPTIONS
from synth.testset.refused import PEOPLE_STAGE
from synth.workflows.settings import Settings, names_of_options

ROOT = Path(__file__).parents[1]
CORPORA = ROOT / "corpora"

WRONG = [
    ("generat docs", "there is no command 'generat'; did you mean generate?"),
    ("anotate", "did you mean annotate?"),
    ("generate", "SOURCE is missing"),
    ("generate docs", "name it with -o FILE"),
    ("generate docs -o", "--output needs a value"),
    ("generate docs -o x.jsonl --seeed 3", "there is no option --seeed; did you mean --seed?"),
    ("generate docs -o x.jsonl --see 3", "there is no option --see; did you mean --seed?"),
    ("generate docs -o x.jsonl -n many", "-n must be a whole number, was 'many'"),
    ("generate docs -o x.jsonl -n 0", "n must be at least 1, was 0"),
    ("generate docs -o x.jsonl -n -3", "n must be at least 1, was -3"),
    ("generate docs -o x.jsonl --timeout soon", "--timeout must be a number, was 'soon'"),
    ("generate docs -o x.jsonl --max-cost nan", "max_cost must be a number, was nan"),
    ("generate docs -o x.jsonl --language fr", "--language must be auto, en or zh, was 'fr'"),
    ("generate docs -o x.jsonl --chunk-strategy paragraphs", "must be recursive, sentence, fixed or semantic"),
    ("generate docs -o x.jsonl --types simple=half", "'simple=half' must have the form NAME=SHARE"),
    ("generate docs -o x.jsonl --types simpel=1", "unknown question type 'simpel'; did you mean simple?"),
    ("generate docs -o x.jsonl --difficulty hart=1", "difficulty must be non-negative shares of easy, medium, hard"),
    ("generate docs -o x.jsonl --header secret", "must have the form NAME: VALUE"),
    ("generate docs -o x.jsonl --config none.toml", "cannot read the settings none.toml"),
    ("generate nowhere -o x.jsonl", "nowhere does not exist"),
    ("generate empty -o x.jsonl", "empty contains no file that can be loaded"),
    ("generate docs -o x.jsonl extra", "unexpected argument 'extra'"),
    ("verify none.jsonl --corpus docs", "cannot read none.jsonl"),
    ("verify", "testset, --corpus are missing"),
    ("show none.jsonl", "cannot read none.jsonl"),
    ("evaluate set.jsonl", "responses is missing"),
    ("evaluate set.jsonl set.jsonl --metrics recal@5", "did you mean recall?"),
    ("evaluate set.jsonl set.jsonl --min recall", "--min:"),
    ("evaluate set.jsonl set.jsonl --k none", "--k"),
    ("export set.jsonl --to rags -o x", "did you mean ragas?"),
    ("compare none.json other.json", "none.json"),
    ("annotate", "no command is given; choose one of review"),
    ("annotate reviw set.jsonl", "there is no command 'reviw'; did you mean review?"),
    ("annotate review set.jsonl --order best", "--order must be random, stratified or doubtful, was 'best'"),
    ("annotate review set.jsonl --port 99999", "--port: must be a whole number from 0 to 65535, was '99999'"),
    ("update set.jsonl --corpus nowhere -o x.jsonl", "nowhere"),
    ("graph bild docs", "must be build, stats, show or export, was 'bild'"),
    ("adopt none.csv --corpus docs -o x.jsonl", "none.csv"),
    ("run set.jsonl --corpus docs --retriever bm52 -o x.jsonl", "bm52"),
    ("score set.jsonl --docs docs", "there is no option --docs; did you mean --corpus?"),
    ("run set.jsonl --corpus docs", "--output is missing"),
    ("export set.jsonl --format ragas", "there is no option --format; did you mean --to?"),
    ("generate docs --model gpt", "there is no option --model; did you mean --llm?"),
    ("generate docs --frobnicate 1", "there is no option --frobnicate"),
    ("explain evidence_recal", "did you mean evidence_recall?"),
    ("init synth.toml", "synth.toml already exists"),
]


def test_every_synonym_is_of_an_option():
    known = {option for _, parser in parsers() for option in parser._option_string_actions}
    text = resources.files("synth.cli").joinpath("synonyms.toml").read_text(encoding="utf-8")
    assert {*tomllib.loads(text)} - known == set()


def test_no_value_is_called_by_a_name_that_is_not_its_option():
    for command, parser in parsers():
        for action in parser._actions:
            if action.option_strings and action.nargs != 0 and not action.metavar and not action.choices:
                shown = parser._get_formatter()._get_default_metavar_for_optional(action)
                assert shown == "N" or f"--{shown.lower()}" in action.option_strings, (command, action.option_strings)


OPTIONS_OF_SETTINGS = {
    "-n": "7", "--types": "simple=1", "--nearest": None, "--difficulty": "hard=1", "--limits": "vague=0.5",
    "--styles": "typos=1", "--lengths": "medium=1", "--personas": "topics", "--like": "log.jsonl",
    "--against": "other.jsonl", "--brief": "Pages on ships.", "--language": "zh", "--seed": "7", "--encoder": "hash",
    "--transforms": "topics", "--workspace": "elsewhere", "--workers": "3", "--ray": "local", "--prompts": "prompts",
}  # fmt: skip
"""A value of every option that sets a setting of its own name, other than the default."""


def test_every_option_of_generate_reaches_its_setting(monkeypatch):
    monkeypatch.delenv("SYNTH_WORKSPACE", raising=False)
    generate = next(parser for name, parser in parsers() if name == "synth generate")
    named = {
        action.option_strings[0]: action.dest
        for action in generate._actions
        if action.option_strings and action.dest in names_of_options()
    }
    assert {*named} - {"--control", "--by-model"} == {*OPTIONS_OF_SETTINGS}  # these two need a chat model
    for option, value in OPTIONS_OF_SETTINGS.items():
        options = build_parser().parse_args(["generate", "docs", option, *([] if value is None else [value])])
        name = named[option]
        assert getattr(settings_of(options), name) != getattr(Settings(), name), option


def test_the_brief_of_the_user_is_printed_without_a_request(here, capsys):
    line = [
        "brief",
        "docs",
        "--llm",
        "none",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--brief",
        "Pages on ships.",
        "--quiet",
    ]
    assert main(line) == 0
    assert capsys.readouterr().out.strip() == "Pages on ships."


def parsers(parser=None, name="synth"):
    """Every command with its parser, those in others too."""
    parser = parser or build_parser()
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner, command in action.choices.items():
                yield from parsers(command, f"{name} {inner}")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder of documents, a set of them and its workspace, which tests copy."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "docs").symlink_to(CORPORA / "en" / "lighthouses")
    (folder / "empty").mkdir()
    (folder / "synth.toml").write_text("n = 3\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("SYNTH_WORKSPACE", str(folder / "ws"))
        assert main(["generate", "docs", "-o", "set.jsonl", "-n", "3", "--quiet"]) == 0
    return folder


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path, symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    return tmp_path


def ended(capsys, line):
    """Exit code and the lines of the error stream after a command line."""
    try:
        code = main(line.split())
    except SystemExit as stop:
        code = stop.code
    return code, capsys.readouterr().err.strip().splitlines()


@pytest.fixture
def testset(here):
    return here / "set.jsonl"


@pytest.mark.parametrize(("line", "complaint"), WRONG)
def test_a_wrong_command_line_is_answered_in_two_lines(testset, capsys, line, complaint):
    code, lines = ended(capsys, line)
    assert code == 2
    assert len(lines) <= 2, lines
    assert complaint in lines[0]
    assert not (testset.parent / "x.jsonl").exists()


def test_synth_alone_shows_the_jobs_and_every_command(capsys):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert [name for name in COMMANDS if not re.search(rf"^  {name} ", out, re.MULTILINE)] == []
    assert [group for group in GROUPS if f"\n{group}\n" not in out] == []
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_help_all_has_the_rest(capsys, command):
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    short = capsys.readouterr().out
    assert stop.value.code == 0
    assert f"synth {command}" in short.partition("example:")[2]
    options = re.findall(r"^  (-[\w-]+)", short, re.MULTILINE)
    assert len(options) <= 20
    if "--help-all" not in options:
        assert "more options" not in short
        return
    with pytest.raises(SystemExit):
        main([command, "--help-all"])
    everything = re.findall(r"^  (-[\w-]+)", capsys.readouterr().out, re.MULTILINE)
    assert set(options) < set(everything)
    assert f"{len(everything) - len(options)} more options: synth {command} --help-all" in short


def test_every_name_of_the_listed_ones_is_explained(capsys):
    assert main(["explain"]) == 0
    listed = re.findall(r"^  (.*)$", capsys.readouterr().out, re.MULTILINE)
    names = [name.strip() for line in listed for name in line.split(", ") if name.strip(" ,")]
    assert len(names) > 100
    for name in names:
        assert main(["explain", name.rstrip(",")]) == 0
        assert len(capsys.readouterr().out.splitlines()) >= 2
    for name, kind in (("evidence_recall@5", "metric"), ("faithfulness", "judged metric")):
        assert main(["explain", name, "--json"]) == 0
        (entry,) = json.loads(capsys.readouterr().out)
        assert entry["kind"] == kind


@pytest.mark.parametrize(
    "names",
    [
        {*MEANINGS},
        {*DESCRIPTIONS},
        {*DECISIONS, *OUTCOMES, *REJECTIONS},
        {*FILES},
        {one for moves in MOVES.values() for one in moves},
        {*get_args(FaultKind)},
        {*LEVELS, *TAGS, *COUNTED},
        {SHARE, FAILED, REPEATED, PATH, PEOPLE_STAGE, "tried", "kept", "evolution", "model"},
        {"signals", "doubt", "ratings", "lineage", "patience", "topic"},
        {"weakest evidence", "words", "pairs", "scenarios", "rows at most", "most refused by", "differs", "real"},
    ],
)
def test_names_that_tables_print_are_explained(names):
    assert names - {name for _, name in explanations()} == set()


def stages_in_code():
    """The stages that code of generation writes into the funnel as texts."""
    call = re.compile(r'(?:RejectedProposal\(|Rejected\(scenario, |rejected_of\(\w+, |given_up=\(\()"([a-z_]+)"')
    code = "".join(path.read_text("utf-8") for path in (ROOT / "synth" / "generation").rglob("*.py"))
    return {*call.findall(code), *re.findall(r'return "([a-z_]+)", reason', code)}


def test_every_stage_of_the_funnel_is_explained(capsys):
    found = stages_in_code()
    assert {"proposed", "path", "shortcut", "rival", "written"} <= found
    assert found - {name for _, name in explanations()} == set()
    assert main(["explain", "evolution: reword", "model: throttled"]) == 0
    assert re.findall(r"^(\w+) \(", capsys.readouterr().out, re.MULTILINE) == ["reword", "throttled"]


def test_init_writes_settings_that_can_be_read_and_are_the_defaults(here, capsys):
    from synth.workflows.settings import Settings, read_settings

    assert main(["init", "own.toml"]) == 0
    text = (here / "own.toml").read_text(encoding="utf-8")
    (here / "set.toml").write_text(re.sub(r"(?m)^#(?=\w+ =)", "", text), encoding="utf-8")
    assert read_settings(here / "own.toml") == Settings()
    assert read_settings(here / "set.toml") == Settings()
    assert main(["init", "synth.toml", "--force"]) == 0
    assert "n = 50" in (here / "synth.toml").read_text(encoding="utf-8")


def test_every_setting_of_init_has_its_comment():
    from synth.cli.commands.init import template

    text = template("synth.toml")
    assert re.findall(r"^#\w+ = (?!.*  # ).*$", text, re.MULTILINE) == []
    source = resources.files("synth.cli").joinpath("setting_comments.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(source)
    own = [text for value in tables.values() for text in (value.values() if isinstance(value, dict) else [value])]
    assert [comment for comment in own if f"  # {comment}\n" not in text] == []


def test_a_set_of_the_same_documents_is_replaced(testset):
    assert main(["generate", "docs", "-o", "set.jsonl", "-n", "4", "--quiet"]) == 0
    assert len(testset.read_text(encoding="utf-8").splitlines()) == 4


def test_a_plan_with_other_types_says_what_the_run_will_do(here, capsys):
    assert main(["generate", "docs", "--plan", "-n", "12", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "generate will write 12 rows: " in out


@pytest.mark.parametrize("options", ["", "--nearest", "--llm m --base-url http://127.0.0.1:1/v1 --nearest"])
def test_a_plan_of_documents_without_a_question_names_no_set(tmp_path, capsys, options):
    (tmp_path / "a.md").write_text("# Pier\n")
    assert main(["generate", str(tmp_path), "--plan", "--quiet", *options.split()]) == 5
    out, err = capsys.readouterr()
    assert "the documents allow no question" in err
    assert "0 topics" not in out


def test_a_row_with_a_separator_of_lines_in_it_was_not_edited(here):
    (here / "own").mkdir()
    text = "# Kell\n\n## When was the Kell lighthouse built?\n\nThe Kell lighthouse was built in 1811 by\u2028Robert Stevenson.\n"
    (here / "own" / "kell.md").write_text(text, encoding="utf-8")
    for _ in range(2):
        assert main(["generate", "own", "-o", "own.jsonl", "-n", "1", "--quiet"]) == 0
    assert "\u2028" in (here / "own.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("history", [["x"], [{"number": "x"}], 5, [None]])
def test_a_damaged_history_is_no_traceback(testset, capsys, history):
    path = testset.with_name("set.manifest.json")
    damaged = {**json.loads(path.read_text(encoding="utf-8")), "history": history}
    path.write_text(json.dumps(damaged), encoding="utf-8")
    assert main(["log", "set.jsonl"]) == 0
    capsys.readouterr()
    code, lines = ended(capsys, "generate docs -o set.jsonl -n 2 --quiet")
    assert code == 2
    assert "--force" in lines[-1]


@pytest.mark.parametrize("case", ["edited", "foreign", "no set", "other documents"])
def test_a_set_that_people_worked_on_or_of_other_documents_is_not_replaced_without_force(testset, capsys, case):
    source = "docs"
    if case == "edited":
        testset.write_text(testset.read_text(encoding="utf-8").replace("?", "??", 1), encoding="utf-8")
    elif case == "foreign":
        testset.with_name("set.manifest.json").unlink(missing_ok=True)
        testset.with_name("manifest.json").unlink(missing_ok=True)
    elif case == "no set":
        testset.write_text("my notes\n", encoding="utf-8")
    else:
        source = str(CORPORA / "zh")
    before = testset.read_bytes()
    code, lines = ended(capsys, f"generate {source} -o set.jsonl -n 2 --quiet")
    assert code == 2
    assert "--force" in lines[-1]
    assert testset.read_bytes() == before
    assert ended(capsys, f"generate {source} -o set.jsonl -n 2 --quiet --force")[0] == 0
    assert len(testset.read_text(encoding="utf-8").splitlines()) == 2
