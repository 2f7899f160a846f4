"""What a passage is about, and which words of its later sentences mean that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.phrases import is_person

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.grammar.reading import Reading
    from synth.text.prose import Sentence

_PARTICLES = word_set("of the and de von van der la le du da di del al bin ibn no al- & d' in for on to i y or")
_LEAD = re.compile(
    r"^(?P<name>[A-Z\u00c0-\u024f0-9\"“][^()]{1,70}?)\s?(?:\((?P<aside>[^()]*(?:\([^()]*\)[^()]*)*)\))?,?"
    r"(?: ?(?:[a-z]|\")[^,.()]{2,60},)? (?P<verb>is|was) (?P<article>an?|the)\s"
)
_HE, _SHE = ("he", "his"), ("she", "her")
_OWNERS = {"his": "he", "her": "she", "its": "it"}
_WORKS = word_set(
    "film album song novel book play opera series episode game magazine newspaper band company club school "
    "university college church building bridge lighthouse museum ship station airport stadium village town city "
    "district municipality river lake island mountain castle station road tower opera symphony painting poem "
    "single sitcom documentary movie serial musical ep soundtrack sequel remake short"
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a passage is about: its name, the sentence that says so, whether it is a person, and its kind noun.

    `word` is "he", "she" or "it", the one that the passage uses for it, "" when it uses none or several.
    """

    name: str
    sentence: Sentence
    person: bool
    kind: str
    word: str
    end: int


def topic_of(reading: Reading) -> Topic | None:
    """The topic of a passage that opens with its definition: "The Last Tram is a 1931 film ..."."""
    if not reading.sentences or not reading.english:
        return None
    sentence, doc = reading.sentences[0], reading.english[0]
    match = _LEAD.match(sentence.text)
    if match is None or sentence.start > 400:
        return None
    others = r" ?, (?=[a-z])" if " or " in reading.document.title else r" ?, (?=[a-z])| or "
    name = re.split(others, match["name"])[0].strip(' ,"“”').replace("  ", " ")
    if not _is_name(name, reading.document.title, doc):
        return None
    after = [t for t in doc if t.idx >= match.end() - 1]
    kind = _kind(after)
    person = kind is not None and (is_person(kind) or _human(kind, match["aside"] or ""))
    word = _pronoun(reading.english[1:]) if person else "it"
    end = match.start("name") + match["name"].find(name) + len(name) if name in match["name"] else match.end("name")
    return Topic(name, sentence, person, kind.lemma_.lower() if kind is not None else "", word, end)


def _pronoun(docs: list[Doc]) -> str:
    """Whether a passage on a person says "he" or "she" of them: the first that opens a sentence; "" when unsure."""
    opening = [d[0].lower_ for d in docs if len(d) and d[0].lower_ in (*_HE, *_SHE)]
    used = [t.lower_ for d in docs for t in d if t.lower_ in (*_HE, *_SHE)]
    he, she = sum(w in _HE for w in used), sum(w in _SHE for w in used)
    if he and she and (not opening or min(he, she) * 2 > max(he, she)):
        return ""
    return "he" if he > she else "she" if she > he else ""


def _human(kind: Token, aside: str) -> bool:
    return bool(re.search(r"\bborn\b|\d{4}\s?[-–]\s?.*\d{4}", aside)) and kind.lemma_.lower() not in _WORKS


def _kind(tokens: list[Token]) -> Token | None:
    """The noun of the definition: "film" of "a 1931 Danish film directed by"."""
    run: list[Token] = []
    for token in tokens:
        if token.pos_ in ("VERB", "AUX", "SCONJ", "PRON", "ADP") or token.text in (".", ";", "("):
            break
        run.append(token)
    human = next((t for t in run if t.pos_ == "NOUN" and is_person(t)), None)
    for n, token in enumerate(run):
        following = run[n + 1].pos_ if n + 1 < len(run) else ""
        if token.pos_ == "NOUN" and following not in ("NOUN", "PROPN", "ADJ", "PUNCT"):
            return human or token
    plain = [t for n, t in enumerate(run) if t.pos_ == "NOUN" and (n + 1 == len(run) or run[n + 1].pos_ != "NOUN")]
    return human or next(iter(plain), None)


def _is_name(name: str, title: str, doc: Doc) -> bool:
    words = re.findall(r"[\w'’.-]+", name)
    if (
        not words
        or len(words) > 10
        or words[0] == "Born"
        or (not words[0][:1].isupper() and not words[0][:1].isdigit())
    ):
        return False
    lead = {w.lower() for w in re.findall(r"\w+", re.sub(r"\(.*?\)", "", title))}
    shared = lead & {w.lower() for w in re.findall(r"\w+", name)}
    if lead and len(shared - _PARTICLES) >= min(2, len(lead - _PARTICLES)) and shared:
        return True
    return (
        all(w[:1].isupper() or w.lower() in _PARTICLES for w in words)
        and len(words) > 1
        and doc[0].pos_ in ("PROPN", "DET")
    )


@dataclass(frozen=True, slots=True)
class Meant:
    """What a token stands for: the name, and the sentence that proves it. `possessive` says that it reads "X's"."""

    token: int
    name: str
    proof: Sentence
    possessive: bool


@dataclass(frozen=True, slots=True)
class Recent:
    """The subject of the sentence before, and the pronouns that may mean it."""

    name: str
    proof: Sentence
    words: tuple[str, ...]


