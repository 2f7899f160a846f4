"""PDF, by LangChain's PyPDFParser: pages become paragraphs, running heads and feet are dropped."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import DAMAGED, ENCRYPTED, Limit, Unloadable, parsing

_MOST_PAGES = 5_000
_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—]?(?:\s*(?:/|of)\s*\d{1,4})?|第\s*\d+\s*[页頁].{0,8}", re.I
)
_ENDS = re.compile(r"[.!?。！？:：;；][\"'”’」』)）\]]*$")
_BULLET = re.compile(r"\s*(?:[•●◦▪■‣∙·]|[-–*](?=\s))\s*(?=\S)")
_NUMBERED = re.compile(r"\s*\d{1,3}[.)](?=\s)")
_HYPHEN = re.compile(r"([^\W\d_]{2,})[-\u00ad\u2010]$")
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "\u00ad": "-"})


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the logger of pypdf, which reports every small fault of a file, and the warnings of LangChain."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(before)


class Pdf(Reader):
    """Text of the pages, in order; a file that needs a password is not loaded."""

    name = "pdf"
    suffixes = (".pdf",)

    def read(self, file: File) -> FileContent:
        with _quiet():
            pages, title = _pages(file)
        body = markdown.join(_blocks(_without_running_lines(pages)))
        return FileContent(body, title, metadata={"pages": len(pages)})


def _pages(file: File) -> tuple[list[str], str]:
    from langchain_community.document_loaders.parsers.pdf import PyPDFParser
    from langchain_core.documents.base import Blob
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

    if b"%PDF" not in file.data[:1024]:
        raise Unloadable(DAMAGED, "not a sound PDF file: it does not begin as one")
    with parsing("PDF", PyPdfError):
        try:
            Limit(_MOST_PAGES, "pages").add(len(PdfReader(io.BytesIO(file.data)).pages))
            characters = Limit(file.max_unpacked, "characters")
            parsed = []
            for page in PyPDFParser(mode="page").lazy_parse(Blob.from_data(file.data)):
                characters.add(len(page.page_content))
                parsed.append(page)
        except (FileNotDecryptedError, WrongPasswordError, DependencyError) as error:
            raise Unloadable(ENCRYPTED, "save a copy without a password") from error
    title = " ".join(str(parsed[0].metadata.get("title") or "").split()) if parsed else ""
    # Office programs write the name of the file into the field.
    named_by_program = re.search(r"\.\w{2,4}$|^(?:untitled|microsoft word)", title, re.I)
    return [page.page_content.translate(_LIGATURES) for page in parsed], "" if named_by_program else title


def _without_running_lines(pages: list[str]) -> list[list[str]]:
    """Lines of each page, without page numbers and lines at the edge of most pages."""
    split = [[line.strip() for line in page.split("\n")] for page in pages]
    if len(pages) < 3:
        return [_trimmed(lines, frozenset()) for lines in split] if len(pages) == 2 else split
    seen: Counter[str] = Counter()
    for lines in split:
        full = [line for line in lines if line]
        seen.update({_shape(line) for line in (*full[:2], *full[-2:])})
    running = frozenset(shape for shape, count in seen.items() if count > 0.5 * len(pages) and count > 2)
    return [_trimmed(lines, running) for lines in split]


def _shape(line: str) -> str:
    return re.sub(r"\d+", "#", "".join(line.split()))


def _trimmed(lines: list[str], running: frozenset[str]) -> list[str]:
    def leaves(line: str) -> bool:
        return not line or bool(_PAGE_NUMBER.fullmatch(line)) or _shape(line) in running

    start, end = 0, len(lines)
    while start < end and leaves(lines[start]):
        start += 1
    while end > start and leaves(lines[end - 1]):
        end -= 1
    return lines[start:end]


def _width(line: str) -> int:
    return len(line) + len(_HAN.findall(line))


def _blocks(pages: list[list[str]]) -> Iterator[str]:
    """Markdown blocks of joined lines; a sentence may continue on the next page."""
    lines = [line for page in pages for line in (*page, "\f")]
    widths = sorted(_width(line) for line in lines if len(line) > 1)
    full = widths[int(0.9 * (len(widths) - 1))] if widths else 0
    words = _hyphenated(lines)
    block: list[str] = []
    for line, following in zip(lines, _following(lines), strict=True):
        if line == "\f" or (not line and not block):
            continue
        if not line:
            if block and not (_continues(block[-1], following) and _width(block[-1]) > 0.8 * full):
                yield _finish(block, words, full)
                block = []
            continue
        if block and _breaks(block[-1], line, full):
            yield _finish(block, words, full)
            block = []
        block.append(line)
    if block:
        yield _finish(block, words, full)


def _following(lines: list[str]) -> list[str]:
    """For each line, the next one with text, or an empty one."""
    following = [""]
    for line in reversed(lines[1:]):
        following.append(following[-1] if line in ("", "\f") else line)
    return following[: len(lines)][::-1]


def _continues(line: str, following: str) -> bool:
    return bool(following) and not _ENDS.search(line) and not _opens_item(following)


def _opens_item(line: str) -> bool:
    return bool(_BULLET.match(line) or _NUMBERED.match(line))


def _breaks(before: str, line: str, full: int) -> bool:
    """Whether a paragraph ends between two lines without a blank line between them."""
    if _opens_item(line):
        return True
    if _width(before) >= 0.75 * full:
        return False
    if _ENDS.search(before):
        return _width(before) < 0.6 * full or not line[:1].islower()
    return not line[:1].islower() and not before.endswith((",", "，", "、", "-")) and _width(before) < 0.6 * full


def _hyphenated(lines: list[str]) -> frozenset[str]:
    """Words that the document writes with a hyphen in the middle of a line."""
    return frozenset(word.casefold() for line in lines for word in re.findall(r"[^\W\d_]+-[^\W\d_]+", line))


def _finish(lines: list[str], hyphenated: frozenset[str], full: int) -> str:
    text = lines[0]
    for line in lines[1:]:
        broken = _HYPHEN.search(text)
        head = re.match(r"[^\W\d_]+", line)
        if broken and head and line[0].islower():
            keeps = f"{broken.group(1)}-{head.group()}".casefold() in hyphenated
            text = text[: broken.end(1)] + ("-" if keeps else "") + line
        else:
            text += ("" if _HAN.match(text[-1:]) and _HAN.match(line[:1]) else " ") + line
    bullet = _BULLET.match(text)
    if bullet:
        return markdown.item(text[bullet.end() :])
    is_title = len(lines) == 1 and 1 < _width(text) <= min(60, 0.6 * full) and not _ENDS.search(text)
    if is_title and re.match(r"(?:(?:\d+\.)*\d+\.?\s+)?[^\W\d_a-z]", text) and not text.endswith((",", "，", "、")):
        return markdown.heading(2, text)
    return markdown.paragraph(text)
