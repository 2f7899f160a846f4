"""Entries of a reference manual (options, fields, commands), and the patterns by which a language describes them."""

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
    r"^[a-z]+ [a-z]+$|[{}<>$*\"|]|example|(?<![A-Z])[A-Z]{3,}+_[A-Z]++-|(?<![A-Za-z\d])x{2,}(?![A-Za-z\d])|\bx\.x\b"
)
_SECRET = re.compile(r"(?:password|passwd|secret|(?:secret|access)[._-]?key(?:[._-]?id)?)$", re.IGNORECASE)
"""End of the name of a password or key. Its default value is only for trials."""

_BRACKETED = re.compile(r"([^()（）]+?) ?[(（]([^()（）]+)[)）]")
_BARE_NUMBER = re.compile(r"-?\d+")
_MIN_SEPARATORS = 2
"""Minimum number of separators (dots, dashes) in an identifier that is unambiguous without its section."""

_PLAIN_ROOTS = frozenset(
    "arg args body client config connection connections context data event header headers info item items "
    "metadata option options opts param params pool prop props query request resources response result routes rule "
    "rules policies policy setting settings spec table".split()
)
"""First parts of identifiers that many products use, as in `options.position.x`."""

_LONGEST_VALUE = 40
"""Maximum length of a default value, in characters. Longer texts are sentences or secrets."""


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """An option, field, command or term that a document describes under a `name`.

    `noun` is the word of the document for such an entry, such as "field", or "". `default` and `meaning` are its
    default value and its description as written, or "". `headings` are the headings above it, and `spans` the evidence.
    `local` is True if the document describes the same name differently under another heading.
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
        """Whether the name alone is unambiguous: `nacos.core.auth.enabled` or `TL-301`, but not `realm`."""
        if self.local or (self.name.startswith("-") and "/" in self.name):
            return False  # "-u/-user" are two names of one option, and its command is unknown
        root, *rest = _SEPARATORS.split(self.name.strip("-"))
        return (
            self.code
            or bool(_COMMAND.fullmatch(self.name))
            or (len(rest) >= _MIN_SEPARATORS and root.partition("[")[0].casefold() not in _PLAIN_ROOTS)
        )

    @property
    def phrase(self) -> bool:
        """Whether the name is two or three words joined by "_" or "-", so that other products may use it too.

        True for `hdfs_site_path`, but not for `hdfs.site.path` or `enable_team_id_prefix`.
        """
        return bool(_PHRASE.fullmatch(self.name)) and len(_SEPARATORS.findall(self.name)) <= _MIN_SEPARATORS

    def command(self, title: str) -> str:
        """Return the command of a flag ("--all"): the nearest heading that is a command, else the title, or ""."""
        titles = (*reversed(self.headings), title) if self.name.startswith("--") else ()
        return next(filter(_COMMAND.fullmatch, titles), "")

    def page_of_one(self, title: str) -> str:
        """Return the title of the page if it is the name of one product, such as a plugin, else "".

        A question must then name it, because other products may have an entry of the same name.
        """
        is_thing = _THING.fullmatch(title) and not _ADJECTIVE.fullmatch(title)
        return title if is_thing and title.casefold() not in self.name.casefold() else ""

    def tells_itself(self, forms: ReferenceForms) -> bool:
        """Return whether the last part of the name needs no explanation, such as `port`."""
        return _SEPARATORS.split(self.name)[-1].casefold() in forms.plain

    @property
    def code(self) -> bool:
        """Whether the name is an error code, such as `TL-301`."""
        return bool(_CODE.fullmatch(self.name))

    @property
    def status(self) -> bool:
        """Whether the name is an HTTP status code."""
        return bool(_STATUS.fullmatch(self.name))


@dataclass(frozen=True, slots=True)
class ReferenceForms:
    """Patterns by which a language describes reference entries, from `reference.json` of its pack.

    Tables and headings: `columns` match the heading of a table column by its role (name, default, meaning), most
    certain first. `nouns` give the word for an entry ("field") by the heading of its column. `generic` matches headings
    that name no product or part, `gone` headings on removed features. `tails` matches the words after the name in a
    title, `glossaries` the title of a glossary.

    Default values: `defaults` find the default value in a sentence; `named_defaults` find it and the name.
    `default_word` occurs in every sentence on a default. `empty` are values that say that there is no default.
    `lasting` occurs in descriptions of times and sizes, `units` in those that state a unit. `given` matches the start
    of the description of a switch. `inherited` occurs in a heading above inherited options.

    Descriptions: `ends` matches the end of the first statement, `asides` the start of a text that may follow it.
    `leaning` matches words that need context. `being` matches the words before a meaning, such as "A policy is".
    `outdated` marks entries that should not be used. `plain` are names that need no explanation.
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
        """Return the patterns of the language pack in a package."""
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
        """Return the default value that `text` states for `name`, or "" if it states none for this name."""
        match = next(filter(None, (form.search(text) for form in self.defaults)), None)
        return match["A"] if match and not names_another(text[: match.start("A")], name) else ""

    def defaults_in(self, text: str, name: str) -> Iterator[str]:
        """Yield all default values that `text` states for `name`. There may be several, for different cases."""
        for match in (match for form in self.defaults for match in form.finditer(text)):
            if not names_another(text[: match.start("A")], name):
                yield match["A"]

    def value(self, entry: ReferenceEntry) -> str:
        """Return the default value of an entry as an answer, or "" if it is unsuitable.

        A value is unsuitable if it is empty, a template, a secret, a phrase ("per algorithm"), a number without a
        stated unit, "false" for a switch, or longer than two words or 40 characters.
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
        """Return the first statement of an entry's description, or "" if it is incomplete or needs context."""
        end = self.ends.search(entry.meaning)
        first = entry.meaning[: end.start()] if end else entry.meaning
        rest = entry.meaning[end.start() :].lstrip(" .,;。，；") if end else ""
        if rest and not self.asides.match(rest):
            return ""  # the rest may be essential
        last = re.escape(entry.name.rpartition(".")[2])
        itself = re.search(rf"(?<![\w-]){last}(?![\w-])", first, re.ASCII | re.IGNORECASE)
        return "" if itself or self.leaning.search(first) else first.strip(" ,，.。")

    def bare(self, title: str) -> str:
        """Return the name of the product or part in a title, without the words after it, or "" if there is no name."""
        bare = NUMBERING.sub("", title.strip(" :："))
        while cut := self.tails.search(bare):
            bare = bare[: cut.start()].strip()
        if (of := _BRACKETED.fullmatch(bare)) and of[1].casefold() == of[2].casefold():
            bare = of[1]
        elif of and self.generic.fullmatch(of[1]):
            return of[2]
        return "" if self.generic.fullmatch(bare) else bare


