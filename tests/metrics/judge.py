"""A judge by rules, for tests: it answers synth's judging prompts from the words in them."""

import json
import re
from functools import cache

from synth.evaluation.judging.judged_metric import Judge, JudgedMetric
from synth.models.chat.driver import Driver, Job
from synth.models.chat.scripted import ScriptedModel
from synth.models.prompts import available, load
from synth.text.sentences import split_sentences
from synth.text.tokens import content_words, numbers
from synth.workflows.assembly import discover

_FENCED = re.compile(r"<([a-z]+)-([0-9a-f]{8})>\n(.*?)\n</\1-\2>", re.DOTALL)
_NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def parts(user):
    """What stands between tags, by tag."""
    return {match[1]: match[3] for match in _FENCED.finditer(user)}


def lines(text):
    return [match[2] for match in _NUMBERED.finditer(text)]


def sentences(text):
    return [text[start:end] for start, end in split_sentences(text)]


def says(sentence, claim):
    """Whether a sentence has the claim's words and numbers, or all but the numbers; None for neither."""
    wanted, there = set(content_words(claim)), set(content_words(sentence))
    figures = set(numbers(claim))
    words = {word for word in wanted if not word.isdecimal()}
    if not words or not words <= there:
        return None
    return figures <= set(numbers(sentence))


def verdict(number, claim, text):
    found = {i: one for i, sentence in enumerate(text, start=1) if (one := says(sentence, claim)) is not None}
    if not found:
        return {"claim": number, "reason": "nothing of it", "sentence": 0, "verdict": "absent"}
    best = max(found, key=lambda i: (found[i], -i))
    name = "supported" if found[best] else "contradicted"
    return {"claim": number, "reason": "by its words", "sentence": best, "verdict": name}


def reply(prompt, user):
    """The reply to a judging prompt, as JSON values."""
    name, said = prompt.partition("@")[0].partition(".")[0].rpartition("/")[2], parts(user)
    if name in ("claims", "main_points"):
        found = [one for one in sentences(said["text"]) if content_words(one)]
        return {"claims" if name == "claims" else "points": found[:10]}
    if name == "triples":
        return {"triples": [{"subject": one, "relation": "is", "object": ""} for one in sentences(said["text"])]}
    if name == "verdicts":
        text = lines(said["text"])
        return {"verdicts": [verdict(i, one, text) for i, one in enumerate(lines(said["claims"]), start=1)]}
    if name == "image_verdicts":
        claims = lines(said["claims"])
        return {"verdicts": [{"claim": i, "reason": "", "verdict": "supported"} for i, _ in enumerate(claims, start=1)]}
    if name == "useful":
        return {
            "reason": "by its words",
            "useful": any(says(said["passage"], one) for one in sentences(said["answer"])),
        }
    if name == "relevant":
        shared = set(content_words(said["question"])) & set(content_words(said["passage"]))
        return {"reason": "by its words", "relevant": len(shared) > 1}
    if name == "reverse":
        evasive = "not know" in said["answer"] or "不知道" in said["answer"]
        return {"noncommittal": evasive, "questions": [] if evasive else [said["answer"]] * 3}
    if name == "topics":
        topics = lines(user)
        dealt = [i for i, one in enumerate(topics, start=1) if one.casefold() in said["answer"].casefold()]
        return {"dealt_with": dealt, "others": 0 if dealt else 1}
    if name == "goal":
        return {"reason": "by its calls", "reached": said["calls"] != "-"}
    if name == "aspect":
        return {"reason": "by its length", "met": len(said["answer"]) < 40}
    assert name == "rubric"
    return {"reason": "by its length", "score": 5 if len(said["answer"]) < 40 else 2}


def scripted(answer=None):
    """The judge by rules as a model, or one that answers otherwise."""
    return ScriptedModel(
        answer or (lambda request: reply(request.prompt, request.messages[1].content)), identity="scripted judge"
    )


def similar(text, others):
    """The share of words in common."""
    mine = set(content_words(text))
    return [len(mine & set(content_words(one))) / max(1, len(mine | set(content_words(one)))) for one in others]


def judge(**more):
    return Judge(load, similar, **more)


def part(name, **parameters):
    return discover("synth.evaluation.metrics", JudgedMetric)[name](**parameters)


def judged(metric, case, model=None, asks=None):
    """The scores of a case by column, judged by rules or by another model."""
    metric = part(metric) if isinstance(metric, str) else metric
    driver = Driver({"judge": model or scripted()})
    (outcome,) = driver.run([Job(key="one", steps=metric.steps(case, asks or judge()))])
    return {score.metric: score for score in outcome.value}


def as_server(body):
    """The same for a server: the reply to the body of a request, told apart by its system text."""
    system, user = (_text(message["content"]) for message in body["messages"][:2])
    name = next(name for name, text in _systems().items() if system.startswith(text))
    return json.dumps(reply(name, user), ensure_ascii=False)


def _text(content):
    return content if isinstance(content, str) else content[0]["text"]


@cache
def _systems():
    return {
        f"{name}.{language}@": load(name, language).system
        for name in available()
        if name.startswith("judges/")
        for language in ("en", "zh-Hans", "zh-Hant")
    }
