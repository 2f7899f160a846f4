"""Links between two passages: characteristic words that both use, and names that distinguish documents."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from synth.core.records import Document, Statement
from synth.corpus.transforms.references import Link, Pages, written_links
from synth.text.normalise import normalise
from synth.text.stems import stem, stems
from synth.text.tokens import content_words, written_words

_NAME = re.compile(r"[A-Z][\w&'-]*(?: [A-Z0-9][\w&'-]*)*")
_LEAST_NAME = 4  # minimum characters of a name that distinguishes documents; a wide character counts twice
_BESIDE = 200  # maximum characters between a statement and a link near it


def is_joining(word: str) -> bool:
    """Return whether a stem may join passages: it must be a whole word, and neither a number nor an everyday word.

    A single character of a non-Latin script is not a whole word. Everyday words are listed in `everyday_words.json`.
    """
    whole = (len(word) > 1 or word.isascii()) and any(char.isalpha() for char in word)
    return whole and not word[0].isdigit() and word not in _everyday()


@cache
def _everyday() -> frozenset[str]:
    words = json.loads(files("synth.generation.proposals").joinpath("everyday_words.json").read_text("utf-8"))["words"]
    return frozenset(stem(word) for lines in words.values() for line in lines for word in line.split())


def terms(words: Collection[str], texts: Iterable[str]) -> int:
    """Return the number of terms that some stems form in texts.

    Stems that stand side by side in every text, such as "virtual goods", form one term.
    """
    beside: set[frozenset[str]] | None = None
    for text in texts:
        pairs = {frozenset(pair) for pair in pairwise(stems(text)) if set(pair) <= set(words)}
        beside = pairs if beside is None else beside & pairs
    groups: list[set[str]] = [{word} for word in words]
    for pair in beside or ():
        joined = [group for group in groups if group & pair]
        groups = [group for group in groups if not group & pair] + [set().union(*joined)]
    return len(groups)


def as_written(wanted: Collection[str], texts: Iterable[str]) -> list[str]:
    """Return a word for each wanted stem, as the first text that contains the stem writes it."""
    written: dict[str, str] = {}
    for text in texts:
        content = set(content_words(text))
        for word, surface in written_words(text):
            if word in content and (key := stem(word)) in wanted:
                written.setdefault(key, surface)
    return [*written.values()]


def is_proper(name: str) -> bool:
    """Return whether a name is a proper name: it contains a capital, or is in a script without capitals."""
    return any(char.isupper() or char > "\u2e7f" for char in name)


@lru_cache(maxsize=4096)
def names_apart(doc_id: str, title: str, brief: str) -> frozenset[str]:
    """Return the names of the brief that occur in the name or title of a document, in normal form.

    These names distinguish the document from others.
    """
    named = _squeezed(f"{doc_id.rpartition('/')[2].rpartition('.')[0]} {title}")
    whole = _squeezed(title)
    names = {_squeezed(match[0]) for match in _NAME.finditer(brief)}
    found = {name for name in names if len(name) >= _LEAST_NAME and name in named}
    if not whole.isascii() and 2 * len(whole) >= _LEAST_NAME and whole in _squeezed(brief):
        found.add(whole)
    return frozenset(found)


def _squeezed(text: str) -> str:
    return re.sub(r"\W|_", "", normalise(text))


def links_beside(statement: Statement, document: Document, target: str) -> bool:
    """Return whether a link to the document `target` is in the sentences of a statement or near them.

    The link must be in the same paragraph.
    """
    links = [
        (text, path)
        for start, end, text, path in _links_of(document.text, str(document.metadata.get("format", "text")))
        if any(_is_beside(document.text, span, (start, end)) for span in statement.spans)
    ]
    if not links or target == document.doc_id:
        return False
    pages = Pages((document.doc_id, target))
    return any((page := pages.target(document.doc_id, *link)) and page[0] == target for link in links)


@lru_cache(maxsize=256)
def _links_of(text: str, format_: str) -> Sequence[Link]:
    return written_links(text, format_)


def _is_beside(text: str, span: tuple[int, int], link: tuple[int, int]) -> bool:
    if span[0] < link[1] and link[0] < span[1]:
        return True
    first, second = sorted((span, link))
    between = text[first[1] : second[0]]
    return len(between) <= _BESIDE and "\n\n" not in between
