"""Text that nobody would write: cut, joined, doubled, with brackets, quotes and punctuation shuffled in.

Readers, the author and the filters take it as they take any other; replies of a chat model are mangled alike.
"""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import SynthError
from synth.core.plugins import discover
from synth.core.records import UNANSWERABLE
from synth.corpus.documents import reasons
from synth.corpus.documents.chunking import chunk
from synth.corpus.documents.loading import load, readers
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import build
from synth.corpus.transforms.base import Transform
from synth.corpus.transforms.similarity import Similarity
from synth.generation.filters.base import Filter, SetFilter
from synth.models.encoders.hashed import HashedEncoder
from synth.workflows.api import generate
from synth.workflows.settings import QUESTION_TYPES, ModelSettings
from synth.workflows.settings import Settings as SynthSettings
from tests.chat import behave, stations
from tests.corpus import corpus, document, sample
from tests.generators import examples, mangled_json, nothing_contained
from tests.llm.server import ChatServer

TEXTS = (
    "# Tidal filters\n\nThe North Filter was built in 1931 by Ada Finch, who had designed the old pump (see below).\n",
    'If the water rises above 3.5 metres, the keeper must close the filter and ring the bell ("three times").\n\n',
    "- Pumps: 4 at Fogbrook, 2 at Millbank; each moves 40 litres a second.\n- Do not open `valve_b` unless told to.\n",
    "## Errors\n\n| code | meaning | what to do |\n| --- | --- | --- |\n| E-301 | no signal | restart the filter reader |\n",
    "```toml\ninterval = 600  # seconds\n```\n\nBecause salt eats brass, the bearings were changed in May 1952 — twice.\n",
    "Dr. O'Neil’s “Notes on Tides” (2nd ed., 1899) is cited by J. R. Moor et al. in [3]; its author was born in Kell.\n",
    "When was it printed? Nobody knows: the cover says 1889, the preface 1891.\n",
    "# 雾溪泵站\n\n雾溪泵站由陈雨于1931年建造，位于安河县北部（旧称“北闸”）。如果水位超过3.5米，值班员必须关闭闸门。\n",
    "除非收到命令，不得打开泄洪闸。因为盐水会腐蚀黄铜，所以1952年更换了全部轴承；1960年又换了一次。\n",
    "第三条　船长不足12米的船舶，应当在日落前进港。（《港规》1931年5月4日修订）。前款规定不适用于下列船舶：\n（一）消防船。\n",
    "霧溪水庫於1994年完工，總庫容為1,200萬立方公尺；其中「北壩」高61公尺。當蓄電池電壓低於11.5伏特時，採集終端會停止傳送資料。\n",
    "后来，他的长子阿顺接任守塔人（1899－1921年）。《海潮记》写道：“灯塔的光，三十里外可见。”此书共八卷，今存五卷。\n",
)
MARKS = (
    *"()[]{}（）《》「」“”\"'‘’、，。；：？！,.;:?!-—…#*`|<>&=%$~^_\\/", "\n", "\n\n", "\t", "\u3000", "```\n", "](", "**", "1.",
    "（一）", "第一条", "https://x.y", "²", "٣", "½", "９", "9" * 5_000, "1e400", "0/0", "\x00", "\ufeff", "\u200b", "🚰", "",
)  # fmt: skip


