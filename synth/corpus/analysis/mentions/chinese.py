"""Names in Chinese sentences: recognised entities and their adjacent words, titles, Latin names, code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from synth.corpus.analysis.mentions.code import is_code_name
from synth.corpus.analysis.mentions.names import is_name, long_form, trimmed
from synth.corpus.analysis.mentions.vocabulary import (
    CHINESE_IMPERATIVES,
    GENERIC,
    ORGANISATION_HEADS,
    OTHER_HEADS,
    PLACE_HEADS,
    SURNAMES,
    UNITS,
)
from synth.grammar.parsing import Word
from synth.text.normalise import fold_width, to_simplified
from synth.text.prose import Sentence
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

Local = tuple[int, int, str]
Pair = tuple[tuple[int, int], tuple[int, int]]

_KINDS = {"PER": "person", "LOC": "place", "ORG": "organisation", "nz": "name", "nw": "work", "code": "code"}
_TITLE = re.compile(r"[《〈](?P<title>[^《》〈〉]{1,30})[》〉]")
_DOTTED = re.compile(r"[\u3400-\u9fff]{1,6}(?:[·‧・•][\u3400-\u9fff]{1,6})+")
# Characters that end names of places, not of people.
_BUILT = "塔桥橋河湖路街岛島"
_HEADS = ORGANISATION_HEADS | PLACE_HEADS | OTHER_HEADS
# Things with a yearly edition; the preceding year belongs to the name.
_YEARLY = re.compile(r"(?:会|赛|杯|奖|报告|年报|大选|选举|节|展|联赛|白皮书|预算|战争|地震|计划)$")
_REPORT = re.compile(r"20\d\d(?:年|年度)?[\u3400-\u9fff]{0,6}?(?:年度[报報]告|年[报報]|[白蓝藍][皮]书|[白蓝藍]皮書)")
_YEAR = re.compile(r"(?:1\d|20)\d\d年?|第[\d一二三四五六七八九十百]+[届次回]")
_LATIN = re.compile(r"[A-Za-z0-9_À-ÖØ-öø-ɏ.+#'’ -]+")
_ACCENTED = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ.'’-]*(?:\s[A-ZÀ-ɏ][A-Za-zÀ-ɏ.'’-]*)*")
_ALIAS = re.compile(
    r"""
    \s? [（(] \s*+
    (?P<label> 又?[简簡]?[称稱]\s*[為为]? | [缩縮][写寫]\s*[為为]? | 全[称稱] | 英[语文語]?(?:名[称稱]?)? )?
    \s*+ [:：]? \s*+
    (?P<inner> [^（）()，,；;、]{2,60}? )
    \s* (?:[，,；;、][^（）()]*)? [）)]
    """,
    re.VERBOSE,
)


def find(sentences: Sequence[Sentence], words: Sequence[Sequence[Word]]) -> Iterator[tuple[list[Local], list[Pair]]]:
    """Yield (names, aliases) for each sentence. Names may overlap; an alias is a pair of spans for the same thing."""
    for sentence, cut in zip(sentences, words, strict=True):
        text = sentence.text
        spans = [*_titles(sentence), *_reports(sentence), *_dotted(sentence, cut), *_named(text, cut)]
        spans = [(*trimmed(text, a, b), kind) for a, b, kind in spans]
        pairs = [*_aliases(text, spans, cut)]
        spans += [(a, b, "name") for pair in pairs for a, b in pair]
        yield [span for span in spans if _fits(text, span)], pairs


def _fits(text: str, span: Local) -> bool:
    surface = text[span[0] : span[1]]
    if span[2] == "code":
        return is_code_name(surface)
    simple = to_simplified(surface)
    return is_name(surface) and simple not in GENERIC and simple not in _HEADS


def _titles(sentence: Sentence) -> Iterator[Local]:
    for match in _TITLE.finditer(sentence.text):
        yield *match.span("title"), "work"


def _reports(sentence: Sentence) -> Iterator[Local]:
    return ((*match.span(), "work") for match in _REPORT.finditer(sentence.text))


def _dotted(sentence: Sentence, words: Sequence[Word]) -> Iterator[Local]:
    """Yield names with a middle dot that begin and end at word boundaries."""
    starts, ends = {w.start for w in words}, {w.end for w in words}
    joints = {w.start for w in words if w.tag == "c" and w.simple in ("和", "与", "及")}
    apart = "".join("，" if n in joints else char for n, char in enumerate(sentence.text))
    for match in _DOTTED.finditer(apart):
        first = min((s for s in starts if match.start() <= s <= match.end()), default=match.start())
        dots = [i for i in range(*match.span()) if sentence.text[i] in "·‧・•"]
        begins = [s for s in starts if match.start() <= s < dots[0]]
        stops = [e for e in ends if dots[-1] + 1 < e <= match.end()]
        yield max(begins, default=first), min(stops, default=match.end()), "person"


def _named(text: str, words: Sequence[Word]) -> Iterator[Local]:
    """Yield runs of words that form one name and begin with a recognised name."""
    n = 0
    while n < len(words):
        word = words[n]
        if word.tag not in _KINDS or not _begins(word):
            n += 1
            continue
        stop, kind = n + 1, _KINDS[word.tag]
        while stop < len(words) and (joined := _joins(words[n:stop], words[stop], kind)):
            kind, stop = joined, stop + 1
        start, end = word.start, words[stop - 1].end
        torn = _LATIN.fullmatch(word.simple) and re.search(r"[A-Za-z0-9]$", text[:start])
        if _LATIN.fullmatch(word.simple) and stop == n + 1:
            start, end = _latin_run(text, start, end)
        if not torn and not _is_doubtful(words[n:stop], kind):
            built = kind == "person" and end - start > 2 and text[end - 1] in _BUILT
            first = _with_year(words, n, text[start:end]) if start == word.start else start
            yield first, end, "place" if built else kind
        n = stop


def _begins(word: Word) -> bool:
    """Whether a recognised word can begin a name; lone characters, units and plain Latin words cannot."""
    if word.tag == "code":
        return True
    if _LATIN.fullmatch(word.simple):
        return _is_latin_name(word.simple)
    return not (word.tag in ("nz", "nw") and len(word.text.strip()) < 2)


def _is_latin_name(text: str) -> bool:
    low = text.casefold().strip()
    letters = sum(c.isalpha() for c in low)
    if (
        letters < 2
        or low in UNITS
        or (low in ENGLISH_STOP and not text.isupper())
        or re.match(r"(?:isbn|issn|http)", low)
    ):
        return False
    if low == text.strip() and (" " in low or not is_code_name(low)):
        return False
    return len(low.split()) <= 6 and (not low.islower() or letters > 2 or any(c.isdigit() for c in low))


def _latin_run(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the whole Latin name around `start:end`, without a version number.

    The segmenter may cut a name at an accented letter.
    """
    for match in _ACCENTED.finditer(text):
        if match.start() <= start < match.end() and re.search(r"[À-ɏ]", match.group()):
            start, end = match.start(), max(end, match.end())
    version = re.search(r"\s+v?\d+\.\d+\.\d\S*$", text[start:end])
    return start, start + version.start() if version else end


