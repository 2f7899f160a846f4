"""Links between two passages: characteristic words that both use, and names that distinguish documents."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from math import log

from synth.core.records import Document, Statement
from synth.corpus.corpus import Corpus
from synth.corpus.transforms.references import Link, Pages, written_links
from synth.text.normalise import normalise
from synth.text.stems import stem, stems
from synth.text.tokens import content_words, written_words

_NAME = re.compile(r"[A-Z][\w&'-]*(?: [A-Z0-9][\w&'-]*)*")
_LEAST_NAME = 4  # minimum characters of a name that distinguishes documents; a wide character counts twice
_BESIDE = 200  # maximum characters between a statement and a link near it
_MOST_SHARE, _MOST_OF, _MOST_OF_ALL = 0.05, 4, 40
"""Maximum number of passages that contain a word, if the word may join two of them.

It is the share _MOST_SHARE of the corpus, but at least _MOST_OF and at most _MOST_OF_ALL.
"""

_NAME_SHARE = 0.1  # maximum share of passages that contain a word of a joining name
_COMMON = 0.2  # maximum share of passages that contain a word, if the word may join two of them


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


@dataclass(slots=True)
class CorpusWords:
    """Words and names of a corpus: which of them may join two passages, by the number of passages that contain them."""

    corpus: Corpus
    _frequencies: Mapping[str, int] = field(init=False, default_factory=dict)
    _stems: dict[str, frozenset[str]] = field(init=False, default_factory=dict)
    _brief: frozenset[str] = field(init=False, default=frozenset())

    def frequency(self, word: str) -> int:
        """Return the number of passages that contain a word."""
        if not self._frequencies:
            self._frequencies = self.corpus.index.by_stem()
        return self._frequencies.get(word, 1)

    def is_rare(self, word: str) -> bool:
        """Return whether a word may join passages and occurs in few of them."""
        most = max(_MOST_OF, min(_MOST_OF_ALL, _MOST_SHARE * len(self.corpus.index.ids)))
        return is_joining(word) and self.frequency(word) <= most

    def is_telling(self, name: str) -> bool:
        """Return whether a name belongs to a particular thing, and not to the subject of the whole corpus."""
        most = max(_MOST_OF, min(_MOST_OF_ALL, _NAME_SHARE * len(self.corpus.index.ids)))
        rare = any(is_joining(word) and self.frequency(word) <= most for word in stems(name))
        return rare and normalise(name) not in normalise(self.corpus.brief)

    def weight(self, words: Iterable[str]) -> float:
        """Return the sum of the weights of words. Rare words weigh more.

        The weight of a word is log(1 + passages / passages with the word) / log(1 + passages): from near 0 for a word
        in every passage to 1 for a word in one passage.
        """
        passages = len(self.corpus.index.ids)
        whole = log(1 + max(1, passages))
        return sum(log(1 + passages / max(1, self.frequency(word))) / whole for word in words)

    def in_common(self, one: Statement, other: Statement) -> list[str]:
        """Return the words that two statements share.

        Words that are common in the corpus, the brief or the title of a document are left out.
        """
        most = max(_MOST_OF, _COMMON * len(self.corpus.index.ids))
        words = [set(stems(f"{end.subject} {end.scope} {end.text}")) for end in (one, other)]
        return sorted(
            word
            for word in words[0] & words[1]
            if is_joining(word)
            and self.frequency(word) <= most
            and word not in self._in_brief()
            and not any(self._is_subject(word, end.doc_id) for end in (one, other))
        )

    def _is_subject(self, word: str, doc_id: str) -> bool:
        """Return whether a word that is not rare occurs in the name or title of a document."""
        title = f"{doc_id.rpartition('/')[2]} {self.corpus.document(doc_id).title}"
        return not self.is_rare(word) and word in stems(title.replace("_", " "))

    def both_contain(self, words: Iterable[str], ends: Iterable[Statement]) -> bool:
        """Return whether one of some words occurs in the passages of all statements.

        The check is needed because notes also use words that are not in the passages, such as "eligibility". Such words
        join statements by chance.
        """
        texts = [self._stems_in(end.chunk_id) for end in ends]
        return any(all(word in text for text in texts) for word in words)

    def _stems_in(self, chunk_id: str) -> frozenset[str]:
        if chunk_id not in self._stems:
            self._stems[chunk_id] = frozenset(stems(self.corpus.chunk(chunk_id).text))
        return self._stems[chunk_id]

    def _in_brief(self) -> frozenset[str]:
        """Return the stems of the brief, which describe the whole corpus."""
        if not self._brief:
            self._brief = frozenset(stems(self.corpus.brief))
        return self._brief
