"""The trial of author and judge: a judge that keeps what is right and refuses what is wrong is trusted, no other is."""

import re
from collections import Counter
from itertools import islice
from types import SimpleNamespace

import pytest

from synth.core.errors import ConfigError, UntrustedModel
from synth.core.progress import Silent
from synth.core.store import Store
from synth.corpus.graph import KnowledgeGraph
from synth.generation.filters.judged import Judged
from synth.generation.judge_requests import OPEN
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.tasks import Tasks
from synth.generation.proposals.trial import Trial, trial_key, tried
from synth.generation.proposals.turns import turns
from synth.generation.question_form import QuestionMix
from synth.models.chat.base import Fault
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import ScriptedModel
from synth.text.normalise import to_traditional
from synth.workflows.proposing import ChatAuthor, trial_of
from synth.workflows.session import Run
from synth.workflows.settings import Settings, changed
from tests.prompt_labels import label_pattern
from tests.proposals.made import corpus_of, driven, material_of, prose, said, sentences_of, user

NAMES = "Kell Maro Brenn Sund Tarn Holm Vik Dun Orr Fell Garth Beck".split()
TEXTS = {
    "en": {
        f"{name}.md": f"The {name} lighthouse was built in {1800 + n}. It has {n + 20} stairs. {prose(n)}"
        for n, name in enumerate(NAMES)
    },
    "zh-Hans": {
        f"{name}.md": f"{name}城灯塔由远道而来的{other}先生于{1800 + n}年设计并且主持建造完成，至今仍然每天夜里点亮。塔里一共有{n + 20}级台阶，游客可以登上塔顶。"
        for n, (name, other) in enumerate(zip("东南西北上下中外山水木石", "赵钱孙李周吴郑王冯陈褚卫", strict=True))
    },
}
VERDICT = {
    "complete": True,
    "other": "",
    "one": True,
    "turned": "",
    "typed": True,
    "why": "",
    "grave": True,
    "answer": "",
}
ITEM = label_pattern("item")


def proposals(request, shift=0):
    """A question on each number in the sentences, which cites the sentence, or another one."""
    shown = sentences_of(request)
    found = []
    for number, text in shown.items():
        if year := re.search(r"\d+", text):
            cited = [(number + shift) % len(shown)]
            more = {"hops": [], "otherwise": "", "condition": "", "reckoning": "", "worth": 4, "sentences": cited}
            found.append({"type": "simple", "question": f"What is {number}?", "answer": year[0], **more})
    return {"notes": [], "candidates": found}


def verdicts(request, judge):
    """What a judge says of each statement with a gap, given the statement, the word and the evidence."""
    found = []
    for item, text in re.findall(
        rf"^{ITEM} (\d+)[^\n]*\n(.*?)(?=^{ITEM} \d+|^<|\Z)", user(request), re.MULTILINE | re.DOTALL
    ):
        gap = re.search(r"[\"“「]([^\"“”「」]*____[^\"“”「」]*)[\"”」]", text)[1]
        word = re.search(rf"^{label_pattern('golden')} {item}(?:: |：)(.*)$", user(request), re.MULTILINE)[1]
        holds = judge(gap.replace("____", word), re.split(label_pattern("evidence"), text)[-1])
        found.append({**VERDICT, "item": int(item), "proved": holds, "right": holds})
    return {"verdicts": found}


def strong(request, shift=0, judge=lambda told, evidence: told in evidence):
    return verdicts(request, judge) if request.purpose == OPEN else proposals(request, shift)


def trial(reply, language="en", texts=None):
    corpus = corpus_of(texts or TEXTS[language])
    material = material_of(corpus)
    doc_ids = corpus.doc_ids
    order = [*turns(corpus, doc_ids, 0)]
    first = Tasks(corpus, Paths(KnowledgeGraph(), corpus), doc_ids, 0).readings()
    steps = tried([*islice(first, 2)], order, language, material, corpus, QuestionMix())
    return driven(steps, lambda request: said(**reply(request)))


@pytest.mark.parametrize("language", TEXTS)
def test_a_strong_model_is_trusted(language):
    found, asked = trial(strong, language)
    assert (found.author_passed, found.judge_passed, found.failed) == (True, True, 0)
    assert found.proposals == found.supported >= 4
    assert (found.right, found.kept, found.wrong, found.refused) == (6, 6, 6, 6)
    assert Counter(request.purpose for request in asked) == {"trial": 2, OPEN: 3}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("answer", [True, False], ids=["yes", "no"])
