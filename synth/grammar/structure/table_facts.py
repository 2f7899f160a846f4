"""Facts from tables: the value of a cell, the largest or smallest of a column, the change between two years."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from synth.grammar.structure.facts import Told
from synth.grammar.structure.figures import Figure, figure
from synth.grammar.structure.forms import StructureForms
from synth.grammar.structure.outline import Section
from synth.grammar.structure.reader import StructureReader, shares
from synth.text.blocks import Block, TableCell, cells_of
from synth.text.language import is_han
from synth.text.normalise import to_simplified

_BRACKETED = re.compile(r"(?P<label>.+?)\s*[(（\[](?P<unit>[^\d()（）\[\]]{1,16})[)）\]]")
_UNDERSCORED = re.compile(r"(?P<label>[a-z]+(?:_[a-z]+)*)_(?P<unit>m|km|cm|mm|kg|g|s|ms|min|usd|eur|gbp|pct)")
_NAME = re.compile(r"[A-Z].*[A-Z\d]|[a-z]*[A-Z\d]\w*|.*\s[A-Z\d].*|(?=[\w.]*_)[\w.]++", re.DOTALL)
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:年|年度)?")
_SCALE = re.compile(
    r"\b(?:in|amounts in)\s+(?:US\$\s*|\$\s*)?(?P<en>thousands|millions|billions)\b|"
    r"单位[:：]?\s*(?:人民币)?(?P<zh>千元|万元|百万元|亿元|元)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"\d[\d.,%$]*|[-–—/]+|n/?a|.*\b(?:sub)?totals?\b.*|.*(?:合计|总计|小计).*", re.IGNORECASE)
_NOTE_MARK = re.compile(r"\^?(?<![(（])[(（]++\w{1,2}[)）]+|[⁽⁾¹²³⁴⁵⁶⁷⁸⁹⁰ᵃ-ᶿⁱⁿ]+|\*+")
_LATIN = re.compile("[A-Za-z]+")
_MOST_CELL = 60
_SHORT = 4
"""Maximum length, in characters, of a Chinese column label that is a noun, such as 代表茶."""

_MOST_TABLE = 2500
_FEW, _DIFFERENT, _ALIKE = 5, 0.3, 2
"""Limits by which a column of categories differs from a column of facts.

A column contains categories if it has more than _FEW rows and the share of different values is below _DIFFERENT. A
value is a category if more than _ALIKE rows, and more than a tenth of all rows, have it.
"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table. `label` is its heading without the unit, and `unit` the unit of its numbers, or ""."""

    label: str
    unit: str

    @classmethod
    def of(cls, heading: str, forms: StructureForms) -> Column:
        """Split a heading such as "Length (m)", "length_m" or "price in pounds" into label and unit."""
        text = heading.strip(" *:：")
        match = _BRACKETED.fullmatch(text) or _UNDERSCORED.fullmatch(text) or forms.patterns["in_unit"].fullmatch(text)
        if match is None:
            return cls(text.replace("_", " ") if text.islower() else text, "")
        return cls(match["label"].replace("_", " ").strip(), match["unit"].strip())

    def written(self, amount: Figure, text: str, forms: StructureForms) -> str:
        """Return the text of a cell, with the unit of the column if the cell itself states none."""
        if not self.unit or amount.before or amount.after:
            return text
        unit = forms.words.get(self.unit, self.unit)
        return f"{text}{unit}" if any(map(is_han, unit)) else f"{text} {unit}"


def is_name(row: str) -> bool:
    """Return whether the name of a row is clear without the table.

    An ASCII name needs a capital, a digit or an underscore. Other names need at least four characters, or a Latin
    letter or digit.
    """
    return bool(_NAME.fullmatch(row.strip())) if row.isascii() else len(row) >= 4 or bool(re.search(r"[A-Za-z\d]", row))


def table_told(author: StructureReader, section: Section) -> Iterator[Told]:
    """Yield the facts of the tables of a section, with their questions."""
    groups: dict[int, list[Block]] = {}
    for block in section.body:
        if block.kind == "table_row":
            groups.setdefault(block.group, []).append(block)
    for rows in groups.values():
        if len(rows) >= 3:
            yield from _table(author, section, rows)


def _table(author: StructureReader, section: Section, rows: Sequence[Block]) -> Iterator[Told]:
    text, forms = author.reading.document.text, author.language.forms
    head, *body = [cells_of(text, row) for row in rows]
    titles = [cell.text.strip() for cell in head]
    unlabelled = [cells[1::2] if [cell.text for cell in cells[::2]] == titles else cells for cells in body]
    whole = [(cells, row) for cells, row in zip(unlabelled, rows[1:], strict=True) if len(cells) == len(titles)]
    names = [cells[0].text.strip() for cells, _ in whole]
    if len(titles) < 2 or len(whole) < 2 or not _names_things(names):
        return
    years = [at for at in range(1, len(titles)) if _YEAR.fullmatch(titles[at])]
    if len(years) >= 2:
        yield from _years(author, section, rows, titles, [cells for cells, _ in whole], years)
        return
    if author.is_report or any(not title or _YEAR.fullmatch(title) for title in titles[1:]):
        return
    if not titles[0] or forms.has("attributes_column", titles[0]):
        yield from _attributes(author, section, rows[0], titles, whole)
        return
    for at in range(1, len(titles)):
        yield from _column(author, section, rows, titles, whole, at)


