"""The command evaluate: scores, threshold checks and comparisons from a testset and the responses of a system."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from synth.annotation.records import REVIEW
from synth.core.checks import (
    check_all_whole,
    check_known,
    check_lists,
    check_numbers,
    check_table,
    paths_as_text,
    wrong,
)
from synth.core.containment import collecting
from synth.core.errors import ConfigError, InputError
from synth.core.frames import is_frame, records
from synth.core.installation import versions
from synth.core.jsonl import atomic_file, dumps, numbered_lines, write_atomic
from synth.core.plugins import pick
from synth.core.progress import Progress, progress_of
from synth.core.records import Score, digest
from synth.core.swapping import together
from synth.core.terminal import counted, first_names
from synth.evaluation.evaluation import Evaluation, Measurement, compared, document_names, document_of
from synth.evaluation.evaluation import evaluate as evaluation_of
from synth.evaluation.failures import failures
from synth.evaluation.headlines import headlines
from synth.evaluation.intervals import CONFIDENCE
from synth.evaluation.judging.judged_metric import JudgedMetric
from synth.evaluation.judging.panel import Panel
from synth.evaluation.judging.record import kept_checks
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.metrics.base import CHUNK, Metric, language_of
from synth.evaluation.metrics.published_scores import Bleu
from synth.evaluation.prediction_powered import powered, read_labels
from synth.evaluation.responses.reading import Responses, read_responses
from synth.evaluation.responses.shapes import misspelled_fields
from synth.evaluation.stored_runs import FORMAT, Run, comparison, next_path, read_run, rows_path
from synth.evaluation.threshold_checks import Check, check, check_drops, check_slices
from synth.evaluation.thresholds import Thresholds, profile_named, read_thresholds
from synth.testset.dataset import Dataset, Item, Rows
from synth.testset.stored_manifest import manifest_of
from synth.workflows import endpoints
from synth.workflows.call_files import file_of
from synth.workflows.evaluation_result import Evaluated, as_json
from synth.workflows.judges import Chosen, Judging, choose, is_metric, judged_metrics, open_panel
from synth.workflows.overwriting import check_no_set

Keep = Callable[[Item, Sequence[Score]], None]
"""Function that receives each row and its scores."""
RANKINGS = ("order", "score")
_SYSTEM = re.compile(r"\Ahttps?:/|\.py\Z|\A[\w.]+:[A-Za-z_]\w*\Z")
"""Address, Python file, or `module:function`: names of a system instead of a file of its responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSettings:
    """Settings of an evaluation.

    - `metrics`: names such as "ndcg", "ndcg@10" or "token_f1"; empty for the default metrics.
    - `ks`: values of k for metrics named without k.
    - `fold`: differences in writing to ignore: "script", "width", "numerals".
    - `unit`: kind of ids in responses: "auto", "chunk" or "document".
    - `rank_by`: rank passages by their "order" in the list, or by their "score".
    - `by`: metadata fields by which scores are also averaged.
    - `minimums`: thresholds by metric. `thresholds`: a file of thresholds. `profile`: the name of a packaged set of
      thresholds.
    - `database`: a SQLite file in which SQL answers run.
    - `judging`: settings of the judge, and the encoder of similarities.
    - `labels`: a file with people's decisions on some of the rows.
    - `failures`: attribute each wrong answer to a stage of the system.
    - `answered_only`: measure only the rows that have a response. Otherwise, a row without a response counts as an
      empty response.
    - `show_all`: show all metrics with values instead of the headline ones. Named metrics are always shown.
    """

    metrics: tuple[str, ...] = ()
    ks: tuple[int, ...] = ()
    by: tuple[str, ...] = ()
    minimums: Mapping[str, float] = field(default_factory=dict)
    thresholds: str = ""
    profile: str = ""
    fold: tuple[str, ...] = ("script", "width")
    unit: str = "auto"
    rank_by: str = "order"
    seed: int = 0
    database: str = ""
    judging: Judging = field(default_factory=Judging)
    labels: str = ""
    failures: bool = False
    answered_only: bool = False
    show_all: bool = False

    def __post_init__(self) -> None:
        check_numbers(self)
        check_lists(self, "metrics", "by", "fold")
        check_all_whole("ks", self.ks)
        check_table("minimums", self.minimums)
        paths_as_text(self, "thresholds", "database", "labels")


