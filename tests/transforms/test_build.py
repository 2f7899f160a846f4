import pytest

from synth.core.errors import ConfigError, InputError
from synth.core.store import Store
from synth.corpus.graph_builder import Counts, Tools, build
from synth.corpus.transforms.entities import Entities
from synth.corpus.transforms.llm_entities import LlmEntities
from synth.grammar.reading import Reading
from synth.models.chat.base import Fault
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import ScriptedModel
from tests.transforms.made import Lengths, Longest, MemoryStore, chunks, document

DOCUMENTS = [
    document("b.md", "The Rivermark Library opened in Porto. It lends books to visitors of the city every day."),
    document("a.md", "青禾图书馆位于厦门，每天开放十个小时。读者可以在阅览室里借阅图书。"),
    document("c.md", "青禾圖書館位於廈門，每天開放十個小時。讀者可以在閱覽室裡借閱圖書。"),
]


def cut(documents, size=None):
    return [chunk for one in documents for chunk in chunks(one, size)]


def test_documents_and_chunks_are_put_in_order_whatever_order_they_come_in():
    graph, _ = build(DOCUMENTS, cut(DOCUMENTS, 20), [Entities()])
    turned, _ = build(DOCUMENTS[::-1], cut(DOCUMENTS, 20)[::-1], [Entities()])
    assert [d.doc_id for d in graph.documents()] == ["a.md", "b.md", "c.md"]
    assert graph.to_bytes() == turned.to_bytes()
    assert graph.stats()["languages"] == {"en": 1, "zh-Hans": 1, "zh-Hant": 1}


def test_the_second_build_does_nothing_and_opens_the_same_graph(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        first, counts = build(DOCUMENTS, cut(DOCUMENTS), [Lengths(), Longest()], Tools(store))
        Lengths.ran.clear()
        second, again = build(DOCUMENTS, cut(DOCUMENTS), [Lengths(), Longest()], Tools(store))
    assert counts == {"language": Counts(computed=3), "lengths": Counts(computed=3), "longest": Counts()}
    assert again == {"language": Counts(reused=3), "lengths": Counts(reused=3), "longest": Counts()}
    assert Lengths.ran == []
    assert second.to_bytes() == first.to_bytes()


def test_a_changed_file_is_computed_alone_and_gives_what_a_fresh_build_gives():
    store = MemoryStore()
    build(DOCUMENTS, cut(DOCUMENTS), [Lengths(), Longest()], Tools(store))
    Lengths.ran.clear()
    changed = [document("b.md", "The Rivermark Library moved."), *DOCUMENTS[1:]]
    graph, counts = build(changed, cut(changed), [Lengths(), Longest()], Tools(store))
    assert Lengths.ran == ["b.md"]
    assert counts["lengths"] == Counts(computed=1, reused=2)
    fresh, _ = build(changed, cut(changed), [Lengths(), Longest()])
    assert graph.to_bytes() == fresh.to_bytes()


def test_other_chunks_or_parameters_compute_everything_again():
    store = MemoryStore()
    build(DOCUMENTS, cut(DOCUMENTS), [Lengths()], Tools(store))
    assert build(DOCUMENTS, cut(DOCUMENTS, 10), [Lengths()], Tools(store))[1]["lengths"].computed == 3
    graph, counts = build(DOCUMENTS, cut(DOCUMENTS), [Lengths(factor=2)], Tools(store))
    assert counts["lengths"].computed == 3
    assert graph.value(next(graph.chunks()).chunk_id, "length") == 2 * len(DOCUMENTS[1].text)


def test_progress_counts_the_documents_of_each_transform():
    told = []
    build(DOCUMENTS, cut(DOCUMENTS), [Lengths()], Tools(progress=lambda *what: told.append(what)))
    assert told == [(name, done, 3) for name in ("language", "lengths") for done in (1, 2, 3)]


def test_readings_at_hand_are_used():
    known = {one.doc_id: Reading(one) for one in DOCUMENTS[:1]}
    known["b.md"].__dict__["language"] = "of the reading"
    graph, _ = build(DOCUMENTS, cut(DOCUMENTS), [], Tools(readings=known))
    assert [graph.value(d.doc_id, "language") for d in graph.documents()] == ["zh-Hans", "of the reading", "zh-Hant"]


def test_a_wrong_order_is_refused_before_anything_runs():
    Lengths.ran.clear()
    with pytest.raises(ConfigError, match=r"requires chunk\.length"):
        build(DOCUMENTS, cut(DOCUMENTS), [Longest(), Lengths()])
    assert Lengths.ran == []


def test_a_chunk_of_a_document_that_is_not_there_is_refused():
    with pytest.raises(InputError, match=r"'b\.md', which is not among the documents"):
        build(DOCUMENTS[1:], cut(DOCUMENTS), [])


def test_a_transform_that_asks_a_model_needs_one():
    with pytest.raises(ConfigError, match="needs a chat model; name one with --llm"):
        build(DOCUMENTS, cut(DOCUMENTS), [LlmEntities(model="m")])


async def no_wait(seconds):
    pass


def test_a_document_whose_request_failed_is_counted_and_asked_again_next_time():
    broken = {"on": True}

    def script(request):
        if "Rivermark" in request.messages[-1].content and broken["on"]:
            return Fault("server", "HTTP 500")
        return {"entities": [{"text": "厦门", "kind": "place"}, {"text": "Porto", "kind": "place"}]}

    store = MemoryStore()
    driver = Driver(
        {"author": ScriptedModel(script)}, sending=Sending(retries=Retries(limits={"server": 1}), sleep=no_wait)
    )
    graph, counts = build(DOCUMENTS, cut(DOCUMENTS), [LlmEntities(model="m")], Tools(store, driver))
    assert counts["llm_entities"].computed == 2
    assert list(counts["llm_entities"].failed) == ["b.md"]
    assert "HTTP 500" in counts["llm_entities"].failed["b.md"]
    assert [e.name for e in graph.entities()] == ["厦门"]
    broken["on"] = False
    again = Driver(
        {"author": ScriptedModel(script)}, sending=Sending(retries=Retries(limits={"server": 1}), sleep=no_wait)
    )
    graph, counts = build(DOCUMENTS, cut(DOCUMENTS), [LlmEntities(model="m")], Tools(store, again))
    assert counts["llm_entities"] == Counts(computed=1, reused=2)
    assert [e.name for e in graph.entities()] == ["厦门", "Porto"]
