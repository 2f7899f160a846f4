"""PDF, by LangChain's PyPDFParser: pages become paragraphs, running headers and footers are dropped."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import DAMAGED, ENCRYPTED, Limit, Unloadable, parsing

_MOST_PAGES = 5_000
_MOST_WORK = 30_000_000
"""Most work on the operations of a file: 1 for each; 10 for one that shows text, and 1 more for every fifty of these
before it on its page, since pypdf copies the text so far. At most about half a minute."""
_SHOWS_TEXT = frozenset((b"Tj", b"TJ", b"'", b'"'))
_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—]?(?:\s*(?:/|of)\s*\d{1,4})?|第\s*\d+\s*[页頁].{0,8}", re.I
)
_SENTENCE_END = re.compile(r"[.!?。！？:：;；][\"'”’」』)）\]]*$")
_BULLET = re.compile(r"\s*(?:[•●◦▪■‣∙·]|[-–*](?=\s))\s*(?=\S)")
_NUMBERED_ITEM = re.compile(r"\s*\d{1,3}[.)](?=\s)")
_HYPHEN = re.compile(r"([^\W\d_]{2,})[-\u00ad\u2010]$")
_TITLE = re.compile(r"(?:(?:\d+\.)*\d+\.?\s+)?[^\W\d_a-z]")
"""The start of a title: a number such as 2.1, and a letter that is not a small one."""

# Shares of the width of a full line, which is that of the ninth widest of ten lines: a few may be wider.
_FULL_LINE_RANK = 0.9
_FILLED_BEFORE_BLANK = 0.8
"""A wider line without a sentence end goes on after a blank line or on the next page."""
_FILLED = 0.75
"""A line as wide or wider goes on in the next line."""
_SHORT = 0.6
"""A narrower line may end a paragraph, or be a title."""
_TITLE_COLUMNS = 60

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


class PdfReader(Reader):
    """Text of the pages, in order; a file that needs a password is not loaded."""

    name = "pdf"
    suffixes = (".pdf",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with _quiet():
            pages, title = _pages(file)
        body = markdown.join(_blocks(_without_running_lines(pages)))
        return FileContent(body, title, metadata={"pages": len(pages)})


def _pages(file: File) -> tuple[list[str], str]:
    with optional(f"reading {file.name}"):
        import pypdf
        from langchain_community.document_loaders.parsers.pdf import PyPDFParser
        from langchain_core.documents.base import Blob
        from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError, WrongPasswordError

    if b"%PDF" not in file.data[:1024]:
        raise Unloadable(DAMAGED, "not a PDF file: it has no %PDF header")
    with parsing("PDF", PyPdfError):
        try:
            Limit(_MOST_PAGES, "pages").add(len(pypdf.PdfReader(io.BytesIO(file.data)).pages))
            characters = Limit(file.max_unpacked, "characters")
            parsed = []
            work = _Work()
            parser = PyPDFParser(mode="page", extraction_kwargs={"visitor_operand_before": work.visit})
            for page in parser.lazy_parse(Blob.from_data(file.data)):
                work.end_page()
                characters.add(len(page.page_content))
                parsed.append(page)
        # DependencyError: pypdf decrypts AES with a package that is not installed.
        except (FileNotDecryptedError, WrongPasswordError, DependencyError) as error:
            raise Unloadable(ENCRYPTED, "save a copy without a password") from error
    title = " ".join(str(parsed[0].metadata.get("title") or "").split()) if parsed else ""
    # Office programs write the name of the file into the title.
    named_by_program = re.search(r"\.\w{2,4}$|^(?:untitled|microsoft word)", title, re.I)
    return [page.page_content.translate(_LIGATURES) for page in parsed], "" if named_by_program else title


class _Work:
    """Count of the work on a file, by the operations that pypdf reports; raises Unloadable beyond `_MOST_WORK`."""

    def __init__(self) -> None:
        self._limit = Limit(_MOST_WORK, "steps to show its text")
        self._shown = 0

    def visit(self, operator: bytes, *_: object) -> None:
        if operator in _SHOWS_TEXT:
            self._shown += 1
            self._limit.add(10 + self._shown // 50)
        else:
            self._limit.add(1)

    def end_page(self) -> None:
        """Begin another page, unless pypdf went on after a form within the page was too much."""
        self._shown = 0
        self._limit.add(0)


def _without_running_lines(pages: list[str]) -> list[list[str]]:
    """Lines of each page without page numbers, headers and footers: lines that recur at the edge of most pages.

    Of two pages only page numbers are dropped; on a single page, a number at the edge may be content.
    """
    split = [[line.strip() for line in page.split("\n")] for page in pages]
    if len(pages) == 1:
        return split
    seen: Counter[str] = Counter()
    for lines in split:
        filled = [line for line in lines if line]
        seen.update({_without_digits(line) for line in (*filled[:2], *filled[-2:])})
    least = max(3, len(pages) // 2 + 1)
    running = frozenset(line for line, count in seen.items() if count >= least)
    return [_trimmed(lines, running) for lines in split]


def _without_digits(line: str) -> str:
    return re.sub(r"\d+", "#", "".join(line.split()))


def _trimmed(lines: list[str], running: frozenset[str]) -> list[str]:
    def is_dropped(line: str) -> bool:
        return not line or bool(_PAGE_NUMBER.fullmatch(line)) or _without_digits(line) in running

    start, end = 0, len(lines)
    while start < end and is_dropped(lines[start]):
        start += 1
    while end > start and is_dropped(lines[end - 1]):
        end -= 1
    return lines[start:end]


def _columns(line: str) -> int:
    """Width of a line; a Chinese character takes two columns."""
    return len(line) + len(_HAN.findall(line))


def _blocks(pages: list[list[str]]) -> Iterator[str]:
    """Join lines into paragraphs, also across pages, and give each as a Markdown block."""
    lines = [line for page in pages for line in page]
    widths = sorted(_columns(line) for line in lines if len(line) > 1)
    full_width = widths[int(_FULL_LINE_RANK * (len(widths) - 1))] if widths else 0
    hyphenated = _hyphenated(lines)
    block: list[str] = []
    for line, following in zip(lines, _next_texts(lines), strict=True):
        if line:
            if block and _ends_paragraph(block[-1], line, full_width):
                yield _to_markdown(block, hyphenated, full_width)
                block = []
            block.append(line)
        elif block:
            filled = _columns(block[-1]) > _FILLED_BEFORE_BLANK * full_width
            if not (filled and _goes_on(block[-1], following)):
                yield _to_markdown(block, hyphenated, full_width)
                block = []
    if block:
        yield _to_markdown(block, hyphenated, full_width)


def _next_texts(lines: list[str]) -> list[str]:
    """For each line, the next one with text, or an empty one."""
    following = [""]
    for line in reversed(lines[1:]):
        following.append(line or following[-1])
    return following[: len(lines)][::-1]


def _goes_on(line: str, following: str) -> bool:
    return bool(following) and not _SENTENCE_END.search(line) and not _opens_item(following)


def _opens_item(line: str) -> bool:
    return bool(_BULLET.match(line) or _NUMBERED_ITEM.match(line))


def _ends_paragraph(before: str, line: str, full_width: int) -> bool:
    """Whether a paragraph ends between two lines without a blank line between them."""
    if _opens_item(line):
        return True
    width, lower = _columns(before), line[:1].islower()
    if width >= _FILLED * full_width:
        return False
    # At the end of a sentence, the paragraph ends after a short line, or before anything but a small letter.
    if _SENTENCE_END.search(before):
        return width < _SHORT * full_width or not lower
    # Elsewhere only after a short line, such as a title: without comma or hyphen, and no small letter after it.
    return width < _SHORT * full_width and not lower and not before.endswith((",", "，", "、", "-"))


def _hyphenated(lines: list[str]) -> frozenset[str]:
    """Hyphenated words found inside lines: such a word keeps its hyphen when a line end splits it."""
    return frozenset(word.casefold() for line in lines for word in re.findall(r"[^\W\d_]+-[^\W\d_]+", line))


def _to_markdown(lines: list[str], hyphenated: frozenset[str], full_width: int) -> str:
    text = _joined(lines, hyphenated)
    bullet = _BULLET.match(text)
    if bullet:
        return markdown.item(text[bullet.end() :])
    if len(lines) == 1 and _is_title(text, full_width):
        return markdown.heading(2, text)
    return markdown.paragraph(text)


def _joined(lines: list[str], hyphenated: frozenset[str]) -> str:
    """The lines as one, words put together that a line end splits; no space between Chinese characters."""
    text = lines[0]
    for line in lines[1:]:
        split_word = _HYPHEN.search(text)
        rest = re.match(r"[^\W\d_]+", line)
        if split_word and rest and line[0].islower():
            keeps = f"{split_word.group(1)}-{rest.group()}".casefold() in hyphenated
            text = text[: split_word.end(1)] + ("-" if keeps else "") + line
        else:
            text += ("" if _HAN.match(text[-1:]) and _HAN.match(line[:1]) else " ") + line
    return text


def _is_title(text: str, full_width: int) -> bool:
    if not 1 < _columns(text) <= min(_TITLE_COLUMNS, _SHORT * full_width):
        return False
    return bool(_TITLE.match(text)) and not _SENTENCE_END.search(text) and not text.endswith((",", "，", "、"))
