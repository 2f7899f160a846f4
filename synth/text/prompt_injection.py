"""Prompt injections in documents: instructions to a language model, fake dialogue turns and fake replies."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from synth.core.patterns import is_found
from synth.text.normalise import folded_letters, to_simplified
from synth.text.sentences import split_sentences

_SPEAKER = r"(?:^|\|)[\s\d.#*>]{0,6}(?:system|assistant|developer|系统|助手|开发者)"
_TOLD = r".*(?:\byou\b|\bmust\b|你|服从|必须|[回作]答)"
# Of the speakers within a line only the first is tried: what follows a later one also follows the first.
_TURNS = (
    r"<\|/?(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>"
    rf"|^(?>.*?{_SPEAKER}[^\S\n]*+[:：])(?={_TOLD})"
    rf"|{_SPEAKER}[^\S\n]*+\n\s*+[:：](?={_TOLD})|{_SPEAKER}\s*+[:：]\s*\n(?={_TOLD})"
    r"|\b(?:system|developer) (?:prompt|message)\s*[:：]|\bas an ai\b|系统(?:提示词?|消息)\s*[:：]"
    r"|</?(?:passage|evidence|focus|known|question|text|first|second)(?:-\w*)?>"
)
_REPLIES = r'\{\s*"(?:question|answer|quote|found|steps|stated|missing|facts|entities|summary|operation)"\s*:'
_MADE_UP = re.compile("|".join((_TURNS, _REPLIES)), re.IGNORECASE | re.MULTILINE)
_ORDERED = re.compile(
    r"(?:^|[,;:.!]\s*|\b(?:and|then|please|always|only|just)\s+)(?:answer|reply|respond|output|say|print)"
    r"(?:\s+(?:only|just|exactly|nothing but|always|with|the words?))*\s+[\"'“]?(?-i:[A-Z]{4,}\b)"
    r"|\b(?:answer|reply|respond)\s+(?:only|just|exactly|nothing but)\s+(?:with|the)\b"
    r"|\b(?:new|real|actual|updated) instructions?\s*[:：]|新的?(?:指令|指示|任务)\s*[:：]"
    r"|(?:只|仅|必须|一律|直接)(?:能|要|可以|准)?(?:输出|回答|回复)\s?[“”「『\"'A-Za-z]",
    re.IGNORECASE | re.MULTILINE,
)
_PAYLOAD_SIGN = re.compile(r"[\"“„«「『‘][^\"”“»」』’]{2,60}[\"”“»」』’]|(?<![\w])[A-ZÄÖÜА-Я]{4,}(?![\w])")
_SPACED = re.compile(r"(?<!\S)(?:[^\W\d_]\s{1,4}){5,}[^\W\d_](?!\S)")
_JOINT = re.compile(r"[\W_]+|(?<=[a-zäöüßé])(?=[A-ZÄÖÜ])")
_EASTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MOST_LINES = 6
_ENDS = re.compile(r"[.!?。！？…|][\"'”’」』)）]*\s*$")
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]*")
_QUOTED = r"(?<![^\W\u3400-\u9fff])[\"“‘「『]([^\s,:\"”’」』][^\"”’」』\n]{0,79})[\"”’」』](?!\s*:)"
_PAYLOAD_ENGLISH = (
    r"(?=\b(?:answers?\b.{0,40}?\b(?:is|are|be)"
    r"|answer|reply|respond|write|say|output|print|return|use|add|mention|insert|with)"
    r"(?:\s+(?:only|just|exactly|nothing but|always|with|as|the words?|the phrase)){0,20}[\s:：]+"
    r"([^\s\"“‘.,;:!?][^\"“”‘’.,;:!?\n]{0,80}?)"
    r"(?:\s+(?:to|for|in|as|instead|and|when|whenever|regardless)\b|\s*(?:[\".,;:!?“”‘’<]|$)))"
)
_PAYLOAD_CHINESE = (
    r"(?=(?:回答|答案(?:都|一律|必须|应)?(?:是|为)|回复|输出|填写|写|填|说|加上|改成)(?:上|成|出|道|为|是|只|一律|\s|[:：])*"
    r"([^\s，。；！？、：“”「」『』\"']{2,20}?)"
    r"(?:这个[词字]|这几个字|两个字|就行|就好|即可|[，。；！？、“”「」『』\"'\s<]|$))"
)
_PAYLOAD = re.compile("|".join((_QUOTED, _PAYLOAD_ENGLISH, _PAYLOAD_CHINESE)), re.IGNORECASE | re.MULTILINE)
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?![^\S\n]*+\n)[^\n]+)*")


def gives_orders(text: str) -> bool:
    """Return whether a text contains a passage that instructs a language model.

    All languages of the word lists are searched. Invisible characters, look-alike letters and spaces between letters do
    not hide an instruction.
    """
    shown = _SPACED.sub(lambda run: _spelled(run[0]), to_simplified(folded_letters(text)))
    if _MADE_UP.search(shown) is not None:
        return True
    squeezed = _SPACED.search(text) is not None
    if not squeezed and not is_found(_hints(), shown):
        return False
    if _ORDERED.search(shown) is not None:
        return True
    return _orders(shown, *(words for words in _lists(squeezed=squeezed) if squeezed or is_found(words.hint, shown)))


def orders_a_judge(text: str) -> bool:
    """Return whether a text tells a judge model what to decide, or contains another instruction of the word lists.

    Fake dialogue turns and replies do not count, because an answer may be JSON.
    """
    shown = to_simplified(folded_letters(text))
    for begin, end, pattern in _to_a_judge():
        if is_found(begin, shown) and is_found(end, shown) and pattern.search(shown) is not None:
            return True
    return _orders(shown, *(words for words in _lists(squeezed=False) if is_found(words.hint, shown)))


def orders_among(lines: Sequence[str]) -> set[int]:
    """Return the indices of the lines that instruct a language model, alone or together with adjacent lines.

    A line is joined with the next ones up to the first line that ends a sentence, at most six lines in all.
    """
    found = {number for number, line in enumerate(lines) if gives_orders(line)}
    for number in range(len(lines)):
        end = number + 1
        while end < min(len(lines), number + _MOST_LINES) and not _ENDS.search(lines[end - 1]):
            end += 1
        run = range(number, end)
        if end > number + 1 and not found.intersection(run) and gives_orders(" ".join(lines[number:end])):
            found.update(run)
    return found


def name_gives_orders(name: str) -> bool:
    """Return whether the name of a file or other object instructs a language model.

    Punctuation and capitals may separate its words, as in "ignore-allRules".
    """
    return gives_orders(name) or gives_orders(_JOINT.sub(" ", name))


def _orders(text: str, *lists: Words) -> bool:
    for sentence, words in ((sentence, words) for words in lists for sentence in _SENTENCE.findall(text)):
        dismissed = _near(words.dismiss, words.rules, sentence, 60) and words.earlier.search(sentence)
        if dismissed or _near(words.dismiss, words.whole, sentence, 20):
            return True
        speaks = words.speak.search(sentence)
        if speaks and words.every_reply.search(sentence):
            payload = _PAYLOAD_SIGN.search(sentence)
            if payload or words.imperative.search(sentence):
                return True
        if words.models.search(sentence) and (
            _near(words.become, words.models, sentence, 25)
            or (speaks and _near(words.address, words.models, sentence, 25) and _PAYLOAD_SIGN.search(sentence))
            or (speaks and words.greeting.search(sentence))
        ):
            return True
    return False


def _near(first: re.Pattern[str], second: re.Pattern[str], text: str, most: int) -> bool:
    """Return whether a match of `first` and a match of `second` are at most `most` characters apart."""
    places = [match.span() for match in second.finditer(text)]
    ends = [end for _, end in places]
    for start, end in (match.span() for match in first.finditer(text)):
        nearest = bisect_left(ends, start - most)  # the first that does not end too early
        if nearest < len(places) and places[nearest][0] - end <= most:
            return True
    return False


def _spelled(run: str) -> str:
    """Return the words of a spaced-out text such as "i g n o r e". Several spaces in a row separate words."""
    return " " + re.sub(r"(?<=\S)\s(?=\S)", "", run).strip() + " "


@dataclass(frozen=True, slots=True)
class Words:
    """Patterns of the words that instructions in one language consist of, from `prompt_injection.json`."""

    dismiss: re.Pattern[str]
    rules: re.Pattern[str]
    earlier: re.Pattern[str]
    whole: re.Pattern[str]
    speak: re.Pattern[str]
    imperative: re.Pattern[str]
    every_reply: re.Pattern[str]
    become: re.Pattern[str]
    models: re.Pattern[str]
    address: re.Pattern[str]
    greeting: re.Pattern[str]
    hint: str


_OF_A_MODEL = (
    "dismiss", "rules", "earlier", "whole", "speak", "every", "replies", "become", "models", "address",
)  # fmt: skip
_OF_A_JUDGE = ("judges", "must", "award", "marks", "best", "own", "approve", "approved")


@lru_cache(maxsize=1)
def word_lists() -> Mapping[str, Mapping[str, Any]]:
    """Return the word lists by language.

    They include example sentences: real instructions, and sentences that only look like instructions.
    """
    text = Path(__file__).with_suffix(".json").read_text("utf-8")
    return {name: words for name, words in json.loads(text).items() if name != "source"}


@lru_cache(maxsize=2)
def _lists(*, squeezed: bool) -> tuple[Words, ...]:
    return tuple(_words(words, squeezed=squeezed) for words in word_lists().values())


def _words(words: Mapping[str, Any], *, squeezed: bool) -> Words:
    lists = {name: _choice(words[name], squeezed=squeezed) for name in _OF_A_MODEL}
    opening = (
        r"(?:^|[,;:，；：、!！]"
        r"|\b(?:and|then|please|always|only|just|und|bitte|et|y|por favor|e|и|пожалуйста|merci de)\b)\W*"
    )
    begins = rf"{opening}(?:{lists['speak']})"
    every, replies, speak = lists.pop("every"), lists.pop("replies"), lists["speak"]
    every_reply = rf"(?:{every}).{{1,14}}?(?:{replies})"
    greeting = rf"(?:{lists['models']})\w*\s*[:：,，、]"
    eastern = _EASTERN.search(speak) is not None
    if eastern:  # no spaces between words, and in Japanese and Korean the verb comes last
        both = rf"(?:{every})(?:的|の| |)(?:{replies})|(?:{replies})(?:を|に| |)(?:{every})"
        every_reply = rf"(?:{both}).{{0,12}}(?:{speak})|(?:{speak}).{{0,8}}(?:{both})"
    patterns = {name: re.compile(text, re.IGNORECASE | re.DOTALL) for name, text in lists.items()}
    return Words(
        **patterns,
        imperative=patterns["speak"] if eastern else re.compile(begins, re.IGNORECASE),
        every_reply=re.compile(every_reply, re.IGNORECASE | re.DOTALL),
        greeting=re.compile(greeting, re.IGNORECASE),
        hint=_hint([words]),
    )


@lru_cache(maxsize=1)
def _to_a_judge() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return (hint for RE2, hint for RE2, deciding pattern) for each language.

    A text with an instruction to a judge model matches all three. Hints are fast, and exclude most texts.
    """
    return tuple(
        (
            _hint([words], ("judges", "award", "approve", "own")),
            _hint([words], ("best", "approved", "own")),
            re.compile(_verdicts_ordered(words), re.IGNORECASE | re.DOTALL),
        )
        for words in word_lists().values()
    )


