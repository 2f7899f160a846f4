"""Questions on the entries of a reference manual: the default value of an option, and its purpose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files

from synth.core.records import Draft
from synth.grammar.entries import entries
from synth.grammar.glossaries import terms
from synth.grammar.reading import Reading
from synth.grammar.reference_forms import ReferenceEntry, ReferenceForms

_DEFAULT, _SWITCH, _MEANING, _TERM = 0.84, 0.7, 0.74, 0.8
_SWITCHES = ("true", "false")
_MIN_MEANING, _MAX_MEANING = 8, 50
"""Minimum and maximum length, in characters, of a description that is an answer."""

_LEAST_OF_OPTION = 12
"""Minimum characters in the description of an option. Shorter descriptions add little to the name."""

_LEAST_OF_CODE = 4
"""Minimum characters in the description of an error code."""

_LEAST_OF_PATH = 14
"""Minimum characters in the description of an option whose name contains dots.

Shorter descriptions only translate the parts of the name, as ETCD 镜像的标签 does for `etcd.image.tag`.
"""

_CHARACTERS_A_WORD = 3
"""Maximum number of Chinese characters that translate one word of a name."""

_SPOKEN_OF = 3
"""Minimum number of times that a document contains the first part of a title if that part is a product's name."""

_LONGEST_SCOPE = 24
"""Maximum length, in characters, of a title that names the product or part to which an entry belongs."""

_TABLE = json.loads(files(__package__).joinpath("reference.json").read_text("utf-8"))
_DOES = re.compile("|".join(_TABLE["verbs"]))
_ACTIVITY = re.compile(rf"^(?:{'|'.join(_TABLE['activities'])})|(?:{'|'.join(_TABLE['activity_tails'])})$")
_UNIT = re.compile(r"(?<=\d) ?[\u3400-\u9fff]{1,3}$")
_PHRASE = re.compile(r"[\u3400-\u9fff()（）]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_WORD = re.compile(r"\w+", re.ASCII)
_LATIN_WORD = re.compile(r"[A-Za-z][\w.-]*", re.ASCII)
_SEPARATORS = re.compile(r"[.:/]")
_ODD = re.compile(r"[/、，？?!！()（）]| [-–—] |^[A-Z]$")
_PART_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LEAD = re.compile(r"^(?:指定|表示|设置|用于|用来)+")
_FIELD = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)+", re.ASCII)
_COMMON = frozenset(_TABLE["common"])
"""Latin words in section titles that name no product."""

_OBJECT = re.compile(r"[A-Z][a-z]+[A-Z][A-Za-z]+|(?<![A-Z])[A-Z]{2,}+-[a-z]+")


def drafts(reading: Reading) -> Iterator[Draft]:
    """Yield the questions on the reference entries and the glossary terms of a document."""
    yield from reference_drafts(reading)
    yield from glossary_drafts(reading)


def reference_drafts(reading: Reading) -> Iterator[Draft]:
    """Yield questions such as DM-worker 配置文件中，配置项 log-level 的默认值是什么？"""
    forms = ReferenceForms.of(__package__)
    for entry in entries(reading, forms):
        scope = _scope(entry, reading, forms)
        if scope is None:
            continue
        if scope.partition(" 中，")[0].casefold() in _SEPARATORS.split(entry.name.casefold())[:-1]:
            scope = ""  # the name contains its scope, as in webConfig.enableTitleBar
        bare = entry.whole or not scope or scope.endswith("参数中，")
        named = entry.name if bare else f"{entry.noun or '参数'} {entry.name}"
        if value := _value(entry, forms):
            worth = _SWITCH if value.casefold() in _SWITCHES else _DEFAULT
            yield _draft(entry, f"{scope}{named} 的默认值是什么？", value, "default", worth)
        meaning = forms.meaning(entry)
        least = _LEAST_OF_CODE if entry.code or entry.status else _LEAST_OF_OPTION
        if "." in entry.name and not meaning.startswith("是否"):
            least = _LEAST_OF_PATH
        known = (entry.noun or entry.whole) and not entry.tells_itself(forms)
        known = known and not _repeats_name(entry.name, meaning) and not _translates_name(entry.name, meaning)
        if known and least <= len(meaning) <= _MAX_MEANING and _HAN.search(meaning):
            does = entry.name.startswith("-") or _DOES.match(meaning)
            asks = "用来控制什么" if meaning.startswith("是否") else "有什么作用" if does else "表示什么"
            yield _draft(entry, f"{scope}{named} {asks}？", meaning, "option", _MEANING)


def _repeats_name(name: str, meaning: str) -> bool:
    """Return whether a description says little more than the name.

    Such a description contains at least half of the last part of the name, and few other characters.

    Examples: "线程调度策略 SCHED_IDLE" for `Thread::SCHED_IDLE`, "是否启用动态 activeTimeout 功能" for
    `dynamicActiveTimeout`.
    """
    last = re.split(r"::|[.:/]", name)[-1].casefold()
    parts = (word for word in _WORD.findall(meaning) if word.casefold() in last and 2 * len(word) >= len(last))
    part = max(parts, key=len, default="")
    return bool(part) and len(meaning.replace(part, "").strip()) < 2 * _MIN_MEANING