@dataclass
class _ScoredRows:
    """Facts about the rows, collected during scoring: a hash of all rows, ids, languages, documents and scores."""

    with_documents: bool
    with_scores: bool
    hash: Any = field(default_factory=hashlib.sha256)
    ids: list[str] = field(default_factory=list)
    languages: set[str] = field(default_factory=set)
    documents: dict[str, str] = field(default_factory=dict)
    scores: dict[str, Sequence[Score]] = field(default_factory=dict)
    raised: list[str] = field(default_factory=list)

    def add(self, item: Item, scores: Sequence[Score]) -> None:
        fields = (*item.core[:4], sorted(item.relevance.items()))  # the fields that determine the scores
        self.hash.update(repr(fields).encode("utf-8", "surrogatepass"))
        self.ids.append(item.id)
        if REVIEW in item.metadata:
            self.raised.append(item.id)
        self.languages.add(language_of(item))
        if self.with_documents:
            self.documents[item.id] = document_of(item)
        if self.with_scores:
            self.scores[item.id] = scores


def evaluate(
    testset: str | Path | Dataset,
    responses: str | Path | Iterable[Any] | Responses | None = None,
    settings: EvaluationSettings | None = None,
    *,
    compare: str | Path | Iterable[Any] | Responses | None = None,
    baseline: str | Path | None = None,
    output: str | Path | None = None,
    runs: str | Path | None = None,
    name: str = "",
    progress: Progress | bool | None = None,
) -> Evaluated:
    """Measure the responses of a system against a testset. With `compare`, measure a second system on the same rows.

    - `testset`: a path, an address or a Dataset.
    - `responses`: a file, or a list or iterator of rows, each with the id or the question of its testset row. None
      measures the outputs in the Dataset.
    - `output`: a JSON file for the scores. The scores of each row go to a JSONL file beside it.
    - `runs`: a folder in which to store the run, with a number and `name` in its file name; used instead of `output`.
    - `baseline`: a stored run, for thresholds relative to it.
    - `progress`: True for lines or bars on stderr.

    Raises InputError for unusable files and ConfigError for unknown names.
    """
    settings, progress = settings or EvaluationSettings(), progress_of(progress)
    output, runs = file_of(output), file_of(runs)
    chosen = choose(settings.metrics, settings.ks, settings.judging, database=settings.database)
    metrics: tuple[Metric | JudgedMetric, ...] = (*chosen.plain, *chosen.judged)
    wanted = _thresholds(settings, metrics)
    if wanted.max_drops and baseline is None:
        raise ConfigError("thresholds under 'not_below' need a stored run to compare with; name it with --baseline")
    before = read_run(Path(baseline)) if baseline is not None else None
    if runs is not None:
        output = next_path(runs, name)
    if output:
        check_no_set(output, rows_path(output))
    items = testset if isinstance(testset, Dataset) else Rows(Path(testset))
    labels = read_labels(Path(settings.labels)) if settings.labels else None
    check_known("rank_by", settings.rank_by, RANKINGS)
    by_score = settings.rank_by == "score"
    mine = _responses_of(responses, testset)
    source = testset.source if isinstance(testset, Dataset) else Path(testset)
    manifest = manifest_of(source) if source else {}
    names = document_names(items, manifest.get("corpus", {}).get("documents", ()))
    mine = mine.read_as(names, ranked_by_score=by_score)
    settings = replace(settings, by=tuple(dict.fromkeys((*settings.by, *wanted.slices))))
    for field_name in ("failure", "failures"):
        if field_name in settings.by and not any(field_name in item.metadata for item in items):
            raise ConfigError(
                f"scores cannot be averaged by '{field_name}', because a failure follows from the scores of its row; "
                "use --failures for the number of rows by kind, and --output for the kind of each row"
            )
    answered = _AnsweredRows(items, mine)
    measured = answered if settings.answered_only else items
    rows = _ScoredRows(with_documents=before is not None, with_scores=settings.failures)
    with together(output):
        with (
            collecting() as left_out,
            open_panel(chosen, settings.judging, tolerant=True) as panel,
            _rows_file(output) as write,
        ):
            with progress.stage("scoring", _size(testset)) as stage:

                def keep(item: Item, scores: Sequence[Score]) -> None:
                    stage.advance()
                    rows.add(item, scores)
                    if not settings.failures:
                        write(item, scores)

                evaluation = _evaluation(measured, mine, chosen, panel, settings, keep)
                if settings.answered_only:
                    evaluation = replace(evaluation, notes=(*evaluation.notes, answered.note(evaluation.rows)))
            folding = Folding.named(settings.fold)
            wrong, wrong_of_other = {}, {}
            if settings.failures:
                wrong = failures(measured, mine, rows.scores, evaluation.unit, folding)
                kinds = {id: kind for kind, ids in wrong.items() for id in ids}
                for item in measured:
                    write(item, rows.scores[item.id], kinds.get(item.id, ""))
            other, second = None, None
            if compare is not None:
                second = _responses_of(compare, testset).read_as(names, ranked_by_score=by_score)
                scores_of_other: dict[str, Sequence[Score]] = {}

                def keep_other(item: Item, scores: Sequence[Score]) -> None:
                    if settings.failures:
                        scores_of_other[item.id] = scores

                other = _evaluation(measured, second, chosen, panel, settings, keep_other)
                if settings.failures:
                    wrong_of_other = failures(measured, second, scores_of_other, other.unit, folding)
            judge = _judge(panel, sorted(rows.languages), settings) if panel else {}
        shown = _shown(settings, evaluation)
        result = Evaluated(
            evaluation=evaluation,
            checks=(),
            definitions={_title(metric): metric.definition() for metric in metrics},
            damaged=(*(items.damaged if isinstance(items, Rows) else ()), *mine.damaged),
            repeated=tuple(mine.repeated),
            shown=shown,
            other=other,
            differences=compared(evaluation, other, settings.seed, shown) if other else {},
            settings=_shown_settings(settings, evaluation, metrics),
            judge=judge,
            powered=powered(evaluation.values, rows.ids, labels) if labels else {},
            failures=wrong,
            other_failures=wrong_of_other,
            run=_run(name, f"sha256:{rows.hash.hexdigest()}", settings, evaluation, metrics, judge)
            if output or before
            else {},
            output=output,
            errors=left_out(),
            units={column: _unit(metric, evaluation.unit) for metric in metrics for column in metric.columns},
            ids=tuple(rows.ids),
            raised=tuple(rows.raised),
            misspelled=_misspelled(mine) | (_misspelled(second) if second else {}),
        )
        result = replace(result, checks=tuple(_checks(result, wanted, before, rows.documents, settings.seed)))
        if output:
            write_atomic(output, dumps(as_json(result)) + "\n")
    return result


