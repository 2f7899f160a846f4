"""CSV and TSV: pipe tables if rows are narrow, otherwise lists of `column: value`."""

# LangChain's CSVLoader makes a document of each row and knows no encodings, so it is not used.

from __future__ import annotations

import csv
import io

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import parsing

_DELIMITERS = ",;\t|"


class CsvReader(Reader):
    """A table whose first row contains the column names. The delimiter is guessed from the first lines."""

    name = "csv"
    suffixes = (".csv",)

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("CSV", csv.Error):
            table = csv.reader(io.StringIO(text), delimiter=_delimiter(file.name, text))
            rows = list(markdown.limited(row for row in table if any(row)))
        return FileContent(markdown.join([markdown.table_or_records(rows)]), metadata=metadata)


class TsvReader(CsvReader):
    """A table whose cells are separated by tabs."""

    name = "tsv"
    suffixes = (".tsv",)


def _delimiter(name: str, text: str) -> str:
    if name.casefold().endswith(".tsv"):
        return "\t"
    lines = [line for line in text.split("\n", 20)[:20] if line.strip()]
    counts = {delimiter: [line.count(delimiter) for line in lines] for delimiter in _DELIMITERS}
    # Prefer a delimiter that is in every line, then the most frequent in the first line, then the more common one.
    return max(_DELIMITERS, key=lambda d: (min(counts[d]) > 0, counts[d][0], -_DELIMITERS.index(d)))