def _names_things(names: Sequence[str]) -> bool:
    """Return whether the cells of a first column are names: at least 80 % look like names, and these all differ."""
    named = [name for name in names if name and len(name) <= _MOST_CELL and not _NO_NAME.fullmatch(to_simplified(name))]
    return len(named) >= 0.8 * len(names) and len(set(named)) == len(named)


def _is_no_name(name: str, forms: StructureForms) -> bool:
    return bool(_NO_NAME.fullmatch(to_simplified(name))) or forms.has("no_row", name)


Row: TypeAlias = tuple[Sequence[TableCell], Block]


def _attributes(
    author: StructureReader, section: Section, head: Block, titles: Sequence[str], body: Sequence[Row]
) -> Iterator[Told]:
    """Yield the facts of a table with one attribute per row, about the things that its header names."""
    forms = author.language.forms
    for cells, row in body:
        column = Column.of(cells[0].text, forms)
        for at in range(1, len(titles)):
            spans = (*author.head_span(section), (head.start, head.end), (row.start, row.end))
            if not _is_no_name(titles[at], forms):
                yield from _cell(author, section, column, titles[at], cells[at].text, spans)


def _column(
    author: StructureReader,
    section: Section,
    rows: Sequence[Block],
    titles: Sequence[str],
    body: Sequence[Row],
    at: int,
) -> Iterator[Told]:
    forms = author.language.forms
    column = Column.of(titles[at], forms)
    if forms.has("label", column.label):
        return
    if forms.has("counts_what", column.label) and forms.has("place", titles[0]):
        return  # the label does not say what is counted
    amounts = []
    values = Counter(cells[at].text.strip().casefold() for cells, _ in body)
    alike = max(_ALIKE, len(body) // 10)
    is_category = len(body) > _FEW and len(values) < _DIFFERENT * len(body)
    for cells, row in body:
        name = cells[0].text.strip()
        if _is_no_name(name, forms):
            continue
        spans = (*author.head_span(section), (rows[0].start, rows[0].end), (row.start, row.end))
        value = cells[at].text.strip().casefold()
        asks = figure(value) is not None or not (is_category or values[value] > alike)
        for told in _cell(author, section, column, name, cells[at].text, spans):
            yield told if asks else replace(told, drafts=())
        if amount := figure(cells[at].text):
            amounts.append((name, amount))
    if len(amounts) == len(body) and rows[-1].end - rows[0].start <= _MOST_TABLE:
        spans = (*author.head_span(section), (rows[0].start, rows[-1].end))
        yield from _ranked(author, section, Column.of(titles[0], forms).label, column, amounts, spans)


def _cell(
    author: StructureReader, section: Section, column: Column, name: str, text: str, spans: tuple[tuple[int, int], ...]
) -> Iterator[Told]:
    """Yield the fact of a cell. It has a question if label and row name form a sentence."""
    forms, text = author.language.forms, text.strip()
    if (
        forms.has("skip_column", column.label)
        or not text
        or len(text) > 2 * _MOST_CELL
        or author.points(text)
        or not any(map(str.isalpha, name))
    ):
        return
    amount = figure(text)
    answer = column.written(amount, text, forms) if amount else text
    label = author.language.noun(column.label, author.reading)
    is_named = amount is None and (forms.is_attribute(label) or (author.chinese and len(label) <= _SHORT))
    fact = author.fact(
        "attribute",
        name,
        label,
        answer,
        spans,
        amount=str(amount.value) if amount else "",
        unit=(amount.unit if amount.before or amount.after else column.unit or amount.unit) if amount else "",
        names=forms.frame("attribute_of", name).format(thing=name, label=label) if is_named else "",
    )
    asked = ""
    if _says(text, chinese=author.chinese) and not _tells(name, text):
        asked = _asked(author, section, column, label, name, amount)
    drafts = (author.draft(fact, asked, "simple", "cell", 0.62),) if asked else ()
    yield Told(fact, drafts)


def _tells(name: str, value: str) -> bool:
    """Return whether the name of a row reveals a value.

    The name shares a word or two Chinese characters in a row with the value, or it consists of the value's initials.

    Example: 树仁京剧社 reveals 树仁书院.
    """
    if name.isupper() and "".join(w if w.isupper() else w[0] for w in _LATIN.findall(value)).startswith(name):
        return True
    pairs = (value[at : at + 2] for at in range(len(value) - 1))
    return shares(name, value) or any(pair in name for pair in pairs if all(map(is_han, pair)))


def _asked(
    author: StructureReader, section: Section, column: Column, label: str, name: str, amount: Figure | None
) -> str:
    """Return the question for the value of row `name` in a column, or "" if the names form no sentence."""
    forms = author.language.forms
    if name.casefold() in label.casefold() or label.casefold() in name.casefold():
        return ""
    if not (row := author.language.row(name, author.reading)):
        return ""
    known, parts = forms.column(column.label)
    if known:
        frame = forms.frame("column", name, label, frames=known)
    elif amount and not column.unit and amount.unit == "number" and forms.has("countable", label):
        frame = forms.frame("cell_count", name, label)
    elif forms.is_attribute(label):
        frame = forms.frame(forms.sort("cell", label, is_number=amount is not None), name, label)
    else:
        return ""
    question = forms.ask(frame, label[:1].lower() + label[1:] if known else label, row=row, **parts)
    return question if is_name(name) else author.within(question, section)


def _ranked(
    author: StructureReader,
    section: Section,
    first: str,
    column: Column,
    amounts: Sequence[tuple[str, Figure]],
    spans: tuple[tuple[int, int], ...],
) -> Iterator[Told]:
    """Yield the rows with the highest and the lowest value of a numeric column.

    Yield nothing if the units differ, there are fewer than three rows, or the header `first` names no kind of thing.
    """
    forms, label = author.language.forms, author.language.noun(column.label, author.reading)
    units = {amount.unit for _, amount in amounts}
    counts = forms.is_attribute(label) or forms.has("countable", label)
    if len(amounts) < 3 or len(units) > 1 or not counts or forms.has("no_kind", first):
        return
    sizes = forms.size(label)
    ranked = sorted(amounts, key=lambda pair: pair[1].value)
    kind = author.language.noun(first, author.reading)
    for sort, (name, amount), other in (("most", ranked[-1], ranked[-2]), ("least", ranked[0], ranked[1])):
        if amount.value == other[1].value or not sizes or label in kind:
            continue
        question = forms.frame(sort, label, first).format(label=label, first=kind, **sizes)
        if not all(is_name(row) for row, _ in amounts):
            question = author.within(question, section)
        size = sizes["high" if sort == "most" else "low"]
        names = forms.frame("superlative", label).format(label=label, first=kind, high=size)
        fact = author.fact("attribute", name, label, name, spans, names=names)
        drafts = (author.draft(fact, question, "reasoning", sort, 0.72),) if question else ()
        yield Told(fact, drafts)


def _says(answer: str, *, chinese: bool) -> bool:
    """Return whether a cell contains a number or a word, not only a mark such as "Y"."""
    letters = sum(map(str.isalpha, answer))
    return any(map(str.isdigit, answer)) or letters >= (2 if chinese else 5)


def _years(
    author: StructureReader,
    section: Section,
    rows: Sequence[Block],
    titles: Sequence[str],
    body: Sequence[Sequence[TableCell]],
    years: Sequence[int],
) -> Iterator[Told]:
    forms, text = author.language.forms, author.reading.document.text
    before = text[max(0, rows[0].start - 400) : rows[0].end]
    scale = next((m for m in [*_SCALE.finditer(before)][-1:]), None)
    unit = (scale["en"] or scale["zh"] or "") if scale else ""
    owner = author.title(section.title)
    if not owner or not unit:
        return
    for cells, row in zip(body, rows[1:], strict=False):
        name = _NOTE_MARK.sub("", cells[0].text).strip(" :：")
        values = [(titles[at].strip(), _accounting(cells[at].text)) for at in years]
        if len(name) < 4 or len(name) > _MOST_CELL or _is_no_name(name, forms) or not name[0].isalpha():
            continue
        known = [(year, amount) for year, amount in values if amount is not None]
        if len(known) < 2:
            continue
        spans = (*author.head_span(section), (rows[0].start, rows[0].end), (row.start, row.end))
        label = author.language.noun(name, author.reading)
        (year, latest), (earlier, before_) = known[0], known[1]
        is_clear = forms.has("reported", name) and not forms.has("per_unit", name) and ":" not in name
        if not is_clear or latest.value < 0 or len({year for year, _ in known}) < len(known):
            continue
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
        head = forms.patterns["modifier"].sub("", label)
        plural = "_plural" if forms.has("plural", head) else ""
        question = forms.frame(f"year{plural}", name, year).format(thing=owner, label=label, year=year, unit=in_unit)
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
    """Return the figure of a cell. Brackets around a number make it negative."""
    bare = text.strip().replace("$ ", "$")
    if match := re.fullmatch(r"\$?\((?P<n>[\d.,]+)\)%?", bare):
        amount = figure(match["n"])
        return replace(amount, value=-amount.value) if amount else None
    return figure(bare)
