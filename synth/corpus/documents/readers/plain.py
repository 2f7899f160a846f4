"""Text and Markdown, kept unchanged except for the encoding, the byte order mark and line ends."""

# LangChain's TextLoader reads one encoding without a check, and its Markdown loader drops the marks, so it is not used.

from __future__ import annotations

from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import markdown_title
from synth.corpus.documents.readers.base import Reader, text_of


class PlainTextReader(Reader):
    """Plain text, character for character."""

    name = "txt"
    suffixes = (".txt", ".text")

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        return FileContent(text, format="text", metadata=metadata)


class MarkdownReader(Reader):
    """Markdown, character for character. The title is that of the front matter or of a heading."""

    name = "md"
    suffixes = (".md", ".markdown", ".mdx")

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        return FileContent(text, markdown_title(text), metadata=metadata)
