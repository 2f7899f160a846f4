"""Sections: consecutive chunks shown to a chat model as numbered lines, whose offsets in the document are known."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.resources import files

from synth.core.records import Chunk, Document, digest
from synth.corpus.corpus import Corpus
from synth.models.prompt_labels import headed, label
from synth.text.blocks import Block, blocks, cells_of
from synth.text.boilerplate import holds_nothing
from synth.text.html_blocks import html_cells, with_html
from synth.text.markup import plain
from synth.text.normalise import collapse_space
from synth.text.prompt_injection import name_gives_orders, orders_among
from synth.text.sentences import split_sentences

MOST_CHARACTERS = 2400
"""Maximum size of a section in characters. Wide characters (Chinese, Japanese, Korean) count twice."""

LEAST_CHARACTERS = 40
"""Minimum characters of prose in a section that is worth a request, counted like MOST_CHARACTERS."""

HEADING = "heading"

CUT = "[…]"
"""Mark where lines of a section are left out."""

_LONGEST_CODE = 900
_LONGEST_NAME = 500
"""Maximum characters of a title or heading that a chat model is shown."""

_MOST_LINKS = 0.6
"""Maximum share of link text in a line that counts as prose."""

_MOST_LINKS_OF_ITEM = 0.35
"""As `_MOST_LINKS`, for list items. An item of a link list may add a few words to its link."""

_VERSE = re.compile(r"(?![#|>*+-]|\d+[.)])[^|]{8,60}[^\W\d_'\"”)!,…]['\"”)!,…]*", re.UNICODE)
_LEAST_VERSES, _MOSTLY, _WRAPPED = 8, 0.6, 0.8
"""Limits for verse: minimum number of short lines, share that counts as most, and minimum length of a wrapped line.

The length of a wrapped line is a share of the length of the longest line.
"""

_LEAST_PROSE = 0.2
"""Minimum share of prose in a section, without its headings."""

_MOST_BOILERPLATE = 0.5
"""Maximum share of boilerplate and of lines without content in a passage that is asked about."""

_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]]*)\]\((?:[^()\s{]|\{[^{}\n]*\}|\{\{[^{}\n]*\}\}|\([^()\s]*\))*(?:\s+\"[^\"\n]*\")?\)|(?P<bare>https?://\S+|(?<![\w.@])@[\w-]{2,39})"
)
_WIDE = re.compile("[\u2e80-\uffef\U00020000-\U0003ffff]")
_INTRODUCES = (":", "：")
_PART_OF_TABLE = re.compile(r"\|\s*[^|\s][^|]*\|(?:\s*\|)+")
"""Pattern of a table row with a single cell, which labels the rows below it."""


@dataclass(frozen=True, slots=True)
class SectionLine:
    """A sentence, list item, table row, heading or code block, at `document.text[start:end]`; `text` has no markup.

    `needs` are indexes of other lines in the section that a reader needs to understand this line. A table row needs the
    table header and the label row above it. A table or list needs the sentence or heading that introduces it. A
    sentence with "this" needs the sentence that it refers to.
    """

    doc_id: str
    text: str
    start: int
    end: int
    headings: tuple[str, ...]
    kind: str
    needs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A run of consecutive chunks of one document, small enough for one request."""

    section_id: str
    doc_id: str
    title: str
    start: int
    end: int
    chunk_ids: tuple[str, ...]
    language: str


def sections(corpus: Corpus, doc_id: str) -> list[Section]:
    """Return the sections of a document, in order. The result depends on this document alone."""
    runs: list[list[Chunk]] = []
    size = 0
    for chunk in corpus.chunks_of(doc_id):
        added = characters(chunk.text)
        if not runs or size + added > MOST_CHARACTERS or _begins_part(runs[-1], chunk, size):
            runs.append([])
            size = 0
        runs[-1].append(chunk)
        size += added
    document = corpus.document(doc_id)
    language = corpus.language(doc_id)
    return [_section(document, run, language) for run in runs]


def section_of(corpus: Corpus, chunk_id: str) -> Section:
    """Return a chunk as a section of its own. Raise InputError if the corpus has no such chunk."""
    chunk = corpus.chunk(chunk_id)
    return _section(corpus.document(chunk.doc_id), [chunk], corpus.language(chunk.doc_id))


