"""Claims against images: what is sent, what comes of it, and what is said where it cannot be done."""

import json
from base64 import b64encode

import pytest

from synth.core.errors import ConfigError
from synth.evaluation.metrics.judged_faithfulness import ImageFaithfulness
from synth.models.chat.driver import Driver, Job
from synth.models.chat.exchange import Sending
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import ScriptedModel
from tests.llm.server import ChatServer, Status
from tests.metrics.cases import case, item
from tests.metrics.judge import judge, judged, reply

ANSWER = "The tower is red. The tower has a clock."
PICTURE = b"\x89PNG not much of a picture"


def seeing(request):
    if "image_verdicts" not in request.prompt:
        return reply(request.prompt, request.messages[-1].content)
    assert request.messages[-1].images
    rows = [{"claim": i, "reason": "", "verdict": verdict} for i, verdict in ((2, "absent"), (1, "supported"))]
    return {"verdicts": rows}


def row(*images, answer=ANSWER, language="en"):
    return case(item(question="What is the tower like?", images=list(images), language=language), answer)


def test_the_share_that_the_images_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tower.png"
    path.write_bytes(PICTURE)
    model = ScriptedModel(seeing)
    metric = ImageFaithfulness(folder=".")
    score = judged(metric, row(str(path), "https://example.org/a.jpg"), model)["image_faithfulness"]
    assert score.value == 0.5
    assert [one["verdict"] for one in score.detail] == ["supported", "absent"]
    shown = model.calls[-1].messages[-1].images
    assert shown == ("data:image/png;base64," + b64encode(PICTURE).decode(), "https://example.org/a.jpg")
    chinese = row(str(path), answer="塔是红色的。塔上有钟。", language="zh-Hant")
    assert judged(metric, chinese, ScriptedModel(seeing))["image_faithfulness"].value == 0.5


@pytest.mark.parametrize(
    ("images", "reason"),
    [
        ((), "needs 'images', a list of strings"),
        (("a.png",) * 9, "at most 8"),
        (("notes.txt",), "'notes.txt' has no image file extension"),
        (("none.png",), "cannot read the image none.png"),
        (
            ("data:image/png;base64," + "A" * 14_000_000,),
            "the data URL has 10500000 bytes, but at most 10000000 can be sent",
        ),
    ],
)
def test_images_that_cannot_be_shown_are_named(images, reason):
    metric = ImageFaithfulness(folder=".")
    assert reason in judged(metric, row(*images), ScriptedModel(seeing))["image_faithfulness"].reason


@pytest.mark.parametrize(
    "form", ["{}", "images/../{}", "file://{}", "FILE:{}", "ftp://127.0.0.1/a.png", "//127.0.0.1/a.png"]
)
@pytest.mark.parametrize("folder", ["", "images"])
def test_a_row_sends_no_file_that_the_user_did_not_name(tmp_path, monkeypatch, form, folder):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "images").mkdir()
    path = tmp_path / "private.png"
    path.write_bytes(PICTURE)
    for name in (path, "private.png"):
        model = ScriptedModel(seeing)
        score = judged(ImageFaithfulness(folder=folder), row(form.format(name)), model)["image_faithfulness"]
        assert score.value is None
        assert not any(message.images for call in model.calls for message in call.messages)


def test_a_folder_is_named_by_a_text():
    with pytest.raises(ConfigError, match="must be the path of a folder"):
        ImageFaithfulness(folder=5)


def test_a_verdict_keeps_its_reason_and_contradictions_are_not_absences():
    ballots = iter([("contradicted", "it is blue"), ("contradicted", "a blue tower"), ("absent", "no tower")])

    def voting(request):
        if "image_verdicts" not in request.prompt:
            return {"claims": ["The tower is red."]}
        verdict, reason = next(ballots)
        return {"verdicts": [{"claim": 1, "reason": reason, "verdict": verdict}]}

    steps = ImageFaithfulness().steps(row("HTTPS://example.org/a.jpg"), judge(votes=3))
    (outcome,) = Driver({"judge": ScriptedModel(voting)}).run([Job(key="1", steps=steps)])
    (score,) = outcome.value
    assert score.value == 0.0
    assert score.detail == [
        {"claim": "The tower is red.", "verdict": "contradicted", "sentence": "", "reason": "it is blue"}
    ]


def over_http(act):
    server = ChatServer(act)
    try:
        model = OpenAIModel("m", base_url=server.url)
        driver = Driver({"judge": model}, sending=Sending(retries=Retries(limits={"server": 0})))
        steps = ImageFaithfulness().steps(row("data:image/png;base64,AAAA"), judge())
        (outcome,) = driver.run([Job(key="1", steps=steps)])
        return outcome.value[0], server.bodies
    finally:
        server.close()


def test_images_go_out_as_parts_of_the_message():
    def act(body, _):
        if isinstance(body["messages"][1]["content"], str):
            return json.dumps({"claims": ["The tower is red."]})
        return json.dumps({"verdicts": [{"claim": 1, "reason": "", "verdict": "supported"}]})

    score, bodies = over_http(act)
    assert score.value == 1.0
    text, image = bodies[-1]["messages"][1]["content"]
    assert "[1] The tower is red." in text["text"]
    assert image == {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def test_an_endpoint_that_takes_no_images_is_told_of():
    def act(body, _):
        if isinstance(body["messages"][1]["content"], str):
            return json.dumps({"claims": ["The tower is red."]})
        return Status(400, "this model does not support image input")

    score, _ = over_http(act)
    assert score.value is None
    assert "refuses images for this model: the endpoint refused the request with 400" in score.reason
