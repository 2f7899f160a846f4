"""Plugin of pytest: a test for each row of a testset, and a test for each threshold of an evaluation.

A test with the argument `synth_row` runs once for each row, and a test with `synth_threshold` once for each threshold.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from synth.core.errors import ConfigError, InputError, SynthError
from synth.core.terminal import printable

if TYPE_CHECKING:
    from synth.evaluation.threshold_checks import Check
    from synth.testset.dataset import Dataset, Item
    from synth.workflows.evaluating import EvaluationSettings
    from synth.workflows.evaluation_result import Evaluated

_FILES = {
    "testset": "testset, JSONL: its rows are used by synth_row and evaluated for synth_threshold",
    "responses": "responses to the testset; not needed with a fixture synth_responses",
    "thresholds": "thresholds, TOML, as the command evaluate reads them: one test of synth_threshold each",
    "baseline": "stored run that the thresholds under [not_below] refer to",
}
_ROWS = pytest.StashKey["Dataset"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options such as `--synth-testset`, and settings of the same names, such as `synth_testset`."""
    group = parser.getgroup("synth", "evaluation sets for retrieval-augmented generation")
    for name, text in _FILES.items():
        group.addoption(f"--synth-{name}", metavar="FILE", help=text)
        parser.addini(f"synth_{name}", text)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat tests for each row or each threshold."""
    with _plainly():
        if "synth_row" in metafunc.fixturenames:
            rows = _rows(metafunc.config)
            metafunc.parametrize("synth_row", rows, ids=[row.id for row in rows], indirect=True)
        if "synth_threshold" in metafunc.fixturenames:
            names = _threshold_names(metafunc.config)
            metafunc.parametrize("synth_threshold", names, ids=names, indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the row of a failed test below its traceback."""
    from synth.cli.commands.show import answers_and_evidence

    report = yield
    row = getattr(item, "funcargs", {}).get("synth_row")
    if row is not None and report.failed:
        report.sections.append(("row", "\n".join([f"question: {printable(row.question)}", *answers_and_evidence(row)])))
    return report


@pytest.fixture(scope="session")
def synth_testset(pytestconfig: pytest.Config) -> Dataset:
    """The testset named by --synth-testset or by the setting synth_testset."""
    with _plainly():
        return _rows(pytestconfig)


@pytest.fixture
def synth_row(request: pytest.FixtureRequest) -> Item:
    """A row of the testset, with question, golden_answers, evidence and metadata. The test runs for each row."""
    row: Item = request.param
    return row


@pytest.fixture(scope="session")
def synth_responses(pytestconfig: pytest.Config) -> Any:
    """The responses named by --synth-responses or by the setting synth_responses.

    A fixture of this name in your conftest.py can return the responses of your system: rows with `id`, `answer` and
    `retrieved`.
    """
    with _plainly():
        return _file(pytestconfig, "responses", "define a fixture synth_responses")


@pytest.fixture(scope="session")
def synth_settings() -> EvaluationSettings:
    """Settings of the evaluation. A fixture of this name in your conftest.py can choose metrics or a judge."""
    from synth.workflows.evaluating import EvaluationSettings

    return EvaluationSettings()


@pytest.fixture(scope="session")
def synth_evaluation(
    pytestconfig: pytest.Config, synth_testset: Dataset, synth_responses: Any, synth_settings: EvaluationSettings
) -> Evaluated:
    """The evaluation of the responses, with the threshold checks."""
    from synth.cli.commands.evaluate import warnings_about
    from synth.evaluation.responses.reading import Responses
    from synth.workflows.evaluating import evaluate

    is_source = isinstance(synth_responses, str | Path | Responses)
    with _plainly():
        result = evaluate(
            synth_testset,
            synth_responses if is_source else Responses.of(synth_responses, "synth_responses"),
            replace(synth_settings, thresholds=_named_file(pytestconfig, "thresholds") or synth_settings.thresholds),
            baseline=_named_file(pytestconfig, "baseline"),
        )
    for line in warnings_about(result):
        warnings.warn(pytest.PytestWarning(line), stacklevel=1)
    return result


@pytest.fixture
def synth_threshold(request: pytest.FixtureRequest, synth_evaluation: Evaluated) -> Check:
    """The check of a threshold. `decision` is passed, failed or inconclusive; `text` is the estimate and the threshold.

    The test runs for each threshold. It is skipped for a threshold of a profile whose metric has no value.
    """
    checks = {check.name: check for check in synth_evaluation.checks}
    if request.param not in checks:
        pytest.skip(f"the metric {request.param} of the profile has no value in this evaluation")
    return checks[request.param]


def _rows(config: pytest.Config) -> Dataset:
    """Return the rows of the testset, read once. Raises ConfigError or InputError if there are none."""
    from synth.testset.dataset import Dataset

    if _ROWS not in config.stash:
        path = _file(config, "testset")
        rows = Dataset.load(path)
        if not len(rows):
            raise InputError(f"the testset {path} contains no row")
        config.stash[_ROWS] = rows
    return config.stash[_ROWS]


def _threshold_names(config: pytest.Config) -> tuple[str, ...]:
    from synth.evaluation.thresholds import read_thresholds

    path = _file(config, "thresholds")
    names = read_thresholds(Path(path)).names
    if not names:
        raise ConfigError(f"{path} contains no threshold; add some under [min], by metric")
    return names


def _file(config: pytest.Config, name: str, instead: str = "") -> str:
    """Return the file that an option or a setting names. Raises ConfigError if neither does."""
    path = _named_file(config, name)
    if path is None:
        way_out = f"; or {instead}" if instead else ""
        raise ConfigError(f"name the {name} with --synth-{name} FILE or the setting synth_{name}{way_out}")
    return path


def _named_file(config: pytest.Config, name: str) -> str | None:
    """Return the file that an option or a setting names, or None.

    Paths in an option are relative to the current folder, paths in a setting to the folder of the settings file.
    """
    from synth.testset.hub import is_at_hub

    value, folder = config.getoption(f"synth_{name}"), config.invocation_params.dir
    if not value:
        value, folder = config.getini(f"synth_{name}"), (config.inipath or config.rootpath / "pytest.ini").parent
    if not value:
        return None
    return str(value if is_at_hub(value) else folder / value)


@contextmanager
def _plainly() -> Iterator[None]:
    """Report an error of the user as a failed test, or as a failed collection of tests, in one line."""
    try:
        yield
    except SynthError as error:
        raise pytest.fail.Exception(_with_options_of_pytest(str(error)), pytrace=False) from None


def _with_options_of_pytest(text: str) -> str:
    """Return a message of synth with the options of this plugin instead of those of the command line."""
    text = re.sub(rf"--(?={'|'.join(_FILES)}\b)", "--synth-", text)
    if re.search(r"(?<!\S)--(?!synth-)[a-z]", text):
        text += "; in pytest, set such options as an EvaluationSettings in a fixture synth_settings"
    return text
