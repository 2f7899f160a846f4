"""Data of the browse page: facets, text search, comparison with another version of the set, scores of stored runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.annotation.server.review_queue import NoSuchRow, ReviewQueue, content_of
from synth.core.jsonl import sample_to_row
from synth.core.records import Sample
from synth.evaluation.headlines import headlines
from synth.evaluation.stored_runs import Run, comparable_columns
from synth.testset.update.changes import ADDED, KEPT, RETIRED, Change, compare_sets
from synth.text.normalise import fold_width, to_simplified

SAME, CHANGED, HERE, THERE = "same", "changed", "here", "there"
_STANDING = {KEPT: SAME, ADDED: HERE, RETIRED: THERE}
_COMPARED_FIRST = ("question", "golden_answers", "evidence")


@dataclass(frozen=True, slots=True)
class OtherSet:
    """Another version of the set. `name` is the name that the page displays."""

    name: str
    rows: tuple[Sample, ...]


class SetBrowser:
    """A set to browse, with the decisions of its review.

    `other` is another version of the set, whose missing rows are shown too. `runs` are up to two stored runs whose
    scores are shown. `command` is a command line displayed on the page. It writes a set with the decisions applied.
    """

    def __init__(
        self, queue: ReviewQueue, *, command: str = "", other: OtherSet | None = None, runs: Sequence[Run] = ()
    ) -> None:
        self.queue, self._command, self._other, self._runs = queue, command, other, tuple(runs)
        own = {sample.id: sample for sample in queue.task.rows}
        self._changes = _changes(other, own) if other else {}
        lost = {name for name, change in self._changes.items() if change.kind == RETIRED}
        self._only_there = {row.id: row for row in (other.rows if other else ()) if row.id in lost}
        self._rows = [*own.values(), *self._only_there.values()]
        self._texts = list(map(_searched, self._rows))

    def contents(self) -> dict[str, Any]:
        """Return all rows as columns: ids, questions, facets, scores of each run and decisions.

        A facet is a property to filter rows by, such as the question type. It contains its `values` and, in `of`, a
        list of indices into `values` for each row. Facets with fewer than two values are left out.
        """
        facets = {name: _facet(map(values_of, self._rows)) for name, values_of in _FACETS.items()}
        if self._other:
            facets["change"] = _facet([_STANDING.get(self._changes[row.id].kind, CHANGED)] for row in self._rows)
        return {
            "ids": [row.id for row in self._rows],
            "questions": [row.question for row in self._rows],
            "facets": {name: facet for name, facet in facets.items() if len(facet["values"]) > 1},
            "other": self._other.name if self._other else "",
            "runs": {"names": [run.name for run in self._runs], "scores": self._scores()},
            "decisions": self.queue.decisions(),
            "command": self._command,
        }

    def find(self, text: str) -> list[int]:
        """Return the indices of the rows that contain every word of `text` in question, answers, evidence or id."""
        wanted = _folded(text).split()
        return [place for place, searched in enumerate(self._texts) if all(word in searched for word in wanted)]

    def row(self, who: str, row: str, room: int | None = None) -> dict[str, Any]:
        """Return what the page displays of a row: content, origin, decisions, and differences from the other version.

        `who` is the name of the person, "" if they have not entered one. `room` is the number of document characters to
        show around the evidence, None for the default. Raises NoSuchRow for an unknown row.
        """
        if row in self._only_there:
            content = content_of(self._only_there[row], self.queue.task.documents, room)
            shown = {**content, "mine": None, "others": [], "fixed": True}
        else:
            shown = self.queue.look(who, row, room)
        sample = self.sample(row)
        return {
            **shown,
            "tags": [str(tag) for tag in sample.metadata.get("tags", ())],
            "path": list(_path(sample)),
            "lineage": list(_lineage(sample)),
            "sub_questions": [
                {"question": hop["question"], "answer": str(hop.get("answer", ""))}
                for hop in sample.metadata.get("sub_questions", ())
            ],
            "change": self._change(row),
        }

    def sample(self, row: str) -> Sample:
        """Return a row of either version of the set by its id. Raises NoSuchRow for an unknown row."""
        for sample in self._rows:
            if sample.id == row:
                return sample
        raise NoSuchRow(f"the set contains no row {row[:40]}")

    def _scores(self) -> dict[str, list[list[float | None]]]:
        """Return the scores of each headline metric that all runs measured in the same way: one list per run."""
        if not self._runs:
            return {}
        names = comparable_columns(*self._runs)[0] if len(self._runs) > 1 else list(self._runs[0].values)
        return {
            name: [[run.values[name].get(row.id) for row in self._rows] for run in self._runs]
            for name in headlines(names)
        }

    def _change(self, row: str) -> dict[str, Any] | None:
        change = self._changes.get(row)
        if change is None or not (change.old and change.new):
            return None
        return {"reason": change.reason, "differences": list(_differences(change.new, change.old))}


def _changes(other: OtherSet, own: Mapping[str, Sample]) -> dict[str, Change]:
    """Return for each row, by id, how the set differs from the other version."""
    return {
        change.id: change
        for change in compare_sets(list(map(sample_to_row, other.rows)), list(map(sample_to_row, own.values())), {})
    }


def _facet(rows: Any) -> dict[str, Any]:
    places: dict[str, int] = {}
    of = [[places.setdefault(value, len(places)) for value in dict.fromkeys(values)] for values in rows]
    return {"values": list(places), "of": of}


def _metadata_text(name: str) -> Callable[[Sample], list[str]]:
    return lambda sample: [str(sample.metadata[name])] if sample.metadata.get(name) else []


_FACETS: Mapping[str, Callable[[Sample], list[str]]] = {
    "type": lambda sample: [sample.question_type],
    "difficulty": _metadata_text("difficulty"),
    "category": _metadata_text("category"),
    "document": lambda sample: [piece.doc_id for piece in sample.evidence],
    "tag": lambda sample: [str(tag) for tag in sample.metadata.get("tags", ())],
}


def _searched(sample: Sample) -> str:
    texts = (sample.id, sample.question, *sample.golden_answers, *(piece.text for piece in sample.evidence))
    return _folded("\n".join(texts))


def _folded(text: str) -> str:
    return to_simplified(fold_width(text)).casefold()


def _path(sample: Sample) -> Iterator[dict[str, str]]:
    """Yield the steps of a row's path through the graph, and the links between them.

    A step contains its subject in `about`, its text in `says`, and its `document`. A link contains its name in `link`
    and the text that joins the two steps in `says`. If a link has no name, `says` is the text that both steps share.
    """
    steps = sample.metadata.get("path", ())
    before = {"about": "", "says": ""}
    for step in steps if isinstance(steps, list) else ():
        if not isinstance(step, Mapping):
            continue
        if "link" in step:
            before = {"about": "", "says": ""}
            yield {"link": str(step["link"]), "says": str(step.get("joined_by", ""))}
            continue
        here = {
            "about": str(step.get("about") or step.get("thing") or ""),
            "says": str(step.get("says") or step.get("label") or ""),
        }
        common = next((here[name] for name in here if here[name] and here[name] == before[name]), "")
        if common:
            yield {"link": "", "says": common}
        before = here
        yield {**here, "document": str(step.get("document", ""))}


def _lineage(sample: Sample) -> Iterator[dict[str, Any]]:
    """Yield the steps in which a question was developed: the `move`, and the id, question and answers of its parent."""
    for step in sample.lineage:
        parents = step.get("parents")
        for parent in parents if isinstance(parents, list) else ():
            if isinstance(parent, Mapping):
                answers = parent.get("golden_answers")
                yield {
                    "move": str(step.get("move", "")),
                    "id": str(parent.get("id", "")),
                    "question": str(parent.get("question", "")),
                    "answers": [str(answer) for answer in answers] if isinstance(answers, list) else [],
                }


def _differences(here: Mapping[str, Any], there: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the fields in which two versions of a row differ, with both values; the wording comes first."""
    sides = [{**row["metadata"], **{name: row[name] for name in _COMPARED_FIRST}} for row in (here, there)]
    names = [*_COMPARED_FIRST, *sorted({*sides[0], *sides[1]} - {*_COMPARED_FIRST})]
    for name in names:
        values = [side.get(name) for side in sides]
        if values[0] != values[1]:
            yield {"field": name, "here": _shown(name, values[0]), "there": _shown(name, values[1])}


def _shown(name: str, value: Any) -> str:
    if name == "evidence":
        return "\n".join(f"{piece['doc_id']} {piece['start']}–{piece['end']}: {piece['text']}" for piece in value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return "" if value is None else str(value)