@st.composite
def mangled(draw, most=400):
    """A text of pieces of `TEXTS` in any order, with marks put in, taken out and exchanged."""
    text = ""
    for _ in range(draw(st.integers(1, 3))):
        whole = draw(st.sampled_from(TEXTS))
        start = draw(st.integers(0, len(whole) - 1))
        text += whole[start : start + draw(st.integers(1, most))]
    for _ in range(draw(st.integers(0, 8))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        change = draw(st.sampled_from(("put", "cut", "double", "move", "turn")))
        if change == "put":
            text = text[:start] + draw(st.sampled_from(MARKS)) + text[start:]
        elif change == "cut":
            text = text[:start] + text[end:]
        elif change == "double":
            text = text[:end] + text[start:end] + text[end:]
        elif change == "move":
            text = text[:start] + text[end:] + text[start:end]
        else:
            text = text[:start] + text[start:end][::-1] + text[end:]
    return text


@pytest.mark.parametrize("suffix", sorted(readers()))
@given(text=mangled())
@examples(25)
def test_a_reader_reads_it_or_says_why_not(tmp_path_factory, suffix, text):
    file = tmp_path_factory.mktemp("read") / f"a{suffix}"
    file.write_bytes(text.encode("utf-8"))
    sound = file.with_name("sound.txt")
    sound.write_text("The North Filter was built in 1931.", encoding="utf-8")
    loaded = load([file, sound])
    assert all(skipped.reason != reasons.FAILED for skipped in loaded.skipped)
    assert "sound.txt" in {one.doc_id for one in loaded.documents}


@given(texts=st.lists(mangled(), min_size=1, max_size=2))
@examples(20)
def test_the_author_goes_on(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("made")
    documents = [document(f"{n}.md", text) for n, text in enumerate([*texts, TEXTS[0]])]
    wanted = SynthSettings(n=5, types={"simple": 1.0, UNANSWERABLE: 1.0}, workspace=str(folder / "ws"))
    with nothing_contained():
        assert generate(documents, folder / "t.jsonl", wanted).output.is_file()


EAGER = {
    name: part
    for name, part in discover("synth.corpus.transforms", Transform).items()
    if name not in ("language", "similarity") and not name.startswith("llm_")
}
ORDERED = sorted(EAGER, key=lambda name: len(EAGER[name].requires) + ("chunk.entities" in EAGER[name].requires))


@given(texts=st.lists(mangled(), min_size=1, max_size=3))
@examples(25)
def test_every_transform_reads_it(texts):
    documents = [document(f"{n}.md", text) for n, text in enumerate([*texts, TEXTS[0]])]
    chunks = [piece for one in documents for piece in chunk(one)]
    transforms = [*(EAGER[name]() for name in ORDERED), Similarity(encoder=HashedEncoder())]
    with nothing_contained():
        graph, counts = build(documents, chunks, transforms)
    assert not any(count.failed for count in counts.values())
    assert KnowledgeGraph.from_bytes(graph.to_bytes()).to_bytes() == graph.to_bytes()


OF = corpus(**{f"{n}.md": text for n, text in enumerate(TEXTS)})
FILTERS = [
    *(filter_() for filter_ in discover("synth.generation.filters", Filter).values() if not filter_.needs_model),
    *(filter_() for filter_ in discover("synth.generation.filters", SetFilter).values()),
]
ROW = sample(OF, "Who built the North Filter?", "Ada Finch", "The North Filter was built in 1931 by Ada Finch")


@given(
    question=mangled(60),
    answers=st.lists(mangled(40), min_size=1, max_size=2),
    kind=st.sampled_from(QUESTION_TYPES),
    language=st.sampled_from(("en", "zh-Hans", "zh-Hant", "other")),
    style=st.sampled_from(("", "keywords", "typos", "conversational")),
)
@examples(300)
def test_a_filter_judges_it(question, answers, kind, language, style):
    row = replace(
        ROW,
        question=question,
        golden_answers=() if kind == UNANSWERABLE else tuple(answers),
        evidence=() if kind == UNANSWERABLE else ROW.evidence,
        question_type=kind,
        language=language,
        metadata={"style": style} if style else {},
    )
    for filter_ in FILTERS:
        verdict = filter_.check(row, OF) if isinstance(filter_, Filter) else filter_.check(row)
        assert verdict.filter == filter_.name
        assert verdict.reason


def mangled_reply(text, draw):
    """A reply of a chat model with its JSON mangled."""
    return mangled_json(text[text.index("{") : text.rindex("}") + 1], draw)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A folder of documents, and a chat model that replies as `behave` of the server says."""
    server = ChatServer(behave)
    yield stations(tmp_path_factory.mktemp("stations") / "docs"), server
    server.close()


@given(seed=st.integers(0, 2**32))
@examples(6)
def test_a_run_takes_any_reply(tmp_path_factory, model, seed):
    documents, server = model
    place = tmp_path_factory.mktemp("replied")
    server.behave = lambda body, number: mangled_reply(behave(body, number), random.Random(f"{seed} {number}"))
    asked = ModelSettings(name="m", base_url=server.url, trust=True, max_calls=60)
    wanted = SynthSettings(n=4, types={"simple": 0.5, UNANSWERABLE: 0.5}, workspace=str(place / "ws"), model=asked)
    try:
        result = generate([str(documents)], place / "t.jsonl", wanted)
    except SynthError:
        return  # a budget that is spent, a judge that failed its control items: said in words
    assert not result.errors
    assert all(row.question.isprintable() for row in result.outcome.samples)