def _section(document: Document, run: Sequence[Chunk], language: str) -> Section:
    chunk_ids = tuple(chunk.chunk_id for chunk in run)
    return Section(
        section_id="s-" + digest(document.doc_id, chunk_ids)[:16],
        doc_id=document.doc_id,
        title=document.title,
        start=run[0].start,
        end=max(chunk.end for chunk in run),
        chunk_ids=chunk_ids,
        language=language,
    )


def _begins_part(run: Sequence[Chunk], chunk: Chunk, size: int) -> bool:
    """Whether a new section begins at `chunk`: under another heading, after a section that is at least half full."""
    depth = min(len(run[-1].headings), len(chunk.headings), 2)
    return size > MOST_CHARACTERS // 2 and run[-1].headings[:depth] != chunk.headings[:depth]


def characters(text: str) -> int:
    """Return the size of a text in characters; wide characters count twice."""
    return len(text) + sum(1 for _ in _WIDE.finditer(text))


@lru_cache(maxsize=2048)
def _lines_of(document_text: str, format: str, doc_id: str) -> tuple[SectionLine, ...]:
    """Return the lines of a document, without lines longer than a section. `needs` are indexes of this list."""
    markdown = format == "markdown"
    lines: list[SectionLine] = []
    tables: dict[int, list[int]] = {}
    part: list[int] = []
    introductions: dict[int, int] = {}
    before: Block | None = None
    first = 0
    for block in with_html(document_text, blocks(document_text, format)):
        needs: tuple[int, ...] = ()
        introduction = _introduction(lines, first) if before and before.kind == "paragraph" else []
        if block.kind == HEADING:
            lines.extend(_heading(document_text, block, doc_id, markdown=markdown))
        elif block.kind == "list_item" and before and before.kind == HEADING and lines and lines[-1].kind == HEADING:
            introductions[block.group] = len(lines) - 1
        if block.kind == "table_row":
            if block.group not in tables:
                tables[block.group], part = introduction, []
                needs = tuple(tables[block.group])
                tables[block.group].append(len(lines))
            elif _PART_OF_TABLE.fullmatch(document_text[block.start : block.end].strip()):
                needs, part = tuple(tables[block.group]), [len(lines)]
            else:
                needs = (*tables[block.group], *part)
        elif block.kind == "list_item":
            introductions.update((block.group, number) for number in introduction)
            needs = (introductions[block.group],) if block.group in introductions else ()
        of_block = _lines_of_block(document_text, block, needs, doc_id, markdown=markdown)
        first = len(lines)
        for line in of_block:
            if characters(line.text) <= MOST_CHARACTERS:
                back = (len(lines) - 1,) if len(lines) > first and points_back(line.text) else ()
                lines.append(replace(line, needs=(*line.needs, *(lines[-1].needs if back else ()), *back)))
        before = block
    return tuple(lines)


def _introduction(lines: Sequence[SectionLine], first: int) -> list[int]:
    """Return a list with the index of the line that introduces the next list or table, or [] if there is none.

    If the last line ends in a colon, it is that line. Otherwise it is the last line that announces a list or table.
    Lines before index `first` are not considered for this.
    """
    if lines and lines[-1].text.endswith(_INTRODUCES):
        return [len(lines) - 1]
    return [number for number in range(first, len(lines)) if announces(lines[number].text)][-1:]


def _heading(text: str, block: Block, doc_id: str, *, markdown: bool) -> Iterator[SectionLine]:
    """Yield the line of a heading, unless it is empty or very long."""
    body = plain(text, block.start, block.end, markdown=markdown)
    title = collapse_space(body.text)
    if 0 < len(title) <= _LONGEST_NAME:
        start, end = body.origin(0, len(body.text))
        yield SectionLine(doc_id, title, start, end, block.headings, HEADING)


