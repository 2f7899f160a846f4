"""Entries of a reference manual: options, fields or commands described in tables, sections, lists or help texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING

from synth.grammar.reference_forms import IDENTIFIER, NUMBERING, ReferenceEntry, ReferenceForms, is_name, names_another
from synth.text.blocks import Block, cells_of
from synth.text.markup import plain

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.text.prose import Sentence

_TYPE = re.compile(r"[a-z](?:Object|Spec)$")
_SECTION = re.compile(rf"(?P<name>{IDENTIFIER})(?:\s+[-–—:]\s*.+)?")
_ITEM = re.compile(rf"(?P<name>{IDENTIFIER})\s*(?:[:：]\s*|\s[-–—]\s)(?P<rest>\S.*)", re.DOTALL)
_TITLED_ITEM = re.compile(rf"(?P<mark>\*\*|__|`)(?P<name>{IDENTIFIER})(?P=mark) *\n")
_LABELLED = re.compile(r"(?P<label>[^:：`]{2,20}?)\s*[:：]\s*(?P<value>\S.*)", re.DOTALL)
_FLAG = re.compile(
    r"^[ \t]+(?:-\w, )?(?P<name>--[A-Za-z][\w.-]*\w)(?:[ =][^\s(]+)?(?: {2,}|\t+)"
    r"(?P<meaning>\S.*?) ?\(default:? (?P<default>[^()\[\]\n]+)\)\.?$",
    re.MULTILINE,
)
_NO_CHOICE = re.compile(r"\"?/(?:root|home|Users|tmp)/|\d{16}")
"""Start of a default value that nobody chose: a path on the author's machine, or the largest possible number."""
_SENTENCES_PER_SECTION = 8
"""Maximum number of sentences in a section that are searched for the default value of the option in its heading."""


def entries(reading: Reading, forms: ReferenceForms) -> list[ReferenceEntry]:
    """Return the entries of a document.

    An entry is left out if its name has two descriptions under the same headings, or if another line contradicts it. An
    entry is `local` if its name has another description under other headings.
    """
    candidates = [*_rows(reading, forms), *_sections(reading, forms), *_items(reading, forms)]
    candidates += [*_labelled_entries(reading, forms), *_help_entries(reading, forms)]
    names = {entry.name for entry in candidates}
    candidates += [entry for entry in _sentences(reading, forms) if entry.name not in names]
    everywhere, here = defaultdict(set), defaultdict(set)
    for entry in candidates:
        everywhere[entry.name].add((entry.default, entry.meaning))
        here[entry.name, entry.headings].add((entry.default, entry.meaning))
    lines = reading.document.text.split("\n")
    return [
        replace(entry, local=len(everywhere[entry.name]) > 1)
        for entry in candidates
        if len(here[entry.name, entry.headings]) == 1 and not _contradicted(entry, lines, forms)
    ]


def _contradicted(entry: ReferenceEntry, lines: Sequence[str], forms: ReferenceForms) -> bool:
    """Return whether another line of the document, such as a code comment, states another default value."""
    if not entry.default:
        return False
    own = _value_words(entry.default)
    values = (value for line in lines if entry.name in line for value in forms.defaults_in(line, entry.name))
    return any(words != own[: len(words)] for words in map(_value_words, values))


def _value_words(value: str) -> list[str]:
    """Return the words of a default value, without quotes and punctuation."""
    return [word.strip("\"'“”.,;") for word in value.split()]