def _translates_name(name: str, meaning: str) -> bool:
    """Return whether a description is little more than a translation of the name.

    Such a description has few characters, and all its Latin words are in the name. Examples: "禁用主动传输模式" for
    `disable_active_mode`, "指定 AWS 区域" for `awsRegion`.
    """
    words = _PART_OF_NAME.findall(name)
    whether = meaning.startswith("是否")
    latin = (word for word in _WORD.findall(meaning) if word.upper() not in _COMMON)
    if any(word.casefold() not in name.casefold() for word in latin):
        return False
    said = _HAN.findall(_LEAD.sub("", meaning))
    return 0 < len(said) <= (_CHARACTERS_A_WORD * len(words) if not whether else 4 + 2 * len(words))


def glossary_drafts(reading: Reading) -> Iterator[Draft]:
    """Yield questions such as TiDB Data Migration 中的 Checkpoint 是什么？"""
    forms = ReferenceForms.of(__package__)
    scope = forms.bare(reading.document.title)
    for entry in terms(reading, forms):
        meaning = forms.meaning(entry)
        if _MIN_MEANING <= len(meaning) <= _MAX_MEANING and _HAN.search(meaning) and not _ODD.search(entry.name):
            before, behind = (" " * char.isascii() for char in (entry.name[0], entry.name[-1]))
            within = f"{scope} 中的{before}" if _LATIN.search(scope) else ""
            yield _draft(entry, f"{within}{entry.name}{behind}是什么？", meaning, "term", _TERM)


def _draft(entry: ReferenceEntry, question: str, answer: str, pattern: str, worth: float) -> Draft:
    return Draft(question=question, golden_answers=(answer,), spans=entry.spans, pattern=pattern, worth=worth)


def _scope(entry: ReferenceEntry, reading: Reading, forms: ReferenceForms) -> str | None:
    """Return the scope that a question must state, such as "DM-worker 配置文件中，".

    Return "" if the name of the entry needs no scope, or None if it needs one and no title states it.
    """
    own = forms.bare(reading.document.title)
    if of := entry.command(own) or (entry.whole and entry.page_of_one(own)):
        return f"{of} 中，"
    if entry.whole and not entry.phrase:
        return ""
    scope = _part(entry, own, reading, forms)
    return "" if scope is None and entry.whole else scope


def _part(entry: ReferenceEntry, own: str, reading: Reading, forms: ReferenceForms) -> str | None:
    """Return the scope of an entry from the headings above it and the page title `own`, or None if none fits."""
    section = next(filter(None, map(forms.bare, reversed(entry.headings))), "")
    if not entry.local and any(word.casefold() not in own.casefold() for word in _LATIN_WORD.findall(section)):
        # The section describes a part that the page title does not name, such as a component. The entry belongs to it.
        fits = len(section) <= _LONGEST_SCOPE and not _ACTIVITY.search(section)
        common = all(word.upper() in _COMMON for word in _LATIN_WORD.findall(section))
        if fits and (common or _FIELD.fullmatch(section)):
            # "SSL 配置" and "retrieval_setting" belong to a product that the page title may name.
            if not _LATIN_WORD.search(own):
                return None
            return f"{own}{' ' * own[-1].isascii()}的 {section.removesuffix('中')}{' ' * section[-1].isascii()}中，"
        return f"{section.removesuffix('中')}{' ' * section[-1].isascii()}中，" if fits else None
    titles = [] if entry.local else [own]
    titles += [bare for bare in map(forms.bare, reversed(entry.headings)) if _OBJECT.search(bare)]
    for bare in titles[: 1 if entry.local else None]:
        if entry.local and _OBJECT.fullmatch(bare):
            return f"{bare} 中，"
        known = _LATIN.search(bare) or reading.document.text.count(_product(bare)) >= _SPOKEN_OF
        if 4 <= len(bare) <= _LONGEST_SCOPE and _HAN.search(bare) and known and not _ACTIVITY.search(bare):
            return f"{bare.removesuffix('中')}中，"
    return None


def _product(title: str) -> str:
    """Return the first part of a title, which is probably the name of a product: 澄湖 in 澄湖配置."""
    return re.sub(r"(?:系统)?(?:配置|参数|数据接口|接口|命令|错误代码|指标).*$", "", title) or title


def _value(entry: ReferenceEntry, forms: ReferenceForms) -> str:
    """Return the default value of an entry, or "" if it is unsuitable or a phrase, such as 与主机相同."""
    value = forms.value(entry)
    return "" if _PHRASE.search(_UNIT.sub("", value)) else value
