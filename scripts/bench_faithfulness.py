"""Words that readers lose and invent, against programs that others wrote, on a folder of real files.

    python scripts/bench_faithfulness.py FOLDER [--suffix .docx --suffix .html] [--most 50] [--worst 5]

Each file is read by synth and by another program:

- PDF: pdftotext (poppler);
- HTML: the `innerText` of Chromium, with the page's scripts, menus, headers and footers removed;
- Word, OpenDocument text, Markdown, reStructuredText, Org, EPUB: pandoc, to plain text;
- sheets: LibreOffice, to CSV with the cells as shown;
- slides: LibreOffice, to its own format in plain XML, without hidden slides;
- .doc and .rtf: LibreOffice, to plain text, which has no headers and footers.

Words are counted, without their order: in compatibility forms (NFKC), in lower case, a Chinese character a word. A word
is lost for each time that the other program has it more often; repeated for each time that synth has it more often, as
in the cells that a merged cell covers, or in `column: value` lists of wide tables; and invented where the other program
does not have it at all. For Word, OpenDocument text and rich text this is asked of LibreOffice, to PDF, as well: pandoc
leaves out text boxes and the numbers of headings, and plain text leaves out text boxes and notes.

Printed are, for each kind, the files, the words, the shares lost, invented and repeated, and the worst files.
Counted apart are files that either side refuses, and files where synth names a part that it left out (hidden sheets,
formulas that were never calculated). A command that is not installed is named, and its kinds are left out.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TypeAlias

from lxml import etree, html

from synth.core.errors import SynthError
from synth.corpus.documents.loading import load
from synth.text.blocks import blocks
from synth.text.markup import plain

_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")
_NOTE = re.compile(r"\[\d{1,3}\]")
_SECONDS = 120
_GAPS = {"s": " ", "tab": " ", "line-break": " ", "page-number": ""}
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_STYLE, _DRAW, _TEXT = f"{_ODF}style:1.0", f"{_ODF}drawing:1.0", f"{_ODF}text:1.0"
_PRESENTATION = f"{_ODF}presentation:1.0"
_CSV_AS_SHOWN = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1"
_LEFT_OUT_OF_PAGES = (
    "nav, header, footer, [role=navigation], [role=search], .sphinxsidebar, .related, .headerlink, .breadcrumb, .toc"
)
_INNER_TEXT = f"""<script>onload = () => {{
  document.querySelectorAll("{_LEFT_OUT_OF_PAGES}").forEach(element => element.remove());
  const text = (document.querySelector("main, [role=main]") ?? document.body).innerText;
  document.documentElement.innerHTML = "<body><pre id=inner-text></pre></body>";
  document.getElementById("inner-text").textContent = text;
}}</script>"""

Texts = Iterator[tuple[Path, str]]
"""Files with their text, without those that the program refuses."""


def _output(command: Sequence[str | Path]) -> str | None:
    """What a command prints; None where it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def pdftotext(files: Iterable[Path]) -> Texts:
    """Text of PDF files."""
    for file in files:
        if (text := _output(["pdftotext", file, "-"])) is not None:
            yield file, text


def pandoc(files: Iterable[Path]) -> Texts:
    """Text of files by pandoc, without line breaks of its own."""
    for file in files:
        if (text := _output(["pandoc", "--to", "plain", "--wrap", "none", file])) is not None:
            yield file, text


def innertext(files: Iterable[Path]) -> Texts:
    """Text of pages as a browser shows them, without scripts of theirs."""
    for file in files:
        with tempfile.NamedTemporaryFile(suffix=file.suffix) as copy:
            page = re.sub(rb"(?is)<script\b.*?</script\s*>", b"", file.read_bytes())
            base = f'<base href="{file.resolve().as_uri()}">'.encode()
            head = re.search(rb"(?i)<head\b[^>]*>", page)
            place = head.end() if head else 0
            copy.write(page[:place] + base + page[place:])
            copy.write(_INNER_TEXT.encode())
            copy.flush()
            flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
            shown = _output(["chromium", *flags, Path(copy.name).as_uri()])
        texts = html.fromstring(shown).xpath("//*[@id='inner-text']/text()") if shown else []
        if shown and "inner-text" in shown:
            yield file, "".join(texts)


