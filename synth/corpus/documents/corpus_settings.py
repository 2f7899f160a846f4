"""Settings of the documents to read."""

from __future__ import annotations

from dataclasses import dataclass

from synth.core.checks import check_list
from synth.core.set_settings import from_set


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSettings:
    """Files to read. Globs are relative to each source; `max_bytes` is the largest size of a file, `max_seconds` the
    most processor time to parse one. With `ocr`, pages that are images of text are read too. `loader` is a document
    loader of LangChain, by its class or as MODULE:CLASS, which reads each source instead of synth's readers; none when
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
        check_list("include", self.include)
        check_list("exclude", self.exclude)