def _shown(settings: EvaluationSettings, evaluation: Evaluation) -> tuple[str, ...]:
    """Return the columns to show: those of named metrics, or else the headline columns, or all with `show_all`."""
    if settings.metrics:
        return tuple(evaluation.metrics)
    measured = [name for name, aggregate in evaluation.metrics.items() if aggregate.estimate.n]
    return tuple(measured if settings.show_all else headlines(measured))


def _thresholds(settings: EvaluationSettings, metrics: Sequence[Metric | JudgedMetric]) -> Thresholds:
    """Return the thresholds of the file, `minimums` and `profile`.

    Raises ConfigError for a metric that is not measured.
    """
    read = read_thresholds(Path(settings.thresholds)) if settings.thresholds else Thresholds()
    profile = profile_named(settings.profile) if settings.profile else read.profile
    wanted = replace(read, minimums={**read.minimums, **settings.minimums}, profile=profile)
    known = dict.fromkeys(column for metric in metrics for column in metric.columns)
    for name in wanted.metrics:
        has_columns = any(column.startswith((f"{name}~", f"{name}@")) for column in known)
        if name not in known and is_metric(name) and not has_columns:
            raise _not_measured(name, known)
        pick(known, name, "metric or column")
    return wanted


def _not_measured(name: str, columns: Iterable[str]) -> ConfigError:
    """Return the error for a threshold of a known metric that this run does not measure."""
    ks: dict[str, list[str]] = {}
    for column in columns:
        metric, _, k = column.partition("@")
        ks.setdefault(metric, []).append(k)
    metric, _, k = name.partition("@")
    if metric in ks and k:
        why = f"only {metric}@{','.join(ks[metric])}; add --k {','.join((*ks[metric], k))}"
    else:
        model = ", and name the judging model with --llm" if metric in judged_metrics() else ""
        why = f"only {first_names(list(ks))}; list every metric to measure in --metrics, including {name}{model}"
    return ConfigError(f"{name} has a threshold, but this run measures {why}")


