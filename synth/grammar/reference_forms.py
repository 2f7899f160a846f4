"""What a reference documents, and the forms in which a language writes references."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from synth.text.file_endings import FILE_ENDINGS

IDENTIFIER = r"(?:--?)?[A-Za-z_][A-Za-z0-9_.:/\[\]-]*[A-Za-z0-9_\]]"
_NAME = re.compile(rf"{IDENTIFIER}(?:\(\))?")
_THING = re.compile(r"[A-Za-z][\w.]*(?:-[\w.]+)*", re.ASCII)
_ADJECTIVE = re.compile(r"[A-Z][a-z]+-[a-z]+|.*-based")
_CODE = re.compile(r"[A-Z]{2,}-?\d{2,}")
_STATUS = re.compile(r"[1-5]\d\d")
_COMMAND = re.compile(r"[a-z][\w-]*(?: [\w-]+){1,4}")
_IN_TEXT = re.compile(IDENTIFIER)
_CODED = re.compile(r"[._:/-]|[a-z\d][A-Z]|^[A-Z\d_]{4,}$")
_NO_PROSE = re.compile(r"\w\w[._:]|[._:]\w\w|^-|[a-z\d][A-Z]")
_PHRASE = re.compile(r"[a-z\d]+(?:[_-][a-z\d]+)+")
_FILE = re.compile(rf"(?<!^)\.(?:{'|'.join(sorted(FILE_ENDINGS))})$")
NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*(?:\.?\s+|、\s*))?")
_SEPARATORS = re.compile(r"[._:/-]")
_NO_VALUE = re.compile(
    r"^[a-z]+ [a-z]+$|[{}<>$*\"|]|example|[A-Z]{3,}_[A-Z]+-|(?<![A-Za-z\d])x{2,}(?![A-Za-z\d])|\bx\.x\b"
)
_SECRET = re.compile(r"(?:password|passwd|secret|(?:secret|access)[._-]?key(?:[._-]?id)?)$", re.IGNORECASE)
"""The end of a name whose default value is for a trial and to be changed."""

_BRACKETED = re.compile(r"([^()（）]+?) ?[(（]([^()（）]+)[)）]")
_BARE_NUMBER = re.compile(r"-?\d+")
_MIN_SEPARATORS = 2
"""Separators inside an identifier from which on it names one thing of a product without its section."""

_PLAIN_ROOTS = frozenset(
    "arg args body client config connection connections context data event header headers info item items "
    "metadata option options opts param params pool prop props query request resources response result routes rule "
    "rules policies policy setting settings spec table".split()
)
"""First parts of identifiers that many things of a product have: `options.position.x`."""

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

    def command(self, title: str) -> str:
        """The command that a flag belongs to: the nearest heading that is one, or the title; "" for none."""
        titles = (*reversed(self.headings), title) if self.name.startswith("--") else ()
        return next(filter(_COMMAND.fullmatch, titles), "")

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
    given: re.Pattern[str]
    inherited: re.Pattern[str]
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
            given=_alternatives(table["given"]),
            inherited=_alternatives(table["inherited"]),
            plain=frozenset(table["plain_names"]),
        )

    def default_in(self, text: str, name: str) -> str:
        """The default value that `text` tells of the thing called `name`; "" when it tells none, or names another."""
        match = next(filter(None, (form.search(text) for form in self.defaults)), None)
        return match["A"] if match and not names_another(text[: match.start("A")], name) else ""

    def defaults_in(self, text: str, name: str) -> Iterator[str]:
        """All default values that `text` tells of the thing called `name`, as where it depends on something else."""
        for match in (match for form in self.defaults for match in form.finditer(text)):
            if not names_another(text[: match.start("A")], name):
                yield match["A"]

    def value(self, entry: ReferenceEntry) -> str:
        """The default value of an entry as an answer.

        It is "" for none, a template, a number whose unit nobody tells, words of prose ("per algorithm"), what is
        longer than a value, two words or 40 characters, a secret, and where a switch that is not given does nothing.
        """
        value = entry.default.strip().rstrip(".,;。，；")
        if len(value) > 2 and value[0] + value[-1] in ('""', "''", "“”"):
            value = value[1:-1]
        if value.casefold() in self.empty or not re.search(r"\w", value) or _NO_VALUE.search(value):
            return ""
        if _SECRET.search(entry.name):
            return ""
        if value.casefold() == "false" and (entry.name.startswith("--no-") or self.given.match(entry.meaning)):
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
        bare = NUMBERING.sub("", title.strip(" :："))
        while cut := self.tails.search(bare):
            bare = bare[: cut.start()].strip()
        if (of := _BRACKETED.fullmatch(bare)) and of[1].casefold() == of[2].casefold():
            bare = of[1]
        elif of and self.generic.fullmatch(of[1]):
            return of[2]
        return "" if self.generic.fullmatch(bare) else bare


def _sentence_forms(table: Mapping[str, Any], name: str) -> tuple[re.Pattern[str], ...]:
    """The forms of a table, in which VALUE is a value and NAME an identifier."""
    parts = {"VALUE": f"(?P<A>{table['value']})", "NAME": f"(?P<N>{IDENTIFIER})"}
    return tuple(re.compile(row["form"].format(**parts)) for row in table[name])


def _alternatives(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words)})", re.IGNORECASE)


def names_another(text: str, name: str) -> bool:
    """True if a text has an identifier besides `name`.

    Words of prose, such as "built-in" or "HTTP", have hyphens, slashes and capitals too: these make an identifier where
    the name has nothing else that makes it one.
    """
    own = name.removesuffix("()")
    coded = _CODED if _CODED.search(own) and not _NO_PROSE.search(own) else _NO_PROSE
    return any(coded.search(word) and word != own for word in _IN_TEXT.findall(text))


def is_name(name: str, expected: bool, code: bool) -> bool:
    """True if a name is an identifier, and no word of prose or file name.

    Where a name is `expected`, a status code is one, and any word or command that is set as inline `code`.
    """
    if expected and (_STATUS.fullmatch(name) or (code and _COMMAND.fullmatch(name))):
        return True
    return bool(_NAME.fullmatch(name)) and not _FILE.search(name) and ((expected and code) or bool(_CODED.search(name)))
