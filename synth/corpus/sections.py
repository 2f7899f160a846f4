"""Sections: runs of chunks that a chat model is asked about, as numbered sentences with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from synth.core.records import Chunk, Document, digest
from synth.corpus.graph import KnowledgeGraph
from synth.text.blocks import Block, blocks
from synth.text.markup import plain
from synth.text.normalise import collapse_space
from synth.text.prompt_injection import gives_orders
from synth.text.sentences import split_sentences

MOST_CHARACTERS = 2400
"""Size of a section in Latin characters; a wide one (Chinese, Japanese, Korean) counts twice."""

LEAST_CHARACTERS = 40
"""Prose that a section must have to be worth a request, counted alike."""

_LONGEST_CODE = 900
_MOST_LINKS = 0.6
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()\s]*\)|https?://\S+")
_WIDE = re.compile("[\u2e80-\uffef\U00020000-\U0003ffff]")
_LEADS_IN = (":", "：")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, list item, table row or piece of code: `document.text[start:end]`, and how it reads without markup.

    `needs` are the places, in its section's lines, of those without which it is not understood: the header of a
    table, the sentence that leads a list in.
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


def sections(graph: KnowledgeGraph, doc_id: str) -> list[Section]:
    """The sections of a document, in order. They depend on that document alone."""
    found: list[list[Chunk]] = []
    size = 0
    for chunk in graph.chunks_of(doc_id):
        added = characters(chunk.text)
        if not found or size + added > MOST_CHARACTERS or _begins_a_part(found[-1], chunk, size):
            found.append([])
            size = 0
        found[-1].append(chunk)
        size += added
    document = graph.document(doc_id)
    language = str(graph.value(doc_id, "language") or "other")
    return [_section(document, run, language) for run in found]


def section_of(graph: KnowledgeGraph, chunk_id: str) -> Section:
    """A chunk as a section of its own. Raises InputError when the graph has no such chunk."""
    chunk = graph.chunk(chunk_id)
    return _section(graph.document(chunk.doc_id), [chunk], str(graph.value(chunk.doc_id, "language") or "other"))


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


def _begins_a_part(run: Sequence[Chunk], chunk: Chunk, size: int) -> bool:
    """Whether a section that is half full had better end before `chunk`, which stands under another heading."""
    depth = min(len(run[-1].headings), len(chunk.headings), 2)
    return size > MOST_CHARACTERS // 2 and run[-1].headings[:depth] != chunk.headings[:depth]


def characters(text: str) -> int:
    """Size of a text in characters, of which a wide one counts twice."""
    return len(text) + sum(1 for _ in _WIDE.finditer(text))


@lru_cache(maxsize=2048)
def _lines_of(document_text: str, format: str, doc_id: str) -> tuple[Line, ...]:
    """Every line of a document; `needs` are places in this list."""
    markdown = format == "markdown"
    found: list[Line] = []
    headers: dict[int, int] = {}
    leads: dict[int, int] = {}
    before: tuple[str, int] = ("", 0)
    for block in blocks(document_text, format):
        needs: tuple[int, ...] = ()
        if block.kind == "table_row":
            header = headers.setdefault(block.group, len(found))
            needs = () if header == len(found) else (header,)
        elif block.kind == "list_item":
            if before[0] == "paragraph" and found and found[-1].text.endswith(_LEADS_IN):
                leads[block.group] = len(found) - 1
            needs = (leads[block.group],) if block.group in leads else ()
        found.extend(_of_block(document_text, block, needs, doc_id, markdown=markdown))
        before = (block.kind, block.group)
    return tuple(found)


def _of_block(text: str, block: Block, needs: tuple[int, ...], doc_id: str, *, markdown: bool) -> Iterator[Line]:
    if block.kind in ("paragraph", "list_item"):
        body = plain(text, block.start, block.end, markdown=markdown)
        for a, b in split_sentences(body.text):
            start, end = body.origin(a, b)
            if said := collapse_space(body.text[a:b]):
                yield Line(doc_id, said, start, end, block.headings, block.kind, needs)
    elif block.kind in ("table_row", "html"):
        said = collapse_space(plain(text, block.start, block.end, markdown=markdown).text)
        if said:
            yield Line(doc_id, said, block.start, block.end, block.headings, block.kind, needs)
    elif block.kind == "code" and block.end - block.start <= _LONGEST_CODE:
        yield Line(doc_id, text[block.start : block.end], block.start, block.end, block.headings, block.kind)


@dataclass(frozen=True, slots=True)
class Numbered:
    """Sections as a chat model sees them: headings, and lines numbered through from 0.

    What speaks to language models is left out, and has no number.
    """

    sections: tuple[Section, ...]
    lines: tuple[Line, ...] = field(repr=False)
    text: str = field(repr=False)

    def cited(self, numbers: Iterable[int]) -> list[Line] | None:
        """The lines of these numbers, with those they need, in order; None when there is no such number."""
        wanted = set(numbers)
        if not wanted or any(not 0 <= number < len(self.lines) for number in wanted):
            return None
        places = {place for number in wanted for place in (number, *self.lines[number].needs)}
        return [self.lines[place] for place in sorted(places)]

    def sections_of(self, lines: Iterable[Line]) -> set[str]:
        """The ids of the sections that some lines stand in."""
        return {
            section.section_id
            for line in lines
            for section in self.sections
            if line.doc_id == section.doc_id and section.start <= line.start < section.end
        }


def numbered(graph: KnowledgeGraph, wanted: Sequence[Section], first: int = 0, longest: int = 0) -> Numbered:
    """The lines of some sections, numbered from `first`; of each at most `longest` characters, 0 being all."""
    lines: list[Line] = []
    parts: list[str] = []
    for section in wanted:
        parts.append(_title(section))
        path: tuple[str, ...] = ()
        size = 0
        for line in lines_of(graph, section, len(lines)):
            size += characters(line.text)
            if longest and size > longest and lines and lines[-1].doc_id == section.doc_id:
                break
            if line.headings != path and not gives_orders(" / ".join(line.headings)):
                parts.extend(_headings(path, line.headings))
                path = line.headings
            parts.append(f"[{first + len(lines)}] {line.text}")
            lines.append(line)
        parts.append("")
    return Numbered(tuple(wanted), tuple(lines), "\n".join(parts).strip())


def lines_of(graph: KnowledgeGraph, section: Section, offset: int = 0) -> list[Line]:
    """The lines of a section, less those that speak to language models; `needs` are places from `offset` on.

    The header of a table that begins before the section comes along.
    """
    document = graph.document(section.doc_id)
    every = _lines_of(document.text, str(document.metadata.get("format", "text")), document.doc_id)
    inside = [n for n, line in enumerate(every) if section.start <= line.start < section.end]
    along = {need for n in inside for need in every[n].needs}
    chosen = [n for n in sorted({*inside, *along}) if not gives_orders(every[n].text)]
    place = {n: offset + at for at, n in enumerate(chosen)}
    return [_moved(every[n], tuple(place[need] for need in every[n].needs if need in place)) for n in chosen]


def _moved(line: Line, needs: tuple[int, ...]) -> Line:
    return (
        line
        if line.needs == needs
        else Line(line.doc_id, line.text, line.start, line.end, line.headings, line.kind, needs)
    )


def is_worth_asking(lines: Sequence[Line], text: str) -> bool:
    """Whether a section has prose enough for a request: not just headings, links or code."""
    prose = sum(characters(line.text) for line in lines if line.kind != "code")
    if prose < LEAST_CHARACTERS:
        return False
    linked = sum(len(match.group()) for match in _LINK.finditer(text))
    return linked <= _MOST_LINKS * len(text)


def harmless(names: Iterable[str]) -> list[str]:
    """Titles and headings, each once and on one line, less those that speak to language models."""
    return [name for name in dict.fromkeys(map(collapse_space, names)) if name and not gives_orders(name)]


def _title(section: Section) -> str:
    named = "".join(f" ({name})" for name in harmless([section.title]))
    return f"Document: {section.doc_id}{named}"


def _headings(before: tuple[str, ...], now: tuple[str, ...]) -> Iterator[str]:
    """The headings that are new, as Markdown has them."""
    same = 0
    while same < min(len(before), len(now)) and before[same] == now[same]:
        same += 1
    for level in range(same, len(now)):
        yield "#" * min(level + 1, 6) + " " + collapse_space(now[level])


def spans(lines: Iterable[Line]) -> dict[str, list[tuple[int, int]]]:
    """The places of lines by document, with lines that follow one another in a paragraph as one."""
    found: dict[str, list[tuple[int, int]]] = {}
    last: Line | None = None
    for line in sorted(lines, key=lambda one: (one.doc_id, one.start)):
        places = found.setdefault(line.doc_id, [])
        together = last is not None and last.doc_id == line.doc_id and last.kind == line.kind == "paragraph"
        if together and last is not None and last.headings == line.headings and line.start - last.end <= 2:
            places[-1] = (places[-1][0], line.end)
        else:
            places.append((line.start, line.end))
        last = line
    return found
