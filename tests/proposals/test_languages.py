"""Documents in other languages give rows in their own, and no rule made for English or Chinese is asked about them."""

import re
from types import SimpleNamespace

import pytest

from synth.core.progress import Silent
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.judged import Judged
from synth.generation.judge_requests import ANSWER, CLOSED, OPEN
from synth.generation.proposals.author import Author
from synth.generation.proposals.run import Wanted, collect_rows
from synth.generation.question_form import QuestionMix
from synth.models.chat.driver import Driver
from synth.models.chat.scripted import ScriptedModel
from synth.workflows.proposing import ChatAuthor
from synth.workflows.session import Run
from synth.workflows.settings import ModelSettings, Settings
from tests.proposals.made import corpus_of, material_of, sentences_of, user

TEXTS = {
    "phare.md": "# Le phare\n\nLe phare de Kerval a été construit en 1811. Sa lampe est visible à trente milles de la côte.\n",
    "turm.md": "# Der Turm\n\nDer Leuchtturm Maro wurde 1833 errichtet. Der Eintritt ist für Kinder unter zwölf Jahren frei.\n",
    "faro.md": "# El faro\n\nEl faro de Vela se encendió en 1864. Los residentes de la isla entran gratis en el museo.\n",
    "todai.md": "# 白崎灯台\n\n白崎灯台は1872年に点灯した。光は18海里先まで届くので、沖の船からもよく見えます。\n",
    "deungdae.md": "# 한솔 등대\n\n한솔 등대는 1907년에 처음 불을 밝혔다. 등대 체험관은 매주 월요일에 쉬고 단체는 예약해야 한다.\n",
}


def reply(request):
    """A question that repeats the sentence with the year, and a judge that keeps it."""
    if request.purpose == CLOSED:
        numbers = range(len(sentences_of(request)))
        verdict = {"unnamed": "", "clear": True, "natural": 4, "matters": 4, "known": ""}
        return {"verdicts": [{"item": number, **verdict} for number in numbers]}
    if request.purpose == OPEN:
        verdict = {"answer": "", "proved": True, "right": True, "complete": True, "other": "", "one": True}
        more = {"turned": "", "typed": True, "why": "", "grave": False}
        return {
            "verdicts": [{"item": int(n), **verdict, **more} for n in re.findall(r"^Item (\d+)", user(request), re.M)]
        }
    assert request.purpose != ANSWER
    if request.purpose == "proposals/evolve":
        return {"candidates": []}
    number, text = next((n, text) for n, text in sentences_of(request).items() if re.search(r"\d{4}", text))
    year = re.search(r"\d{4}", text)[0]
    more = {"hops": [], "otherwise": "", "condition": "", "reckoning": "", "worth": 4}
    question = f"{text.replace(year, '…')} ?"
    return {
        "notes": [],
        "candidates": [{"type": "simple", "question": question, "answer": year, "sentences": [number], **more}],
    }


class Unwelcome(Judged):
    """A rule that must not be asked."""

    name = "unwelcome"
    needs_model = False
    proves = False

    def check(self, sample, corpus):
        raise AssertionError("a rule for English and Chinese was asked about another language")


@pytest.fixture
def made():
    corpus = corpus_of(TEXTS)
    author = Author(material_of(corpus), corpus, [Unwelcome()], Judged(), DifficultyMeasure(corpus), QuestionMix())
    driver = Driver({role: ScriptedModel(reply) for role in ("author", "judge")})
    outcome = collect_rows(author, (), driver, Wanted({"simple": 5}), Silent())
    return corpus, outcome


def test_each_document_gives_a_row_with_exact_evidence(made):
    corpus, outcome = made
    assert {sample.evidence[0].doc_id for sample in outcome.samples} == set(TEXTS)
    for sample in outcome.samples:
        (piece,) = sample.evidence
        assert corpus.document(piece.doc_id).text[piece.start : piece.end] == piece.text
        assert sample.golden_answers[0] in piece.text
        assert sample.language == "other"
        assert "signals" not in sample.metadata


def test_prompts_ask_for_the_language_of_the_passage(made):
    corpus, _ = made
    asked = []

    def heard(request):
        asked.append(request)
        return reply(request)

    author = Author(material_of(corpus), corpus, [], Judged(), DifficultyMeasure(corpus), QuestionMix())
    driver = Driver({role: ScriptedModel(heard) for role in ("author", "judge")})
    collect_rows(author, (), driver, Wanted({"simple": 1}), Silent())
    assert any("Write in the language and script of the passage" in user(request) for request in asked)


def test_every_language_has_places_to_ask(made):
    corpus, _ = made
    parts = SimpleNamespace(filters=(Judged(),), transforms=())
    author = ChatAuthor(Run(Settings(model=ModelSettings(name="m")), corpus, None, parts, None, Silent()))
    places = author.scenarios({"simple": 1})["simple"]
    assert {corpus.chunk(place.chunk_ids[0]).doc_id for place in places} == set(TEXTS)
