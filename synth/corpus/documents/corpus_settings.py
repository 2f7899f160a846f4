"""Settings of the documents to read."""

from __future__ import annotations

from dataclasses import dataclass

from synth.core.checks import check_list, check_numbers
from synth.core.set_settings import from_set


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSettings:
    """Files to read.

    - `include`, `exclude`: globs, relative to each source.
    - `max_bytes`: largest size of a file.
    - `max_seconds`: most processor time to parse a file.
    - `ocr`: read pages that are images of text too.
    - `loader`: a document loader of LangChain, by its class or as MODULE:CLASS, that reads each source; none when
      empty.
    """

    include: tuple[str, ...] = from_set(())
    exclude: tuple[str, ...] = from_set(())
    max_bytes: int = 20_000_000
    max_seconds: int = 60
    strict: bool = from_set(False)
    ocr: bool = from_set(False)
    loader: str = ""

    def __post_init__(self) -> None:
        check_numbers(self, "corpus.")
        check_list("include", self.include)
        check_list("exclude", self.exclude)
