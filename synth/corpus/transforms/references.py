"""References: links from chunks to documents and to sections of documents."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import unquote

from synth.core.records import Chunk, Relationship
from synth.corpus.transforms.base import Transform
from synth.text.blocks import blocks
from synth.text.markup import plain

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading

KIND = "refers_to"
_LABEL = r"(?<!!)\[(?P<label>(?:[^\[\]]|\[[^\[\]]*\])+)\]"
_TITLE = r"""["'][^)]{0,2000}+"""
_INLINE = re.compile(
    rf"{_LABEL}\((?:\s*+<?(?P<target>[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+{_TITLE})?|\s++{_TITLE})\s*\)"
)
_WIKI = re.compile(r"(?<!!)\[\[(?P<page>[^\[\]|#\\\n]*)(?P<part>#[^\[\]|\n]+)?(?:\\?\|[^\[\]\n]+)?\]\](?![(\[])")
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\n]*\)")
_REFERENCE_LINK = re.compile(_LABEL + r"(?:\[(?P<name>[^\[\]\n]*)\])?(?![\[(:])")
_DEFINITION = re.compile(r"^ {0,3}\[(?P<name>[^\[\]\n]+)\]:[ \t]*<?(?P<target>[^\s<>]+)>?", re.MULTILINE)
_HTML = re.compile(
    r"""<a\s(?=[^<>]*+>)[^<>]*?href=["'](?P<target>[^"'<>]+)["'][^<>]*>(?P<label>.*?)</a>""", re.DOTALL | re.IGNORECASE
)
_HTML_END = re.compile(r"</a>", re.IGNORECASE)
_SUFFIXES = "md|markdown|mdx|rst|txt|html?|pdf|docx|pptx|xlsx|csv|tsv|jsonl?|ipynb"
_PATH = re.compile(rf"(?<![\w./:\\-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:{_SUFFIXES})(?:#[\w.-]+)?(?![\w/-])", re.IGNORECASE)
_NON_ASCII_PREFIX = re.compile(r"^[^\x00-\x7f]+")
_ABSOLUTE_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ATTRIBUTE_ID = re.compile(r"\{(?=[^{}\n]*+\})[^{}\n]*#(?P<id>[^\s{}]+)[^{}\n]*\}")
_HTML_ID = re.compile(r"""<a\s[^<>]*?(?:id|name)=["'](?P<id>[^"'<>]+)["']""", re.IGNORECASE)
_INDEXES = ("index", "README", "readme")

Link = tuple[int, int, str, str]
"""Start, end, text and target of a link in a document."""

ChunkLink = tuple[int, int, int, str, str]
"""Index of the chunk that contains a link, followed by the start, end, text and target of the link."""


class ReferencesArtifact(TypedDict):
    """Links in a document, and its anchors as (slug, start), which are possible targets of links."""

    links: list[ChunkLink]
    anchors: list[tuple[str, int]]


@dataclass(frozen=True)
class References(Transform):
    """Links written in the documents, as edges of the graph.

    Assigns "refers_to" edges from the chunk that contains a link to its target. The target is the chunk under the
    linked heading, else the document. Links may be Markdown (inline or by reference), wiki ([[Page#Part|text]]), HTML,
    or a document path in the text. A target is resolved relative to the document's folder, then to the corpus root. The
    suffix is optional, and a folder means its index page. Links out of the corpus, links in code, and links of a chunk
    to itself or its own document are skipped. The field "shared" of an edge lists its links as "text → target". The
    spans of the edge are the offsets of the links.
    """

    name = "references"
    requires = ("chunk.text",)
    assigns = ("chunk.refers_to",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> ReferencesArtifact:
        text = reading.document.text
        format_ = str(reading.document.metadata.get("format", "text"))
        return {"links": [*_by_chunk(written_links(text, format_), chunks)], "anchors": _anchors(text, format_)}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, ReferencesArtifact]) -> None:
        pages = Pages(document.doc_id for document in graph.documents())
        anchors = {doc_id: first_places(artifact["anchors"]) for doc_id, artifact in artifacts.items()}
        for doc_id, artifact in artifacts.items():
            chunks = graph.chunks_of(doc_id)
            edges: dict[tuple[str, str], list[tuple[str, tuple[int, int]]]] = defaultdict(list)
            for index, start, end, text, target in artifact["links"]:
                found = pages.target(doc_id, text, target)
                if found is None:
                    continue
                page, slug = found
                source, to = chunks[index].chunk_id, _node(graph, page, anchors.get(page, {}).get(slug))
                if to not in (source, doc_id):
                    edges[source, to].append((f"{text} → {target}", (start, end)))
            for (source, to), links in edges.items():
                shared = tuple(dict.fromkeys(link for link, _ in links))
                graph.relate(
                    Relationship(source_id=source, target_id=to, kind=KIND, shared=shared), [span for _, span in links]
                )


def _node(graph: KnowledgeGraph, doc_id: str, start: int | None) -> str:
    """Return the id of the chunk at `start` of a document, or the document id if no chunk contains `start`."""
    chunk = None if start is None else graph.chunk_at(doc_id, start)
    return doc_id if chunk is None else chunk.chunk_id


def written_links(text: str, format_: str) -> list[Link]:
    """Return the links that may lead into the corpus, in order of position."""
    code = [(block.start, block.end) for block in blocks(text, format_) if block.kind in ("code", "front_matter")]
    taken = sorted(code)
    links = []
    marked = _marked_up(text) if format_ == "markdown" else ()
    for start, end, label, target in [*marked, *_mentions(text)]:
        # Spans in `taken` do not overlap, so only its two neighbours can overlap this one.
        place = bisect_right(taken, (start, end))
        if not any(start < b and a < end for a, b in taken[max(0, place - 1) : place + 1]):
            taken.insert(place, (start, end))
            words = plain(label, 0, len(label), markdown=format_ == "markdown").text
            if target and not _ABSOLUTE_URL.match(target):
                links.append((start, end, words or target, target))
    return sorted(links)


