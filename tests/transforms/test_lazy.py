"""Nothing is asked about a node that nobody touches, and once about one that many do."""

from dataclasses import dataclass

import pytest

from synth.core.errors import ConfigError, InputError
from synth.core.records import Chunk, Document
from synth.core.store import Store
from synth.corpus.graph_builder import Counts, Tools, build
from synth.corpus.on_demand import Lazy, Touched
from synth.corpus.testing import corpus_from
from synth.corpus.transforms.base import LazyTransform
from synth.models.chat.base import Fault, Message, Request
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver, Job
from synth.models.chat.exchange import Sending
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import ScriptedModel
from tests.corpus import one_passage
from tests.transforms.made import Lengths, MemoryStore, document

DOCUMENTS = [
    document("a.md", "青禾图书馆位于厦门。它每天开放十个小时，读者可以借书。"),
    document("b.md", "The Rivermark Library opened in Porto. It lends books."),
    document("c.md", "青禾圖書館位於廈門。它每天開放十個小時，讀者可以借書。"),
]
CORPUS = corpus_from(DOCUMENTS, one_passage)


@dataclass(frozen=True)
class Echo(LazyTransform[Chunk]):
    """Asks one question about each chunk."""

    name = "echo"
    node = "chunk"
    assigns = ("chunk.echo",)
    model: str = "m"

    def read(self, reading, node):
        completion = yield Request(purpose=self.name, prompt="echo", messages=(Message("user", node.text),))
        return {"said": completion.text, "dropped": {"too long": 1}}

    def value(self, artifact, document):
        return document.doc_id, artifact["said"]


@dataclass(frozen=True)
class Titles(LazyTransform[Document]):
    """Asks two questions, one after the other, about each document."""

    name = "titles"
    node = "document"
    assigns = ("document.heading",)

    def read(self, reading, node):
        first = yield Request(purpose=self.name, prompt="t", messages=(Message("user", node.doc_id),))
        second = yield Request(purpose=self.name, prompt="t", messages=(Message("user", first.text),))
        return {"said": second.text}


def shout(request):
    return f"<{request.messages[-1].content}>"


async def no_wait(seconds):
    pass


def corpus(*transforms, cache=None):
    cut = [chunk for one in DOCUMENTS for chunk in one_passage(one)]
    return (*build(DOCUMENTS, cut, transforms, Tools(cache)), cut)


def run(model, lazy, *wanted, store=None, concurrency=8):
    """The outcome of one part for each (attribute, node) wanted."""
    sending = Sending(slots=Slots(concurrency), retries=Retries(limits={"server": 1}), sleep=no_wait)
    driver = Driver({"author": model}, store, sending)
    return list(driver.run(Job(key=f"{n}", steps=lazy.know(*what)) for n, what in enumerate(wanted)))


@pytest.mark.parametrize("touched", [0, 1, 2])
def test_only_the_node_that_is_touched_is_asked_about(touched):
    model = ScriptedModel(shout)
    graph, _, cut = corpus(Echo())
    lazy = Lazy(CORPUS, graph, [Echo()])
    assert model.calls == []
    (outcome,) = run(model, lazy, ("echo", cut[touched].chunk_id))
    assert outcome.value == (DOCUMENTS[touched].doc_id, f"<{cut[touched].text}>")
    assert [call.messages[-1].content for call in model.calls] == [cut[touched].text]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_two_parts_that_touch_one_node_ask_once(concurrency):
    model = ScriptedModel(shout)
    graph, _, cut = corpus()
    lazy = Lazy(CORPUS, graph, [Echo(), Titles()])
    wanted = [("echo", cut[0].chunk_id), ("heading", "b.md"), ("echo", cut[0].chunk_id), ("heading", "b.md")]
    first, second, third, fourth = run(model, lazy, *wanted, concurrency=concurrency)
    assert first.value == third.value
    assert second.value == fourth.value == {"said": "<<b.md>>"}
    assert sorted(call.messages[-1].content for call in model.calls) == sorted([cut[0].text, "b.md", "<b.md>"])
    assert lazy.counts()["echo"] == Touched(computed=1, dropped={"too long": 1})


