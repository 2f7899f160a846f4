"""The action for GitHub: its file, its commands, and its scripts against a stand-in of GitHub's API on loopback."""

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from synth.cli.main import build_parser, main

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".github" / "actions" / "testset"
ACTION = yaml.safe_load((FOLDER / "action.yml").read_text(encoding="utf-8"))
DOCS = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("ci", "update")}
PUBLIC = ROOT / ".github" / "workflows" / "testset.yml"
WORKFLOWS = [
    yaml.safe_load(block)
    for page in DOCS.values()
    for block in re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
]
WORKFLOWS.append(yaml.safe_load(PUBLIC.read_text(encoding="utf-8")))
TOKEN = "ghs_secret-of-a-test"
DOC = (
    "# Kell\n\n## When was the Kell lighthouse built?\n\nThe Kell lighthouse was built in {year} by Robert Stevenson.\n\n"
    "## Who lit the Kell lamp?\n\nAnn Moor lit the Kell lamp in 1820.\n"
)


class GitHub:
    """Comments of one pull request, on loopback; `refuses` answers every request with 403."""

    def __init__(self):
        self.comments, self.asked, self.refuses = [], [], False
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.github = self
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def add(self, body, kind="Bot"):
        self.comments.append({"id": len(self.comments) + 1, "body": body, "user": {"type": kind}})

    def close(self):
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self._reply(lambda github, _: github.comments[100 * (self._page() - 1) : 100 * self._page()])

    def do_POST(self):
        self._reply(lambda github, body: github.add(body["body"]))

    def do_PATCH(self):
        self._reply(lambda github, body: github.comments[int(self.path.rpartition("/")[2]) - 1].update(body))

    def _page(self):
        return int(re.search(r"&page=(\d+)$", self.path)[1])

    def _reply(self, act):
        github = self.server.github
        sent = self.rfile.read(int(self.headers["content-length"] or 0))
        github.asked.append((self.command, self.path, self.headers["authorization"]))
        if github.refuses:
            self.send_error(403)
            return
        data = json.dumps(act(github, json.loads(sent or "null"))).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def github():
    server = GitHub()
    yield server
    server.close()


@pytest.fixture
def runner(tmp_path):
    """Variables of a runner whose `synth` is this checkout."""
    (tmp_path / "bin").mkdir()
    synth = tmp_path / "bin" / "synth"
    synth.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m synth.cli.main "$@"\n')
    synth.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SYNTH_WORKSPACE": str(tmp_path / "ws"),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "job.md"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
    }


def script(name, folder, variables):
    return subprocess.run(["bash", str(FOLDER / name)], cwd=folder, env=variables, capture_output=True, text=True)


def outputs(folder):
    values = dict(line.partition("=")[::2] for line in (folder / "output").read_text().splitlines())
    (folder / "output").unlink()
    return values


def test_the_action_is_whole():
    assert ACTION["runs"]["using"] == "composite"
    steps = ACTION["runs"]["steps"]
    text = json.dumps(ACTION["runs"])
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    assert {output["value"] for output in ACTION["outputs"].values()} == {
        f"${{{{ steps.run.outputs.{name} }}}}" for name in ACTION["outputs"]
    }
    assert all(step["shell"] == "bash" for step in steps)
    # Inputs reach commands as variables alone: text of a pull request in a command would be run.
    assert not [step for step in steps if "${{" in step["run"]]
    scripts = set(re.findall(r"\$GITHUB_ACTION_PATH/([\w.]+)", text))
    assert scripts == {path.name for path in FOLDER.glob("*.sh")}
    for step in steps:
        name = re.search(r"(\w+\.sh)", step["run"])
        if name:
            path = FOLDER / name[1]
            assert os.access(path, os.X_OK)
            body = path.read_text(encoding="utf-8")
            assert all(re.search(rf"\${variable}\b|\${{{variable}\b", body) for variable in step["env"])


def test_the_page_has_every_input_and_output():
    for name, value in {**ACTION["inputs"], **ACTION["outputs"]}.items():
        assert f"| `{name}` | {value['description']}" in DOCS["ci"]


def test_the_command_line_takes_every_command_of_the_workflows():
    lines = [
        line
        for flow in WORKFLOWS
        for job in flow["jobs"].values()
        for step in job["steps"]
        for line in step.get("run", "").splitlines()
    ]
    commands = [line.strip().partition("||")[0] for line in lines if line.strip().startswith("synth ")]
    assert commands
    for command in commands:
        build_parser().parse_args(shlex.split(command)[1:])


def test_the_workflows_give_the_action_what_it_takes():
    used = [
        step
        for flow in WORKFLOWS
        for job in flow["jobs"].values()
        for step in job["steps"]
        if "actions/testset@" in step.get("uses", "")
    ]
    assert used
    required = {name for name, value in ACTION["inputs"].items() if value.get("required")}
    for step in used:
        assert required <= set(step["with"]) <= set(ACTION["inputs"])


