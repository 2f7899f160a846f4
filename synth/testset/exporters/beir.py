"""BEIR and TREC: corpus, queries, and which passages answer which query (beir.datasets.data_loader, trec_eval)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from synth.testset.exporters.base import NEEDS_CORPUS, Exporter, ExportInput, json_lines, told, utf8

SPLIT = "test"


class Beir(Exporter):
    """A folder as BEIR's loader reads it, with the same judgements in TREC's form beside.

    Relevant are the passages with evidence and those with further evidence (`also`), all with grade 1: a system
    that finds one of them has not missed.
    """

    name: ClassVar[str] = "beir"
    tool: ClassVar[str] = "BEIR, TREC"
    read_by: ClassVar[str] = 'GenericDataLoader(FOLDER).load("test"); trec_eval qrels/test.trec RUN'
    folder: ClassVar[bool] = True
    corpus: ClassVar[str] = NEEDS_CORPUS

    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        judged = [(sample.id, name) for sample in material.samples for name in material.relevant(sample)]
        queries = ({"_id": s.id, "text": s.question, "metadata": told(s)} for s in material.samples)
        lines = "".join(f"{query}\t{passage}\t1\n" for query, passage in judged)
        yield "corpus.jsonl", json_lines(material.passage_rows())
        yield "queries.jsonl", json_lines(queries)
        yield f"qrels/{SPLIT}.tsv", utf8(f"query-id\tcorpus-id\tscore\n{lines}")
        yield f"qrels/{SPLIT}.trec", utf8("".join(f"{query} 0 {passage} 1\n" for query, passage in judged))