def _checks(
    result: Evaluated, wanted: Thresholds, before: Run | None, documents: Mapping[str, str], seed: int
) -> Iterator[Check]:
    metrics = result.evaluation.metrics
    for name in wanted.metrics:
        if field := result.evaluation.not_given.get(name.partition("@")[0]):
            raise InputError(f"the threshold of {name} needs the field '{field}', but no response contains it")
    measured = {name for name, aggregate in metrics.items() if aggregate.estimate.n} - {*wanted.minimums}
    yield from check(metrics, {name: value for name, value in wanted.profile.items() if name in measured})
    yield from check(metrics, wanted.minimums)
    yield from check_slices(result.evaluation.slices, wanted.slices)
    if before and wanted.max_drops:
        values = {name: dict(zip(documents, column, strict=True)) for name, column in result.evaluation.values.items()}
        now = Run("this run", Path(), result.run, result.run["metrics"], {}, values, documents)
        paired = comparison(before, now, seed)
        for name in wanted.max_drops:
            if reason := paired.refused.get(name):
                raise ConfigError(f"the drop of {name} from {before.name} cannot be checked: {reason}")
        yield from check_drops(paired.differences, wanted.max_drops)


def _run(
    name: str,
    testset: str,
    settings: EvaluationSettings,
    evaluation: Evaluation,
    metrics: Sequence[Metric | JudgedMetric],
    judge: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the settings that two runs must share to be compared."""
    return {
        "format": FORMAT,
        "name": name,
        "testset": testset,
        "unit": evaluation.unit,
        "rank_by": settings.rank_by,
        "fold": sorted(settings.fold),
        "level": CONFIDENCE,
        "metrics": {_title(metric): _definition(metric, judge) for metric in metrics},
    }


def _unit(metric: Metric | JudgedMetric, of_ids: str) -> str:
    """Return the unit that a metric compares. `of_ids` is the unit of the ids in the responses."""
    if isinstance(metric, JudgedMetric):
        return "judge"
    if metric.reads_ids:
        return "passage" if of_ids == CHUNK else of_ids
    return {"answer": "answer", "tool_calls": "tool call"}.get(metric.needs, "evidence text")


def _title(metric: Metric | JudgedMetric) -> str:
    return metric.title if isinstance(metric, JudgedMetric) else metric.name


def _definition(metric: Metric | JudgedMetric, judge: Mapping[str, Any]) -> str:
    """Return the identity of a metric in runs: its version, its parameters other than k, and its judge."""
    parameters = {name: repr(value) for name, value in asdict(metric).items() if name != "ks"}
    if isinstance(metric, JudgedMetric):
        parameters["judge"] = repr([judge.get(name) for name in ("model", "base_url", "votes", "prompts")])
    return f"{type(metric).version}:{digest(metric.name, parameters)[:16]}"


def _shown_settings(
    settings: EvaluationSettings, evaluation: Evaluation, metrics: Sequence[Metric | JudgedMetric]
) -> dict[str, Any]:
    bleu = next((metric.signature for metric in metrics if isinstance(metric, Bleu)), None)
    return {
        "unit": evaluation.unit,
        "rank_by": settings.rank_by,
        "fold": list(settings.fold),
        "seed": settings.seed,
        "level": CONFIDENCE,
        **({"bleu": bleu} if bleu else {}),
        "synth": versions()["synth"],
    }


def _responses_of(responses: Path | str | Iterable[Any] | Responses | None, testset: Any) -> Responses:
    if isinstance(responses, Responses):
        return responses
    if isinstance(responses, str | os.PathLike):
        if _SYSTEM.search(os.fspath(responses)):
            raise InputError(
                f"{responses} is a system, not a file of responses, and evaluate asks no system; ask it each question, "
                "and write its responses to a JSONL file (docs/evaluate.md, 'Get responses from your system')"
            )
        return read_responses(Path(responses))
    if is_frame(responses):
        return Responses.of(records(responses))
    if isinstance(responses, Iterable) and not isinstance(responses, bytes | Mapping):
        return Responses.of(responses)
    if responses is not None:
        raise wrong("responses", "a file, or a list or an iterator of rows", responses)
    if not isinstance(testset, Dataset):
        raise ConfigError(
            "evaluate needs responses: a file, a list or an iterator of rows, or a Dataset whose items have outputs"
        )
    return Responses.of((item.response_row() for item in testset if item.outputs), "outputs")


def _misspelled(responses: Responses) -> dict[str, str]:
    return misspelled_fields(responses.columns, () if "retrieved" in responses.given else responses.with_texts)


def _judge(panel: Panel, languages: Sequence[str], settings: EvaluationSettings) -> dict[str, Any]:
    """Return the judge with its prompts, its results on control items and its usage."""
    controlled = panel.controlled(languages)
    return {
        "model": panel.model,
        "base_url": endpoints.models(settings.judging.model)["judge"].base_url,
        "votes": panel.judge.votes,
        "prompts": panel.prompts(),
        "controls": controlled,
        "unusable": list(panel.driver.unusable),
        "checked": kept_checks(settings.judging.folder, panel),
        "accounts": panel.driver.accounts.summary(),
    }


def _evaluation(
    items: Any, responses: Responses, chosen: Chosen, panel: Panel | None, settings: EvaluationSettings, keep: Keep
) -> Evaluation:
    measurement = Measurement(
        metrics=chosen.plain,
        panel=panel,
        folding=Folding.named(settings.fold),
        unit=settings.unit,
        by=settings.by,
        seed=settings.seed,
    )
    return evaluation_of(items, responses, measurement, keep)


class _AnsweredRows:
    """The rows of a testset that have a response. After each pass, `left_out` contains the ids of the other rows."""

    def __init__(self, items: Iterable[Item], responses: Responses) -> None:
        self._items, self._responses = items, responses
        self.left_out: list[str] = []

    def __iter__(self) -> Iterator[Item]:
        self.left_out = []
        for item in self._items:
            if self._responses.get(item.id, item.question) is None:
                self.left_out.append(item.id)
            else:
                yield item

    def note(self, measured: int) -> str:
        """A line on how many rows were measured and left out."""
        left_out = len(self.left_out)
        return (
            f"only the {counted(measured, 'row')} with a response {'was' if measured == 1 else 'were'} measured; "
            f"{counted(left_out, 'row')} without one {'was' if left_out == 1 else 'were'} left out"
        )


def _size(testset: Path | str | Dataset) -> int:
    """Return the number of rows. A file is counted line by line."""
    return len(testset) if isinstance(testset, Dataset) else sum(1 for _ in numbered_lines(Path(testset)))


@contextmanager
def _rows_file(output: Path | None) -> Iterator[Callable[..., None]]:
    """Yield a function that writes the scores of a row, and its kind of failure if it is given as a third argument.

    Without an output, the function does nothing.
    """
    if output is None:
        yield lambda *_: None
        return
    with atomic_file(rows_path(output)) as target:

        def keep(item: Item, scores: Sequence[Score], failure: str = "") -> None:
            row = {
                "id": item.id,
                "document": document_of(item),
                **({"failure": failure} if failure else {}),
                "scores": {score.metric: score.value for score in scores},
                "undefined": {score.metric: score.reason for score in scores if score.value is None},
            }
            details = {score.metric: score.detail for score in scores if score.detail is not None}
            if details:
                row["details"] = details
            target.write(dumps(row) + "\n")

        yield keep
