"""The construction for prose that guides its reader: how something can be done."""

from __future__ import annotations

from collections.abc import Iterator

from synth.grammar.english.lexicon import word_set
from synth.grammar.english.phrases import lean
from synth.grammar.english.proposals import Proposal, Stated, moved, propose
from synth.grammar.english.wording import plain_word


def method(fact: Stated) -> Iterator[Proposal]:
    """ "You can define files using X." -> "How can you define files?" """
    clause = fact.clause
    if clause.subject is None or clause.subject.head.lower_ != "you" or clause.cut or clause.negation:
        return
    if [plain_word(t) for t in clause.auxiliaries] not in (["can"], ["could"]):
        return
    doc = clause.doc
    stop = len(doc)
    while stop and doc[stop - 1].is_punct:
        stop -= 1
    for token in doc[clause.verb.i + 2 : stop - 1]:
        tool = doc[token.i + 1]
        by = token.lower_ == "by" and tool.tag_ == "VBG"
        using = token.lower_ == "using"
        with_ = (
            token.lower_ == "with"
            and token.head == clause.verb
            and (tool.i in fact.code or doc[stop - 1].i in fact.code)
            and stop - token.i < 7
        )
        inside = token.lower_ in _PLACES and token.head == clause.verb and stop - token.i < 7
        inside = inside and clause.verb.lemma_ != "import" and not any(t.lower_ == "using" for t in doc[token.i : stop])
        inside = inside and any(t.i in fact.code for t in doc[token.i : stop])
        passing = token.lower_ in _PASSING and doc[token.i - 1].text == "," and token.tag_ == "VBG"
        if not (by or using or with_ or passing or inside):
            continue
        start = token.i - 1 if doc[token.i - 1].lower_ == "by" else token.i
        middle = lean(doc[clause.verb.i : start])
        if (doc[start - 1].text == "," and not passing) or any(t.dep_ in ("relcl", "advcl", "ccomp") for t in middle):
            return
        if doc[stop - 1].lower_ in ("too", "also", "instead", "well", "it", "them"):
            return
        answer = lean(doc[start:stop])
        if len(answer) < stop - start or any(t.lower_ == "your" or t.text in ",/" or "/" in t.text for t in middle):
            return
        yield from propose(
            fact, "method", 0.82, ["where can you" if inside else "how can you", *middle, *moved(fact)], answer
        )
        return


_PLACES = word_set("in inside from at under")
_PASSING = word_set("using passing setting declaring adding creating importing")
CONSTRUCTIONS = (method,)