def _joins(run: Sequence[Word], following: Word, kind: str) -> str | None:
    """Return the kind of the name that `run` and `following` form, or None if `following` does not belong to it."""
    last = run[-1]
    if last.tag == "code" or following.tag == "code" or len(run) > 4:
        return None
    simple = following.simple
    if following.tag in ("n", "nz", "vn", "ORG", "LOC", "nw", "q"):
        if simple in ORGANISATION_HEADS or (following.tag == "ORG" and last.tag in ("LOC", "ORG")):
            return "organisation"
        if simple in PLACE_HEADS and last.tag in ("LOC", "nz", "PER"):
            return "place"
        if simple in OTHER_HEADS and (len(simple) > 1 or last.tag != "PER") and simple not in ("人",):
            return "name"
    both = last.tag == "nz" and following.tag == "nz"
    if both and not (_LATIN.fullmatch(last.simple) and _LATIN.fullmatch(simple)) and last.end == following.start:
        return kind
    return None


def _with_year(words: Sequence[Word], n: int, name: str) -> int:
    """Return the start of the name at word `n`, including a year or session number before it that belongs to it."""
    start = words[n].start
    if not _YEARLY.search(to_simplified(name)):
        return start
    while (
        n > 0
        and words[n - 1].end == start
        and (_YEAR.fullmatch(words[n - 1].simple) or words[n - 1].simple in ("夏季", "冬季", "年", "年度"))
    ):
        n, start = n - 1, words[n - 1].start
    return start


def _is_doubtful(run: Sequence[Word], kind: str) -> bool:
    """Whether the segmenter has probably recognised a name inside another word."""
    only = run[0]
    if len(run) > 1 or _LATIN.fullmatch(only.simple) or only.tag == "code":
        return False
    size = len(only.text.strip())
    if only.simple in CHINESE_STOP or size < 2:
        return True
    if kind == "person" and "·" not in only.text:
        return size < 4 and only.simple[0] not in SURNAMES
    return False


def _aliases(text: str, spans: Sequence[Local], words: Sequence[Word]) -> Iterator[Pair]:
    """Yield names followed by another name in brackets, as (short, long): 北约（NATO）, 应用程序接口（API）."""
    starts = {end: start for start, end, kind in sorted(spans) if kind not in ("code", "work")}
    code = [(w.start, w.end) for w in words if w.tag == "code"]
    for match in _ALIAS.finditer(text):
        a, b = match.span("inner")
        inner = fold_width(text[a:b])
        start = starts.get(match.start())
        latin = re.fullmatch(r"[A-Za-z][A-Za-z0-9 .&'-]*", inner) and _is_latin_name(inner)
        called = match["label"] and re.fullmatch(r"[\u3400-\u9fff·]{2,12}", inner)
        if start is None or not (latin or called):
            continue
        before = fold_width(text[start : match.start()])
        both_latin = latin and re.search(r"[A-Za-z]", before)
        same = long_form(inner, before) is not None if both_latin else _is_whole(start, words)
        if same and not any(x <= a < y for x, y in code):
            yield (a, b), (start, match.start())


def _is_whole(start: int, words: Sequence[Word]) -> bool:
    """Whether the name at `start` is whole: it begins the text, or follows a space, a mark or a function word."""
    before = [w for w in words if w.end <= start and w.text.strip()]
    return not before or before[-1].end < start or before[-1].tag in ("w", "c", "p", "v", "r", "d", "xc", "f")


def heading_phrases(words: Sequence[Sequence[Word]]) -> Iterator[tuple[int, int, int]]:
    """Yield runs of two to four nouns in headings, as (heading index, start, end)."""
    for number, cut in enumerate(words):
        n = 0
        while n < len(cut):
            if cut[n].simple in CHINESE_IMPERATIVES:
                n += 1
                continue
            stop = n + (cut[n].tag == "v" and len(cut[n].text) > 1)
            while stop < len(cut) and cut[stop].tag in ("n", "nz", "vn", "an", "nw"):
                stop += 1
            if (
                2 <= stop - n <= 4
                and cut[stop - 1].tag in ("n", "nz", "vn")
                and all(len(w.text) > 1 for w in cut[n:stop])
            ):
                yield number, cut[n].start, cut[stop - 1].end
            n = stop + 1
