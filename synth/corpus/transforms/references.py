"""References: links of chunks to other documents and to their headings."""

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
_INLINE = re.compile(_LABEL + r"""\(\s*<?(?P<target>[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+["'][^)]*)?\s*\)""")
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\n]*\)")
_BY_NAME = re.compile(_LABEL + r"(?:\[(?P<name>[^\[\]\n]*)\])?(?![\[(:])")
_DEFINITION = re.compile(r"^ {0,3}\[(?P<name>[^\[\]\n]+)\]:[ \t]*<?(?P<target>[^\s<>]+)>?", re.MULTILINE)
_HTML = re.compile(
    r"""<a\s[^<>]*?href=["'](?P<target>[^"'<>]+)["'][^<>]*>(?P<label>.*?)</a>""", re.DOTALL | re.IGNORECASE
)
_SUFFIXES = "md|markdown|mdx|rst|txt|html?|pdf|docx|pptx|xlsx|csv|tsv|jsonl?|ipynb"
_PATH = re.compile(rf"(?<![\w./:\\-])(?:[\w.-]+/)*[\w-][\w.-]*\.(?:{_SUFFIXES})(?:#[\w.-]+)?(?![\w/-])", re.IGNORECASE)
_NOT_OF_A_PATH = re.compile(r"^[^\x00-\x7f]+")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_GIVEN_ID = re.compile(r"\{[^{}\n]*#(?P<id>[^\s{}]+)[^{}\n]*\}")
_HTML_ID = re.compile(r"""<a\s[^<>]*?(?:id|name)=["'](?P<id>[^"'<>]+)["']""", re.IGNORECASE)
_INDEXES = ("index", "README", "readme")

Link = tuple[int, int, int, str, str]


class ReferencesArtifact(TypedDict):
    """Links out of a document, and anchors in it that links may lead to.

    A link is [number of the chunk, start, end, text, target], an anchor [name, start].
    """

    links: list[Link]
    anchors: list[tuple[str, int]]


@dataclass(frozen=True)
class References(Transform):
    """Links from document to document.

    Assigns edges "refers_to" from a chunk to the document, or to the chunk under the heading, that a link in it leads
    to. Links are those of Markdown (inline and by reference) and HTML, and paths of documents in the text. A target is
    searched beside the document, then from the root; it may lack its suffix or be the folder of an index page. Links
    out of the corpus, to the chunk itself and in code are left out. `shared` has text and target of each link, and the
    edge their spans.
    """

    name = "references"
    requires = ("chunk.text",)
    assigns = ("chunk.refers_to",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> ReferencesArtifact:
        text = reading.document.text
        form = str(reading.document.metadata.get("format", "text"))
        return {"links": [*_by_chunk(_links(text, form), chunks)], "anchors": _anchors(text, form)}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, ReferencesArtifact]) -> None:
        pages = _Pages(document.doc_id for document in graph.documents())
        anchors = {doc_id: _first(artifact["anchors"]) for doc_id, artifact in artifacts.items()}
        for doc_id, artifact in artifacts.items():
            chunks = graph.chunks_of(doc_id)
            edges: dict[tuple[str, str], list[tuple[str, tuple[int, int]]]] = defaultdict(list)
            for number, start, end, text, target in artifact["links"]:
                path, _, fragment = target.partition("#")
                page = pages.find(doc_id, path, mentioned=text == target)
                source = chunks[number].chunk_id
                to = None if page is None else _node(graph, page, anchors.get(page, {}).get(_name(unquote(fragment))))
                if to is not None and to not in (source, doc_id):
                    edges[source, to].append((f"{text} → {target}", (start, end)))
            for (source, to), links in edges.items():
                shared = tuple(dict.fromkeys(link for link, _ in links))
                graph.relate(
                    Relationship(source_id=source, target_id=to, kind=KIND, shared=shared), [span for _, span in links]
                )


def _node(graph: KnowledgeGraph, doc_id: str, start: int | None) -> str:
    """Id of the chunk at `start` of a document, or of the document when there is none."""
    chunk = None if start is None else graph.chunk_at(doc_id, start)
    return doc_id if chunk is None else chunk.chunk_id


