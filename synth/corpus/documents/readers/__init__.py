"""One module for each kind of file, found by the file's suffix in `KINDS`."""

from __future__ import annotations

from synth.corpus.documents.file_content import Reader
from synth.corpus.documents.readers import html, notebook, pdf, plain, rst, slides, structured, tables, word

KINDS: dict[str, tuple[str, Reader]] = {
    ".txt": ("txt", plain.read_text),
    ".text": ("txt", plain.read_text),
    ".md": ("md", plain.read_markdown),
    ".markdown": ("md", plain.read_markdown),
    ".mdx": ("md", plain.read_markdown),
    ".rst": ("rst", rst.read),
    ".html": ("html", html.read),
    ".htm": ("html", html.read),
    ".xhtml": ("html", html.read),
    ".pdf": ("pdf", pdf.read),
    ".docx": ("docx", word.read),
    ".pptx": ("pptx", slides.read),
    ".csv": ("csv", tables.read_separated),
    ".tsv": ("tsv", tables.read_separated),
    ".xlsx": ("xlsx", tables.read_workbook),
    ".json": ("json", structured.read_json),
    ".jsonl": ("jsonl", structured.read_lines),
    ".ndjson": ("jsonl", structured.read_lines),
    ".ipynb": ("ipynb", notebook.read),
}
OLD_OFFICE = {".doc": ".docx", ".ppt": ".pptx", ".xls": ".xlsx"}
