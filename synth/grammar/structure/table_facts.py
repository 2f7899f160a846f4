"""Facts of tables: a value of a row, the largest of a column, the change between two columns of years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from synth.grammar.structure.facts import Told
from synth.grammar.structure.figures import Figure, figure
from synth.grammar.structure.outline import Section
from synth.grammar.structure.reader import StructureReader
from synth.text.blocks import Block, TableCell, cells_of

_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:年|年度)?")
_SCALE = re.compile(
    r"\b(?:in|amounts in)\s+(?:US\$\s*|\$\s*)?(?P<en>thousands|millions|billions)\b|"
    r"单位[:：]?\s*(?:人民币)?(?P<zh>千元|万元|百万元|亿元|元)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"\d[\d.,%$]*|[-–—/]+|n/?a|.*\b(?:sub)?totals?\b.*|.*(?:合计|总计|小计).*", re.IGNORECASE)
_MOST_CELL = 60
_MOST_TABLE = 2500


def table_told(author: StructureReader, section: Section, thing: str) -> Iterator[Told]:
    """The facts of the tables of a section, with their questions."""
    groups: dict[int, list[Block]] = {}
    for block in section.body:
        if block.kind == "table_row":
            groups.setdefault(block.group, []).append(block)
    for rows in groups.values():
        if len(rows) >= 3:
            yield from _table(author, section, rows, thing)


def _table(author: StructureReader, section: Section, rows: Sequence[Block], thing: str) -> Iterator[Told]:
    text = author.reading.document.text
    head, *body = [cells_of(text, row) for row in rows]
    titles = [cell.text for cell in head]
    body = [cells for cells in body if len(cells) == len(titles)]
    names = [cells[0].text for cells in body]
    if len(titles) < 2 or len(body) < 2 or not _names_things(names):
        return
    years = [at for at in range(1, len(titles)) if _YEAR.fullmatch(titles[at].strip())]
    if len(years) >= 2:
        yield from _years(author, section, rows, titles, body, years, thing)
        return
    if not titles[0] or any(not title or _YEAR.fullmatch(title) for title in titles[1:]):
        return
    for column in range(1, len(titles)):
        yield from _column(author, section, rows, titles, body, column, thing)


def _names_things(names: Sequence[str]) -> bool:
    """True if the first column has a name of its own in each row."""
    named = [name for name in names if name and len(name) <= _MOST_CELL and not _NO_NAME.fullmatch(name)]
    return len(named) >= 0.8 * len(names) and len(set(named)) == len(named)


def _column(
    author: StructureReader,
    section: Section,
    rows: Sequence[Block],
    titles: Sequence[str],
    body: Sequence[Sequence[TableCell]],
    column: int,
    thing: str,
) -> Iterator[Told]:
    forms = author.language.forms
    label = author.language.noun(titles[column], author.reading)
    if forms.has("label", titles[column]) or forms.has("skip_column", titles[column]):
        return
    figures: list[tuple[str, Figure]] = []
    for cells, row in zip(body, rows[1:], strict=False):
        name, answer = cells[0].text.strip(), cells[column].text.strip()
        if not name or not answer or _NO_NAME.fullmatch(name) or len(answer) > 2 * _MOST_CELL:
            continue
        if author.points(answer) or not any(map(str.isalpha, name)) or not _says(answer, chinese=author.chinese):
            continue
        amount = figure(answer)
        if amount:
            figures.append((name, amount))
        spans = (*author.head_span(section), (rows[0].start, rows[0].end), (row.start, row.end))
        fact = author.fact(
            "attribute",
            name,
            label,
            answer,
            spans,
            amount=str(amount.value) if amount else "",
            unit=amount.unit if amount else "",
            names="" if amount else forms.frame("attribute_of", name).format(thing=name, label=label),
        )
        sort = (
            "cell_number"
            if amount
            else ("cell_text" if len(answer.split()) > 6 or len(answer) > _MOST_CELL else "cell")
        )
        if forms.has("plural", label):
            sort = "cell_number_plural" if amount else "cell_plural"
        if name.casefold() in answer.casefold():
            continue
        question = forms.ask(forms.frame(sort, name, label), label, thing=thing, row=name)
        worth = 0.62 if amount or len(answer.split()) > 1 else 0.5
        yield Told(fact, (author.draft(fact, question, "simple", "cell", worth),))
    whole = (rows[0].start, rows[-1].end)
    unit = {amount.unit for _, amount in figures}
    ranked = sorted(figures, key=lambda pair: pair[1].value)
    if len(figures) < 3 or len(figures) < len(body) - 1 or len(unit) > 1 or whole[1] - whole[0] > _MOST_TABLE:
        return
    first = author.language.noun(titles[0], author.reading)
    for sort, (name, amount), other in (("most", ranked[-1], ranked[-2]), ("least", ranked[0], ranked[1])):
        sizes = forms.size(titles[column], amount.unit)
        if amount.value == other[1].value or not sizes:
            continue
        question = forms.frame(sort, label, thing).format(thing=thing, label=label, first=first, **sizes)
        spans = (*author.head_span(section), whole)
        names = forms.frame("superlative", label).format(
            thing=thing, label=label, first=first, high=sizes["high" if sort == "most" else "low"]
        )
        fact = author.fact("attribute", thing, label, name, spans, names=names)
        yield Told(fact, (author.draft(fact, question, "reasoning", sort, 0.72),))


def _says(answer: str, *, chinese: bool) -> bool:
    """True for a cell that has a number or more than a mark such as "Y"."""
    letters = sum(map(str.isalpha, answer))
    return any(map(str.isdigit, answer)) or letters >= (2 if chinese else 5)


def _years(
    author: StructureReader,
    section: Section,
    rows: Sequence[Block],
    titles: Sequence[str],
    body: Sequence[Sequence[TableCell]],
    years: Sequence[int],
    thing: str,
) -> Iterator[Told]:
    forms, text = author.language.forms, author.reading.document.text
    before = text[max(0, rows[0].start - 400) : rows[0].end]
    scale = next((m for m in [*_SCALE.finditer(before)][-1:]), None)
    unit = (scale["en"] or scale["zh"] or "") if scale else ""
    owner = author.title(section.title)
    if not owner:
        return
    for cells, row in zip(body, rows[1:], strict=False):
        name = cells[0].text.strip(" :：")
        values = [(titles[at].strip(), _accounting(cells[at].text)) for at in years]
        if len(name) < 4 or len(name) > _MOST_CELL or _NO_NAME.fullmatch(name) or not name[0].isalpha():
            continue
        known = [(year, amount) for year, amount in values if amount is not None]
        if len(known) < 2:
            continue
        spans = (*author.head_span(section), (rows[0].start, rows[0].end), (row.start, row.end))
        label = author.language.noun(name, author.reading)
        (year, latest), (earlier, before_) = known[0], known[1]
        in_unit = forms.words["in_unit"].format(unit=unit.lower()) if unit else ""
        fact = author.fact(
            "attribute",
            owner,
            label,
            latest.written(latest.value),
            spans,
            peers=f"year {year} {name.casefold()} {unit}",
            amount=str(latest.value),
            unit=latest.unit,
        )
        question = forms.frame("year", name, year).format(
            thing=owner,
            label=label,
            year=year,
            unit=in_unit,
            section=author.language.noun(section.heading, author.reading),
        )
        change = latest.value - before_.value
        drafts = [author.draft(fact, question, "simple", "year", 0.66)]
        if change and latest.value > 0 and before_.value > 0:
            sort = "rise" if change > 0 else "fall"
            asked = forms.frame("change", name, year).format(
                thing=owner, label=label, year=year, earlier=earlier, unit=in_unit
            )
            answer = forms.words[sort].format(amount=latest.written(abs(change)))
            draft = author.draft(fact, asked, "reasoning", "change", 0.82)
            drafts.append(replace(draft, golden_answers=(answer,), reckoning=f"{latest.value} - {before_.value}"))
        yield Told(fact, tuple(drafts))


def _accounting(text: str) -> Figure | None:
    """The figure of a cell; brackets around a number make it negative."""
    bare = text.strip().replace("$ ", "$")
    if match := re.fullmatch(r"\$?\((?P<n>[\d.,]+)\)%?", bare):
        amount = figure(match["n"])
        return replace(amount, value=-amount.value) if amount else None
    return figure(bare)
