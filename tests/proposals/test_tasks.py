"""Where the author asks next: a stable order, no more than is missing, and nothing twice."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.records import Sample, Statement
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import Notes
from synth.corpus.sections import lines_of, sections
from synth.generation.proposals import turns as turns_module
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.paths import CHOICE, Path
from synth.generation.proposals.task import ACROSS, EVOLVE, JOIN, PROPOSE, PROVE, UNANSWERED, Candidate, Task
from synth.generation.proposals.tasks import ON_ONE_MATTER, PARENTS, PATHS, PROVED, Tasks
from synth.generation.proposals.turns import turns
from synth.generation.writer import evidence_of, priority
from tests.proposals.made import corpus_of, material_of, prose

NAMES = "Kell Maro Brenn Sund Tarn Holm Vik Dun Orr Fell Garth Beck".split()
TEXTS = {
    f"{name}.md": f"# {name}\n\nThe {name} lighthouse was built in {1800 + n}. It is close to {NAMES[n - 1]}. {prose(n)}\n"
    for n, name in enumerate(NAMES)
}
CORPUS = corpus_of(TEXTS)
SIMPLE = {"simple": 6}


class KnownPaths(Paths):
    """Paths that a test gives."""

    def __init__(self, corpus, known=(), weak=()):
        super().__init__(KnowledgeGraph(), corpus)
        for path in known:
            self._push(path)
        for path in weak:
            self._push(path, self._weak)


def tasks_of(corpus=CORPUS, seed=0, known=(), weak=(), **more):
    names = [document.doc_id for document in corpus.documents()]
    return Tasks(corpus=corpus, paths=KnownPaths(corpus, known, weak), doc_ids=names, seed=seed, **more)


def named(tasks, missing, most=100, evolving=None):
    """The tasks that are begun before anything is learned."""
    found = []
    while len(found) < most and (task := tasks.next(missing, evolving)) is not None:
        found.append(task)
    return found


def question(section, text="When was it built?", corpus=CORPUS):
    """A question on the first sentence of a section."""
    line = lines_of(corpus, section)[0]
    evidence = evidence_of(material_of(corpus), section.doc_id, [(line.start, line.end)])
    return Sample(
        question=text, golden_answers=("1811",), evidence=evidence, question_type="simple", language="en"
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_the_place_of_a_section_depends_on_its_document_and_the_seed_alone(seed):
    whole = [section.section_id for section in turns(CORPUS, TEXTS, seed)]
    assert [section.section_id for section in turns(CORPUS, reversed(list(TEXTS)), seed)] == whole
    fewer = list(TEXTS)[::2]
    kept = {section.section_id for section in turns(CORPUS, fewer, seed)}
    assert [section.section_id for section in turns(CORPUS, fewer, seed)] == [one for one in whole if one in kept]
    assert whole != [section.section_id for section in turns(CORPUS, TEXTS, seed + 1)]


def test_larger_documents_come_up_more_often_and_do_not_take_everything():
    big = "\n\n".join(f"## Part {n}\n\n" + f"The tower number {n} of the coast is white. " * 50 for n in range(16))
    corpus = corpus_of({"big.md": big, **{f"s{n}.md": f"The small tower number {n} is red." for n in range(16)}})
    pages = len([*turns(corpus, ["big.md"], 0)])
    assert pages >= 16
    shares = [
        sum(
            one.doc_id == "big.md"
            for one in islice(turns(corpus, ["big.md", *(f"s{n}.md" for n in range(16))], seed), 16)
        )
        for seed in range(40)
    ]
    assert 2 < sum(shares) / len(shares) < 5, "about the root of its size"


def test_sections_with_conditions_tend_to_come_first():
    rule = "If the fog comes, the bell of tower {0} rings. Otherwise the lamp {0} burns. " * 20
    plain = "The tower number {0} of the coast is white and stands on a rock. " * 25
    parts = [f"## Part {n}\n\n" + (rule if n < 8 else plain).format(n) for n in range(24)]
    corpus = corpus_of({"all.md": "\n\n".join(parts)})

    def rules_among_first(seed):
        first = islice(turns(corpus, ["all.md"], seed), 8)
        return sum("fog" in corpus.chunk(one.chunk_ids[0]).text for one in first)

    found = [rules_among_first(seed) for seed in range(30)]
    assert 3.5 < sum(found) / len(found) < 6.5, "a third of the sections are rules, more of the first ones, not all"


def test_fresh_passages_come_first():
    fresh = {CORPUS.chunks_of(name)[0].chunk_id for name in ("Dun.md", "Vik.md")}
    order, usual = list(turns(CORPUS, TEXTS, 0, fresh)), list(turns(CORPUS, TEXTS, 0))
    assert {section.doc_id for section in order[:2]} == {"Dun.md", "Vik.md"}
    assert order[2:] == [section for section in usual if section not in order[:2]]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_the_order_is_that_of_all_sections_by_their_place(sizes, seed):
    corpus = corpus_of({f"d{n}.md": "\n\n".join(prose(n + 7 * m) for m in range(size)) for n, size in enumerate(sizes)})
    names = [document.doc_id for document in corpus.documents()]
    places = []
    for name in names:
        own = sorted(sections(corpus, name), key=lambda one: priority(seed, "section", one.section_id))
        first = priority(seed, "document", name)
        places += [((n + first) / sqrt(len(own)), one.section_id, one) for n, one in enumerate(own)]
    by_place = [section for *_, section in sorted(places, key=lambda item: item[:2])]
    assert [*turns(corpus, names, seed)] == by_place


def test_documents_are_cut_as_their_turn_comes(monkeypatch):
    corpus = corpus_of({f"d{n}.md": prose(n) for n in range(50)})
    cut = []
    monkeypatch.setattr(turns_module, "sections", lambda corpus, name: cut.append(name) or sections(corpus, name))
    found = [*islice(turns(corpus, [document.doc_id for document in corpus.documents()], 0), 5)]
    assert {section.doc_id for section in found} <= set(cut)
    assert len(cut) < 10


def test_no_more_is_asked_than_is_missing_by_expectation():
    tasks = tasks_of()
    begun = named(tasks, SIMPLE)
    assert [(task.kind, task.types) for task in begun] == [(PROPOSE, ("simple",))] * len(begun)
    assert len(begun) == 4, "each passage is to give one row"
    assert [section for task in begun for section in task.sections] == [*islice(turns(CORPUS, TEXTS, 0), 8)]
    for _ in begun:
        tasks.learn({})
    more = named(tasks, SIMPLE)
    assert len(more) == 2, "the rest of the passages"
    assert not {task.task_id for task in begun} & {task.task_id for task in more}
    assert tasks.next({"simple": 0}) is None


def test_many_missing_rows_begin_as_few_do():
    few, many = named(tasks_of(), SIMPLE), named(tasks_of(), {"simple": 60})
    assert [task.task_id for task in many][: len(few)] == [task.task_id for task in few]
    asked = [section.section_id for task in many for section in task.sections]
    assert len(asked) == len(set(asked)) == len(TEXTS), "every passage is asked about once"


def test_passages_that_are_asked_about_together_are_in_one_language():
    sheds = {
        "0.md": "这座灯塔建于一八零零年，位于离岸很远的礁石上，灯光可以照到十海里以外。" * 3,
        "1.md": "看守人每年休假六周，由管理局安排别的人来顶替，往返的船票也由管理局承担。" * 3,
        "2.md": "大雾天要每分钟敲一次钟，直到对岸的瞭望员发出雾已经散去的信号才可以停下来。" * 3,
    }
    other = {f"x{n}.md": "Маяк построен в 1811 году и стоит на скале далеко от берега моря. " * 4 for n in range(1)}
    corpus = corpus_of({**dict(list(TEXTS.items())[:5]), **sheds, **other})
    begun = named(tasks_of(corpus), {"simple": 90})
    assert all(len(task.sections) == 1 for task in begun if task.sections[0].language == "other")
    assert sorted(len(task.sections) for task in begun) == [1, 1, 1, 2, 2, 2]
    assert all(len({section.language for section in task.sections}) == 1 for task in begun)
    assert sum(len(task.sections) for task in begun) == 9


def test_types_are_asked_for_together_and_only_while_they_are_missing():
    assert set(tasks_of().next({"simple": 3, "reasoning": 2, "conditional": 0}).types) == {"simple", "reasoning"}
    assert set(tasks_of().next({"simple": 1, "conditional": 2}).types) == {"simple", "conditional"}


@pytest.mark.parametrize(("patience", "tried"), [(3, 3), (5, 5), (0, len(TEXTS) // 2)])
def test_a_type_without_a_row_is_given_up(patience, tried):
    tasks, count = tasks_of(patience=patience), 0
    while tasks.next({"simple": 9}) is not None:
        tasks.learn({})
        count += 1
    assert count == tried
    assert tasks.given_up == (("simple",) if patience else ())


def judged(tasks, section, text="When was it built?", kind="simple", worth=4):
    """A candidate on a section that waits to be proved."""
    sample = replace(question(section, text), question_type=kind, metadata={"ratings": {"natural": 4, "worth": worth}})
    candidate = Candidate(Task(PROPOSE, (section,), (kind,)), sample)
    tasks.pool.add([candidate])
    return candidate


def test_a_row_now_and_then_keeps_a_type_going():
    tasks, proved = tasks_of(patience=3), 0
    for n, section in enumerate(turns(CORPUS, TEXTS, 0)):
        judged(tasks, section, f"When was {n} built?")
    missing, read = {"simple": 90}, 0
    while (task := tasks.next(missing)) is not None:
        if task.kind == PROVE:
            proved += len(task.candidates)
            tasks.learn({"simple": 1})
        else:
            read += 1
            tasks.learn({})
    assert (proved, read, tasks.given_up) == (len(TEXTS), 3, ("simple",)), (
        "six of each are proved before they are missed"
    )


def test_the_first_candidates_are_proved_early_and_others_when_a_request_is_full():
    tasks, order = tasks_of(), list(turns(CORPUS, TEXTS, 0))
    assert {task.kind for task in named(tasks, {"simple": 20})} == {PROPOSE}
    sizes, waiting = [], 0
    for n, section in enumerate(order[:11]):
        judged(tasks, section, f"When was {n} built?")
        waiting += 1
        task = tasks.next({"simple": 20})
        if task is not None:
            assert (task.kind, len(task.candidates)) == (PROVE, waiting)
            sizes.append(waiting)
            waiting = 0
            assert tasks.next({"simple": 20}) is None, "too few, and passages are being read"
    assert sizes == [3, PROVED]


def test_no_more_candidates_are_proved_than_rows_are_missing_and_plain_facts_last():
    tasks, order = tasks_of(patience=1), list(turns(CORPUS, TEXTS, 0))
    tasks.next({"simple": 2})
    tasks.learn({})
    plain = judged(tasks, order[0], "Plain?", worth=3)
    good = [judged(tasks, section, f"When was {n} built?") for n, section in enumerate(order[1:3])]
    task = tasks.next({"simple": 1})
    assert task.candidates[0] in good
    assert plain not in task.candidates


def archived(tasks, missing):
    """The questions of the archive after every passage that is needed was read: one on each."""
    parents = []
    for task in named(tasks, missing):
        for section in task.sections:
            parents.append(question(section, f"When was {section.doc_id} built?"))
            tasks.archive.add(section, parents[-1])
        tasks.learn({"simple": 1})
    return parents


def test_questions_are_developed_when_no_passage_is_new():
    tasks = tasks_of(patience=0)
    parents = archived(tasks, {"reasoning": 60})
    assert len(parents) == len(TEXTS)
    developed = named(tasks, {"reasoning": 60})
    assert {(task.kind, task.types) for task in developed} == {(EVOLVE, ("reasoning",))}
    assert sorted(parent.id for task in developed for parent in task.parents) == sorted(parent.id for parent in parents)
    assert all(
        section.doc_id == parent.evidence[0].doc_id
        for task in developed
        for section, parent in zip(task.sections, task.parents, strict=True)
    )


def test_rows_to_be_developed_are_not_asked_of_new_passages():
    tasks = tasks_of(patience=0)
    missing, evolving = {"simple": 4, "reasoning": 4}, {"reasoning": 4}
    begun = named(tasks, missing, most=1, evolving=evolving)
    assert (begun[0].kind, begun[0].types) == (PROPOSE, ("reasoning", "simple")), "it reads for every type"
    assert tasks.next({"simple": 0, "reasoning": 4}, evolving) is None, "what is read first gives the parents"
    sections = begun[0].sections
    for n in range(PARENTS):
        tasks.archive.add(sections[n % 2], question(sections[n % 2], f"{n}?"))
    tasks.learn({"simple": 4})
    task = tasks.next({"simple": 0, "reasoning": 2}, {"reasoning": 2})
    assert (task.kind, task.types, set(task.sections)) == (EVOLVE, ("reasoning",), set(sections))


def test_one_request_asks_for_each_question_what_it_can_become():
    tasks = tasks_of(patience=0)
    for section in list(turns(CORPUS, TEXTS, 0))[:4]:
        tasks.archive.add(section, question(section, f"When was {section.doc_id} built?"))
    task = tasks.next({"simple": 1, "reasoning": 1}, {"simple": 1, "reasoning": 1})
    assert (task.kind, task.types, len(task.parents)) == (EVOLVE, ("reasoning", "simple"), 4)
    assert set(task.into) == {("simple",), ("reasoning",)}


def test_a_type_that_no_passage_gave_is_developed_before_further_passages_are_read():
    tasks = tasks_of(patience=0)
    sections = list(turns(CORPUS, TEXTS, 0))[:2]
    for section in sections:
        tasks.archive.add(section, question(section, f"When was {section.doc_id} built?"))
    task = tasks.next({"conditional": 1}, {"conditional": 0})
    assert (task.kind, task.types) == (EVOLVE, ("conditional",))
    judged(tasks, sections[0], kind="conditional")
    assert tasks.next({"conditional": 1}, {"conditional": 0}) is None, "a question waits that needs no development"


@pytest.mark.parametrize(("evolves", "types"), [(True, {"simple", "reasoning"}), (False, {"reasoning"})])
def test_passages_also_give_questions_to_develop_into_the_only_wanted_type(evolves, types):
    assert set(tasks_of(evolves=evolves).next({"reasoning": 6}, {"reasoning": 4}).types) == types


def test_questions_become_rows_as_they_are_where_passages_gave_none_to_develop():
    tasks = tasks_of(patience=0)
    for task in named(tasks, {"reasoning": 2}, evolving={"reasoning": 2}):
        for section in task.sections:
            judged(tasks, section, f"What of {section.doc_id}?", kind="reasoning")
        tasks.learn({"reasoning": 2})
    task = tasks.next({"reasoning": 2}, {"reasoning": 2})
    assert (task.kind, task.types) == (PROVE, ("reasoning",))


def test_passages_are_read_for_a_single_missing_row_that_should_be_developed():
    assert tasks_of().next({"reasoning": 1}, {"reasoning": 1}).kind == PROPOSE


def test_new_passages_are_asked_where_nothing_is_left_to_develop():
    tasks = tasks_of(patience=0)
    assert tasks.next({"reasoning": 4}, {"reasoning": 4}).kind == PROPOSE


def test_copies_of_a_passage_are_asked_about_once():
    page = TEXTS["Kell.md"]
    texts = {**TEXTS, "copy.md": page, "edited.md": f"{page} It is white.\n"}
    begun = named(tasks_of(corpus_of(texts)), {"simple": 90})
    asked = Counter(section.doc_id for task in begun for section in task.sections)
    assert sum(asked[name] for name in ("Kell.md", "copy.md", "edited.md")) == 1
    assert len(asked) == len(TEXTS)


def test_what_holds_no_prose_is_not_asked_about():
    texts = {
        "links.md": "- [The Kell lighthouse](https://example.org/lights/kell)\n" * 5,
        "short.md": "# Kell\n\nYes.\n",
    }
    assert (
        named(tasks_of(corpus_of({**texts, "Kell.md": TEXTS["Kell.md"]})), {"simple": 9})[0].sections[0].doc_id
        == "Kell.md"
    )
    assert named(tasks_of(corpus_of(texts)), {"simple": 9}) == []


def path(*places, order=()):
    """A path between the sections of these numbers."""
    order = order or list(turns(CORPUS, TEXTS, 0))
    return Path(CHOICE, tuple(order[n] for n in places), (), "year", 1.0)


def test_several_passages_are_asked_about_by_their_paths_the_best_first():
    known = [path(n, n + 1) for n in range(6)]
    tasks = tasks_of(known=known)
    task = tasks.next({"multi_context": 9})
    assert (task.kind, task.types) == (ACROSS, ("multi_context",))
    assert list(task.paths) == known[:PATHS]
    assert task.sections == tuple(turns(CORPUS, TEXTS, 0))[: PATHS + 1]


def test_a_path_in_another_language_stays_for_a_later_request():
    chinese = {
        f"{n}.zh.md": f"# 第{n}座灯塔\n\n" + f"第{n}座灯塔建于{1800 + n}年，由管理员每天点灯。" * 9 for n in range(3)
    }
    corpus = corpus_of({**TEXTS, **chinese})
    order = [*turns(corpus, TEXTS, 0), *turns(corpus, chinese, 0)]
    english = [path(n, n + 1, order=order) for n in range(PATHS)]
    other = path(len(TEXTS), len(TEXTS) + 1, order=order)
    tasks = tasks_of(corpus, known=[english[0], other, *english[1:]])
    assert tasks.paths.waiting() == PATHS
    assert list(tasks.next({"multi_context": 99}).paths) == english
    tasks.learn({})
    while (task := tasks.next({"multi_context": 99})).kind != ACROSS:
        tasks.learn({})
    assert list(task.paths) == [other]


def test_passages_are_read_where_no_path_is_known():
    tasks = tasks_of()
    task = tasks.next({"multi_context": 1})
    assert (task.kind, task.types, len(task.sections)) == (JOIN, ("multi_context",), ON_ONE_MATTER)
    assert tasks.next({"multi_context": 1}) is None, "its notes may give one"


def test_the_passage_that_leads_to_another_is_shown_with_it():
    tasks = tasks_of()
    first = tasks.next({"multi_context": 1})
    home = first.sections[0]
    rule = Statement(
        statement_id="s",
        kind="rule",
        subject="keepers",
        text="They watch.",
        chunk_id=home.chunk_ids[0],
        doc_id=home.doc_id,
        spans=((0, 9),),
        scope="lighthouse built",
    )
    tasks.learn({}, [Notes(home, statements=(rule,))])
    assert home in tasks.next({"multi_context": 1}).sections


def test_an_author_that_cannot_join_passages_reads_them_in_pairs():
    tasks, kinds = tasks_of(patience=0), []
    for _ in range(3):
        kinds.append(tasks.next({"multi_context": 4}).kind)
        tasks.learn({}, failed=True)
    assert kinds == [JOIN, JOIN, PROPOSE]


def test_passages_of_a_failed_join_are_read_alone_when_nothing_else_is_left():
    tasks = tasks_of(patience=0)
    joined = tasks.next({"multi_context": 1})
    tasks.learn({}, failed=True)
    read = []
    while (task := tasks.next({"simple": 4})) is not None:
        read += [(section, task.kind) for section in task.sections]
        tasks.learn({})
    assert {(section, PROPOSE) for section in joined.sections} <= set(read)
    assert read[-1][0] in joined.sections


def test_two_passages_on_the_same_matter_are_read_together_where_questions_over_both_are_wanted():
    texts = {f"{n}.md": f"{prose(n)} The tide bell of harbour {n % 3} rings twice. {prose(20 + n)}" for n in range(6)}
    corpus = corpus_of(texts)
    task = tasks_of(corpus).next({"multi_context": 4})
    assert task.kind == JOIN
    one, other = (int(section.doc_id[0]) for section in task.sections[:2])
    assert one % 3 == other % 3
    alone = tasks_of(corpus).next({"simple": 4})
    assert "multi_context" not in alone.types


def test_related_passages_of_documents_that_were_not_read_are_read_first():
    bell = "The tide bell of the harbour rings twice."
    code = "```\n" + "ring(bell)\n" * 300 + "```"
    texts = {"a.md": f"# One\n\n{bell} {bell} {prose(1)}\n\n{code}\n\n# Two\n\n{bell} {bell} {prose(2)}"}
    corpus = corpus_of({**texts, **{f"{n}.md": f"{bell} {prose(40 + n) * 3}" for n in range(2)}})
    for seed in range(5):
        readings = tasks_of(corpus, seed=seed).readings(("simple", "multi_context"))
        pairs = [[section.doc_id for section in task.sections] for task in readings]
        assert ["a.md", "a.md"] not in pairs, seed


def test_passages_of_one_document_are_joined_first_until_such_tasks_give_less():
    bell = "The tide bell of the harbour rings twice."
    long = "\n\n".join(f"## Part {n}\n\n{prose(n) * 9} {bell}" for n in range(12))
    others = {f"{n}.md": f"# Bell {n}\n\n{bell} {bell} {prose(40 + n)}" for n in range(6)}
    corpus = corpus_of({"long.md": long, **others}, size=120)
    tasks = Tasks(corpus=corpus, paths=KnownPaths(corpus, (), ()), doc_ids=("long.md",), seed=0)
    tasks.next({"multi_context": 9})

    def joined_after(home, gave):
        rule = Statement(
            statement_id="s", kind="rule", subject="bell", text=bell, chunk_id=home.chunk_ids[0], doc_id=home.doc_id,
            spans=((0, 9),), scope="tide bell of the harbour",
        )  # fmt: skip
        tasks.learn(gave, [Notes(home, statements=(rule,))])
        return tasks.next({"multi_context": 9})

    sections_of_long = sections(corpus, "long.md")
    first = joined_after(sections_of_long[0], {"multi_context": 1})
    assert [section.doc_id for section in first.sections].count("long.md") >= ON_ONE_MATTER - 1
    second = joined_after(sections_of_long[1], {})
    assert [section.doc_id for section in second.sections].count("long.md") < ON_ONE_MATTER - 1


def test_weak_paths_come_after_a_task_that_read_for_paths_for_every_two_missing_rows():
    tasks = tasks_of(weak=[path(0, 1), path(1, 2), path(2, 3)])
    kinds = []
    while (task := tasks.next({"multi_context": 2})) is not None:
        kinds.append(task.kind)
        tasks.learn({})
    assert kinds.index(ACROSS) == 1
    assert set(kinds) == {JOIN, ACROSS}


@pytest.mark.parametrize("strength", ["known", "weak"])
def test_few_paths_wait_until_nothing_is_left_to_read(strength):
    tasks = tasks_of(**{strength: [path(0, 1), path(2, 3)]}, patience=99)
    kinds = []
    while (task := tasks.next({"multi_context": 2})) is not None:
        kinds.append(task.kind)
        tasks.learn({})
    assert kinds.index(ACROSS) == len(kinds) - 1 > 1


def test_a_task_across_passages_that_failed_is_asked_once_more():
    tasks = tasks_of(known=[path(0, 1), path(1, 2), path(2, 3)], patience=50)
    first = tasks.next({"multi_context": 4})
    tasks.learn({}, failed=True)
    kinds = []
    while (task := tasks.next({"multi_context": 4})) is not None:
        kinds.append((task.kind, task.attempt))
        tasks.learn({}, failed=task.kind == ACROSS)
    assert first.kind == ACROSS
    assert kinds.count((ACROSS, 1)) == 1
    assert kinds[-1] == (ACROSS, 1), "when nothing else is left"


def test_a_type_given_up_is_asked_for_again_after_a_row():
    tasks = tasks_of(patience=2)
    for _ in range(2):
        assert tasks.next({"simple": 12}) is not None
        tasks.learn({})
    assert tasks.given_up == ("simple",)
    judged(tasks, next(turns(CORPUS, TEXTS, 0)))
    assert tasks.next({"simple": 12}).kind == PROVE, "what waits is proved all the same"
    tasks.learn({"simple": 1})
    assert tasks.given_up == ()
    assert tasks.next({"simple": 12}).kind == PROPOSE


def test_no_path_anywhere_ends_the_search_for_them():
    tasks, found = tasks_of(), []
    while (task := tasks.next({"multi_context": 4})) is not None:
        found.append(task)
        tasks.learn({})
    assert {task.kind for task in found} == {JOIN}
    assert sum(len(task.sections) for task in found) == len(TEXTS), "every passage was read once"


@pytest.mark.parametrize(("patience", "tried"), [(3, 1), (4, 2), (0, len(TEXTS) // ON_ONE_MATTER)])
def test_reading_for_paths_without_a_candidate_ends_with_patience(patience, tried):
    tasks, count = tasks_of(patience=patience), 0
    while tasks.next({"multi_context": 4}) is not None:
        tasks.learn({})
        count += 1
    assert count == tried
    assert ("multi_context" in tasks.given_up) == bool(patience)


def test_what_is_not_answered_is_asked_of_passages_of_their_own():
    begun = named(tasks_of(), {"unanswerable": 2, "simple": 4})
    kinds = Counter(task.kind for task in begun)
    assert set(kinds) == {UNANSWERED, PROPOSE}
    assert len({task.sections for task in begun}) == len(begun)


def test_a_task_has_a_name_of_its_own():
    first, second = islice(turns(CORPUS, TEXTS, 0), 2)
    base = Task(PROPOSE, (first,), ("simple",))
    others = [
        replace(base, kind=EVOLVE),
        replace(base, sections=(second,)),
        replace(base, sections=(first, second)),
        replace(base, types=("simple", "reasoning")),
        replace(base, parents=(question(first),)),
        replace(base, attempt=1),
    ]
    assert len({task.task_id for task in (base, *others)}) == len(others) + 1
    assert replace(base).task_id == base.task_id
