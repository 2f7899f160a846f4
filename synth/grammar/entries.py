"""Entries of a reference: an option, a field or a command that a table row, a section or a list item documents."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING, Any

from synth.text.blocks import Block, blocks
from synth.text.file_endings import FILE_ENDINGS
from synth.text.markup import plain

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.text.prose import Sentence

_IDENTIFIER = r"(?:--?)?[A-Za-z_][A-Za-z0-9_.:/\[\]-]*[A-Za-z0-9_\]]"
_NAME = re.compile(rf"{_IDENTIFIER}(?:\(\))?")
_THING = re.compile(r"[A-Za-z][\w.]*(?:-[\w.]+)*", re.ASCII)
_ADJECTIVE = re.compile(r"[A-Z][a-z]+-[a-z]+|.*-based")
_CODE = re.compile(r"[A-Z]{2,}-?\d{2,}")
_STATUS = re.compile(r"[1-5]\d\d")
_COMMAND = re.compile(r"[a-z][\w-]*(?: [\w-]+){1,4}")
_IN_TEXT = re.compile(_IDENTIFIER)
_CODED = re.compile(r"[._:/-]|[a-z\d][A-Z]|^[A-Z\d_]{4,}$")
_NO_PROSE = re.compile(r"\w\w[._:]|[._:]\w\w|^-|[a-z\d][A-Z]")
_PHRASE = re.compile(r"[a-z\d]+(?:[_-][a-z\d]+)+")
_TYPE = re.compile(r"[a-z](?:Object|Spec)$")
_FILE = re.compile(rf"(?<!^)\.(?:{'|'.join(sorted(FILE_ENDINGS))})$")
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*(?:\.?\s+|、\s*))?")
_SECTION = re.compile(rf"(?P<name>{_IDENTIFIER})(?:\s+[-–—:]\s*.+)?")
_ITEM = re.compile(rf"(?P<name>{_IDENTIFIER})\s*(?:[:：]\s*|\s[-–—]\s)(?P<rest>\S.*)", re.DOTALL)
_TITLED_ITEM = re.compile(rf"(?P<mark>\*\*|__|`)(?P<name>{_IDENTIFIER})(?P=mark) *\n")
_CELL_EDGE = re.compile(r"(?<!\\)\|")
_SEPARATORS = re.compile(r"[._:/-]")
_NO_VALUE = re.compile(r"^[a-z]+ [a-z]+$|[{}<>$*\"|]|example|[A-Z]{3,}_[A-Z]+-")
_BRACKETED = re.compile(r"([^()（）]+?) ?[(（]([^()（）]+)[)）]")
_BARE_NUMBER = re.compile(r"-?\d+")
_MIN_SEPARATORS = 2
"""Separators inside an identifier from which on it names one thing of a product without its section."""

_PLAIN_ROOTS = frozenset(
    "arg args body client config connection connections context data event header headers info item items "
    "option options opts param params pool prop props query request response result routes rule rules "
    "policies policy setting settings spec table".split()
)
"""First parts of identifiers that many things of a product have: `options.position.x`."""

_SENTENCES_PER_SECTION = 8
"""Sentences of a section that may tell the default value of what its heading names."""

_LONGEST_VALUE = 40
"""Characters of a default value: a longer one is a sentence or a secret."""


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """Something that a document documents under a name.

    `noun` is what the document calls such things ("field"), or ""; `default` and `meaning` are as written, "" when
    not told; `headings` stand above it; `spans` are the characters of the document that prove what it tells. `local`
    says that the document tells something else of the name under another heading.
    """

    name: str
    noun: str
    default: str
    meaning: str
    headings: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    local: bool = False

    @property
    def whole(self) -> bool:
        """True if the name alone says which thing is meant: `nacos.core.auth.enabled` or `TL-301`, not `realm`."""
        if self.local or (self.name.startswith("-") and "/" in self.name):
            return False  # "-u/-user" are two names for one option of some command
        root, *rest = _SEPARATORS.split(self.name.strip("-"))
        return (
            self.code
            or bool(_COMMAND.fullmatch(self.name))
            or (len(rest) >= _MIN_SEPARATORS and root.partition("[")[0].casefold() not in _PLAIN_ROOTS)
        )

    @property
    def phrase(self) -> bool:
        """True if the name is made of words: `hdfs_site_path`, which several things may have, not `hdfs.site.path`.

        Four words are enough to tell things apart: `enable_team_id_prefix`.
        """
        return bool(_PHRASE.fullmatch(self.name)) and len(_SEPARATORS.findall(self.name)) <= _MIN_SEPARATORS

    def page_of_one(self, title: str) -> str:
        """The title of the page, if it is the name of one thing, as a plugin: others may have an entry of this name."""
        is_thing = _THING.fullmatch(title) and not _ADJECTIVE.fullmatch(title)
        return title if is_thing and title.casefold() not in self.name.casefold() else ""

    def tells_itself(self, forms: ReferenceForms) -> bool:
        """True if the last part of the name says what it is for, as `port` does."""
        return _SEPARATORS.split(self.name)[-1].casefold() in forms.plain

    @property
    def code(self) -> bool:
        """True if the name is a number for a kind of error: `TL-301`."""
        return bool(_CODE.fullmatch(self.name))

    @property
    def status(self) -> bool:
        """True if the name is a status code of HTTP."""
        return bool(_STATUS.fullmatch(self.name))


@dataclass(frozen=True, slots=True)
class ReferenceForms:
    """Forms in which a language writes its references, from `reference.json` of its pack.

    `columns` are headings of tables by role (name, default, meaning), the surest first; `nouns` say what things
    under a heading are called. `defaults` find the default value in a sentence, `named_defaults` also the name that
    has it; `empty` are values that are none; `default_word` is in any sentence on a default. `generic` are headings
    that name no product or part, `tails` what a title has behind the name. `lasting` marks times and sizes, `units`
    their units. `ends` closes the first statement of a description; `leaning` are words that need the text around
    them; `glossaries` is in the title of one, `being` stands before a meaning that a sentence tells; `asides` begin
    what may follow the statement; `gone` marks a heading of what is no longer there, `outdated` a text on what should
    not be used; `plain` names say by themselves what they are for.
    """

    columns: Mapping[str, tuple[re.Pattern[str], ...]]
    nouns: Mapping[str, str]
    defaults: tuple[re.Pattern[str], ...]
    named_defaults: tuple[re.Pattern[str], ...]
    empty: frozenset[str]
    generic: re.Pattern[str]
    tails: re.Pattern[str]
    default_word: re.Pattern[str]
    lasting: re.Pattern[str]
    units: re.Pattern[str]
    ends: re.Pattern[str]
    leaning: re.Pattern[str]
    glossaries: re.Pattern[str]
    being: str
    asides: re.Pattern[str]
    gone: re.Pattern[str]
    outdated: re.Pattern[str]
    plain: frozenset[str]

    @classmethod
    @cache
    def of(cls, package: str) -> ReferenceForms:
        """The forms of the language pack in a package."""
        table: dict[str, Any] = json.loads(files(package).joinpath("reference.json").read_text("utf-8"))
        return cls(
            columns={
                role: tuple(re.compile(word, re.IGNORECASE) for word in words)
                for role, words in table["columns"].items()
            },
            nouns=table["nouns"],
            defaults=_sentence_forms(table, "defaults"),
            named_defaults=_sentence_forms(table, "named_defaults"),
            empty=frozenset(table["empty"]),
            generic=_alternatives(table["generic_headings"]),
            tails=re.compile(rf"(?:{'|'.join(table['title_tails'])})$", re.IGNORECASE),
            default_word=_alternatives(table["default_words"]),
            lasting=_alternatives(table["lasting"]),
            units=_alternatives(table["units"]),
            ends=_alternatives(table["ends"]),
            leaning=_alternatives(table["leaning"]),
            glossaries=_alternatives(table["glossaries"]),
            being=table["being"],
            asides=_alternatives(table["asides"]),
            gone=_alternatives(table["gone"]),
            outdated=_alternatives(table["outdated"]),
            plain=frozenset(table["plain_names"]),
        )

    def default_in(self, text: str, name: str) -> str:
        """The default value that `text` tells of the thing called `name`; "" when it tells none, or names another."""
        match = next(filter(None, (form.search(text) for form in self.defaults)), None)
        return match["A"] if match and not _names_another(text[: match.start("A")], name) else ""

    def defaults_in(self, text: str, name: str) -> Iterator[str]:
        """All default values that `text` tells of the thing called `name`, as where it depends on something else."""
        for match in (match for form in self.defaults for match in form.finditer(text)):
            if not _names_another(text[: match.start("A")], name):
                yield match["A"]

    def value(self, entry: ReferenceEntry) -> str:
        """The default value of an entry as an answer.

        It is "" for none, a template, a number whose unit nobody tells, words of prose ("per algorithm"), and what is
        longer than a value: two words or 40 characters.
        """
        value = entry.default.strip().rstrip(".,;。，；")
        if len(value) > 2 and value[0] + value[-1] in ('""', "''", "“”"):
            value = value[1:-1]
        if value.casefold() in self.empty or not re.search(r"\w", value) or _NO_VALUE.search(value):
            return ""
        description = f"{entry.name} {entry.meaning}"
        counted = _BARE_NUMBER.fullmatch(value) and value not in ("0", "-1") and self.lasting.search(description)
        unitless = counted and not self.units.search(description)
        return "" if unitless or len(value) > _LONGEST_VALUE or len(value.split()) > 2 else value

    def meaning(self, entry: ReferenceEntry) -> str:
        """The description of an entry in one statement; "" if it has more, or needs the text around it."""
        end = self.ends.search(entry.meaning)
        first = entry.meaning[: end.start()] if end else entry.meaning
        rest = entry.meaning[end.start() :].lstrip(" .,;。，；") if end else ""
        if rest and not self.asides.match(rest):
            return ""  # what follows may be half of what it is for
        last = re.escape(entry.name.rpartition(".")[2])
        itself = re.search(rf"(?<![\w-]){last}(?![\w-])", first, re.ASCII | re.IGNORECASE)
        return "" if itself or self.leaning.search(first) else first.strip(" ,，.。")

    def bare(self, title: str) -> str:
        """A title without what it has behind the name of a product or part; "" for one that names none."""
        bare = _NUMBERING.sub("", title.strip(" :："))
        while cut := self.tails.search(bare):
            bare = bare[: cut.start()].strip()
        if (of := _BRACKETED.fullmatch(bare)) and self.generic.fullmatch(of[1]):
            return of[2]
        return "" if self.generic.fullmatch(bare) else bare


def _sentence_forms(table: Mapping[str, Any], name: str) -> tuple[re.Pattern[str], ...]:
    """The forms of a table, in which VALUE is a value and NAME an identifier."""
    parts = {"VALUE": f"(?P<A>{table['value']})", "NAME": f"(?P<N>{_IDENTIFIER})"}
    return tuple(re.compile(row["form"].format(**parts)) for row in table[name])


def _alternatives(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words)})", re.IGNORECASE)


def entries(reading: Reading, forms: ReferenceForms) -> list[ReferenceEntry]:
    """The entries of a document.

    Those of one name under the same headings that differ are left out, and those that another line contradicts. A name
    with different entries under different headings is `local`.
    """
    candidates = [*_rows(reading, forms), *_sections(reading, forms), *_items(reading, forms)]
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
    """True if another line of the document, such as a comment in its code, gives another default value."""
    if not entry.default:
        return False
    own = _value_words(entry.default)
    values = (value for line in lines if entry.name in line for value in forms.defaults_in(line, entry.name))
    return any(words != own[: len(words)] for words in map(_value_words, values))


def _value_words(value: str) -> list[str]:
    """The words of a default value without quotes and stops; a column may have more behind the value."""
    return [word.strip("\"'“”.,;") for word in value.split()]


def _format(reading: Reading) -> str:
    return str(reading.document.metadata.get("format", "text"))


def _rows(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """The rows of the tables whose first column names things, and another one tells what they are."""
    text = reading.document.text
    tables: dict[int, list[Block]] = defaultdict(list)
    for block in blocks(text, _format(reading)):
        if block.kind == "table_row":
            tables[block.group].append(block)
    for head, *rows in tables.values():
        titles = [cell for cell, _ in _cells(text, head)]
        place = {
            role: next((titles.index(title) for form in choice for title in titles if form.fullmatch(title)), -1)
            for role, choice in forms.columns.items()
        }
        if place["name"] != 0 or max(place["default"], place["meaning"]) < 0:
            continue
        noun = forms.nouns.get(titles[0].casefold(), "")
        for row in (row for row in rows if not forms.outdated.search(text, row.start, row.end)):
            cells = _cells(text, row)
            if len(cells) != len(titles):
                continue
            name, code = cells[0]
            if not _is_name(name, bool(noun), code) or not _verbatim(name, text[row.start : row.end]):
                continue
            meaning, default = (cells[place[role]][0] if place[role] >= 0 else "" for role in ("meaning", "default"))
            span = (row.start, row.end)
            yield ReferenceEntry(
                name=name,
                noun=noun,
                default=default or forms.default_in(meaning, name),
                meaning=meaning,
                headings=row.headings,
                spans=((head.start, head.end), span) if default else (span,),
            )


def _cells(text: str, row: Block) -> list[tuple[str, bool]]:
    """The plain text of each cell of a table row, and whether it has inline code."""
    raw = text[row.start : row.end]
    edges = [match.start() for match in _CELL_EDGE.finditer(raw) if raw[: match.start()].count("`") % 2 == 0]
    bounds = [-1, *edges, len(raw)]
    pieces = list(zip((edge + 1 for edge in bounds), bounds[1:], strict=False))
    first, last = raw.startswith("|"), len(pieces) - raw.endswith("|")
    read = [plain(text, row.start + a, row.start + b) for a, b in pieces[first:last]]
    return [(cell.text.strip(), bool(cell.code)) for cell in read]


def _verbatim(name: str, raw: str) -> bool:
    """True if a name stands in the text as it reads: no part of it emphasised as a placeholder, and not struck out."""
    return name in raw and f"~{name}" not in raw


def _is_name(name: str, expected: bool, code: bool) -> bool:
    """True if a name is an identifier, and no word of prose or file name.

    Where a name is `expected`, a status code is one, and any word or command that is set as inline `code`.
    """
    if expected and (_STATUS.fullmatch(name) or (code and _COMMAND.fullmatch(name))):
        return True
    return bool(_NAME.fullmatch(name)) and not _FILE.search(name) and ((expected and code) or bool(_CODED.search(name)))


def _sections(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """The sections and the items of definition lists that are headed by an identifier."""
    text = reading.document.text
    head_blocks = [block for block in blocks(text, _format(reading)) if block.kind in ("heading", "list_item")]
    for block, after in zip_longest(head_blocks, head_blocks[1:]):
        words = plain(text, block.start, block.end)
        named = _SECTION.fullmatch(_NUMBERING.sub("", words.text))
        heads = block.kind == "heading"
        if (
            named is None
            or forms.gone.search(text, block.start, block.end)
            or not _is_name(named["name"], heads, bool(words.code))
        ):
            continue
        end = after.start if after and not heads else len(text)
        following = [
            s for s in reading.sentences if block.end < s.start < end and (not heads or s.headings == block.headings)
        ][:_SENTENCES_PER_SECTION]
        # A section on a component tells the defaults of its options: what names another thing ends the search.
        name = named["name"]
        other = (n for n, s in enumerate(following) if s.kind == "list_item" or _names_another(s.text, name))
        if heads and _TYPE.search(name):
            continue  # what a section on `PolicyObject` tells are the defaults of its fields
        yield from _default_entry(name, block, following[: next(other, len(following))] if heads else following, forms)


def _names_another(text: str, name: str) -> bool:
    """True if a text has an identifier besides `name`.

    Words of prose, such as "built-in" or "HTTP", have hyphens, slashes and capitals too: these make an identifier where
    the name has nothing else that makes it one.
    """
    own = name.removesuffix("()")
    coded = _CODED if _CODED.search(own) and not _NO_PROSE.search(own) else _NO_PROSE
    return any(coded.search(word) and word != own for word in _IN_TEXT.findall(text))


def _default_entry(
    name: str, head: Block, sentences: Sequence[Sentence], forms: ReferenceForms
) -> Iterator[ReferenceEntry]:
    """The entry of what sentences under a head tell of a name, when they do."""
    values = ((forms.default_in(sentence.text, name), sentence) for sentence in sentences)
    headings = head.headings[:-1] if head.kind == "heading" else head.headings
    default, sentence = next((pair for pair in values if pair[0]), ("", None))
    # Another sentence on the default tells of a case in which it is a different one.
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
    """The list items that begin with an identifier, whose sentences tell its default value."""
    listed = [sentence for sentence in reading.sentences if sentence.kind == "list_item"]
    for place, head in enumerate(listed):
        name, told = _titled(head, reading.document.text) if head.first else ("", "")
        if not _is_name(name, False, False):
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
    """The name that a list item begins with, before a colon, a dash or in a line of its own, and the rest."""
    if match := _ITEM.fullmatch(head.text):
        return match["name"], match["rest"]
    titled = _TITLED_ITEM.match(text, head.start)
    return (titled["name"], head.text.removeprefix(titled["name"]).strip()) if titled else ("", "")


def _sentences(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """The sentences that give the default value of what they name: "The default value of `limit` is 50." """
    for sentence in reading.sentences:
        match = next(filter(None, (form.search(sentence.text) for form in forms.named_defaults)), None)
        if match is not None and _is_name(match["N"], True, match.span("N") in sentence.code):
            yield ReferenceEntry(
                name=match["N"],
                noun="",
                default=match["A"],
                meaning="",
                headings=sentence.headings,
                spans=((sentence.start, sentence.end),),
            )
