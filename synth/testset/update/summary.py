"""Summary of an update: lines for a terminal, and Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from synth.testset.update.decision import GENERATE, KEEP, REJUDGE, RELOCATE, RETIRE, REVISE, Decision

LABELS = {
    KEEP: "kept",
    RELOCATE: "relocated: the same text in another place",
    REJUDGE: "judged again, and kept",
    REVISE: "revised: their evidence changed",
    RETIRE: "retired: nothing answers them",
    GENERATE: "new",
}
_MOST_SHOWN = 30
_SPECIAL = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#"})


def documents_line(documents: Mapping[str, Any]) -> str:
    """Number of documents by kind of change."""
    return ", ".join(f"{len(names)} {what}" for what, names in documents.items()) or "none changed"


def answers(row: Mapping[str, Any] | None) -> str:
    """The golden answers of a row on one line."""
    return " / ".join(row.get("golden_answers", ())) if row else ""


def markdown(
    title: str,
    decisions: Sequence[Decision],
    made: Sequence[Mapping[str, Any]],
    counts: Mapping[str, int],
    documents: Mapping[str, Any],
) -> str:
    """An update as a comment on a pull request: rows for review first, long lists folded."""
    review = [decision for decision in decisions if decision.review]
    head = f"{len(review)} rows to review" if review else "no row to review"
    lines = [f"### {_plain(title)}: {head}", "", "| rows | |", "| ---: | --- |"]
    lines += [f"| {counts[kind]} | {label} |" for kind, label in LABELS.items() if counts.get(kind)]
    lines += ["", f"Documents: {documents_line(documents)}.", ""]
    if review:
        lines += ["#### To review", "", *_listed(map(_reviewed, review)), ""]
    revised = [decision for decision in decisions if decision.kind == REVISE]
    retired = [decision for decision in decisions if decision.kind == RETIRE]
    for what, entries in (
        ("Revised", [*map(_revised, revised)]),
        ("Retired", [*map(_retired, retired)]),
        ("New", [*map(_made, made)]),
        ("Documents", [f"- {what}: {_names(names)}" for what, names in documents.items()]),
    ):
        if entries:
            lines += [
                "<details>",
                f"<summary>{what} ({len(entries)})</summary>",
                "",
                *_listed(entries),
                "",
                "</details>",
                "",
            ]
    return "\n".join(lines).rstrip() + "\n"


def _reviewed(d: Decision) -> str:
    return f"- **{_plain(_question(d))}** → {_plain(answers(d.existing.row))}  \n  {_plain(d.review)} ({_where(d)})"


def _revised(d: Decision) -> str:
    old, new = answers(d.existing.row), answers(d.row)
    change = f"{_plain(old)} → {_plain(new)}" if old != new else f"{_plain(new)}, as before"
    return f"- **{_plain(_question(d))}** {change}  \n  {_plain(d.reason)} ({_where(d)})"


def _retired(d: Decision) -> str:
    return f"- **{_plain(_question(d))}** {_plain(answers(d.existing.row))}  \n  {_plain(d.reason)}"


def _made(row: Mapping[str, Any]) -> str:
    documents = ", ".join(dict.fromkeys(f"`{piece['doc_id']}`" for piece in row["evidence"]))
    return f"- **{_plain(row['question'])}** {_plain(answers(row))}" + (f" ({documents})" if documents else "")


def _listed(entries: Iterable[str]) -> list[str]:
    every = list(entries)
    more = [f"- … and {len(every) - _MOST_SHOWN} more"] if len(every) > _MOST_SHOWN else []
    return every[:_MOST_SHOWN] + more


def _names(names: Any) -> str:
    if isinstance(names, Mapping):
        return ", ".join(f"`{old}` → `{new}`" for old, new in names.items())
    return ", ".join(f"`{name}`" for name in names)


def _question(d: Decision) -> str:
    return str(d.existing.row.get("question", f"line {d.existing.line}"))


def _where(d: Decision) -> str:
    return ", ".join(f"`{name}`" for name in d.documents) or f"line {d.existing.line}"


def _plain(text: str) -> str:
    """Text with the marks of Markdown escaped."""
    return " ".join(text.split()).translate(_SPECIAL)