def office(files: Iterable[Path], target: str) -> Iterator[tuple[Path, list[Path]]]:
    """Files that LibreOffice converts them to, by the original."""
    with tempfile.TemporaryDirectory() as home:
        command = ["soffice", f"-env:UserInstallation=file://{home}", "--headless", "--convert-to", target, "--outdir"]
        for file in files:
            with tempfile.TemporaryDirectory() as place:
                _output([*command, place, file])
                if converted := sorted(Path(place).iterdir()):
                    yield file, converted


def office_sheets(files: Iterable[Path]) -> Texts:
    """The cells of all sheets, as they are shown, with the names of the sheets that hold something."""
    for file, converted in office(files, _CSV_AS_SHOWN):
        sheets = {path.stem.removeprefix(f"{file.stem}-"): path.read_text("utf-8", "replace") for path in converted}
        yield file, "\n".join(f"{name}\n{text}" for name, text in sheets.items() if text.strip(", \n"))


def office_slides(files: Iterable[Path]) -> Texts:
    """The paragraphs of slides that are shown, and of their notes."""
    for file, (converted, *_) in office(files, "fodp"):
        root = etree.parse(converted, etree.XMLParser(huge_tree=True)).getroot()
        hidden = {
            style.getparent().get(f"{{{_STYLE}}}name")
            for style in root.iter(f"{{{_STYLE}}}drawing-page-properties")
            if style.get(f"{{{_PRESENTATION}}}visibility") == "hidden"
        }
        pages = [page for page in root.iter(f"{{{_DRAW}}}page") if page.get(f"{{{_DRAW}}}style-name") not in hidden]
        paragraphs = [paragraph for page in pages for paragraph in page.iter(f"{{{_TEXT}}}p")]
        yield file, "\n".join(map(_paragraph_text, paragraphs))


def _paragraph_text(paragraph: etree._Element) -> str:
    parts = [paragraph.text or ""]
    for element in paragraph.iterdescendants():
        name = element.tag.rpartition("}")[2]
        # LibreOffice writes the number of a slide as "<number>".
        parts += [_GAPS.get(name, element.text or ""), element.tail or ""]
    return "".join(parts)


def office_pages(files: Iterable[Path]) -> Texts:
    """Text of documents as they are printed."""
    for file, converted in office(files, "pdf"):
        for _, text in pdftotext(converted):
            yield file, text


def office_text(files: Iterable[Path]) -> Texts:
    """Text of the bodies of documents."""
    for file, (converted, *_) in office(files, "txt:Text (encoded):UTF8"):
        yield file, converted.read_text("utf-8-sig", "replace")


Extractor: TypeAlias = Callable[[Iterable[Path]], Texts]
COMMANDS: Mapping[Extractor, tuple[str, ...]] = {
    pdftotext: ("pdftotext",),
    innertext: ("chromium",),
    pandoc: ("pandoc",),
    office_sheets: ("soffice",),
    office_slides: ("soffice",),
    office_pages: ("soffice", "pdftotext"),
    office_text: ("soffice",),
}
EXTRACTORS: Mapping[str, tuple[Extractor, ...]] = {
    ".pdf": (pdftotext,),
    **dict.fromkeys((".html", ".htm"), (innertext,)),
    **dict.fromkeys((".docx", ".odt"), (pandoc, office_pages)),
    **dict.fromkeys((".xlsx", ".ods"), (office_sheets,)),
    **dict.fromkeys((".pptx", ".odp"), (office_slides,)),
    **dict.fromkeys((".doc", ".rtf"), (office_text, office_pages)),
    **dict.fromkeys((".md", ".rst", ".org", ".epub", ".ipynb"), (pandoc,)),
}
"""Extractors of each kind of file: words are lost against the first, and invented where none has them."""