def test_a_judge_that_says_the_same_of_everything_is_not(language, answer):
    found, _ = trial(lambda request: strong(request, judge=lambda told, evidence: answer), language)
    assert (found.author_passed, found.judge_passed) == (True, False)
    assert (found.kept, found.refused) == ((6, 0) if answer else (0, 6))


def test_an_author_that_cites_other_sentences_is_not():
    found, _ = trial(lambda request: strong(request, shift=1))
    assert (found.author_passed, found.judge_passed) == (False, True)
    assert found.supported < found.proposals
    found, _ = trial(lambda request: strong(request, shift=0) if request.purpose == OPEN else misnumbered(request))
    assert (found.author_passed, found.proposals > 0, found.supported) == (False, True, 0)


def misnumbered(request):
    """Proposals that cite sentences that there are not."""
    return {"notes": [], "candidates": [{**one, "sentences": [99]} for one in proposals(request)["candidates"]]}


def test_a_judge_that_leaves_items_out_is_not_trusted_for_it():
    found, _ = trial(lambda request: {"verdicts": []} if request.purpose == OPEN else proposals(request))
    assert (found.judge_passed, found.kept, found.refused) == (False, 0, 0)


def test_traditional_chinese_is_asked_in_its_own_characters():
    texts = {name: to_traditional(text) for name, text in TEXTS["zh-Hans"].items()}
    _, asked = trial(strong, "zh-Hant", texts)
    questions = [line for request in asked for line in user(request).splitlines() if "____" in line]
    assert questions
    assert all("中這句話的空白處是什麼：「" in line for line in questions)


def test_a_wrong_word_is_in_the_evidence_too():
    asked = []

    def found_in_evidence(told, evidence):
        asked.append(told in evidence)
        words = set(re.findall(r"\w+", evidence))
        return set(re.findall(r"\w+", told)) <= words

    texts = {f"{name}.md": " ".join(prose(4 * n + m) for m in range(4)) for n, name in enumerate(NAMES)}
    result, _ = trial(lambda request: strong(request, judge=found_in_evidence), texts=texts)
    assert Counter(asked) == {True: 6, False: 6}
    assert (result.refused, result.judge_passed) == (0, False), "a judge that looks for words is not trusted"


def test_a_notice_on_every_page_is_no_statement_to_judge():
    notice = "This page of 1999 is not yet complete and must be reviewed by its keepers."
    texts = {name: f"{notice}\n\n{text}" for name, text in TEXTS["en"].items()}
    result, asked = trial(strong, texts=texts)
    questions = [line for request in asked for line in user(request).splitlines() if "____" in line]
    assert result.right == 6
    assert not any("not yet complete" in line.replace("____", "not") for line in questions)
    only = {f"{name}.md": notice for name in NAMES}
    result, _ = trial(strong, texts=only)
    assert result.right > 0, "where there is nothing else"


@pytest.mark.parametrize(
    "form", ["- The bell of {name} must ring {n} times a day", "| bell of {name} | rings {n} times a day |"]
)
def test_folders_of_lists_and_tables_give_statements_too(form):
    head = "| what | how often |\n|---|---|\n" if form.startswith("|") else ""
    lines = [form.format(name=name, n=n + 20) for n, name in enumerate(NAMES)]
    texts = {f"{n}.md": f"# Part {n}\n\n{head}" + "\n".join(lines[3 * n : 3 * n + 3]) for n in range(4)}
    found, _ = trial(strong, texts=texts)
    assert (found.right, found.kept, found.wrong, found.refused) == (6, 6, 6, 6)


def test_sentences_come_before_lists_and_tables():
    texts = {name: f"- The bell of {name} must ring 99 times a day\n\n{text}" for name, text in TEXTS["en"].items()}
    _, asked = trial(strong, texts=texts)
    questions = [line for request in asked for line in user(request).splitlines() if "____" in line]
    assert questions
    assert not any("The bell of" in line for line in questions)


def test_too_little_text_for_a_trial_is_no_trust():
    found, _ = trial(strong, texts={"Kell.md": "The Kell lighthouse was built on a reef in 1811."})
    assert not found.judge_passed
    assert min(found.right, found.wrong) < 3
    with pytest.raises(UntrustedModel, match=r"the documents contain only 1 statement to .*--trust"):
        found.check()