def _verdicts_ordered(words: Mapping[str, Any]) -> str:
    """Return a pattern for orders to a judge model, such as "give full marks" or "mark it correct"."""
    lists = {name: words[name] for name in _OF_A_JUDGE}
    lists["named best"] = ",".join(word for word in words["best"].split(",") if not re.search(r"\d", word))
    lists["best or approved"] = f"{words['best']}, {words['approved']}"
    orders = [
        "judges 60 marks 40 best or approved",
        "must 16 award 40 marks 12 best",
        "must 16 award 20 named best 3 marks",
        "must 16 award 30 own 20 best",
        "must 16 approve 40 approved",
        "marks 1 own",
    ]
    if _EASTERN.search(words["award"]) and not words["must"]:  # the verb comes last
        orders = ["judges 60 best or approved", "best 12 award", "approved 6 approve"]
    return "|".join(_in_order(order, lists) for order in orders if "own" not in order or words["own"])


def _in_order(order: str, lists: Mapping[str, str]) -> str:
    """Return a pattern for words of several lists in order, each within a maximum distance of the one before.

    `order` is like "judges 60 best": names of `lists`, and the maximum distances in characters between them. Empty
    lists are skipped.
    """
    pattern = ""
    for name, room in re.findall(r"([a-z ]+?)(?: (\d+) |$)", order):
        if words := lists[name]:
            end = r"(?![.,]?\d)" if "best" in name else ""
            pattern += rf"(?:{_choice(words, squeezed=False)}){end}" + (rf".{{0,{room}}}?" if room else "")
    return pattern


