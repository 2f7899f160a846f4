"""A corpus read in portions: the rows of a seed depend on nothing but the corpus, however it is read."""

import json
import os
import signal
import time
from dataclasses import dataclass, replace
from multiprocessing import parent_process
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.cli.commands.base import print_barren
from synth.cli.main import main
from synth.core.containment import collecting
from synth.core.records import UNANSWERABLE, Verdict, pseudo_random, pseudo_random_each
from synth.core.store import STORE, Store
from synth.corpus import deep_reading
from synth.corpus.deep_reading import KIND, DeepReader, DeepReading, Processes
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.excerpts import excerpts
from synth.corpus.transforms.base import Transform
from synth.corpus.transforms.key_phrases import KeyPhrases
from synth.generation.admission import Barren
from synth.generation.filters.duplicate import Duplicate
from synth.generation.synthesizers.grammar_drafts import GrammarSimple
from synth.grammar.reading import Reading
from synth.grammar.registry import pack_of
from synth.workflows import portions
from synth.workflows.api import generate
from synth.workflows.portions import drawn, portion_ends
from synth.workflows.settings import Settings
from tests.corpus import document
from tests.synthesizers.made import corpus_of, material_of

STARTS = ("Kell", "Maro", "Dun", "Fog", "Ard", "Bel", "Cor", "Ost")
NAMES = [start + end for start in STARTS for end in ("more", "brook", "wick", "ness")]
DOCS = {
    f"{name.lower()}.md": f"# {name}\n\n## When was the {name} lighthouse built?\n\n"
    f"The {name} lighthouse was built in {1811 + n} by Robert Stevenson.\n\n"
    f"## Who lit the lamp of the {name} lighthouse?\n\n"
    f"The lamp of the {name} lighthouse was lit by Ann Moor on 4 May {1860 + n}.\n"
    for n, name in enumerate(NAMES)
}


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    for name, text in DOCS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def first(docs, tmp_path_factory):
    """The workspace of a run for eight rows, what it wrote, and the number of documents that it read."""
    place = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch:
        in_portions(patch)
        made = run(docs, place, 8)
    with Store(place / STORE) as store:
        return place, made, store.count(KIND)


@pytest.fixture(autouse=True)
def _in_portions(monkeypatch):
    in_portions(monkeypatch)


def in_portions(patch):
    patch.setattr(portions, "FIRST", 600)
    patch.setattr("synth.generation.pipeline.A_ROW", 300)
    patch.setattr("synth.generation.pipeline.PATIENCE", 1)
    patch.setattr("synth.generation.pipeline.AHEAD", 0)
    patch.setattr(portions, "A_ROW", 300)


def run(docs, workspace, n, **settings):
    """The bytes of the rows, the refused and the manifest."""
    output = Path(workspace) / "t.jsonl"
    settings.setdefault("types", {"simple": 1})
    generate([docs], output, Settings(n=n, workspace=str(workspace), **settings), force=True)
    return [output.with_name(name).read_bytes() for name in ("t.jsonl", "t.rejected.jsonl", "t.manifest.json")]


def test_only_as_much_is_read_as_the_rows_need(first):
    _, (rows, *_), read = first
    assert rows.count(b"\n") == 8
    assert 8 <= read < len(DOCS)


def test_what_was_read_before_changes_nothing_and_a_larger_set_extends_a_smaller_one(docs, first):
    workspace, made, _ = first
    more = run(docs, workspace, 20)
    assert more[0].count(b"\n") == 20
    assert more[0].startswith(made[0])
    assert run(docs, workspace, 8) == made


def test_more_is_read_where_those_that_waited_are_duplicates(docs, tmp_path, monkeypatch):
    decide, refused = Duplicate.decide, []

    def strict(self, sample):
        if "lit" not in sample.question:
            return decide(self, sample)
        refused.append(sample.question)
        return Verdict(filter=self.name, kept=False, reason="known")

    monkeypatch.setattr(Duplicate, "decide", strict)
    monkeypatch.setattr("synth.generation.pipeline.A_ROW", 30)
    rows, *_ = run(docs, tmp_path, 20)
    assert rows.count(b"\n") == 20
    assert refused


