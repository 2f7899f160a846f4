"""Split text into words for matching, and estimate token counts. A dictionary is used to split Chinese."""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from itertools import accumulate
from typing import Any

from synth.text.normalise import fold_width, to_simplified

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W{_HAN}]+(?:[.'’+#-][^\W{_HAN}]+)*(?:\+\+|\#)?")
_POSSESSIVE = re.compile(r"['’]s$")
_WIDE = re.compile("[\u2e80-\uffef\U00020000-\U0003ffff]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*|[〇零一二三四五六七八九十百千万亿两]{2,}")

ENGLISH_STOP = frozenset(
    "a an the of to in on at by for with from as is are was were be been being do does did doing have "
    "has had having and or but not no nor so if then than that this these those it its it's he him his "
    "she her they them their theirs we us our you your i me my who whom whose which what when where why "
    "how can could may might must shall should will would there here into onto about over under up down "
    "out off again once only own same such just also very too some any each other more most both all few "
    "s t don one many much kind name called type first".split()
)
CHINESE_STOP = frozenset(
    "的 了 在 是 和 与 及 或 也 都 就 而 又 被 把 将 对 从 到 于 为 以 之 其 这 那 这个 那个 这些 那些 它 他 她 "
    "它们 他们 我们 你 我 您 你们 有 没有 不 会 能 可以 可 要 应 上 中 下 里 内 外 个 一个 一 种 一种 什么 哪 哪个 "
    "哪些 哪一 谁 何 何时 怎么 怎样 如何 为什么 为何 多少 几 吗 呢 "
    "时候 年 月 日 等 时 后 前 并 但 但是 因为 所以 如果 则 "
    "地方 哪里 人 该 此 所 由 让 使 给 用 来 去 着 过 得 地 很 更 最 还 再 已 曾 称 叫 做 作为 通过 进行".split()
)


@lru_cache(maxsize=1)
def _jieba() -> Any:
    import rjieba

    return rjieba


def words(text: str) -> list[str]:
    """Return the words of `text` in order, with width, case and Chinese script normalised.

    Identifiers and numbers such as "response_model", "3.14", "C++" or "T-100" stay whole. A possessive 's is dropped.
    """
    tokens: list[str] = []
    for token in _TOKEN.findall(to_simplified(fold_width(text))):
        if "\u3400" <= token[0] <= "\u9fff":
            tokens.extend(_jieba().cut(token))
        else:
            token = token.casefold()
            tokens.append(_POSSESSIVE.sub("", token) if token.endswith("s") else token)
    return tokens


def written_words(text: str) -> list[tuple[str, str]]:
    """Return each word of `words` paired with its spelling in `text`, in the original script and case."""
    folded = to_simplified(fold_width(text))
    searched = folded.casefold()
    source = text if len(text) == len(searched) else searched
    pairs: list[tuple[str, str]] = []
    place = 0
    for word in words(text):
        place = searched.index(word, place)
        pairs.append((word, source[place : place + len(word)]))
        place += len(word)
    return pairs


def content_words(text: str) -> list[str]:
    """Return `words(text)` without the stop words of English and Chinese."""
    return [w for w in words(text) if w not in ENGLISH_STOP and w not in CHINESE_STOP]


def numbers(text: str) -> frozenset[str]:
    """Return the numbers in `text` as strings.

    Thousands separators are removed and full-width digits become ASCII. Chinese numerals stay as written.
    """
    folded = to_simplified(fold_width(text))
    return frozenset(re.sub(r",(?=\d{3}\b)", "", match) for match in _NUMBER.findall(folded))


def count_tokens(text: str) -> int:
    """Estimate the number of language-model tokens: one per four letters or per Chinese character.

    The estimate never shrinks when a text grows. If a text is cut into n parts, their estimates add up to at most n
    tokens more than the estimate of the whole.
    """
    wide = len(text) - len(_WIDE.sub("", text))
    return wide + (len(text) - wide + 3) // 4


class TokenIndex:
    """Index that computes `count_tokens` of any slice of a text in constant time."""

    def __init__(self, text: str) -> None:
        wide = bytearray(len(text))
        for run in _WIDE.finditer(text):
            wide[run.start() : run.end()] = bytes([1]) * len(run[0])
        self._wide = array("i", accumulate(wide, initial=0))

    def count(self, start: int, end: int) -> int:
        """Return `count_tokens(text[start:end])`, for 0 <= start <= end <= len(text)."""
        wide = self._wide[end] - self._wide[start]
        return wide + (end - start - wide + 3) // 4