def _marked_up(text: str) -> Iterator[Link]:
    """Yield links in Markdown, wiki and HTML syntax."""
    targets = {_label_key(match["name"]): match["target"] for match in reversed([*_DEFINITION.finditer(text)])}
    for match in _WIKI.finditer(text):
        if page := match["page"].strip():
            # A wiki page is named without its folder and suffix, so it is resolved like a file mentioned in the text.
            note = f"{page}.md{match['part'] or ''}"
            yield *match.span(), note, note
    last = max((match.end() for match in _HTML_END.finditer(text)), default=0)  # no link begins after the last end
    for match in (*_INLINE.finditer(text), *_HTML.finditer(text, 0, last)):
        yield *match.span(), match["label"], match["target"]
    for match in _REFERENCE_LINK.finditer(text):
        target = targets.get(_label_key(match["name"] or match["label"]))
        if target is not None:
            yield *match.span(), match["label"], target
    # Images and definitions have an empty target. Their spans stay reserved, so that paths in them are no mentions.
    for match in (*_IMAGE.finditer(text), *_DEFINITION.finditer(text)):
        yield *match.span(), "", ""


def _label_key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _mentions(text: str) -> Iterator[Link]:
    """Yield document paths in plain text. Chinese text attached to the front of a path is cut off."""
    for match in _PATH.finditer(text):
        path = _NON_ASCII_PREFIX.sub("", match.group())
        yield match.end() - len(path), match.end(), path, path


def _by_chunk(links: Iterable[Link], chunks: Sequence[Chunk]) -> Iterator[ChunkLink]:
    """Yield each link once for every chunk that contains all of it. Chunks may overlap."""
    for start, end, text, target in links:
        for index in range(bisect_right(chunks, start, key=lambda chunk: chunk.start) - 1, -1, -1):
            if chunks[index].end <= start:
                break
            if chunks[index].end >= end:
                yield index, start, end, text, target


def _anchors(text: str, format_: str) -> list[tuple[str, int]]:
    """Return anchors, normalised by `_slug`, with their positions: ids in the text, and headings."""
    anchors = [(_slug(match["id"]), match.start()) for match in _HTML_ID.finditer(text)]
    seen: Counter[str] = Counter()
    for block in blocks(text, format_):
        if block.kind != "heading":
            continue
        attribute = _ATTRIBUTE_ID.search(text, block.start, block.end)
        if attribute:
            anchors.append((_slug(attribute["id"]), block.start))
        slug = _slug(block.headings[-1])
        anchors.append((f"{slug}-{seen[slug]}" if seen[slug] else slug, block.start))
        seen[slug] += 1
    return [(slug, start) for slug, start in anchors if slug]


def first_places(anchors: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the first position of each slug."""
    places: dict[str, int] = {}
    for slug, start in anchors:
        places.setdefault(slug, start)
    return places


def _slug(anchor: str) -> str:
    """Normalise an anchor, so that slugs of different Markdown renderers are equal."""
    return re.sub(r"[-_\s]+", "-", re.sub(r"[^\w\s-]", "", anchor.casefold())).strip("-")


class Pages:
    """Finder of documents by the paths in links."""

    def __init__(self, doc_ids: Iterable[str]) -> None:
        self._ids = frozenset(doc_ids)
        by_name: dict[str, list[str]] = defaultdict(list)
        for doc_id in sorted(self._ids):
            for name in {posixpath.basename(doc_id), _without_suffix(doc_id)} - {doc_id}:
                by_name[name].append(doc_id)
        self._unambiguous = {name: doc_ids[0] for name, doc_ids in by_name.items() if len(doc_ids) == 1}

    def target(self, doc_id: str, text: str, target: str) -> tuple[str, str] | None:
        """Return the document and the slug that a link in `doc_id` leads to, or None if no document matches.

        `text` and `target` are the text and the target of the link.
        """
        path, _, fragment = target.partition("#")
        # A link whose text is its target, such as [a.md](a.md), names a file, as a mention does.
        page = self.find(doc_id, path, mentioned=text == target)
        return None if page is None else (page, _slug(unquote(fragment)))

    def find(self, doc_id: str, path: str, *, mentioned: bool) -> str | None:
        """Return the document that `path` in the text of `doc_id` leads to, or None if no document matches.

        An empty path leads to `doc_id` itself. A path that the text only mentions must include its suffix, because
        "index.html" in a text rarely means index.md. A mentioned file name without a folder matches if it is unique.
        """
        path = unquote(path.partition("?")[0])
        if not path:
            return doc_id
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(doc_id), path))
        candidates = [beside.lstrip("/")] if path.startswith("/") else [beside, posixpath.normpath(path)]
        if mentioned:
            exact = next((candidate for candidate in candidates if candidate in self._ids), None)
            return exact or self._unambiguous.get(path)
        for candidate in candidates:
            target = candidate if candidate in self._ids else self._unambiguous.get(_without_suffix(candidate))
            if target is not None:
                return target
        return None


def _without_suffix(path: str) -> str:
    """Return a path without its suffix, or the folder if the path is an index page."""
    stem = posixpath.splitext(path)[0]
    folder, name = posixpath.split(stem)
    return folder if folder and name in _INDEXES else stem
