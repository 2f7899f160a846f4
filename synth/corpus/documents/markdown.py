"""Functions that write Markdown, in which readers express the structure of other kinds of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from synth.corpus.documents.reasons import Limit
from synth.text.formulas import formula_text
from synth.text.markup import plain
from synth.text.raised import subscript as subscript
from synth.text.raised import superscript as superscript

_INLINE_MARKS = re.compile(
    r"[\\`*~^$]|(?<![^\W_])_|_(?![^\W_])|\[|\]|<(?=[A-Za-z/!?])|&(?=[#\w])|=(?==)|\{(?=\s*[%{*!:.#])|(?<!\S):(?=[a-z])"
)
_LINE_MARKS = re.compile(r"#{1,6}(?=\s|$)|>|!!!|\?\?\?|:::|///|={2,}|-{2,}|\+{2,}|~{3,}|_{3,}|\||(?:\*\s*){3,}$")
_SPACE = re.compile(r"\s+")

MOST_CELLS = 400_000
"""Maximum number of cells in a table, including empty cells that fill short rows."""

MOST_COLUMNS = 16_384
"""Maximum number of columns in a table, the same as in an Excel sheet."""


def inline(text: str) -> str:
    """Return `text` on one line, with a backslash before characters that Markdown would read as markup."""
    line = _SPACE.sub(" ", text).strip()
    if _INLINE_MARKS.search(line) and plain("x " + line).text != "x " + line:
        line = _INLINE_MARKS.sub(lambda match: "\\" + match.group(), line)
    return line


def paragraph(text: str) -> str:
    """Return `text` as one paragraph. Marks of a heading, quotation, table or fence at its start are escaped.

    A number or dash at its start remains a list mark.
    """
    line = inline(text)
    return "\\" + line if opens_block(line) else line


def opens_block(line: str) -> bool:
    """Whether Markdown reads `line` as something other than a paragraph or a list item."""
    return bool(_LINE_MARKS.match(line))


def heading(level: int, text: str) -> str:
    """Return `text` as a heading. `level` is clipped to 1 to 6."""
    line = inline(text)
    return f"{'#' * min(max(level, 1), 6)} {line}" if line else ""


def item(text: str, level: int = 0, number: int | None = None) -> str:
    """Return `text` as a list item at depth `level`, counted from 0. With a `number` the item is ordered."""
    mark = "-" if number is None else f"{number}."
    line = paragraph(text)
    return f"{'    ' * level}{mark} {line}" if line else ""


def fence(code: str, language: str = "") -> str:
    """Return `code` as a code block, with fences that are longer than any run of back-ticks in the code."""
    body = code.strip("\n").rstrip()
    if not body.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{re.sub(r'[^A-Za-z0-9+#-]', '', language)}\n{body}\n{ticks}"


def code_span(text: str) -> str:
    """Return `text` as inline code, or as plain text if it contains back-ticks."""
    body = _SPACE.sub(" ", text).strip()
    return body if not body or "`" in body else f"`{body}`"


def formula(tex: str) -> str:
    """Return the TeX formula `tex` as plain text if possible, such as `10⁶`, else between dollar signs."""
    text = formula_text(tex)
    return inline(text) if text is not None else f"${_SPACE.sub(' ', tex).strip()}$"


def figure(caption: str) -> str:
    """Return `caption` as the caption of a figure."""
    line = paragraph(caption)
    return f"<!-- figure -->\n\n{line}" if line else ""


def caption(text: str) -> str:
    """Return `text` as the title of the table that follows."""
    line = paragraph(text)
    return f"<!-- caption -->\n\n{line}" if line else ""


def footnote(number: int, text: str) -> str:
    """Return `text` as footnote `number`, or "" if it is empty. The mark in the running text is not written."""
    line = inline(text)
    return f"[^{number}]: {line}" if line else ""


def page(number: str) -> str:
    """Return the comment that marks where page `number` begins."""
    name = re.sub(r"[^\w.-]|-{2,}", "", number)[:20]
    return f"<!-- page {name} -->"


def indented(block: str) -> str:
    """Indent a block, so that it belongs to the list item above it."""
    return "\n".join("    " + line if line else line for line in block.strip("\n").split("\n"))


def limited(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield the rows of a table. Raise Unloadable if there are more than MOST_CELLS cells or MOST_COLUMNS columns."""
    columns, cells = Limit(MOST_COLUMNS, "columns in a table"), Limit(MOST_CELLS, "cells in a table")
    for number, row in enumerate(rows):
        wider = max(len(row) - columns.count, 0)
        columns.add(wider)
        cells.add(wider * number + columns.count)
        yield row


def table(rows: Iterable[Sequence[str]], header_columns: int = 0) -> str:
    """Return a pipe table. The first row and the first `header_columns` columns are headers.

    Empty rows and columns are left out.
    """
    kept = [[inline(cell).replace("|", "\\|") for cell in row] for row in limited(rows)]
    kept = [row for row in kept if any(row)]
    for row in kept[1:]:
        row[:header_columns] = [f"**{cell}**" if cell else "" for cell in row[:header_columns]]
    width = max((len(row) for row in kept), default=0)
    kept = [row + [""] * (width - len(row)) for row in kept]
    columns = [column for column in range(width) if any(row[column] for row in kept)]
    lines = ["| " + " | ".join(row[column] for column in columns) + " |" for row in kept]
    if not lines:
        return ""
    return "\n".join([lines[0], "|" + " --- |" * len(columns), *lines[1:]])


def records(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return the rows of a wide table as lists, with an item `- column: value` for each cell."""
    lists = []
    for row in rows:
        names = [*head, *(f"column {index + 1}" for index in range(len(head), len(row)))]
        pairs = [(name, value) for name, value in zip(names, row, strict=False) if value.strip()]
        lines = [item(f"{name.strip()}: {value}" if name.strip() else value) for name, value in pairs]
        lists.append("\n".join(line for line in lines if line))
    # A comment separates the lists of two rows without adding text.
    return "\n\n<!-- row -->\n\n".join(filter(None, lists))


def table_or_records(rows: Sequence[Sequence[str]]) -> str:
    """Return a pipe table if the rows are narrow enough, else `records`."""
    if len(rows) < 2:
        return table(rows)
    longest = max(sum(map(len, row)) for row in rows)
    if longest <= 240 and max(map(len, rows)) <= 12:
        return table(rows)
    return records(rows[0], rows[1:])


def join(pieces: Iterable[str]) -> str:
    """Join blocks with a blank line between them, but none between the items of a list."""
    parts: list[str] = []
    listed = False
    for piece in pieces:
        piece = piece.strip("\n")
        if not piece.strip():
            continue
        is_item = bool(re.match(r" *(?:-|\d+\.) ", piece))
        parts.append(("\n" if is_item and listed else "\n\n") if parts else "")
        parts.append(piece)
        listed = is_item
    return "".join(parts) + ("\n" if parts else "")