def _links(text: str, form: str) -> list[tuple[int, int, str, str]]:
    """Links that may lead into the corpus, as (start, end, text, target), in order of place."""
    code = [(block.start, block.end) for block in blocks(text, form) if block.kind in ("code", "front_matter")]
    taken = sorted(code)
    links = []
    marked = _marked(text) if form == "markdown" else ()
    for start, end, label, target in [*marked, *_mentioned(text)]:
        # Spans in `taken` do not overlap, so that only the one before and the one after can overlap this one.
        place = bisect_right(taken, (start, end))
        if not any(start < b and a < end for a, b in taken[max(0, place - 1) : place + 1]):
            taken.insert(place, (start, end))
            words = plain(label, 0, len(label), markdown=form == "markdown").text
            if target and not _ELSEWHERE.match(target):
                links.append((start, end, words or target, target))
    return sorted(links)


def _marked(text: str) -> Iterator[tuple[int, int, str, str]]:
    targets = {_reference(match["name"]): match["target"] for match in reversed([*_DEFINITION.finditer(text)])}
    for match in (*_INLINE.finditer(text), *_HTML.finditer(text)):
        yield *match.span(), match["label"], match["target"]
    for match in _BY_NAME.finditer(text):
        target = targets.get(_reference(match["name"] or match["label"]))
        if target is not None:
            yield *match.span(), match["label"], target
    # Paths in images and definitions are no mentions: they are yielded without a target.
    for match in (*_IMAGE.finditer(text), *_DEFINITION.finditer(text)):
        yield *match.span(), "", ""


def _reference(name: str) -> str:
    return " ".join(name.split()).casefold()


def _mentioned(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Paths in the text, without the Chinese text that may stand before a path without a space."""
    for match in _PATH.finditer(text):
        path = _NOT_OF_A_PATH.sub("", match.group())
        yield match.end() - len(path), match.end(), path, path


def _by_chunk(links: Iterable[tuple[int, int, str, str]], chunks: Sequence[Chunk]) -> Iterator[Link]:
    """The links that each chunk holds in full."""
    for start, end, text, target in links:
        for number in range(bisect_right(chunks, start, key=lambda chunk: chunk.start) - 1, -1, -1):
            if chunks[number].end <= start:
                break
            if chunks[number].end >= end:
                yield number, start, end, text, target


def _anchors(text: str, form: str) -> list[tuple[str, int]]:
    """Anchors in the form of `_name`: ids in the text, and the words of headings."""
    anchors = [(_name(match["id"]), match.start()) for match in _HTML_ID.finditer(text)]
    seen: Counter[str] = Counter()
    for block in blocks(text, form):
        if block.kind != "heading":
            continue
        given = _GIVEN_ID.search(text, block.start, block.end)
        if given:
            anchors.append((_name(given["id"]), block.start))
        name = _name(block.headings[-1])
        anchors.append((f"{name}-{seen[name]}" if seen[name] else name, block.start))
        seen[name] += 1
    return [(name, start) for name, start in anchors if name]


def _first(anchors: Iterable[tuple[str, int]]) -> dict[str, int]:
    places: dict[str, int] = {}
    for name, start in anchors:
        places.setdefault(name, start)
    return places


def _name(anchor: str) -> str:
    """An anchor in a form that is the same for all common ways to make one from a heading."""
    return re.sub(r"[-_\s]+", "-", re.sub(r"[^\w\s-]", "", anchor.casefold())).strip("-")


class _Pages:
    """The documents of a corpus by the paths that links may use for them."""

    def __init__(self, doc_ids: Iterable[str]) -> None:
        self._known = {doc_id: doc_id for doc_id in doc_ids}
        by_name: dict[str, list[str]] = defaultdict(list)
        for doc_id in self._known:
            for name in {posixpath.basename(doc_id), _bare(doc_id)} - {doc_id}:
                by_name[name].append(doc_id)
        self._single = {name: doc_ids[0] for name, doc_ids in by_name.items() if len(doc_ids) == 1}

    def find(self, doc_id: str, path: str, *, mentioned: bool) -> str | None:
        """The document that `path` in `doc_id` leads to: None for none, `doc_id` itself for an empty path.

        A path that the text only mentions must name the file exactly: "index.html" in a text is seldom index.md.
        """
        path = unquote(path.partition("?")[0])
        if not path:
            return doc_id
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(doc_id), path))
        full = [beside.lstrip("/")] if path.startswith("/") else [beside, posixpath.normpath(path)]
        for candidate in full:
            target = self._known.get(candidate) or (None if mentioned else self._single.get(_bare(candidate)))
            if target is not None:
                return target
        return self._single.get(path) if mentioned else None


def _bare(path: str) -> str:
    """A path without its suffix; the folder, for the index page of one."""
    stem = posixpath.splitext(path)[0]
    folder, name = posixpath.split(stem)
    return folder if folder and name in _INDEXES else stem
