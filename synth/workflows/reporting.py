"""Report files of an evaluation: an HTML page, and the scores of each row as CSV."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from synth.core.jsonl import atomic_file, write_atomic
from synth.core.records import Passage, Response
from synth.evaluation.evaluation import document_of
from synth.evaluation.headlines import headlines
from synth.evaluation.report.system_page import measured, system_page
from synth.evaluation.responses.reading import Responses, read_responses
from synth.testset.dataset import Item, Rows
from synth.testset.stored_manifest import manifest_of
from synth.text.cells import guarded
from synth.workflows.evaluation_result import Evaluated, as_json

MOST_ROWS = 300
"""Maximum number of rows shown on the page, the worst first."""
_MOST_RETRIEVED, _MOST_TEXT = 10, 600


def write_page(result: Evaluated, testset: Path, responses: Path, output: Path) -> None:
    """Write the HTML page of an evaluation. The testset and the responses are read again for the rows that it shows."""
    table = as_json(result)
    ids, documents = _ids(result, testset)
    columns = headlines(measured(table["metrics"]))
    shown = set(_worst(result, ids, columns))
    answered = read_responses(responses)
    rows = {item.id: _row(item, answered, result, ids, columns) for item in Rows(testset) if item.id in shown}
    order = [rows[id] for id in _worst(result, ids, columns) if id in rows]
    title = f"{responses.name} · {testset.name}"
    html = system_page(
        table, title, values=result.evaluation.values, documents=documents, rows=order, funnel=_funnel(testset)
    )
    write_atomic(output, html)


def write_csv(result: Evaluated, testset: Path, output: Path) -> None:
    """Write the scores as CSV, one line per row. An empty cell means that the metric has no value.

    With failures, the column `failure` names the kind of failure.
    """
    columns, kinds = result.evaluation.values, result.failure_by_row
    with atomic_file(output) as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(["id", "document", "question_type", *(["failure"] if kinds else []), *map(guarded, columns)])
        for i, item in enumerate(_rows(result, testset)):
            scores = (column[i] for column in columns.values())
            kind = item.metadata.get("question_type") or ""
            names = (guarded(str(text)) for text in (item.id, document_of(item), kind))
            failure = [kinds.get(item.id, "")] if kinds else []
            writer.writerow([*names, *failure, *("" if v != v else repr(v) for v in scores)])


def _rows(result: Evaluated, testset: Path) -> Iterator[Item]:
    """Return the rows of the testset that were measured, in order."""
    measured_ids = set(result.ids)
    return (item for item in Rows(testset) if item.id in measured_ids)


def _ids(result: Evaluated, testset: Path) -> tuple[dict[str, int], Counter[str]]:
    """Return the index of each measured row by id, and the number of these rows by document."""
    ids: dict[str, int] = {}
    documents: Counter[str] = Counter()
    for item in _rows(result, testset):
        ids[item.id] = len(ids)
        documents[document_of(item)] += 1
    return ids, documents


def _worst(result: Evaluated, ids: Mapping[str, int], columns: list[str]) -> Iterator[str]:
    values = [result.evaluation.values[name] for name in columns]

    def mean(i: int) -> float:
        known = [column[i] for column in values if column[i] == column[i]]
        return sum(known) / len(known) if known else 1.0

    yield from sorted(ids, key=lambda id: (mean(ids[id]), ids[id]))[:MOST_ROWS]


def _row(
    item: Item, answered: Responses, result: Evaluated, ids: Mapping[str, int], columns: list[str]
) -> dict[str, Any]:
    response = answered.get(item.id, item.question) or Response(sample_id=item.id)
    values = {name: result.evaluation.values[name][ids[item.id]] for name in columns}
    return {
        "id": item.id,
        "question": item.question,
        "golden_answers": list(item.golden_answers),
        "answer": response.answer[:_MOST_TEXT] if response.answer is not None else None,
        "evidence": [piece.text[:_MOST_TEXT] for piece in item.evidence],
        "retrieved": [_named(passage) for passage in (response.retrieved or ())[:_MOST_RETRIEVED]],
        "scores": {name: None if value != value else value for name, value in values.items()},
    }


def _named(passage: Passage) -> str:
    place = f" [{passage.start}–{passage.end}]" if passage.placed else ""
    return (passage.id or passage.doc_id or passage.text[:60]) + place


def _funnel(testset: Path) -> dict[str, int]:
    """Return the number of candidates by stage, from the manifest beside the set."""
    total: Counter[str] = Counter()
    for stages in manifest_of(testset).get("funnel", {}).values():
        total.update(stages)
    first = {name: total.pop(name) for name in ("tried", "kept") if name in total}
    return {**first, **dict(total.most_common())}
