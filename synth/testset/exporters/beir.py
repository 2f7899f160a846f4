"""BEIR and TREC: corpus, queries and relevance judgements (beir.datasets.data_loader, trec_eval)."""

from __future__ import annotations

from collections.abc import Iterator

from synth.testset.exporters.base import NEEDS_CORPUS, Exporter, ExportInput, json_lines, row_metadata, utf8

SPLIT = "test"
"""Name of the split that contains the relevance judgements."""


class Beir(Exporter):
    """A folder for BEIR's loader, with the same relevance judgements in TREC format.

    Passages with evidence or alternative evidence (`alternatives`) are relevant, all with grade 1.
    """

    name = "beir"
    tool = "BEIR, TREC"
    read_by = 'GenericDataLoader(FOLDER).load("test"); trec_eval qrels/test.trec RUN'
    checked_by = "beir 2.2.0; pytrec_eval, in the tests"
    folder = True
    corpus = NEEDS_CORPUS

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        judged = [(sample.id, name) for sample in export.samples for name in export.relevant(sample)]
        queries = ({"_id": s.id, "text": s.question, "metadata": row_metadata(s)} for s in export.samples)
        lines = "".join(f"{query}\t{passage}\t1\n" for query, passage in judged)
        yield "corpus.jsonl", json_lines(export.passage_rows())
        yield "queries.jsonl", json_lines(queries)
        yield f"qrels/{SPLIT}.tsv", utf8(f"query-id\tcorpus-id\tscore\n{lines}")
        yield f"qrels/{SPLIT}.trec", utf8("".join(f"{query} 0 {passage} 1\n" for query, passage in judged))