def barren_corpus(folder, fertile, sterile):
    """So many lighthouses, and documents of which no question can be."""
    folder.mkdir()
    for name, text in list(DOCS.items())[:fertile]:
        (folder / name).write_text(text, encoding="utf-8")
    for number in range(sterile):
        # Without a verb no pattern fits.
        lines = [f"Of the {word}, by the {word}, for the {word}.\n" for word in NAMES]
        (folder / f"{number}.txt").write_text("".join(lines), encoding="utf-8")
    return folder


def set_part(made):
    return json.loads(made[2])["set"]


@pytest.mark.parametrize("types", [{"simple": 1}, {"simple": 1, "reasoning": 1}])
def test_text_without_questions_is_not_read_to_its_end(tmp_path, monkeypatch, types):
    monkeypatch.setattr("synth.generation.pipeline.BARREN", 20_000)
    made = run(barren_corpus(tmp_path / "docs", 0, 200), tmp_path / "ws", 3, types=types, nearest=False)
    barren = set_part(made)["barren"]
    assert barren["kinds"] == list(types)
    assert 20_000 <= barren["since"] == barren["read"] < 25_000
    assert barren["read"] + barren["unread"] == sum(path.stat().st_size for path in (tmp_path / "docs").iterdir())
    assert made[0] == b""