def _lines_of_block(
    text: str, block: Block, needs: tuple[int, ...], doc_id: str, *, markdown: bool
) -> Iterator[SectionLine]:
    if block.kind in ("paragraph", "list_item", "html"):
        body = plain(text, block.start, block.end, markdown=markdown)
        whole = holds_nothing(collapse_space(body.text))
        sentences = [(0, len(body.text))] if whole else _with_numbers(body.text, split_sentences(body.text))
        for a, b in sentences:
            start, end = body.origin(a, b)
            if sentence := collapse_space(body.text[a:b]):
                yield SectionLine(doc_id, sentence, start, end, block.headings, block.kind, needs)
    elif block.kind == "table_row":
        if row := _row(text, block, markdown=markdown):
            yield SectionLine(doc_id, row, block.start, block.end, block.headings, block.kind, needs)
    elif block.kind in ("code", "formula") and block.end - block.start <= _LONGEST_CODE:
        yield SectionLine(doc_id, text[block.start : block.end], block.start, block.end, block.headings, block.kind)


def _row(text: str, block: Block, *, markdown: bool) -> str:
    """Return the text of a table row. A row in HTML is written as in Markdown, with "|" between its cells."""
    if html_cells(text, block.start, block.end) is None:
        return collapse_space(plain(text, block.start, block.end, markdown=markdown).text)
    texts = [cell.text.replace("|", "\\|") for cell in cells_of(text, block)]
    return f"| {' | '.join(texts)} |" if any(texts) else ""


