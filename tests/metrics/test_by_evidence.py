"""Measures by characters of evidence: the same whatever the chunking."""

from dataclasses import asdict

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.core.records import Passage
from synth.evaluation.evaluation import Measurement, evaluate
from synth.evaluation.measuring.character_coverage import cover
from synth.evaluation.metrics.contexts import ContextPrecisionByEvidence, ContextRecallByRouge
from synth.evaluation.metrics.evidence_rankings import EvidenceHitRate, EvidenceRecall, EvidenceReciprocalRank
from synth.evaluation.responses.reading import Responses
from synth.workflows.assembly import metrics_named
from tests.metrics.cases import case, item, piece, place, scores, value

TEN = piece("0123456789")
"""Characters 100 to 110 of a.md."""
OTHER = piece("ABCDEFGHIJ", start=40, doc_id="b.md", chunk_id="c-2")


@pytest.mark.parametrize(
    ("metric", "evidence", "passages", "wanted"),
    [
        ("evidence_recall@1", [TEN], [place(90, 120)], 1.0),
        ("evidence_recall@1", [TEN], [place(105, 120)], 0.5),
        ("evidence_recall@1", [TEN], [place(105, 120), place(90, 106)], 0.5),
        ("evidence_recall@2", [TEN], [place(105, 120), place(90, 106)], 1.0),
        ("evidence_recall@1", [TEN], [place(90, 120, "b.md")], 0.0),
        ("evidence_recall@2", [TEN, OTHER], [place(90, 120), place(0, 40, "b.md")], 0.5),
        ("evidence_precision@1", [TEN], [place(90, 130)], 0.25),
        ("evidence_precision@2", [TEN], [place(100, 110), place(100, 110)], 0.5),
        ("evidence_f1@1", [TEN], [place(100, 120)], 2 / 3),
        ("evidence_hit_rate@1", [TEN], [place(104, 120)], 1.0),
        ("evidence_hit_rate@1", [TEN], [place(106, 120)], 0.0),
        ("evidence_mrr@3", [TEN], [place(0, 50), place(108, 120), place(90, 120)], 1 / 3),
        ("evidence_map@3", [TEN], [place(0, 50), place(90, 120)], 0.5),
        ("evidence_map@3", [TEN, OTHER], [place(90, 120), place(0, 9), place(0, 99, "b.md")], 0.5 + 0.5 * 2 / 3),
        ("evidence_ndcg@2", [TEN], [place(0, 50), place(90, 120)], 1 / 1.58496),
        ("evidence_ndcg@2", [TEN, OTHER], [place(90, 120), place(0, 99, "b.md")], 1.0),
        ("evidence_recall@5", [TEN], [], 0.0),
    ],
)
def test_worked_by_hand(metric, evidence, passages, wanted):
    name, _, k = metric.partition("@")
    found = value(name, case(item(evidence=evidence), retrieved=tuple(passages)), metric, ks=[int(k)])
    assert found == pytest.approx(wanted, abs=1e-4)


LONG = piece("The Corvin tower is 38 metres tall, and white.", start=1000)
SHORT = piece("38 metres", start=1000)


@pytest.mark.parametrize(
    ("evidence", "start", "doc_id", "text", "covered"),
    [
        (LONG, 1000, "a.md", LONG.text, 1.0),
        (LONG, 1031, "a.md", LONG.text, 1.0),  # line ends counted twice
        (LONG, 999, "a.md", f"\ufeff{LONG.text}", 1.0),
        (LONG, 0, "elsewhere", LONG.text, 1.0),
        (LONG, 5, "b.md", "# Towers\n\nThe **Corvin** [tower](a.md) is 38 metres tall,\nand white. So it is.", 1.0),
        (LONG, 1000, "a.md", "The Dorne tower is 49 metres tall, and black...", 0.0),
        (LONG, 980, "a.md", "x" * 20 + LONG.text[:10], 10 / 46),  # too short to be told by its letters
        (SHORT, 1000, "a.md", "38 metres", 1.0),
        (SHORT, 1100, "a.md", "38 metres", 1.0),
        (SHORT, 9000, "a.md", "38 metres", 0.0),  # the same words in another place
        (SHORT, 1000, "b.md", "38 metres", 0.0),
        (SHORT, None, "", "some 38 metres", 1.0),
    ],
)
def test_the_text_decides_and_offsets_count_where_it_stands_at_them(evidence, start, doc_id, text, covered):
    passage = Passage(doc_id=doc_id, start=start, end=None if start is None else start + len(text), text=text)
    found = cover([evidence], [passage], chunk_ids=True)
    assert found.covered() / found.total == pytest.approx(covered)