@pytest.mark.parametrize(
    ("counts", "author", "judge"),
    [
        ({"proposals": 10, "supported": 9, "right": 4, "kept": 3, "wrong": 4, "refused": 3}, True, True),
        ({"proposals": 10, "supported": 8, "right": 4, "kept": 4, "wrong": 4, "refused": 2}, False, False),
        ({"proposals": 2, "supported": 2, "right": 2, "kept": 2, "wrong": 9, "refused": 9}, False, False),
        ({"proposals": 3, "supported": 3, "right": 8, "kept": 5, "wrong": 3, "refused": 3}, True, False),
        ({}, False, False),
    ],
)
def test_how_much_is_enough(counts, author, judge):
    found = Trial("en", **counts)
    assert (found.author_passed, found.judge_passed) == (author, judge)
    assert (found.packed()["author"], found.packed()["judge"]) == (author, judge)


def run(store, reply, settings=None, identity="m", texts=None):
    """The trial before a run, and how many requests it took."""
    model = ScriptedModel(reply, identity=identity)
    driver = Driver({"author": model, "judge": model}, sending=Sending(retries=Retries(limits={"server": 0})))
    corpus = corpus_of(texts or TEXTS["en"])
    parts = SimpleNamespace(models={"author": model, "judge": model}, driver=driver, filters=(Judged(),))
    found = trial_of(Run(settings or Settings(), corpus, store, parts, None, Silent()), material_of(corpus))
    return found, len(model.calls)


def test_a_trial_is_made_once_for_a_model(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        first, asked = run(store, strong)
        assert (first.author_passed, first.judge_passed, asked) == (True, True, 5)
        again, asked = run(store, lambda _: Fault("server", "down"))
        assert (again, asked) == (first, 0)
        assert run(store, strong, identity="another")[1] == 5


def test_a_trial_with_requests_that_failed_is_not_kept(tmp_path):
    def broken(request):
        return Fault("server", "down") if "Item 0" in user(request) else strong(request)

    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(
            UntrustedModel, match=r"could not be tried: .*9 requests failed, the first: .*--resume"
        ):  # three times, on other sections
            run(store, broken)
        found, asked = run(store, strong)
        assert (found.judge_passed, asked) == (True, 5)


def test_a_trial_on_too_little_text_says_nothing_of_other_documents(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(UntrustedModel, match="the documents contain only"):
            run(store, strong, texts={"Kell.md": "The Kell lighthouse stands on a reef off the coast of the north."})
        found, _ = run(store, strong)
    assert found.judge_passed


def test_a_judge_that_fails_stops_the_run_each_time_and_is_tried_once(tmp_path):
    def agreeing(request):
        return strong(request, judge=lambda told, evidence: True)

    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(UntrustedModel) as first:
            run(store, agreeing)
        with pytest.raises(UntrustedModel) as again:
            run(store, lambda _: Fault("server", "down"))
    assert str(again.value) == str(first.value)
    for said_of in ("kept 6 of 6 right statements and refused 0 of 6 wrong ones", "--judge", "--trust", "--llm"):
        assert said_of in str(first.value)


def test_a_weak_author_with_a_good_judge_goes_on(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        found, _ = run(store, lambda request: strong(request, shift=1))
    assert (found.author_passed, found.judge_passed) == (False, True)


def test_a_run_without_the_judging_filter_is_refused(tmp_path):
    parts = SimpleNamespace(models={}, driver=None, filters=())
    corpus = corpus_of(TEXTS["en"])
    with Store(tmp_path / "s.sqlite") as store, pytest.raises(ConfigError, match="'judged'"):
        ChatAuthor(Run(Settings(), corpus, store, parts, None, Silent()))


def test_a_model_that_the_user_trusts_is_not_tried(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        found, asked = run(store, lambda _: Fault("server", "down"), changed(Settings(), {"model.trust": True}))
    assert (found, asked) == (None, 0)


def test_a_trial_belongs_to_models_prompts_and_language():
    keys = {
        trial_key("m", ["a"], "en"),
        trial_key("n", ["a"], "en"),
        trial_key("m", ["b"], "en"),
        trial_key("m", ["a"], "other"),
    }
    assert len(keys) == 4