def test_text_that_gives_a_row_now_and_then_is_not_read_to_its_end(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("synth.generation.pipeline.BARREN", 15_000)
    monkeypatch.setattr("synth.generation.pipeline.A_ROW", 120)
    made = run(barren_corpus(tmp_path / "docs", 20, 200), tmp_path / "ws", 15)
    barren = set_part(made)["barren"]
    assert barren["few"]
    assert 18_000 <= barren["read"] < 22_000  # ten times 120 characters for each of 15 rows
    print_barren(Barren(**barren))
    assert "far fewer rows" in capsys.readouterr().err


def test_text_with_few_questions_is_read_on_as_long_as_there_are_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("synth.generation.pipeline.BARREN", 30_000)
    made = run(barren_corpus(tmp_path / "docs", 20, 40), tmp_path / "ws", 15)
    assert made[0].count(b"\n") == 15
    assert "barren" not in set_part(made)


def test_a_corpus_that_is_read_to_its_end_is_not_called_barren(tmp_path, monkeypatch):
    monkeypatch.setattr("synth.generation.pipeline.BARREN", 1)
    made = run(barren_corpus(tmp_path / "docs", 2, 0), tmp_path / "ws", 50)
    assert "barren" not in set_part(made)
    assert set_part(made)["shortfall"]


def test_what_is_said_of_text_without_questions_is_true(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("synth.generation.pipeline.BARREN", 20_000)
    docs = barren_corpus(tmp_path / "docs", 0, 200)
    told = [str(docs), "-o", str(tmp_path / "t.jsonl"), "-n", "2", "--workspace", str(tmp_path / "ws"), "--quiet"]
    assert main(["generate", *told, "--types", "simple"]) == 5
    said = capsys.readouterr().err
    assert "reading stopped after 2" in said
    assert "gave no row of type simple" in said


def test_more_is_read_where_few_documents_would_have_most_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(portions, "FIRST", 500)
    monkeypatch.setattr("synth.generation.pipeline.A_ROW", 20)
    folder = tmp_path / "docs"
    folder.mkdir()
    for n, name in enumerate(NAMES[:8]):
        lines = (
            f"## When was the {name} lighthouse built?",
            f"The {name} lighthouse was built in {1811 + n} by Robert Stevenson.",
            f"## Who opened the {name} harbour?",
            f"The {name} harbour was opened by Queen Mary on 3 June {1901 + n}.",
            f"## Who designed the {name} bridge?",
            f"The {name} bridge was designed by James Walker in {1840 + n}.",
            f"## Who lit the lamp of the {name} lighthouse?",
            f"The lamp of the {name} lighthouse was lit by Ann Moor on 4 May {1860 + n}.",
        )
        (folder / f"{name}.md").write_text("\n\n".join([f"# {name}", *lines]), encoding="utf-8")
    rows, *_ = run(folder, tmp_path, 12)
    documents = [json.loads(row)["evidence"][0]["doc_id"] for row in rows.splitlines()]
    assert len(documents) == 12
    assert max(map(documents.count, documents)) <= 3


def test_two_processes_give_the_same_bytes(docs, first, tmp_path):
    assert run(docs, tmp_path, 8, workers=2) == first[1]


@pytest.mark.parametrize(
    ("settings", "parses"),
    [({}, False), ({"types": {"simple": 1.0, UNANSWERABLE: 0.0}}, False), ({"types": {UNANSWERABLE: 1.0}}, True)],
)
def test_names_and_phrases_are_searched_only_where_questions_need_them(docs, tmp_path, settings, parses):
    run(docs, tmp_path, 2, **settings)
    with Store(tmp_path / STORE) as store:
        assert bool(store.count("transform.entities")) == bool(store.count("transform.key_phrases")) == parses


def test_a_run_that_is_stopped_in_a_portion_goes_on_with_what_it_read(docs, first, tmp_path, monkeypatch):
    read, seen = DeepReader.read, []
    monkeypatch.setattr(deep_reading, "TOGETHER", 1)

    def stopped(self, tasks, *rest):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.extend(task.document.doc_id for task in tasks)
        return read(self, tasks, *rest)

    monkeypatch.setattr(DeepReader, "read", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(docs, tmp_path, 8)
    before = list(seen)
    monkeypatch.setattr(DeepReader, "read", lambda self, tasks, *rest: seen.extend(task.document.doc_id for task in tasks) or read(
        self, tasks, *rest))  # fmt: skip
    assert run(docs, tmp_path, 8) == first[1]
    assert len(before) == 2
    assert len(set(seen)) == len(seen)


def test_a_document_that_fails_costs_that_document(docs, tmp_path, monkeypatch):
    made, of_one = KeyPhrases.run, []

    def failing(self, reading, chunks):
        if of_one[:1] in ([], [reading.document.doc_id]):
            of_one.append(reading.document.doc_id)
            raise IndexError("list index out of range")
        return made(self, reading, chunks)

    monkeypatch.setattr(KeyPhrases, "run", failing)
    settings = Settings(n=8, workspace=str(tmp_path), transforms=("entities", "key_phrases"))
    result = generate([docs], tmp_path / "t.jsonl", settings)
    assert len(result.outcome.samples) == 8
    assert [(one.part, one.item) for one in result.errors] == [("transform 'key_phrases'", of_one[0])]


def test_a_document_that_cannot_be_parsed_with_others_costs_that_document(tmp_path, monkeypatch):
    english = pack_of("en").parser

    def failing(sentences):
        if any("Kellwick" in sentence.text for sentence in sentences):
            raise IndexError("list index out of range")
        return english.parse(sentences)

    pack = SimpleNamespace(parser=replace(english, parse=failing))
    monkeypatch.setattr("synth.grammar.reading.pack_of", lambda language: pack)
    documents = [document(name, text) for name, text in list(DOCS.items())[:5]]
    with (
        Store(tmp_path / STORE) as store,
        DeepReading(store, [KeyPhrases()]) as reading,
        collecting() as errors,
    ):
        read = dict(reading.read(documents, {}))
        assert read == {one.doc_id: one.doc_id != "kellwick.md" for one in documents}
        assert store.count("parse") == sum(read.values()) == 4
    assert [one.item for one in errors()] == ["kellwick.md"]


def test_the_longest_documents_are_read_first(tmp_path, monkeypatch):
    monkeypatch.setattr(deep_reading, "TOGETHER", 1)
    documents = [document(name, text) for name, text in DOCS.items()]
    with Store(tmp_path / STORE) as store, DeepReading(store, []) as reading:
        order = [doc_id for doc_id, _ in reading.read(documents, {})]
        lengths = {one.doc_id: len(one.text) for one in documents}
        assert [lengths[doc_id] for doc_id in order] == sorted(lengths.values(), reverse=True)
        assert [doc_id for doc_id, _ in reading.read(documents, {})] == [one.doc_id for one in documents], "all kept"


@dataclass(frozen=True)
class Deadly(Transform):
    """Kills the process that reads for another, the first time."""

    name = "deadly"
    assigns = ()
    flag: str = ""

    def run(self, reading, chunks):
        if parent_process() is not None and Path(self.flag).exists():
            Path(self.flag).unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return len(chunks)

    def merge(self, graph, artifacts):
        pass


def test_a_process_that_is_killed_costs_no_document(tmp_path, monkeypatch):
    monkeypatch.setattr(deep_reading, "TOGETHER", 1)
    flag = tmp_path / "flag"
    flag.touch()
    documents = [document(name, text) for name, text in list(DOCS.items())[:6]]
    chunks_of = {one.doc_id: chunk(one, ChunkSettings()) for one in documents}
    with (
        Store(tmp_path / STORE) as store,
        DeepReading(store, [Deadly(flag=str(flag))], executor=Processes(2, store.path)) as reading,
    ):
        assert dict(reading.read(documents, chunks_of)) == dict.fromkeys(chunks_of, True)
        assert not flag.exists()
        assert store.count(KIND) == store.count("drafts") == 6


def test_a_long_document_is_drawn_as_often_as_its_length_allows():
    names, sizes = [f"d{number}" for number in range(4000)], np.array([500, 200_000] * 2000)
    order = drawn(names, sizes, seed=1)
    assert sorted(order) == list(range(4000))
    last = order[-2:]
    assert drawn(names, sizes, seed=1, fresh={names[number] for number in last})[:2] == last
    assert 0.05 < (sizes[order[:1100]] > 500).mean() < 0.15


def test_portions_grow_by_what_is_read():
    assert portion_ends(np.array([100] * 80)) == [6, 12, 18, 24, 30, 36, 42, 48, 54, 61, 69, 77, 80]
    assert portion_ends(np.array([850, 350, 10, 10])) == [1, 2, 4]
    assert portion_ends(np.array([5000, 10, 10])) == [1, 3]
    assert portion_ends(np.array([], dtype=int)) == []


@given(seed=st.integers(), names=st.lists(st.text()))
def test_many_pseudo_random_numbers_are_those_of_each_name(seed, names):
    assert pseudo_random_each(seed, names) == [pseudo_random(seed, name) for name in names]


ASKED = "When was the mill at Kell built?"


@pytest.mark.parametrize(
    ("elsewhere", "answer", "is_asked"),
    [
        ("The mill at Kell was built in 1901.", "1901", False),
        ("The mill at Kell was built in 1870.", "1870", True),
        ("The mill at Maro was built in 1901.", "1901", True),
    ],
)
def test_what_an_unread_document_answers_differently_is_not_asked(elsewhere, answer, is_asked):
    texts = {"a": "The mill at Kell was built in 1870.", "b": elsewhere, "c": "Nothing is told of the harbour wall."}
    question = ASKED if "Kell" in elsewhere else ASKED.replace("Kell", "Maro")
    material = material_of(corpus_of(texts), {"a": [(ASKED, "1870", 0)], "b": [(question, answer, 0)]})
    material = replace(
        material,
        readings={"a": material.readings["a"]},
        passage_drafts=lambda passage: material.drafts(passage.doc_id),
    )
    (scenario,) = GrammarSimple().plan(material)
    written = GrammarSimple().write(scenario, material)
    assert bool(written.samples) == is_asked
    assert is_asked or written.given_up == (("rival", "'b' answers the same question with '1901'"),)


def test_boilerplate_yields_no_drafts(tmp_path):
    notice = "Based on my knowledge, Ann Moor lit the lamp of the Kell lighthouse on 4 May 1860.\n"
    texts = {
        "kell.md": DOCS["kellmore.md"],
        "404.md": f"# Page not found\n\n{DOCS['marobrook.md'][2:]}",
        "log.md": notice,
    }
    data = "- Height: 30 metres\n- Built: 1811\n"
    lists = {"data.md": f"# Kell\n\n## Data\n\n{data}", "credits.md": f"# Kell\n\n## Credits\n\n{data}"}
    corpus = corpus_of({**texts, **lists}, titles=dict.fromkeys(lists, "Kell"))
    with Store(tmp_path / STORE) as store:
        drafts = portions.Drafts(corpus, store)
        assert {doc_id: bool(drafts(doc_id)) for doc_id in texts} == {"kell.md": True, "404.md": False, "log.md": False}
        assert drafts.of_passage(corpus.chunks_of("404.md")[0]) == []
        assert [bool(drafts.facts(doc_id)) for doc_id in lists] == [True, False]


def test_a_line_that_is_repeated_is_read_once():
    text = "The tower of the old mill is thirty metres high and was built for the county board.\n" * 3000
    begun = time.process_time()
    reading = Reading(document("a.txt", text, "text"))
    assert len(reading.sentences) == len(reading.parsed) == 1
    assert time.process_time() - begun < 20


def test_of_a_long_document_only_the_excerpts_that_rows_need_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(portions, "LONGEST_WHOLE", 2_000)
    monkeypatch.setattr("synth.corpus.excerpts.SIZE", 500)
    folder = tmp_path / "docs"
    folder.mkdir()
    text = "".join(text.replace("# ", "## ") + "\n" for text in DOCS.values())
    (folder / "lights.md").write_text(f"# Lights\n\n{text}", encoding="utf-8")
    rows, *_ = run(folder, tmp_path, 4)
    made = [json.loads(row) for row in rows.splitlines()]
    assert len(made) == 4
    whole = (folder / "lights.md").read_text("utf-8")
    for row in made:
        for piece in row["evidence"]:
            assert (piece["doc_id"], whole[piece["start"] : piece["end"]]) == ("lights.md", piece["text"])
    with Store(tmp_path / STORE) as store:
        assert 1 <= store.count(KIND) < len(whole) / 500
    more, *_ = run(folder, tmp_path, 8)
    assert more.startswith(rows)


def test_an_excerpt_has_its_headings_and_the_header_of_its_table():
    rows = "".join(f"| key_{n} | what the key {n} of the lamp means | {n} |\n" for n in range(2000))
    text = f"# Lamps\n\nAll of them.\n\n## Keys\n\n| Name | Meaning | Default |\n|---|---|---|\n{rows}\n# End\n\nThat is all.\n"
    long = document("keys.md", text, format="markdown")
    parts = excerpts(long, chunk(long, ChunkSettings()), seed=1)
    places = sorted((part.start, part.end) for part in parts)
    assert [start for start, _ in places] == [0, *(end for _, end in places[:-1])]
    for part in parts:
        read = part.document(long)
        if part.start and text.startswith("| key", part.start):
            assert read.text.startswith("# Lamps\n\n## Keys\n\n| Name | Meaning | Default |\n|---|---|---|\n| key_")
        at = read.text.index("| key_")
        assert text[slice(*part.origin(text, (at, at + 30)))] == read.text[at : at + 30]
        assert part.origin(text, (0, len(read.text))) is None or part.start == 0
