"""Label Studio: tasks with predictions, and a labelling configuration. Reads JSON and JSON-MIN exports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from synth.annotation.context import as_text
from synth.annotation.formats.base import (
    Problem,
    ReturnedRow,
    ReturnedSheet,
    RowToWrite,
    file_bytes,
    json_items,
    text_of,
)
from synth.annotation.messages import wording
from synth.annotation.records import BEST, DIMENSIONS, REASONS, SKIP, whole
from synth.core.jsonl import write_atomic

SUFFIXES = (".label-studio.json",)
_ASKED = ("decision", "new_question", "new_answers", "reason", "comment", *DIMENSIONS)


def write(path: Path, entries: Sequence[RowToWrite], language: str, guideline: str) -> list[Path]:
    """Write the tasks to `path` and the labelling configuration to the same name with suffix .xml."""
    tasks = [_task(entry, language) for entry in entries]
    write_atomic(path, json.dumps(tasks, ensure_ascii=True, indent=1) + "\n")
    settings = path.with_suffix(".xml")
    write_atomic(settings, configuration(language))
    return [path, settings]


def read(path: Path) -> ReturnedSheet:
    """Read an export in JSON or JSON-MIN. Each annotation, by one person on one task, is one row."""
    problems: list[Problem] = []
    text = file_bytes(path).decode("utf-8-sig", "replace")
    rows = [row for place, item in json_items(text, path.name, problems) for row in _rows(item, place, problems)]
    return ReturnedSheet(tuple(rows), tuple(problems))


def configuration(language: str) -> str:
    """Return the labelling interface as Label Studio's XML."""
    words = wording(language)
    column = words["column"]
    kinds = ("accept", "edit", "reject")
    lines = ["<View>"]
    for name in ("question", "answers", "context"):
        lines += [f"  <Header value={quoteattr(column[name])}/>", f'  <Text name="{name}" value="${name}"/>']
    lines += [
        '  <Labels name="evidence" toName="context">',
        '    <Label value="evidence" background="#ffd54d"/>',
        "  </Labels>",
    ]
    lines += _choices("decision", column, {name: words["decision"][name] for name in kinds}, 'required="true"')
    lines += _choices("reason", column, {name: words["reason"][name] for name in REASONS}, "")
    for name in ("new_question", "new_answers", "comment"):
        lines += [
            f"  <Header value={quoteattr(column[name])}/>",
            f'  <TextArea name="{name}" toName="question" editable="true" maxSubmissions="1" rows="3"/>',
        ]
    for name in DIMENSIONS:
        lines += [
            f"  <Header value={quoteattr(words['dimension'][name] + words['colon'] + words['dimension_says'][name])}/>",
            f'  <Rating name="{name}" toName="question" maxRating="{BEST}"/>',
        ]
    return "\n".join([*lines, "</View>"]) + "\n"


def _choices(name: str, column: Mapping[str, str], choices: Mapping[str, str], more: str) -> list[str]:
    lines = [f"  <Header value={quoteattr(column[name])}/>"]
    lines.append(f'  <Choices name="{name}" toName="question" choice="single" {more}>'.replace(" >", ">"))
    lines += [f"    <Choice alias={quoteattr(key)} value={quoteattr(word)}/>" for key, word in choices.items()]
    return [*lines, "  </Choices>"]


def _task(entry: RowToWrite, language: str) -> dict[str, Any]:
    lead = entry.lead(language)
    text, spans = as_text(entry.passages, "", "")
    context = lead + text
    fields = {**entry.fields(language), "context": whole(context)}
    result = [
        _textarea("new_question", [fields["question"]]),
        _textarea("new_answers", [fields["answers"]]),
        *(_highlight(context, len(lead) + start, len(lead) + end) for start, end in spans),
    ]
    data = {**fields, **({"annotator": entry.annotator} if entry.annotator else {})}
    return {"data": data, "predictions": [{"model_version": "synth", "result": result}]}


def _textarea(name: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"from_name": name, "to_name": "question", "type": "textarea", "value": {"text": list(texts)}}


def _highlight(context: str, start: int, end: int) -> dict[str, Any]:
    """Return a region that marks the evidence at start:end of the context, in UTF-16 units as Label Studio counts."""
    units = [len(whole(context[:place]).encode("utf-16-le")) // 2 for place in (start, end)]
    value = {"start": units[0], "end": units[1], "text": whole(context[start:end]), "labels": ["evidence"]}
    return {"from_name": "evidence", "to_name": "context", "type": "labels", "value": value}


def _rows(task: Mapping[str, Any], place: str, problems: list[Problem]) -> Iterator[ReturnedRow]:
    data = task.get("data")
    if not isinstance(data, Mapping):  # JSON-MIN: an item is one annotation, with data and results side by side
        answers = {name: text_of(task.get(name)) for name in _ASKED}
        yield _row(task, answers, _who(task.get("annotator")), place)
        return
    annotations = task.get("annotations") or task.get("completions") or []
    if not isinstance(annotations, list):
        problems.append(Problem(place, "the field 'annotations' must be a list; export the tasks again"))
        return
    for number, annotation in enumerate(annotations, start=1):
        where = f"{place}, annotation {number}"
        if not isinstance(annotation, Mapping) or not isinstance(annotation.get("result", []), list):
            problems.append(Problem(where, "an annotation must be an object with a list 'result'; export it again"))
            continue
        answers = dict(_answers(annotation.get("result", [])))
        if annotation.get("was_cancelled"):
            answers["decision"] = SKIP
        yield _row(data, answers, _who(annotation.get("completed_by")) or str(data.get("annotator") or ""), where)


def _answers(result: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for part in result:
        if isinstance(part, Mapping) and part.get("from_name") in _ASKED and isinstance(part.get("value"), Mapping):
            value = part["value"]
            kind = part.get("type")
            yield part["from_name"], text_of(value.get({"textarea": "text"}.get(str(kind), str(kind))))


def _who(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("email") or value.get("username") or value.get("id")
    return "" if value in (None, "") else f"label-studio-{value}" if isinstance(value, int) else str(value)


def _row(data: Mapping[str, Any], answers: Mapping[str, str], annotator: str, place: str) -> ReturnedRow:
    return ReturnedRow.from_form(
        answers,
        place=place,
        sample_id=text_of(data.get("id")),
        sample_hash=text_of(data.get("hash")),
        annotator=annotator,
    )