def _sentence_forms(table: Mapping[str, Any], name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a table. In its forms, VALUE stands for a default value and NAME for an identifier."""
    parts = {"VALUE": f"(?P<A>{table['value']})", "NAME": f"(?P<N>{IDENTIFIER})"}
    return tuple(re.compile(row["form"].format(**parts)) for row in table[name])


def _alternatives(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words)})", re.IGNORECASE)


def names_another(text: str, name: str) -> bool:
    """Return whether a text contains an identifier other than `name`.

    Ordinary words such as "built-in" or "HTTP" also contain hyphens, slashes or capitals. Such a word counts as an
    identifier only if `name` itself has no dot, colon, underscore or inner capital.
    """
    own = name.removesuffix("()")
    coded = _CODED if _CODED.search(own) and not _NO_PROSE.search(own) else _NO_PROSE
    return any(coded.search(word) and word != own for word in _IN_TEXT.findall(text))


def is_name(name: str, expected: bool, code: bool) -> bool:
    """Return whether a text is an identifier, not an ordinary word or a file name.

    With `expected`, the text is in a place for names. Then status codes count too, and so does any word or command that
    is inline code (`code`).
    """
    if expected and (_STATUS.fullmatch(name) or (code and _COMMAND.fullmatch(name))):
        return True
    return bool(_NAME.fullmatch(name)) and not _FILE.search(name) and ((expected and code) or bool(_CODED.search(name)))
