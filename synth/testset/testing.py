"""Check of an exporter, for the tests of packages that add exporters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from synth.core.records import Chunk, Evidence, Sample
from synth.testset.exporters.base import MAY_HAVE_CORPUS, NEEDS_CORPUS, NO_CORPUS, Exporter, ExportInput

_TEXTS = {
    "pump.md": "The pump at Fogbrook delivers 40 litres a second. It was installed in 1931 by Ada Finch.",
    "泵站.md": "雾溪泵站每秒输水四十升。它由陈雨于1931年安装。",
}
_ROWS: tuple[tuple[str, str, tuple[str, ...], Mapping[str, str]], ...] = (
    ("en", "When was it installed?", ("1931", "in 1931"), {"pump.md": "It was installed in 1931 by Ada Finch."}),
    ("zh-Hans", "雾溪泵站每秒输水多少升？", ("四十升",), {"泵站.md": "雾溪泵站每秒输水四十升。"}),
    ("en", 'Who wrote "a, b",\n\ud800 and why?', (), {}),
)


def check_exporter(exporter: Exporter, export: ExportInput | None = None) -> dict[str, bytes]:
    """Check an exporter with `export`, or with a small built-in set, and return the content of its files by path.

    The built-in set contains an English row, a Chinese row and a row without an answer. The question of that last row
    contains quotes, a comma, a line break and a lone surrogate. Raises AssertionError with the reason.
    """
    kind = type(exporter)
    for attribute in ("name", "tool", "read_by"):
        assert getattr(kind, attribute, ""), f"{kind.__name__} must define `{attribute}`"
    assert kind.corpus in (NO_CORPUS, MAY_HAVE_CORPUS, NEEDS_CORPUS), (
        f"`corpus` must be NO_CORPUS, MAY_HAVE_CORPUS or NEEDS_CORPUS, was {kind.corpus!r}"
    )
    export = export or _small_set(kind.corpus != NO_CORPUS)
    files = list(exporter.files(export))
    assert files == list(exporter.files(export)), "a second export of the same rows must return the same files"
    paths = [path for path, _ in files]
    assert len(set(paths)) == len(paths), f"two files have the same path: {sorted(paths)}"
    for path, content in files:
        assert isinstance(content, bytes), f"the content of {path!r} must be bytes, was {type(content).__name__}"
    if kind.folder:
        for path in paths:
            outside = not path or path.startswith("/") or ".." in PurePosixPath(path).parts
            assert not outside, f"the path {path!r} must be inside the folder"
    else:
        assert paths == [""], f'a format with one file must return the path "", was {paths}'
    return dict(files)


def _small_set(with_passages: bool) -> ExportInput:
    passages = [
        Chunk(chunk_id=f"c-{doc_id}", doc_id=doc_id, start=0, end=len(text), text=text)
        for doc_id, text in _TEXTS.items()
    ]
    samples = [
        Sample(
            question=question,
            golden_answers=answers,
            evidence=tuple(_evidence(*place) for place in places.items()),
            question_type="simple" if answers else "unanswerable",
            language=language,
        )
        for language, question, answers, places in _ROWS
    ]
    if not with_passages:
        return ExportInput("small", samples)
    return ExportInput("small", samples, passages, {doc_id: doc_id for doc_id in _TEXTS})


def _evidence(doc_id: str, text: str) -> Evidence:
    start = _TEXTS[doc_id].index(text)
    return Evidence(doc_id=doc_id, doc_hash="", chunk_id=f"c-{doc_id}", start=start, end=start + len(text), text=text)