def test_update_and_verify_write_a_summary(tmp_path, runner):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "kell.md").write_text(DOC.format(year=1811), encoding="utf-8")
    (tmp_path / "docs" / "notes.pdf").write_text("no PDF")
    made = ["generate", str(tmp_path / "docs"), "--exclude", "*.pdf", "-n", "1", "-o", str(tmp_path / "set.jsonl")]
    assert main([*made, "--workspace", str(tmp_path / "ws"), "--quiet"]) == 0
    given = {**runner, "TESTSET": "set.jsonl", "CORPUS": "docs\n\n", "OPTIONS": "--exclude\n*.pdf\n--quiet"}
    verify, update = {**given, "COMMAND": "verify"}, {**given, "COMMAND": "update"}

    done = script("run.sh", tmp_path, verify)
    assert done.returncode == 0, done.stderr
    assert outputs(tmp_path) == {"exit-code": "0", "summary": str(tmp_path / "synth-summary.md")}
    assert (tmp_path / "job.md").read_text().startswith("### set.jsonl: 1 of 1 rows are valid (100.0%)\n\n    1 of 1")

    (tmp_path / "docs" / "kell.md").write_text(DOC.format(year=1812), encoding="utf-8")
    script("run.sh", tmp_path, verify)
    assert outputs(tmp_path)["exit-code"] == "1"
    summary = (tmp_path / "synth-summary.md").read_text()
    assert summary.startswith("### set.jsonl: 0 of 1 rows are valid")
    assert "    line  row" in summary

    script("run.sh", tmp_path, update)
    assert outputs(tmp_path)["exit-code"] == "10"
    assert "Documents: 1 changed." in (tmp_path / "synth-summary.md").read_text()
    script("run.sh", tmp_path, verify)
    assert outputs(tmp_path)["exit-code"] == "0"

    script("run.sh", tmp_path, {**update, "CORPUS": "nowhere"})
    assert outputs(tmp_path) == {"exit-code": "2", "summary": ""}
    done = script("run.sh", tmp_path, {**update, "COMMAND": "generate"})
    assert done.returncode == 2
    assert "must be update or verify, was 'generate'" in done.stdout


def test_the_summary_becomes_one_comment_that_later_runs_replace(tmp_path, runner, github):
    for number in range(120):
        github.add(f"comment {number}", "User")
    github.add("<!-- synth-testset: set.jsonl -->\nof a person, who may not be overwritten", "User")
    people = json.dumps(github.comments)
    summary = tmp_path / "summary.md"
    given = {
        **runner, "TESTSET": "set.jsonl", "SUMMARY": str(summary), "PULL_REQUEST": "7", "TOKEN": TOKEN, "EXIT_CODE": "10",
        "GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": "owner/name",
    }  # fmt: skip

    def comment(text, **changed):
        summary.write_text(text, encoding="utf-8")
        done = script("comment.sh", tmp_path, {**given, **changed})
        assert done.returncode == 0, done.stderr
        assert TOKEN not in done.stdout + done.stderr
        return done.stdout

    assert comment("nothing to do", EXIT_CODE="0") == ""
    assert len(github.comments) == 121
    assert comment('### set.jsonl\n"灯塔" \\ `$(date)`\n') == ""
    assert github.comments[121]["body"] == '<!-- synth-testset: set.jsonl -->\n### set.jsonl\n"灯塔" \\ `$(date)`\n'
    assert comment("x" * 70_000) == ""
    assert len(github.comments[121]["body"]) == 60_000
    assert comment("nothing to do", EXIT_CODE="0") == ""
    assert github.comments[121]["body"].endswith("\nnothing to do")
    assert comment("another set", TESTSET="other.jsonl") == ""
    assert len(github.comments) == 123
    assert json.dumps(github.comments[:121]) == people
    methods = [(method, path.partition("?")[0]) for method, path, _ in github.asked if method != "GET"]
    issues = "/repos/owner/name/issues"
    assert methods == [
        ("POST", f"{issues}/7/comments"), *[("PATCH", f"{issues}/comments/122")] * 2, ("POST", f"{issues}/7/comments"),
    ]  # fmt: skip
    assert {given for _, _, given in github.asked} == {f"Bearer {TOKEN}"}
    github.refuses = True
    assert comment("from a fork").startswith("::warning::the summary could not be written as a comment")


def test_the_public_workflow_runs_on_this_machine(tmp_path):
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "synth").write_text(f'#!/bin/sh\nexec {sys.executable} -m synth "$@"\n', encoding="utf-8")
    (commands / "synth").chmod(0o755)
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "run_workflow.py"), str(PUBLIC), "--installed"],
        env={
            **os.environ,
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "SYNTH_WORKSPACE": str(tmp_path / "ws"),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "evidence_recall@5" in done.stdout
    assert "10 of 10 rows are valid" in done.stdout