def test_a_second_run_asks_nobody(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        graph, _, cut = corpus(cache=store)
        before = run(ScriptedModel(shout), Lazy(CORPUS, graph, [Echo()], store), ("echo", cut[1].chunk_id))
    with Store(tmp_path / "store.sqlite") as store:
        graph, counts, cut = corpus(Echo(), cache=store)
        lazy = Lazy(CORPUS, graph, [Echo()], store)
        model = ScriptedModel(())
        assert [o.value for o in run(model, lazy, ("echo", cut[1].chunk_id))] == [o.value for o in before]
        assert model.calls == []
        assert lazy.counts() == {"echo": Touched(reused=1)}
        assert counts["echo"] == Counts(reused=1, waiting=2)


def test_another_model_is_asked_anew():
    store = MemoryStore()
    graph, _, cut = corpus()
    run(ScriptedModel(shout), Lazy(CORPUS, graph, [Echo(model="m")], store), ("echo", cut[1].chunk_id))
    other = ScriptedModel(lambda _: "other", identity="other")
    (outcome,) = run(other, Lazy(CORPUS, graph, [Echo(model="other")], store), ("echo", cut[1].chunk_id))
    assert outcome.value == ("b.md", "other")
    assert len(other.calls) == 1


def test_a_passage_that_only_moved_is_not_asked_about_again():
    store = MemoryStore()
    graph, _, cut = corpus()
    run(ScriptedModel(shout), Lazy(CORPUS, graph, [Echo()], store), ("echo", cut[1].chunk_id), store=store)
    moved = document("b.md", "# New\n\n" + DOCUMENTS[1].text)
    chunk = Chunk(chunk_id=f"c-{7:016x}", doc_id="b.md", start=7, end=len(moved.text), text=DOCUMENTS[1].text)
    later = corpus_from([moved], lambda _: [chunk])
    model = ScriptedModel(())
    (outcome,) = run(model, Lazy(later, graph, [Echo()], store), ("echo", chunk.chunk_id), store=store)
    assert outcome.value == ("b.md", f"<{DOCUMENTS[1].text}>")
    assert model.calls == []


def test_a_failure_reaches_every_part_that_wants_the_node_and_is_not_kept():
    broken = {"on": True}

    def script(request):
        return Fault("server", "HTTP 500") if broken["on"] else shout(request)

    store, model = MemoryStore(), ScriptedModel(script)
    graph, _, cut = corpus()
    lazy = Lazy(CORPUS, graph, [Echo()], store)
    both = run(model, lazy, ("echo", cut[0].chunk_id), ("echo", cut[0].chunk_id))
    asked = len(model.calls)
    later = run(model, lazy, ("echo", cut[0].chunk_id))
    assert [(o.failure.kind, "HTTP 500" in o.failure.reason) for o in (*both, *later)] == [("server", True)] * 3
    assert len(model.calls) == asked
    assert list(lazy.counts()["echo"].failed) == [cut[0].chunk_id]
    broken["on"] = False
    (outcome,) = run(model, Lazy(CORPUS, graph, [Echo()], store), ("echo", cut[0].chunk_id))
    assert outcome.value == ("a.md", f"<{cut[0].text}>")


def test_building_makes_nothing_of_a_lazy_transform_and_says_so():
    graph, counts, _ = corpus(Lengths(), Echo(), Titles(), cache=MemoryStore())
    assert counts["echo"] == Counts(waiting=3)
    assert counts["titles"] == Counts(waiting=3)
    assert counts["lengths"] == Counts(computed=3)
    plain, _, _ = corpus(Lengths())
    assert graph.to_bytes() == plain.to_bytes()


def test_what_was_touched_does_not_change_the_graph():
    store = MemoryStore()
    graph, _, cut = corpus(Echo(), cache=store)
    run(ScriptedModel(shout), Lazy(CORPUS, graph, [Echo()], store), ("echo", cut[0].chunk_id))
    again, counts, _ = corpus(Echo(), cache=store)
    assert again.to_bytes() == graph.to_bytes()
    assert counts["echo"] == Counts(reused=1, waiting=2)


def test_without_a_lazy_transform_the_graph_tells_and_nobody_is_asked():
    graph, _, cut = corpus(Lengths())
    model = ScriptedModel(())
    wanted = [("length", cut[1].chunk_id), ("nothing", cut[0].chunk_id)]
    assert [o.value for o in run(model, Lazy(CORPUS, graph), *wanted)] == [len(cut[1].text), None]
    assert model.calls == []


def test_a_node_that_is_not_there_is_refused():
    graph, _, _ = corpus()
    with pytest.raises(InputError, match="no passage 'nowhere'"):
        run(ScriptedModel(()), Lazy(CORPUS, graph, [Echo()]), ("echo", "nowhere"))


def test_two_transforms_for_one_attribute_are_refused():
    graph, _, _ = corpus()
    with pytest.raises(ConfigError, match=r"both assign chunk\.echo"):
        Lazy(CORPUS, graph, [Echo(model="a"), Echo(model="b")])


def test_a_build_cannot_stand_on_what_is_made_later():
    class NeedsEcho(Lengths):
        name = "needs_echo"
        requires = ("chunk.echo",)

    with pytest.raises(ConfigError, match=r"requires chunk\.echo"):
        corpus(Echo(), NeedsEcho())
