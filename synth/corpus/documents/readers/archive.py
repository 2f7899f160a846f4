"""Archives of pages: EPUB books, and zip exports of wikis such as Confluence and Notion."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent, ReadyPassage
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.readers.html import HtmlReader
from synth.corpus.documents.readers.plain import MarkdownReader
from synth.corpus.documents.reasons import DAMAGED, Limit, Unloadable, parsing

_MOST_PAGES = 20_000
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"


class BookReader(Reader):
    """The chapters of a book, in the order of its spine."""

    name = "epub"
    suffixes = (".epub",)
    isolated = True

    def read(self, file: File) -> FileContent:
        check_archive(file)
        with parsing("EPUB"), zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            title, places = _spine(archive)
            Limit(_MOST_PAGES, "chapters").add(len(places))
            texts = [HtmlReader().read(File(place, archive.read(place))).text for place in places]
        return FileContent(markdown.join(texts), title)


def _spine(archive: zipfile.ZipFile) -> tuple[str, list[str]]:
    """Return the title of a book, and the paths of its chapters."""
    from lxml import etree

    def parsed(name: str) -> etree._Element:
        safe = etree.XMLParser(resolve_entities=False, no_network=True)
        return etree.fromstring(archive.read(name), safe)

    root = parsed("META-INF/container.xml").find(".//{*}rootfile")
    if root is None:
        raise Unloadable(DAMAGED, "not a valid EPUB file: it names no package")
    package = root.get("full-path") or ""
    book = parsed(package)
    items = {item.get("id"): unquote(item.get("href") or "") for item in book.iter("{*}item")}
    chapters = [items[key] for item in book.iter("{*}itemref") if (key := item.get("idref")) in items]
    names = set(archive.namelist())
    places = [posixpath.normpath(posixpath.join(posixpath.dirname(package), chapter)) for chapter in chapters]
    return " ".join((book.findtext(f".//{_DUBLIN_CORE}title") or "").split()), [one for one in places if one in names]


class ExportReader(Reader):
    """The pages of an export. Each HTML or Markdown file is a document, named by its path in the archive."""

    name = "zip"
    suffixes = (".zip",)
    isolated = True
    has_passages = True

    def read(self, file: File) -> FileContent:
        check_archive(file)
        passages: list[ReadyPassage] = []
        bad: list[BadLine] = []
        with parsing("ZIP"), zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            for place, reader in _pages(archive):
                try:
                    content = reader.read(File(place, archive.read(place)))
                except Unloadable as error:
                    bad.append(BadLine(place, error.reason, error.detail))
                    continue
                if content.text.strip():
                    passages.append(ReadyPassage(place, content.text, content.title))
        if not passages and not bad:
            raise Unloadable(DAMAGED, "the archive contains no HTML or Markdown pages; unpack it to load other files")
        return FileContent(passages=tuple(passages), bad_lines=tuple(bad))


def _pages(archive: zipfile.ZipFile) -> Iterator[tuple[str, Reader]]:
    """Yield the pages of an archive, without hidden files."""
    readers = {suffix: reader for reader in (HtmlReader(), MarkdownReader()) for suffix in reader.suffixes}
    count = Limit(_MOST_PAGES, "pages")
    for place in sorted(archive.namelist()):
        reader = readers.get(posixpath.splitext(place)[1].casefold())
        if reader and not any(part.startswith((".", "__MACOSX")) for part in place.split("/")):
            count.add(1)
            yield place, reader