def _rows(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield an entry for each table row. The first column has names, another one default values or descriptions."""
    text = reading.document.text
    tables: dict[int, list[Block]] = defaultdict(list)
    for block in reading.blocks:
        if block.kind == "table_row":
            tables[block.group].append(block)
    for head, *rows in tables.values():
        titles = [cell.text for cell in cells_of(text, head)]
        place = {
            role: next((titles.index(title) for form in choice for title in titles if form.fullmatch(title)), -1)
            for role, choice in forms.columns.items()
        }
        if place["name"] != 0 or max(place["default"], place["meaning"]) < 0:
            continue
        noun = forms.nouns.get(titles[0].casefold(), "")
        for row in (row for row in rows if not forms.outdated.search(text, row.start, row.end)):
            cells = cells_of(text, row)
            if len(cells) != len(titles):
                continue
            name, code = cells[0].text, cells[0].has_code
            if not is_name(name, bool(noun), code) or not _verbatim(name, text[row.start : row.end]):
                continue
            meaning, default = (cells[place[role]].text if place[role] >= 0 else "" for role in ("meaning", "default"))
            span = (row.start, row.end)
            yield ReferenceEntry(
                name=name,
                noun=noun,
                default=default or forms.default_in(meaning, name),
                meaning=meaning,
                headings=row.headings,
                spans=((head.start, head.end), span) if default else (span,),
            )


def _verbatim(name: str, raw: str) -> bool:
    """Return whether the source text `raw` contains the name without markup inside it and without strikethrough."""
    return name in raw and f"~{name}" not in raw


def _sections(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield an entry for each heading or list item that is an identifier, if text below it states the default value."""
    text = reading.document.text
    head_blocks = [block for block in reading.blocks if block.kind in ("heading", "list_item")]
    for block, after in zip_longest(head_blocks, head_blocks[1:]):
        words = plain(text, block.start, block.end)
        named = _SECTION.fullmatch(NUMBERING.sub("", words.text))
        heads = block.kind == "heading"
        if (
            named is None
            or forms.gone.search(text, block.start, block.end)
            or not is_name(named["name"], heads, bool(words.code))
        ):
            continue
        end = after.start if after and not heads else len(text)
        following = [
            s for s in reading.sentences if block.end < s.start < end and (not heads or s.headings == block.headings)
        ][:_SENTENCES_PER_SECTION]
        # A section on a component also states the defaults of its options, so the search ends at another identifier.
        name = named["name"]
        other = (n for n, s in enumerate(following) if s.kind == "list_item" or names_another(s.text, name))
        if heads and _TYPE.search(name):
            continue  # a section on `PolicyObject` states the defaults of its fields
        yield from _default_entry(name, block, following[: next(other, len(following))] if heads else following, forms)


def _default_entry(
    name: str, head: Block, sentences: Sequence[Sentence], forms: ReferenceForms
) -> Iterator[ReferenceEntry]:
    """Yield an entry for a name if the sentences below its heading `head` state its default value."""
    values = ((forms.default_in(sentence.text, name), sentence) for sentence in sentences)
    headings = head.headings[:-1] if head.kind == "heading" else head.headings
    default, sentence = next((pair for pair in values if pair[0]), ("", None))
    # Another sentence on the default describes a case with a different value.
    is_disputed = sum(bool(forms.default_word.search(one.text)) for one in sentences) > 1
    if sentence is not None and not is_disputed and not any(forms.outdated.search(one.text) for one in sentences):
        yield ReferenceEntry(
            name=name,
            noun="",
            default=default,
            meaning="",
            headings=headings,
            spans=((head.start, head.end), (sentence.start, sentence.end)),
        )


def _items(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield an entry for each list item that starts with an identifier and states its default value."""
    listed = [sentence for sentence in reading.sentences if sentence.kind == "list_item"]
    for place, head in enumerate(listed):
        name, told = _titled(head, reading.document.text) if head.first else ("", "")
        if not is_name(name, False, False):
            continue
        rest = takewhile(lambda sentence: not sentence.first, listed[place + 1 :])
        texts = [(told, head), *((sentence.text, sentence) for sentence in rest)]
        if any(forms.outdated.search(told) for told, _ in texts):
            continue
        values = ((forms.default_in(text, name), sentence) for text, sentence in texts)
        for default, sentence in filter(lambda pair: pair[0], values):
            yield ReferenceEntry(
                name=name,
                noun="",
                default=default,
                meaning="",
                headings=head.headings,
                spans=tuple(dict.fromkeys(((head.start, head.end), (sentence.start, sentence.end)))),
            )


def _titled(head: Sentence, text: str) -> tuple[str, str]:
    """Return the name at the start of a list item, and the text after it; ("", "") if there is no name.

    A colon or a dash follows the name, or the name has its own line.
    """
    if match := _ITEM.fullmatch(head.text):
        return match["name"], match["rest"]
    titled = _TITLED_ITEM.match(text, head.start)
    return (titled["name"], head.text.removeprefix(titled["name"]).strip()) if titled else ("", "")


def _sentences(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield an entry for each sentence that states a name and its default value."""
    for sentence in reading.sentences:
        match = next(filter(None, (form.search(sentence.text) for form in forms.named_defaults)), None)
        if match is not None and is_name(match["N"], True, match.span("N") in sentence.code):
            yield ReferenceEntry(
                name=match["N"],
                noun="",
                default=match["A"],
                meaning="",
                headings=sentence.headings,
                spans=((sentence.start, sentence.end),),
            )


def _labelled_entries(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield an entry for each section with a list item such as "Default: 50".

    The name of the entry is in another item of the section or in its heading.
    """
    text = reading.document.text
    for place, head in enumerate(reading.blocks):
        if head.kind != "heading":
            continue
        section = [*takewhile(lambda block: block.kind != "heading", reading.blocks[place + 1 :])]
        labelled = _labelled([block for block in section if block.kind == "list_item"], text, forms)
        if "default" not in labelled or forms.outdated.search(text, head.start, section[-1].end):
            continue
        title = plain(text, head.start, head.end)
        name, named, is_code = labelled.get("name", (title.text, head, bool(title.code)))
        value, told, _ = labelled["default"]
        if is_name(name, True, is_code):
            spans = ((named.start, named.end), (told.start, told.end))
            yield ReferenceEntry(name, "", value, "", head.headings[:-1], spans)


def _labelled(items: list[Block], text: str, forms: ReferenceForms) -> dict[str, tuple[str, Block, bool]]:
    """Return the items "label: value" by the role of their label (name, default, meaning).

    Each is (value, item, whether the item has inline code). The first item of a role counts.
    """
    found: dict[str, tuple[str, Block, bool]] = {}
    for item in items:
        words = plain(text, item.start, item.end)
        if match := _LABELLED.fullmatch(words.text):
            for role, choice in forms.columns.items():
                if any(form.fullmatch(match["label"]) for form in choice):
                    found.setdefault(role, (match["value"], item, bool(words.code)))
    return found


def _help_entries(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield an entry for each command-line flag with a default value in the help texts of a document."""
    text = reading.document.text
    for block in reading.blocks:
        if block.kind != "code" or any(forms.inherited.search(heading) for heading in block.headings):
            continue
        # Search from the start of the line, because an indented block starts after the spaces of its first line.
        start = text.rfind("\n", 0, block.start) + 1
        for flag in _FLAG.finditer(text, start, block.end):
            told_twice = forms.default_word.search(flag["meaning"])
            if not told_twice and not forms.outdated.search(flag["meaning"]) and not _NO_CHOICE.match(flag["default"]):
                yield ReferenceEntry(
                    name=flag["name"],
                    noun="",
                    default=flag["default"],
                    meaning=flag["meaning"],
                    headings=block.headings,
                    spans=((flag.start("name"), flag.end()),),
                )