def _with_numbers(text: str, sentences: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield spans of sentences. A span without letters, such as an item number, is joined to the next sentence."""
    begin = -1
    end = 0
    for start, end in sentences:
        begin = start if begin < 0 else begin
        if any(map(str.isalpha, text[start:end])):
            yield begin, end
            begin = -1
    if begin >= 0:
        yield begin, end


@dataclass(frozen=True, slots=True)
class Numbered:
    """Sections as a chat model sees them: headings and other lines, numbered from 0.

    `firsts` contains the number of the first line of each section. Lines that look like prompt injection are left out.
    """

    sections: tuple[Section, ...]
    lines: tuple[SectionLine, ...] = field(repr=False)
    text: str = field(repr=False)
    firsts: tuple[int, ...] = ()

    def cited(self, numbers: Iterable[int]) -> list[SectionLine] | None:
        """Return the lines with these numbers and the lines that they need, in order.

        Return None if there is no number or a number is unknown.
        """
        requested = set(numbers)
        if not requested or any(not 0 <= number < len(self.lines) for number in requested):
            return None
        indexes = {index for number in requested for index in (number, *self.lines[number].needs)}
        return [self.lines[index] for index in sorted(indexes)]

    def sections_of(self, numbers: Iterable[int]) -> list[Section]:
        """Return the sections that contain the lines with these numbers, in order.

        Headings count only if no other line is cited. Unknown numbers are ignored.
        """
        known = sorted({number for number in numbers if 0 <= number < len(self.lines)})
        told = [number for number in known if self.lines[number].kind != HEADING]
        places = dict.fromkeys(bisect_right(self.firsts, number) - 1 for number in told or known)
        return [self.sections[place] for place in places]


def numbered(
    corpus: Corpus,
    chosen: Sequence[Section],
    first: int = 0,
    longest: int = 0,
    around: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    without: Collection[tuple[str, int, int]] = (),
) -> Numbered:
    """Return the lines of sections, numbered from `first`, with at most `longest` characters per section.

    If `longest` is 0, there is no limit. A section over the limit is shown from its beginning, or near the spans that
    `around` lists by section id. Lines that begin inside a span of `without` (document id, start, end) are left out.
    CUT stands where lines are missing.
    """
    lines: list[SectionLine] = []
    firsts: list[int] = []
    parts: list[str] = []
    for section in chosen:
        firsts.append(len(lines))
        places = (around or {}).get(section.section_id, ())
        hidden = [(start, end) for doc_id, start, end in without if doc_id == section.doc_id]
        own, cuts = _clipped(lines_of(corpus, section), longest, places, hidden, len(lines))
        parts.extend([_title(section, corpus)] if own else [])
        for place, line in enumerate(own):
            mark = "#" * min(len(line.headings), 6) + " " if line.kind == HEADING else ""
            parts.extend([CUT] if place in cuts else [])
            parts.append(f"[{first + len(lines)}] {mark}{line.text}")
            lines.append(line)
        parts.extend([CUT] if own and len(own) in cuts else [])
        parts.extend([""] if own else [])
    return Numbered(tuple(chosen), tuple(lines), "\n".join(parts).strip(), tuple(firsts))


def _clipped(
    lines: Sequence[SectionLine],
    longest: int,
    places: Sequence[tuple[int, int]],
    hidden: Sequence[tuple[int, int]],
    offset: int,
) -> tuple[list[SectionLine], set[int]]:
    """Return the lines of a section to show, and the indexes at which lines are missing, except at the beginning.

    If the section has more than `longest` characters, the lines at the spans `places` and near them are kept until the
    limit is reached; without `places`, the first lines. If `longest` is 0, all lines are kept. Headings above a kept
    line and lines that it needs are kept too. Lines that begin in a span of `hidden` are dropped. `needs` of the
    returned lines count from `offset`.
    """
    whole = [n for n, line in enumerate(lines) if line.kind != HEADING]
    told = [n for n, line in enumerate(lines) if line.kind != HEADING]
    if longest and sum(characters(line.text) for line in lines) > longest:
        asked = {n for n in told if any(start < lines[n].end and lines[n].start < end for start, end in places)}
        # Next come the lines near the places. Lines after a place come first, as they may continue a list or steps.
        # Without places, the first lines are kept.
        order = sorted(told, key=lambda n: (min((max(n - at, 2 * (at - n)) for at in asked), default=n), n))
        kept: set[int] = set()
        size = 0
        for n in order:
            added = {n, *lines[n].needs, *_above(lines, n)} - kept
            size += sum(characters(lines[m].text) for m in added)
            if kept and n not in asked and size > longest:
                break
            kept |= added
        chosen = sorted(kept)
    else:
        chosen = list(range(len(lines)))
    told = [n for n in chosen if lines[n].kind != HEADING and not any(a <= lines[n].start < b for a, b in hidden)]
    over = {m for n in told for m in _above(lines, n)}
    chosen = [n for n in chosen if n in over or n in told]
    index = {n: offset + place for place, n in enumerate(chosen)}
    shown = [replace(lines[n], needs=tuple(index[need] for need in lines[n].needs if need in index)) for n in chosen]
    cuts = {bisect_right(chosen, n) for n in whole if n not in index and told and n > told[0]}
    return shown, cuts


def _above(lines: Sequence[SectionLine], place: int) -> Iterator[int]:
    """Yield the indexes of the headings above a line."""
    titles = lines[place].headings
    for n in range(place):
        if lines[n].kind == HEADING and titles[: len(lines[n].headings)] == lines[n].headings:
            yield n


def lines_of(corpus: Corpus, section: Section) -> list[SectionLine]:
    """Return the lines of a section, except lines without content and lines that look like prompt injection.

    The headings above each line and the header of its table are included, even if they lie before the section.
    """
    document = corpus.document(section.doc_id)
    every = _lines_of(document.text, str(document.metadata.get("format", "text")), document.doc_id)
    shown: set[int] = set()
    above: list[int] = []
    for n, line in enumerate(every):
        if line.kind == HEADING:
            above = [m for m in above if len(every[m].headings) < len(line.headings)] + [n]
        elif section.start <= line.start < section.end:
            over = (m for m in above if line.headings[: len(every[m].headings)] == every[m].headings)
            shown.update((n, *line.needs, *over))
    ordered = sorted(shown)
    orders = orders_among([every[n].text for n in ordered])
    chosen = [n for place, n in enumerate(ordered) if place not in orders and not _is_left_out(every[n])]
    index = {n: position for position, n in enumerate(chosen)}
    return [replace(every[n], needs=tuple(index[need] for need in every[n].needs if need in index)) for n in chosen]


def _is_left_out(line: SectionLine) -> bool:
    """Whether a line has no content, or is a heading that looks like prompt injection with the headings above it."""
    return name_gives_orders(" / ".join(line.headings)) if line.kind == HEADING else holds_nothing(line.text)


def is_worth_asking(corpus: Corpus, section: Section) -> bool:
    """Whether a section contains enough prose for a request and is not boilerplate.

    Headings, code, verse and lines that consist mostly of links do not count as prose.
    """
    text = corpus.document(section.doc_id).text
    prose = whole = 0
    for line in lines_of(corpus, section):
        size = characters(line.text) if section.start <= line.start else 0
        whole += size if line.kind != HEADING else 0
        links = _LINK.finditer(text, line.start, line.end)
        linked = sum(len(match["text"] or match["bare"] or "") for match in links)
        most = _MOST_LINKS_OF_ITEM if line.kind == "list_item" else _MOST_LINKS
        if line.kind not in ("code", HEADING) and linked <= most * len(line.text):
            prose += size
    enough = prose >= max(LEAST_CHARACTERS, _LEAST_PROSE * whole)
    return enough and not _is_verse(text[section.start : section.end]) and not is_boilerplate(corpus, section.chunk_ids)


def is_boilerplate(corpus: Corpus, chunk_ids: Iterable[str]) -> bool:
    """Whether at least half of the text of some chunks is boilerplate or has no content.

    Boilerplate that the corpus is about, such as the licences in a handbook of licences, does not count.
    """
    sizes: Counter[str] = Counter()
    for chunk in map(corpus.chunk, chunk_ids):
        sizes += corpus.boilerplate_sizes(chunk)
    unwanted = sum(size for kind, size in sizes.items() if kind and kind not in corpus.subjects)
    return bool(sizes) and unwanted >= _MOST_BOILERPLATE * sizes.total()


def _is_verse(text: str) -> bool:
    """Whether most of a text is verse: short lines of uneven length without a full stop at the end."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    short = [line for line in lines if _VERSE.fullmatch(line)]
    if len(short) < _LEAST_VERSES or sum(map(len, short)) < _MOSTLY * sum(map(len, lines)):
        return False
    # The lines of a wrapped paragraph are of nearly equal length.
    longest = sorted(map(len, short))[-1]
    return sum(len(line) >= _WRAPPED * longest for line in short) < _MOSTLY * len(short)


def points_back(sentence: str) -> bool:
    """Whether a sentence begins with a reference to the sentence before it, such as "this" (`pointing_back.json`)."""
    return any(pattern.match(sentence) for pattern in _patterns("pointing_back"))


def announces(sentence: str) -> bool:
    """Whether a sentence announces a list or table below it, such as "the following" (`announcing.json`)."""
    return any(pattern.search(sentence) for pattern in _patterns("announcing"))


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    patterns = json.loads(files("synth.corpus").joinpath(f"{name}.json").read_text("utf-8"))["patterns"]
    return tuple(re.compile(pattern) for pattern in patterns)


def harmless(names: Iterable[str]) -> list[str]:
    """Return the distinct names on one line each. Very long names and likely prompt injection are left out."""
    unique = dict.fromkeys(map(collapse_space, names))
    return [name for name in unique if 0 < len(name) <= _LONGEST_NAME and not name_gives_orders(name)]


def shown_name(doc_id: str) -> str:
    """Return the name of a document for a chat model.

    It is the document id, or a hash if the id is very long or looks like prompt injection.
    """
    return doc_id if harmless([doc_id]) == [doc_id] else f"document-{digest(doc_id)[:8]}"


def _title(section: Section, corpus: Corpus) -> str:
    """Return the line that names a document: its id, the title of its folder, and its own title."""
    titles = " / ".join(harmless(filter(None, [corpus.folder_title(section.doc_id), section.title])))
    named = f" ({titles})" if titles else ""
    return headed(label("document", section.language), f"{shown_name(section.doc_id)}{named}", section.language)


def spans(lines: Iterable[SectionLine]) -> dict[str, list[tuple[int, int]]]:
    """Return the spans of lines by document id; adjacent lines of a paragraph become one span."""
    by_document: dict[str, list[tuple[int, int]]] = {}
    last: SectionLine | None = None
    for line in sorted(lines, key=lambda line: (line.doc_id, line.start)):
        places = by_document.setdefault(line.doc_id, [])
        same_kind = last is not None and last.doc_id == line.doc_id and last.kind == line.kind == "paragraph"
        if same_kind and last is not None and last.headings == line.headings and line.start - last.end <= 2:
            places[-1] = (places[-1][0], line.end)
        else:
            places.append((line.start, line.end))
        last = line
    return by_document