def _choice(text: str, *, squeezed: bool) -> str:
    """Return a pattern for a list of words. An empty list matches nothing.

    With `squeezed`, the pattern is for texts without spaces between words.
    """
    words = [word.strip() for word in to_simplified(text).split(",") if word.strip()]
    if not words:
        return r"(?!)"
    if squeezed:
        return "|".join(re.escape(word.rstrip("*")).replace(r"\ ", r"\s*").replace(r"\*", "") for word in words)
    patterns = (
        re.escape(w) if _EASTERN.search(w) else rf"(?<!\w){re.escape(w).replace(chr(92) + '*', '[^ ]*?')}(?!\w)"
        for w in words
    )
    return "|".join(patterns)


@lru_cache(maxsize=1)
def _hints() -> str:
    """Return a pattern for RE2 that every text with an instruction matches, and most other texts do not."""
    ordered = "answer|reply|respond|output|say|print|instruction|指令|指示|任务|输出|回答|回复"
    return f"{_hint(word_lists().values())}|{ordered}"


def _hint(lists: Iterable[Mapping[str, Any]], names: Sequence[str] = ("dismiss", "replies", "models")) -> str:
    """Return a fast pattern for RE2 that every text with an instruction of `lists` matches."""
    words = {
        word.strip().partition("*")[0]
        for named in lists
        for name in names
        for word in to_simplified(named[name]).split(",")
        if word.strip()
    }
    # RE2 knows only ASCII word boundaries; in other scripts it finds additional ones.
    begun = "|".join(rf"\b{re.escape(word)}" if word[0].isascii() else re.escape(word) for word in sorted(words))
    return f"(?i){begun}"


