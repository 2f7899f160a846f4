"""An update told to people: lines for a terminal, and Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from synth.testset.update.decision import GENERATE, KEEP, REJUDGE, RELOCATE, RETIRE, REVISE, Decision

SAID = {
    KEEP: "kept",
    RELOCATE: "relocated: the same text, elsewhere",
    REJUDGE: "judged again, and kept",
    REVISE: "revised: what they rest on changed",
    RETIRE: "retired: nothing answers them any more",
    GENERATE: "made anew",
}
_SHOWN = 30
_SPECIAL = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#"})


def documents_line(documents: Mapping[str, Any]) -> str:
    """What happened to the documents, counted."""
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
    """An update as a comment on a pull request: what has to be looked at comes first, what is long is folded."""
    review = [one for one in decisions if one.review]
    head = f"{len(review)} need a look" if review else "none needs a look"
    lines = [f"### {_plain(title)}: {head}", "", "| rows | |", "| ---: | --- |"]
    lines += [f"| {counts[kind]} | {said} |" for kind, said in SAID.items() if counts.get(kind)]
    lines += ["", f"Documents: {documents_line(documents)}.", ""]
    if review:
        lines += ["#### To be looked at", "", *_listed(_reviewed(one) for one in review), ""]
    revised = [one for one in decisions if one.kind == REVISE]
    retired = [one for one in decisions if one.kind == RETIRE]
    for what, entries in (
        ("Revised", [_revised(one) for one in revised]),
        ("Retired", [_retired(one) for one in retired]),
        ("Made anew", [_made(row) for row in made]),
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


def _reviewed(one: Decision) -> str:
    return f"- **{_plain(_question(one))}** → {_plain(answers(one.held.row))}  \n  {_plain(one.review)} ({_where(one)})"


def _revised(one: Decision) -> str:
    old, new = answers(one.held.row), answers(one.row)
    change = f"{_plain(old)} → {_plain(new)}" if old != new else f"{_plain(new)}, as before"
    return f"- **{_plain(_question(one))}** {change}  \n  {_plain(one.reason)} ({_where(one)})"


def _retired(one: Decision) -> str:
    return f"- **{_plain(_question(one))}** {_plain(answers(one.held.row))}  \n  {_plain(one.reason)}"


def _made(row: Mapping[str, Any]) -> str:
    documents = ", ".join(dict.fromkeys(f"`{piece['doc_id']}`" for piece in row["evidence"]))
    return f"- **{_plain(row['question'])}** {_plain(answers(row))}" + (f" ({documents})" if documents else "")


def _listed(entries: Iterable[str]) -> list[str]:
    every = list(entries)
    more = [f"- … and {len(every) - _SHOWN} more"] if len(every) > _SHOWN else []
    return every[:_SHOWN] + more


def _names(names: Any) -> str:
    if isinstance(names, Mapping):
        return ", ".join(f"`{old}` → `{new}`" for old, new in names.items())
    return ", ".join(f"`{name}`" for name in names)


def _question(one: Decision) -> str:
    return str(one.held.row.get("question", f"line {one.held.line}"))


def _where(one: Decision) -> str:
    return ", ".join(f"`{name}`" for name in one.documents) or f"line {one.held.line}"


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return " ".join(text.split()).translate(_SPECIAL)
