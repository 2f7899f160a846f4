"""Amounts of money in tables whose numbers are thousands or millions."""

from __future__ import annotations

import re

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.text.normalise import fold_width, to_simplified
from synth.text.tokens import numbers

_STATED = re.compile(
    r"\bin (?!the |their |its )(?:[a-z.$]+ )?(?:thousand|million|billion)s\b(?! of (?!\S* ?(?:dollar|euro|pound)s?\b))|"
    r"单位\s*[:：]?[^\n]{0,12}?[千百万亿]元|人民币[千百万亿]+元",
    re.IGNORECASE,
)
"""Scale of a table, such as "(in millions)", "单位：万元" or "人民币千元", and not "used in millions of homes"."""

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_AMOUNT = re.compile(
    rf"(?:[$£€¥]|\bRMB)\s?(?P<before>{_NUMBER})|(?P<after>{_NUMBER})\s?(?:元|dollars|euros)", re.IGNORECASE
)
_SCALED = re.compile(r"thousand|million|billion|\bbn\b|\d\s?[mk]\b|[千万亿]", re.IGNORECASE)
_CENTS = re.compile(r"\.\d\d$")
_WHOLE_AMOUNT = 1_000_000  # an amount from here on is hardly one in thousands or millions


def without_scale(sample: Sample, corpus: Corpus) -> str:
    """Return an amount of money that lacks its scale in a golden answer, or "".

    The amount stands in a row of a table, and its document gives amounts in thousands or millions ("in millions",
    单位：万元). An answer that names a scale anywhere is taken to mean it throughout. Amounts with cents are prices or
    amounts per share.
    """
    for answer in map(_folded, sample.golden_answers):
        if _SCALED.search(answer):
            continue
        for found in _AMOUNT.finditer(answer):
            amount = found["before"] or found["after"]
            if not _CENTS.search(amount) and _is_scaled(amount, sample, corpus):
                return found[0]
    return ""


def _is_scaled(amount: str, sample: Sample, corpus: Corpus) -> bool:
    if float(amount.replace(",", "")) >= _WHOLE_AMOUNT:
        return False
    return any(
        piece.text.lstrip().startswith("|")
        and numbers(amount) <= numbers(piece.text)
        and _STATED.search(_folded(corpus.document(piece.doc_id).text))
        for piece in sample.evidence
    )


def _folded(text: str) -> str:
    return to_simplified(fold_width(text))
