"""Checks of exporters, for the tests of packages that add one."""

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
    """Check an exporter on `export`, or on a small set of its own, and return the content of the files by path.

    The set has an English row, a Chinese one, and one without an answer whose question has quotes, a comma, a line
    break and a lone surrogate. Raises AssertionError that says what is wrong.
    """
    kind = type(exporter)
    for attribute in ("name", "tool", "read_by"):
        assert getattr(kind, attribute, ""), f"{kind.__name__} has no `{attribute}`"
    assert kind.corpus in (NO_CORPUS, MAY_HAVE_CORPUS, NEEDS_CORPUS), f"`corpus` is {kind.corpus!r}"
    export = export or _small_set(kind.corpus != NO_CORPUS)
    files = list(exporter.files(export))
    assert files == list(exporter.files(export)), "a second export of the same rows gives other files"
    paths = [path for path, _ in files]
    assert len(set(paths)) == len(paths), f"two files have the same path: {sorted(paths)}"
    for path, content in files:
        assert isinstance(content, bytes), f"the content of {path!r} is {type(content).__name__}, and not bytes"
    if kind.folder:
        for path in paths:
            outside = not path or path.startswith("/") or ".." in PurePosixPath(path).parts
            assert not outside, f"{path!r} is no path inside the folder"
    else:
        assert paths == [""], f'a format of one file must give it the path "", and gives {paths}'
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