def also(text, start, doc_id, chunk_id, replaces=0):
    """An alternative as rows have it in their metadata."""
    return {**asdict(piece(text, start, doc_id, chunk_id)), "replaces": replaces}


@pytest.mark.parametrize(
    ("retrieved", "recall", "hits", "counted"),
    [
        ([Passage(id="c-1")], 1.0, 1.0, False),
        ([Passage(id="c-8")], 1.0, 1.0, True),
        ([Passage(doc_id="z.md", start=0, end=90)], 1.0, 0.0, True),
        ([Passage(text="As is known, it holds 40 litres of water when full.")], 1.0, 0.0, True),
        ([Passage(doc_id="z.md", start=50, end=66)], 0.5, 0.0, True),
        ([Passage(id="c-8"), Passage(id="c-1")], 1.0, 1.0, True),
        ([Passage(id="c-9")], 0.0, 0.0, False),
        ([], 0.0, 0.0, False),
    ],
)
def test_an_alternative_counts_as_the_evidence_that_it_replaces_and_is_counted(retrieved, recall, hits, counted):
    row = item(
        evidence=[piece("The tank takes 40 l.", chunk_id="c-1")],
        alternatives=[also("it holds 40 litres of water when", 50, "z.md", "c-8")],
        hard_negatives=[{"chunk_id": "c-9", "doc_id": "z.md", "start": 900, "end": 990}],
    )
    one = case(row, retrieved=tuple(retrieved))
    assert value("evidence_recall", one, "evidence_recall@5", ks=[5]) == pytest.approx(recall)
    assert value("recall", one, "recall@5", ks=[5]) == hits
    found = evaluate(
        [row],
        Responses.of([{"id": "q-1", "retrieved": [asdict(one) for one in retrieved]}]),
        Measurement(metrics=metrics_named(["evidence_recall"])),
    )
    assert (found.by_alternative, found.with_alternatives) == (int(counted and recall > 0), 1)


def test_an_alternative_with_the_evidence_of_two_passages_stands_for_both():
    row = item(
        evidence=[piece("| Pump | Power |", 100), piece("| Kell | 90 W |", 300, "a.md", "c-2")],
        alternatives=[also("| Pump | Power |\n| Kell | 90 W |", 50, "z.md", "c-8", number) for number in (0, 1)],
    )
    one = case(row, retrieved=(Passage(id="c-8"),))
    assert value("evidence_recall", one, "evidence_recall@5", ks=[5]) == 1
    assert value("recall", one, "recall@5", ks=[5]) == 1


def test_an_alternative_stands_for_its_own_piece_alone():
    row = item(
        evidence=[piece("The tank takes 40 l.", 100), piece("The pump takes 90 W.", 300, "b.md", "c-2")],
        alternatives=[
            also("it holds 40 litres of water when", 50, "z.md", "c-8", 0),
            also("no such piece", 1, "z.md", "c-7", 5),
        ],
    )
    one = case(row, retrieved=(Passage(id="c-8"),))
    assert value("evidence_recall", one, "evidence_recall@5", ks=[5]) == 0.5
    assert value("recall", one, "recall@5", ks=[5]) == 0.5


@pytest.mark.parametrize("metric", [EvidenceHitRate, EvidenceReciprocalRank, ContextPrecisionByEvidence])
@pytest.mark.parametrize("share", [-1, 0, 7, float("nan")])
def test_a_share_beyond_its_bounds_is_refused(metric, share):
    with pytest.raises(ConfigError, match=f"share of {metric.name} must be above 0 and at most 1"):
        metric(share=share)