def _introduced(sentence: Sentence, doc: Doc, main: Token, full: dict[str, str]) -> Recent | None:
    """The subject of a sentence that a pronoun in the next one means, when no other person or group can be meant."""
    words = list(main.subtree)
    if main.i > 12 or len(words) > 5 or words[-1].i - words[0].i + 1 != len(words) or words[-1] != main:
        return None
    if any(t.dep_ in ("conj", "cc", "poss", "punct") for t in words) or not any(t.pos_ == "PROPN" for t in words):
        return None
    others = [
        t
        for t in doc
        if t.dep_ in (*SUBJECTS, "dobj", "agent", "conj") and t != main and t.i not in {w.i for w in words}
    ]
    text = doc[words[0].i : words[-1].i + 1].text
    text = text[0].lower() + text[1:] if words[0].lower_ in ("the", "a", "an") else text
    if main.ent_type_ == "PERSON" and main.pos_ == "PROPN" and words[0].lower_ != "the":
        if any(t.ent_type_ == "PERSON" or t.lower_ in ("he", "she") for t in others):
            return None
        return Recent(full.get(text, text), sentence, ("he", "she"))
    if main.tag_ in ("NNPS", "NNS") and words[0].pos_ in ("PROPN", "DET"):
        if any(t.tag_ in ("NNS", "NNPS") for t in others):
            return None
        return Recent(text, sentence, ("they",))
    if main.tag_ == "NNP" and main.ent_type_ not in ("PERSON", "NORP", "DATE"):
        if any(t.tag_ in ("NNP", "NN") and t.dep_ != "agent" for t in others):
            return None
        return Recent(text, sentence, ("it",))
    return None


class Chain:
    """Follows the subjects of a passage, so as to know what "he", "it" or "the film" is at each of them."""

    def __init__(self, reading: Reading, topic: Topic | None) -> None:
        self._topic = topic
        self._held = topic is not None
        self._recent: Recent | None = None
        self._full: dict[str, str] = {}
        self._text = reading.document.text
        kinds = [t for d in reading.english[1:] for t in d if topic and t.lemma_.lower() == topic.kind]
        self._only = not any(
            c.lower_ in ("a", "an", "another", "other", "this", "second") for t in kinds for c in t.children
        )

    def meant(self, sentence: Sentence, doc: Doc) -> Iterator[Meant]:
        """What the subjects of `doc` mean by the topic; to be asked once for each sentence, in order."""
        topic = self._topic
        if topic is None:
            yield from self._recent_meant(sentence, doc)
            return
        held = self._held
        subjects = [t for t in doc if t.dep_ in SUBJECTS]
        for token in subjects:
            found = self._one(token, held)
            if found is not None:
                yield found
        self._held = self._keeps(doc, held)

    def _recent_meant(self, sentence: Sentence, doc: Doc) -> Iterator[Meant]:
        """What "he", "she" or "they" at the head of a sentence means by the subject of the one before."""
        main = next((t for t in doc if t.dep_ in SUBJECTS and t.head.head == t.head), None)
        recent = self._recent if not sentence.first else None
        if main is None:
            self._recent = None
            return
        if main.lower_ in ("he", "she", "they", "it") and main.i <= 6 and not _impersonal(main):
            if recent is None or main.lower_ not in recent.words:
                self._recent = None
                return
            self._recent = replace(recent, words=(main.lower_,))
            yield Meant(main.i, recent.name, recent.proof, False)
            return
        self._recent = _introduced(sentence, doc, main, self._full)

    def _one(self, token: Token, held: bool) -> Meant | None:
        topic = self._topic
        assert topic is not None
        if token.lower_ == topic.word and held and not _impersonal(token):
            return Meant(token.i, topic.name, topic.sentence, False)
        owner = next((c for c in token.children if c.dep_ == "poss"), None)
        said = _OWNERS.get(owner.lower_) if owner is not None and owner.i == token.left_edge.i else None
        if owner is not None and held and said is not None and said == topic.word:
            return Meant(owner.i, _genitive(topic.name), topic.sentence, True)
        if token.lemma_.lower() == topic.kind and topic.kind in _WORKS and self._only and token.tag_ == "NN":
            words = list(token.subtree)
            if len(words) == 2 and words[0].lower_ == "the":
                return Meant(token.i, topic.name, topic.sentence, False)
        return None

    def _keeps(self, doc: Doc, held: bool) -> bool:
        """Whether the topic is still what is spoken of after `doc`."""
        topic = self._topic
        assert topic is not None
        words = {w for w in re.findall(r"\w+", topic.name) if w[:1].isupper()}
        for token in doc:
            if token.dep_ not in SUBJECTS or token.head.dep_ in ("relcl",):
                continue
            if token.lower_ in (topic.word, topic.kind) or token.text in words:
                held = True
            elif topic.person and (token.ent_type_ == "PERSON" or is_person(token)):
                return False
            elif not topic.person and token.pos_ in ("PROPN", "NOUN") and token.tag_ in ("NN", "NNP"):
                held = False
        return held


def _genitive(name: str) -> str:
    return name + "'s"


def _impersonal(token: Token) -> bool:
    rest = token.doc[token.i : token.i + 14].text
    return token.lower_ == "it" and bool(
        re.match(
            r"(?i)it (?:is|was|has been|had been|seems?|appears?|took|takes)\b.*\b(?:that|to|whether|how|when|who)\b",
            rest,
        )
    )
