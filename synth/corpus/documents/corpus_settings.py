"""Settings of the documents to read."""

from __future__ import annotations

from dataclasses import dataclass

from synth.core.checks import check_lists, check_numbers
from synth.core.set_settings import from_set


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSettings:
    """Settings for the files to read.

    - `include`, `exclude`: globs, relative to each source.
    - `distractors`: globs of documents that are part of the corpus but not asked about. They may be read as rivals of
      the evidence, but contain no evidence.
    - `max_bytes`: maximum size of a file in bytes.
    - `max_seconds`: maximum processor time to parse a file, in seconds.
    - `strict`: fail if any file or line cannot be loaded.
    - `ocr`: recognise the text of pages that are images.
    - `loader`: a LangChain document loader that reads each source, as the name of its class or as MODULE:CLASS;
      synth's own readers if empty.
    """

    include: tuple[str, ...] = from_set(())
    exclude: tuple[str, ...] = from_set(())
    distractors: tuple[str, ...] = from_set(())
    max_bytes: int = 20_000_000
    max_seconds: int = 60
    strict: bool = from_set(False)
    ocr: bool = from_set(False)
    loader: str = ""

    def __post_init__(self) -> None:
        check_numbers(self, "corpus.")
        check_lists(self, "include", "exclude", "distractors")
