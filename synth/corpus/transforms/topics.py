"""Topics: the category of each chunk, named after a phrase of the corpus."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

from synth.corpus.analysis.mentions.broad import is_broad
from synth.corpus.analysis.mentions.names import is_name
from synth.corpus.analysis.mentions.vocabulary import GENERIC
from synth.corpus.analysis.phrases import is_empty
from synth.corpus.analysis.subjects import PassageTerms, assign, subjects
from synth.corpus.transforms.base import Transform
from synth.text.language import detect, is_chinese, is_han, script
from synth.text.normalise import normalise, to_simplified, to_traditional
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.core.records import Chunk
    from synth.corpus.graph import KnowledgeGraph

_SUBJECTS_FACTOR = 2.6  # number of subjects per square root of the number of documents
_CHUNKS_A_DOCUMENT = 8  # a longer document counts as several
_LARGE_DOCUMENT = 5  # minimum chunks of a document that may have a subject of its own
_MANY_DOCUMENTS = 12  # in a corpus of at most this many documents, any document may have its own subject
_COMPARED_WORDS = 15  # number of words of a chunk that are compared
_PLURAL = re.compile(r"(?<=[a-rt-z]{3})s$")
_NUMBER_AT_EDGE = re.compile(r"(?<![\s_-])[\s_-]++\d++$|^\d+[\s_.-]+")


@dataclass(frozen=True)
class Topics(Transform):
    """Subject of each passage. It becomes the `category` of each row (question) about the passage.

    Assigns "category" to chunks. Subjects are phrases, names and titles of the corpus. Subjects are chosen one after
    another so that few chunks lack a subject. The number of subjects grows with the square root of the number of
    documents and with `resolution`. A chunk belongs to the subject whose chunks in the same language are most similar
    to it. Subjects with fewer than `fewest` chunks are dropped. A chunk without a subject gets the first heading of its
    document, else the document's title, folder or name.
    """

    name = "topics"
    requires = ("chunk.entities", "chunk.key_phrases", "document.language")
    assigns = ("chunk.category",)
    resolution: float = 1.0
    fewest: int = 2

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        groups: dict[str, list[Chunk]] = {}
        for chunk in graph.chunks():
            groups.setdefault(_language(graph, chunk), []).append(chunk)
        for language, chunks in sorted(groups.items()):
            self._assign(graph, chunks, language)

    def _assign(self, graph: KnowledgeGraph, chunks: Sequence[Chunk], language: str) -> None:
        group = _LanguageChunks(graph, chunks, language)
        size = max(group.documents, len(chunks) / _CHUNKS_A_DOCUMENT)
        most = max(2, round(_SUBJECTS_FACTOR * self.resolution * math.sqrt(size)))
        chosen = subjects(group.passages, most, group.worth) if language else []
        fallback = cache(partial(_fallback_label, graph))
        for chunk, subject in zip(chunks, assign(group.passages, chosen, self.fewest), strict=True):
            label = fallback(chunk.doc_id) if subject is None else group.shown(chosen[subject], chunk)
            graph.assign(chunk.chunk_id, "category", label)


class _LanguageChunks:
    """Chunks of one language, and scores of their phrases as names of subjects."""

    def __init__(self, graph: KnowledgeGraph, chunks: Sequence[Chunk], language: str) -> None:
        self._language = language
        self._surfaces: dict[str, Counter[str]] = {}
        self._chunks: Counter[str] = Counter()
        self._documents: dict[str, set[int]] = {}
        self._titles: set[str] = set()
        self._names: set[str] = set()
        numbers: dict[str, int] = {}
        self.passages: list[PassageTerms] = []
        words = [Counter(content_words(chunk.text)) for chunk in chunks]
        counts = Counter(word for words_of_chunk in words for word in words_of_chunk)
        spread = {word: count for word, count in counts.items() if count > 1 and _is_comparable(word)}
        for chunk, words_of_chunk in zip(chunks, words, strict=True):
            document = numbers.setdefault(chunk.doc_id, len(numbers))
            phrases = self._phrases(graph, chunk)
            for phrase in phrases:
                self._chunks[phrase] += 1
                self._documents.setdefault(phrase, set()).add(document)
            best = _best_words(words_of_chunk, spread, len(chunks))
            signs = {**{f"word {word}": weight for word, weight in best.items()}, **phrases}
            self.passages.append(PassageTerms(document, phrases, signs))
        self.documents = len(numbers)

    def _phrases(self, graph: KnowledgeGraph, chunk: Chunk) -> dict[str, float]:
        """Return the title, key phrases and names of a chunk, each with its strength."""
        strengths: dict[str, float] = {}
        title = _NUMBER_AT_EDGE.sub("", graph.document(chunk.doc_id).title).strip()
        names = [e.name for e in graph.entities_of(chunk.chunk_id) if e.kind not in ("code", "person")]
        keys = [str(phrase) for phrase in graph.value(chunk.chunk_id, "key_phrases") or ()]
        candidates = [
            (title, 0.9),
            *((phrase, 1 - 0.08 * n) for n, phrase in enumerate(keys)),
            *((n, 0.35) for n in names),
        ]
        for surface, strength in candidates:
            phrase = _phrase_key(surface)
            if phrase and not is_broad(surface):
                strengths[phrase] = max(strength, strengths.get(phrase, 0.0))
                self._surfaces.setdefault(phrase, Counter())[surface] += 1
        self._titles.add(_phrase_key(title))
        self._names.update(map(_phrase_key, names))
        return strengths

    def worth(self, phrase: str) -> float:
        """Return the score of a phrase as a subject name; 0 if it occurs in too many chunks or names nothing."""
        surface = self._best_surface(phrase)
        chunks, documents = self._chunks[phrase], len(self._documents[phrase])
        all_over = chunks > max(3, len(self.passages) / 4) or documents > max(3, self.documents / 4)
        few = documents * 10 <= self.documents
        if (all_over and not (phrase in self._titles and few)) or not _names_a_subject(surface, self._language):
            return 0.0
        if documents == 1 and (chunks < _LARGE_DOCUMENT and self.documents > _MANY_DOCUMENTS):
            return 0.0
        value = (1.0 if documents > 1 else 0.4) * min(1.5, 0.5 + 0.5 * chunks / documents)
        value *= 1.4 if phrase in self._titles else 1.0
        value *= 1.15 if phrase in self._names else 1.0
        if is_chinese(self._language):
            return value * (1.0 if any(map(is_han, surface)) else 0.4) * (1.2 if len(surface) > 2 else 0.8)
        return value * (1.25 if " " in surface else 0.9)

    def shown(self, phrase: str, chunk: Chunk) -> str:
        """Return a phrase as the label of a chunk, in the Chinese script of the chunk."""
        if not is_chinese(self._language):
            return self._best_surface(phrase)
        hant = script(chunk.text) == "zh-Hant"
        return to_traditional(self._best_surface(phrase)) if hant else to_simplified(self._best_surface(phrase))

    def _best_surface(self, phrase: str) -> str:
        surfaces = self._surfaces[phrase]
        return min(surfaces, key=lambda surface: (-surfaces[surface], surface))


@lru_cache(maxsize=1 << 16)
def _phrase_key(surface: str) -> str:
    """Normalise a phrase, so that its spellings, singular and plural are equal."""
    return _PLURAL.sub("", normalise(surface))


def _names_a_subject(surface: str, language: str) -> bool:
    if not is_name(surface) or len(surface) > 40 or is_empty(surface) or to_simplified(surface) in GENERIC:
        return False
    han = any(map(is_han, surface))
    if is_chinese(language):
        return len(surface) > 1 and (han or len(surface) > 2)
    return not han and len(surface) > 2


def _is_comparable(word: str) -> bool:
    """Whether a word can show that two chunks are alike. Single letters, numbers and broad names cannot."""
    return len(word) > 1 and not word[0].isdigit() and not is_broad(word)


def _best_words(words: Mapping[str, int], spread: Mapping[str, int], count: int) -> dict[str, float]:
    weighed = {
        word: (1 + math.log(times)) * math.log(count / spread[word]) for word, times in words.items() if word in spread
    }
    best = sorted(weighed, key=lambda word: (-round(weighed[word], 9), word))[:_COMPARED_WORDS]
    return {word: 0.5 * (1 + math.log(words[word])) for word in best}


def _language(graph: KnowledgeGraph, chunk: Chunk) -> str:
    """Return the language group of a chunk: "en", "zh" for both scripts, "" for languages without topics."""
    language = str(graph.value(chunk.doc_id, "language") or detect(chunk.text))
    if is_chinese(language):
        return "zh"
    return language if language == "en" else ""


def _fallback_label(graph: KnowledgeGraph, doc_id: str) -> str:
    """Return the first heading of a document, else its title, folder or name."""
    document = graph.document(doc_id)
    folder, _, name = doc_id.rpartition("/")
    heading = next((chunk.headings[0] for chunk in graph.chunks_of(doc_id) if chunk.headings), "")
    return heading or _NUMBER_AT_EDGE.sub("", document.title) or folder or name.rpartition(".")[0] or name