@pytest.mark.parametrize("threshold", [-1, 0, 7])
def test_a_threshold_beyond_its_bounds_is_refused(threshold):
    with pytest.raises(ConfigError, match="threshold of context_recall_rouge must be above 0 and at most 1"):
        ContextRecallByRouge(threshold=threshold)


def test_share_decides_which_pieces_are_covered_and_is_refused_where_nothing_reads_it():
    half = case(item(evidence=[TEN]), retrieved=(place(105, 120),))
    (score,) = EvidenceHitRate(ks=(1,), share=0.6).scores([half])[0]
    assert score.value == 0.0
    with pytest.raises(TypeError, match="share"):
        EvidenceRecall(share=0.6)


@pytest.mark.parametrize(
    ("evidence", "text", "covered"),
    [
        ("The dam was opened in 1936.", "Much later. The dam was opened in 1936. It stands.", 27),
        ("The dam was opened in 1936.", "the dam\n  was **opened** in 1936", 27),
        ("The dam was opened in 1936.", "was opened in 1936. It stands still.", 19),
        ("The dam was opened in 1936.", "It is said that the dam was opened", 18),
        ("The dam was opened in 1936.", "dam was opened in", 17),
        ("The dam was opened in 1936.", "The bridge was closed.", 0),
        ("水库于２０２１年建成，库容为三亿立方米。", "據記載，水庫於2021年建成，庫容為三億立方米。", 20),
        ("水库于２０２１年建成，库容为三亿立方米。", "年建成，库容为三亿立方米。此后", 13),
    ],
)
def test_a_passage_without_a_place_covers_what_its_text_says(evidence, text, covered):
    found = cover([piece(evidence)], [Passage(text=text)], chunk_ids=False)
    assert found.covered() == covered


def test_the_ids_of_the_set_s_own_chunks_stand_for_them():
    row = item(evidence=[TEN])
    retrieved = (Passage(id="c-9"), Passage(id="c-1"))
    assert value("evidence_recall", case(row, retrieved=retrieved), "evidence_recall@3") == 1.0
    foreign = scores("evidence_recall", case(row, retrieved=retrieved, unit="document"))["evidence_recall@3"]
    assert foreign.value is None
    assert "neither offsets nor a text" in foreign.reason
    unknown = scores("evidence_precision", case(row, retrieved=retrieved))["evidence_precision@3"]
    assert unknown.value is None
    assert "length is unknown" in unknown.reason


def test_overlapping_pieces_count_once():
    pieces = [piece("0123456789"), piece("56789ABCDE", start=105), piece("234", start=102)]
    assert cover(pieces, [place(0, 200)], chunk_ids=False).total == 15


spans = st.lists(st.tuples(st.integers(80, 130), st.integers(1, 30)), max_size=6)


@example([(106, 16), (106, 19), (80, 26)], 2)  # shares whose sum rounds to more than 1
@given(spans, st.integers(1, 6))
def test_bounds_and_growth(passages, k):
    row = item(evidence=[TEN, piece("QRSTU", start=120)])
    one = case(row, retrieved=tuple(place(start, start + size) for start, size in passages))
    names = ["recall", "precision", "f1", "hit_rate", "mrr", "map", "ndcg"]
    measured = [scores(f"evidence_{name}", one, ks=(k, k + 1)) for name in names]
    found = {column: score.value for by_column in measured for column, score in by_column.items()}
    assert all(0 <= one <= 1 for one in found.values())
    for name in ("recall", "hit_rate", "mrr", "map"):
        assert found[f"evidence_{name}@{k + 1}"] >= found[f"evidence_{name}@{k}"]


@given(spans, st.integers(1, 29))
def test_cutting_a_passage_in_two_changes_no_recall(passages, at):
    row = item(evidence=[TEN])
    whole = tuple(place(start, start + size) for start, size in passages)
    halves = tuple(
        part
        for start, size in passages
        for part in (
            [place(start, start + at), place(start + at, start + size)] if at < size else [place(start, start + size)]
        )
    )
    one, two = (
        value("evidence_recall", case(row, retrieved=some), "evidence_recall@99", ks=[99]) for some in (whole, halves)
    )
    assert one == two
