"""Labels of prompts: every request is in the language and the script of its documents."""

import re

import pytest

from synth.core.records import Sample, Statement
from synth.corpus.sections import sections
from synth.generation.filters.judged import Judged
from synth.generation.judge_requests import ANSWER, CLOSED, OPEN
from synth.generation.proposals.archive import MOVES
from synth.generation.proposals.author import PROMPTS, asked_of
from synth.generation.proposals.brief import briefed
from synth.generation.proposals.paths import BRIDGE, CHOICE, ENTITY, MATTER, REFERENCE, RULE, WORD, Path
from synth.generation.proposals.task import ACROSS, EVOLVE, PROPOSE, UNANSWERED, Task
from synth.generation.proposals.tasks import ONE_PASSAGE
from synth.generation.proposals.unanswered import unanswered
from synth.generation.question_form import QuestionMix
from synth.generation.writer import evidence_of
from synth.models.prompt_labels import label
from synth.models.prompts import load
from synth.text.language import LANGUAGES
from synth.text.normalise import simplified_only, to_traditional, traditional_only
from tests.proposals.made import corpus_of, driven, material_of, said, user

_TEXTS = {
    "休假": "# 休假\n\n礁石站的看守人每年休假六周，岸站的看守人休假四周，由管理局安排顶替的人。",
    "凯尔": "# 凯尔灯塔\n\n凯尔灯塔建在离岸很远的礁石上，属于礁石站，塔里有三十级台阶。",
    "马罗": "# 马罗灯塔\n\n马罗灯塔站在岸边的山丘上，属于岸站，夜里每五秒钟闪一次光。",
}
_TYPES = {*ONE_PASSAGE, "multi_context", *(move for moves in MOVES.values() for move in moves)}


def in_script(language):
    """The texts by name, in a script."""
    return {
        f"{to_traditional(name) if language == 'zh-Hant' else name}.md": to_traditional(text)
        if language == "zh-Hant"
        else text
        for name, text in _TEXTS.items()
    }


def requests(language):
    """One request of each kind about a corpus in a language."""
    texts = in_script(language) if language != "en" else {f"{n}.md": f"# Tower {n}\n\nTower {n} stands on a reef and has {n} stairs of stone. Its keeper rings a bell in fog." for n in (11, 12, 13)}  # fmt: skip
    corpus = corpus_of(
        texts, brief="灯塔。" if language == "zh-Hans" else "燈塔。" if language == "zh-Hant" else "Towers."
    )
    material = material_of(corpus)
    own = [section for name in corpus.doc_ids for section in sections(corpus, name)]
    samples = []
    for section in own:
        document = corpus.document(section.doc_id)
        start = document.text.index("\n\n") + 2
        pieces = evidence_of(material, section.doc_id, [(start, len(document.text))])
        question = document.text[start : start + 8] + "?"
        samples.append(Sample(question=question, golden_answers=(document.text[start : start + 6],), evidence=pieces,
                              question_type="simple", language=language))  # fmt: skip
    ends = [Statement(statement_id=f"n-{n}", kind="rule", subject=sample.golden_answers[0], text=sample.question,
                      chunk_id=section.chunk_ids[0], doc_id=section.doc_id, spans=((0, 5),))
            for n, (section, sample) in enumerate(zip(own, samples, strict=True))]  # fmt: skip
    kinds = (RULE, CHOICE, ENTITY, REFERENCE, BRIDGE, MATTER, WORD)
    paths = tuple(Path(kind, tuple(own[:2]), tuple(ends[:2]), samples[0].golden_answers[0], 1.0) for kind in kinds)
    one = ONE_PASSAGE
    tasks = [Task(PROPOSE, tuple(own[:2]), one), Task(ACROSS, tuple(own[:2]), ("multi_context",), paths),
             Task(EVOLVE, tuple(own[:2]), one, parents=tuple(samples[:2]), into=(one, one))]  # fmt: skip
    made = [driven(asked_of(task, material, corpus, QuestionMix()), None)[0].request for task in tasks]
    made += driven(unanswered(Task(UNANSWERED, (own[0],), ()), material, corpus), lambda _: said(candidates=[]))[1]
    made += driven(briefed(corpus, load("proposals/brief", language), ""), lambda _: said(brief="x" * 30))[1]

    def judge(request):
        verdict = {"item": 0, "unnamed": "", "clear": True, "natural": 4, "matters": 4, "known": ""}
        more = {"answer": "", "proved": True, "right": True, "complete": True, "other": "", "one": True, "turned": "",
                "typed": True, "why": "", "grave": False, "found": False}  # fmt: skip
        return said(verdicts=[{**verdict, **more}])

    apart = Sample(question=samples[0].question, golden_answers=("x",), question_type="multi_context",
                   evidence=(*samples[0].evidence, *samples[1].evidence), language=language)  # fmt: skip
    judged = driven(Judged().judge_all([apart], corpus), judge)[1]
    assert [request.purpose for request in judged] == [CLOSED, OPEN, ANSWER]
    return [*made, *judged]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_request_is_in_the_language_and_script_of_the_documents(language):
    for request in requests(language):
        text = re.sub(r"</?\w+-[0-9a-f]{8}>|\.md\b", "", user(request))
        if language == "en":
            assert not re.search(r"[\u3400-\u9fff]", text), request.purpose
            continue
        assert set(re.findall(r"[A-Za-z_]{2,}", text)) <= _TYPES, (request.purpose, text)
        other = traditional_only() if language == "zh-Hans" else simplified_only()
        assert not other.intersection(text), (request.purpose, other.intersection(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_to_develop_is_shown_with_its_new_types_as_the_prompt_calls_them(language):
    request = next(one for one in requests(language) if one.purpose == PROMPTS[EVOLVE])
    shown = label("new type", language)
    assert re.search(
        rf"{label('question', language)} 0 \({shown}[:：] ?reasoning, conditional, simple\)", user(request)
    )
    assert shown in load(PROMPTS[EVOLVE], language).system


def test_a_language_without_labels_has_the_english_ones():
    assert label("question", "other") == label("question", "en") == "Question"