def words(text: str) -> Counter[str]:
    """The words of a text with their counts, without marks of notes such as "[1]"."""
    text = _NOTE.sub(" ", unicodedata.normalize("NFKC", text.replace("\u00ad", "")))
    return Counter(_WORD.findall(text.casefold()))


def read(path: Path) -> tuple[str, bool]:
    """The text that synth reads, without its markup, and whether it names a part that it left out.

    Raises SynthError where the file is refused.
    """
    loaded = load([path])
    texts = []
    for document in loaded.documents:
        for block in blocks(document.text, document.metadata["format"]):
            is_markdown = document.metadata["format"] == "markdown" and block.kind != "code"
            texts.append(block.number if block.kind == "list_item" else "")
            texts.append(plain(document.text, block.start, block.end, markdown=is_markdown).text)
    return "\n".join(texts), bool(loaded.skipped)


@dataclass(frozen=True, slots=True)
class Result:
    """Words of a file that the other program has, and how synth's differ."""

    file: Path
    words: int
    lost: Counter[str]
    invented: Counter[str]
    repeated: int


def compared(files: Sequence[Path], extractors: Sequence[Extractor], worst: int) -> Iterator[str]:
    """The row of a kind of files, and the lines of its worst files."""
    ours: dict[Path, Counter[str]] = {}
    partial = 0
    for file in files:
        try:
            text, is_partial = read(file)
        except SynthError:
            continue
        partial += is_partial
        if not is_partial:
            ours[file] = words(text)
    first, *others = ({file: words(text) for file, text in extractor(ours)} for extractor in extractors)
    results = []
    for file, theirs in first.items():
        known = reduce(or_, (other.get(file, Counter()) for other in others), theirs)
        more = ours[file] - known
        invented = Counter({word: count for word, count in more.items() if word not in known})
        if theirs.total():
            results.append(Result(file, theirs.total(), theirs - ours[file], invented, more.total() - invented.total()))
    total = sum(result.words for result in results) or 1
    shares = [
        100 * sum(counts) / total
        for counts in (
            [result.lost.total() for result in results],
            [result.invented.total() for result in results],
            [result.repeated for result in results],
        )
    ]
    refused = len(files) - len(results) - partial
    lost, invented_share, repeated = shares
    yield (
        f"| {files[0].suffix} | {len(results)} | {refused} | {partial} | {total:,} "
        f"| {lost:.2f} | {invented_share:.2f} | {repeated:.1f} |"
    )
    results.sort(key=lambda result: (-result.lost.total() - result.invented.total(), result.file))
    for result in results[:worst]:
        if result.lost or result.invented:
            lost_words = f"{result.lost.total()} lost ({_most(result.lost)})"
            invented_words = f"{result.invented.total()} invented ({_most(result.invented)})"
            counts = f"{lost_words}, {invented_words}, {result.repeated} repeated"
            yield f"    {result.file.name}: {result.words} words, {counts}"


def _most(counts: Counter[str]) -> str:
    return " ".join(f"{word}×{count}" if count > 1 else word for word, count in counts.most_common(12))


def main() -> int:
    """Compare the files of a folder and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suffix", action="append", choices=sorted(EXTRACTORS), help="this kind only")
    parser.add_argument("--most", type=int, default=50, help="files of a kind, the first by name (50)")
    parser.add_argument("--worst", type=int, default=5, help="files shown with their words (5)")
    options = parser.parse_args()
    print("| kind | files | refused | partly read | words | lost % | invented % | repeated % |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for suffix in options.suffix or EXTRACTORS:
        extractors = EXTRACTORS[suffix]
        commands = [command for extractor in extractors for command in COMMANDS[extractor]]
        files = sorted(path for path in options.folder.rglob(f"*{suffix}") if path.is_file())[: options.most]
        absent = [command for command in commands if not shutil.which(command)]
        if files and absent:
            print(f"{suffix}: {', '.join(absent)} not installed", file=sys.stderr)
        elif files:
            for line in compared(files, extractors, options.worst):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
