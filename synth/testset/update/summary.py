"""Summary of an update: lines for a terminal, and Markdown for a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from synth.core.terminal import counted
from synth.testset.update.decision import GENERATE, KEEP, REJUDGE, RELOCATE, RETIRE, REVISE, Decision

LABELS = {
    KEEP: "kept",
    RELOCATE: "relocated: the same text in another place",
    REJUDGE: "judged again and kept",
    REVISE: "revised: their evidence changed",
    RETIRE: "retired: the documents no longer support them",
    GENERATE: "new",
}
"""Descriptions of the classes of decision."""
_RAISED = "raised for review: a person must decide on them"
_MOST_SHOWN = 30
_SPECIAL = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#"})


def documents_line(documents: Mapping[str, Any]) -> str:
    """Return the number of documents by kind of change, on one line."""
    return ", ".join(f"{len(names)} {kind}" for kind, names in documents.items()) or "none changed"


def outcomes(counts: Mapping[str, int], decisions: Iterable[Decision]) -> list[tuple[int, str]]:
    """Return (number of rows, description) for each class of decision.

    The last pair counts the rows that need review. `counts` maps each class to its number of rows.
    """
    raised = Counter(decision.kind for decision in decisions if decision.review)
    named = [(counts.get(kind, 0) - raised[kind], label) for kind, label in LABELS.items()]
    return [(count, label) for count, label in (*named, (raised.total(), _RAISED)) if count > 0]


def answers(row: Mapping[str, Any] | None) -> str:
    """Return the golden answers of a row on one line, or "" for None."""
    return " / ".join(row.get("golden_answers", ())) if row else ""


def markdown(
    title: str,
    decisions: Sequence[Decision],
    new_rows: Sequence[Mapping[str, Any]],
    counts: Mapping[str, int],
    documents: Mapping[str, Any],
) -> str:
    """Return an update as Markdown for a pull request. Rows for review come first. Long lists are collapsed."""
    review = [decision for decision in decisions if decision.review]
    head = f"{counted(len(review), 'row')} to review" if review else "no row to review"
    lines = [f"### {_escape(title)}: {head}", "", "| rows | |", "| ---: | --- |"]
    lines += [f"| {count} | {label} |" for count, label in outcomes(counts, decisions)]
    lines += ["", f"Documents: {documents_line(documents)}.", ""]
    if review:
        lines += ["#### To review", "", *_first_entries(map(_review_entry, review)), ""]
    revised = [decision for decision in decisions if decision.kind == REVISE]
    retired = [decision for decision in decisions if decision.kind == RETIRE]
    for kind, count, entries in (
        ("Revised", len(revised), [*map(_revised_entry, revised)]),
        ("Retired", len(retired), [*map(_retired_entry, retired)]),
        ("New", len(new_rows), [*map(_new_entry, new_rows)]),
        (
            "Documents",
            sum(map(len, documents.values())),
            [f"- {kind}: {_names(names)}" for kind, names in documents.items()],
        ),
    ):
        if entries:
            lines += [
                "<details>",
                f"<summary>{kind} ({count})</summary>",
                "",
                *_first_entries(entries),
                "",
                "</details>",
                "",
            ]
    return "\n".join(lines).rstrip() + "\n"


def _review_entry(decision: Decision) -> str:
    answer = _escape(answers(decision.existing.row))
    return f"- {_question(decision)} → {answer}  \n  {_escape(decision.review)} ({_documents(decision)})"


def _revised_entry(decision: Decision) -> str:
    old, new = answers(decision.existing.row), answers(decision.row)
    change = f"{_escape(old)} → {_escape(new)}" if old != new else f"{_escape(new)}, as before"
    return f"- {_question(decision)} {change}  \n  {_escape(decision.reason)} ({_documents(decision)})"


def _retired_entry(decision: Decision) -> str:
    return f"- {_question(decision)} {_escape(answers(decision.existing.row))}  \n  {_escape(decision.reason)}"


def _new_entry(row: Mapping[str, Any]) -> str:
    documents = ", ".join(dict.fromkeys(f"`{piece['doc_id']}`" for piece in row["evidence"]))
    return f"- **{_escape(row['question'])}** {_escape(answers(row))}" + (f" ({documents})" if documents else "")


def _first_entries(entries: Iterable[str]) -> list[str]:
    all_entries = list(entries)
    more = [f"- … and {len(all_entries) - _MOST_SHOWN} more"] if len(all_entries) > _MOST_SHOWN else []
    return all_entries[:_MOST_SHOWN] + more


def _names(names: Any) -> str:
    if isinstance(names, Mapping):
        return ", ".join(f"`{old}` → `{new}`" for old, new in names.items())
    return ", ".join(f"`{name}`" for name in names)


def _question(decision: Decision) -> str:
    """Return the question in bold, or the line number if the row has no question."""
    question = str(decision.existing.row.get("question", f"line {decision.existing.line}"))
    return f"**{_escape(question)}**"


def _documents(decision: Decision) -> str:
    return ", ".join(f"`{name}`" for name in decision.documents) or f"line {decision.existing.line}"


def _escape(text: str) -> str:
    """Return the text on one line, with Markdown marks escaped."""
    return " ".join(text.split()).translate(_SPECIAL)