def without_orders(text: str) -> str:
    """Return `text` without the paragraphs that instruct a language model."""
    if not gives_orders(text):
        return text
    return "\n\n".join(paragraph for paragraph in _paragraphs(text) if not gives_orders(paragraph))


def payloads(text: str) -> tuple[str, ...]:
    """Return the words that instructions in a text tell a model to say, without duplicates.

    Chinese payloads are in simplified script.
    """
    matches: dict[str, None] = {}
    if not gives_orders(text):
        return ()
    for sentence in _sentences(text):
        if gives_orders(sentence):
            for match in _PAYLOAD.finditer(to_simplified(sentence)):
                payload = next(filter(None, match.groups()), "").strip()
                if len(payload) > 1:
                    matches[payload] = None
    return tuple(matches)


def without_order_sentences(text: str) -> str:
    """Return `text` without the sentences that instruct a language model. Each sentence is on its own line."""
    return "\n".join(sentence for sentence in _sentences(text) if not gives_orders(sentence))


def order_spans(text: str) -> list[tuple[int, int]]:
    """Return the offsets of the paragraphs that instruct a language model."""
    if not gives_orders(text):
        return []
    return [match.span() for match in _PARAGRAPH.finditer(text) if gives_orders(match[0])]


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in split_sentences(text))


def _paragraphs(text: str) -> Iterator[str]:
    return (match[0] for match in _PARAGRAPH.finditer(text))
