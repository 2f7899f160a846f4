import pytest

from synth.corpus.graph_builder import build
from synth.corpus.transforms.key_phrases import KeyPhrases
from synth.text.normalise import to_simplified
from tests.transforms.made import chunks, document, graph_of


def phrases(*texts, transform=None, **more):
    graph = graph_of(*texts, transform=transform or KeyPhrases(), **more)
    return [graph.value(chunk.chunk_id, "key_phrases") for chunk in graph.chunks()]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The tide gauge measures the water level. A tide gauge must be cleaned. Rain fell.", "tide gauge"),
        ("泄洪闸由值班员操作。泄洪闸每年检修一次。今天下雨。", "泄洪闸"),
        ("洩洪閘由值班員操作。洩洪閘每年檢修一次。今天下雨。", "洩洪閘"),
    ],
)
def test_what_a_chunk_speaks_of_most_comes_first(text, first):
    assert phrases(text)[0][0] == first


def test_what_the_whole_corpus_speaks_of_tells_less():
    texts = [f"The ferry company owns a {thing}. The {thing} is old." for thing in ("lighthouse", "crane", "tunnel")]
    assert [found[0] for found in phrases(*texts)] == ["lighthouse", "crane", "tunnel"]


def test_headings_count():
    heading = "# Backup schedule\n\nThe server copies files. The operator reads a report about the disk."
    assert phrases(heading)[0][0] == "Backup schedule"
    assert "备份计划" in phrases("# 备份计划\n\n服务器复制文件。操作员阅读报告。")[0][:2]


def test_no_code_no_numbers_no_empty_words():
    text = (
        "Set `retry_count` to 5 and call `open_valve(True)` at least every two minutes. It is one of those things, "
        "and this way the same thing happens for example in 2019. The pressure valve opens."
    )
    found = phrases(text)[0]
    assert "pressure valve" in found
    for junk in ("retry", "open_valve", "thing", "way", "example", "2019", "minute", "least"):
        assert not any(junk in phrase for phrase in found), (junk, found)
    chinese = phrases("把 `retry_count` 设为5。这种情况下，人们在2019年的时候使用压力阀门。")[0]
    assert any("阀门" in phrase for phrase in chinese)
    assert not any(junk in phrase for phrase in chinese for junk in ("retry", "情况", "人们", "2019", "时候"))


def test_a_phrase_within_a_better_one_is_not_repeated():
    found = phrases("The fog signal station stands here. The fog signal station is loud. The station is old.")[0]
    assert found[0] == "fog signal station"
    assert not {"station", "fog signal"} & {f.lower() for f in found}


def test_no_more_than_asked_for():
    text = "The cat, the dog, the horse, the goose, the duck, the sheep and the goat met a fox near the barn."
    assert len(phrases(text, transform=KeyPhrases(max_phrases=3))[0]) == 3


def test_both_scripts_give_the_same_phrases_each_in_its_own():
    simple = phrases("水库的大坝由管理处检查。大坝的监测设备记录水位数据。")[0]
    traditional = phrases("水庫的大壩由管理處檢查。大壩的監測設備記錄水位數據。")[0]
    assert [to_simplified(phrase) for phrase in traditional] == simple
    assert simple != traditional


def test_a_document_in_no_language_known_has_none():
    assert phrases("Das ist nicht auf Englisch, und die Wörter der Sprache sind nicht bekannt.") == [[]]


def test_chunks_are_told_apart_and_the_order_of_documents_does_not_matter():
    one = document("a.md", "The pump station works. It is big.\n\n" + "The lamp room is dark. It is small.")
    other = document("b.md", "The lamp room was painted.")
    first, second = (
        build(documents, [c for d in documents for c in chunks(d, 36)], [KeyPhrases()])[0].to_bytes()
        for documents in ([one, other], [other, one])
    )
    assert first == second
    graph, _ = build([one], chunks(one, 36), [KeyPhrases()])
    assert [graph.value(c.chunk_id, "key_phrases") for c in graph.chunks()] == [["pump station"], ["lamp room"]]
