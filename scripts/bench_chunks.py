"""Seconds of chunking one document of growing length, by strategy, and the exponent of growth.

    python scripts/bench_chunks.py [--largest 4000000]

An exponent of 1 is linear. The texts are made here: English prose, Chinese without spaces, Markdown.
"""

from __future__ import annotations

import argparse
import math
import time

from synth.core.records import Document, text_hash
from synth.corpus.documents.chunking import ChunkSettings, chunk

PIECES = {
    "english": "A sentence stands here and says a little. ",
    "chinese": "一个没有空格的长句子说了一点事情。",
    "markdown": "## Heading\n\nA paragraph of **text**.\n\n- item one\n- item two\n\n",
}


def document(text: str) -> Document:
    return Document(
        doc_id="d", source="d", title="", text=text, content_hash=text_hash(text), metadata={"format": "markdown"}
    )


def seconds(text: str, strategy: str) -> float:
    begun = time.perf_counter()
    chunk(document(text), ChunkSettings(strategy=strategy))
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=4_000_000, metavar="CHARACTERS")
    options = parser.parse_args()
    print(f"{'text':<10} {'strategy':<10} {'characters':>10} {'seconds':>8} {'exponent':>8}")
    for name, piece in PIECES.items():
        for strategy in ("recursive", "sentence", "fixed"):
            before = None
            for size in (options.largest // 16, options.largest // 4, options.largest):
                took = seconds(piece * (size // len(piece)), strategy)
                exponent = f"{math.log(took / before, 4):.2f}" if before else ""
                print(f"{name:<10} {strategy:<10} {size:>10} {took:>8.2f} {exponent:>8}")
                before = took


if __name__ == "__main__":
    main()
