"""The halves of a rule: who a consequence is about, how it is meant, and whether a half reads alone."""

from __future__ import annotations

import re

from synth.grammar.chinese.clauses import make_subject, noun_phrase_end
from synth.grammar.chinese.lexicon import DEICTIC, NAMES, UNRULY
from synth.grammar.chinese.lines import Line, balanced
from synth.grammar.chinese.objects import final_object
from synth.grammar.chinese.usage import impersonal

_READER = re.compile(r"(?:请)?(?:你们?|您|用户|开发者)")
_LEAN = (
    r"(?:也|还|都|又|现在|仍然?|依然|便|则|就|才|即|总是|始终|首先|先|直接|自动|通常|一般|确实|同时|另外|额外|只需|"
    r"简单地|最好|往往|很?容易就?|请)*"
)
_PREDICATE = re.compile(
    rf"{_LEAN}(?:(?:将会?|会)(?=能够?|可以|需要|必须))?"
    r"(?P<M>不会|不能|不得|不可以|可以|可能会|可能|可(?![执用选调信见靠迭变])|能够|能|应该|应当|"
    r"应(?![用对答])|需要|必须|需|须|只能|将会|会(?![议计员见话长社所场])|将(?=[被不自])|要(?![求么]))?"
    rf"{_LEAN}"
)
_HANDLED = re.compile("使用|声明|创建|返回|打开|启动|安装|添加|传入|调用|定义|运行|提供|设置")
_ANY = re.compile(
    r"(?<=[\d弱强级度个人米秒%])以[上下]|(?<=限值)以下|(?<=上)一级|某[个些](?!情况|原因|内容|特|高|时|方)|(?<=一组)(?:具有)?相关性?的?"
)
_RAW = re.compile(
    r"(?:什么|怎么|如何|怎样|是否|哪|谁|多少|几[个种次])|[✅🚨⬆]|相同|类似|对应|相应|上述|各自|另|像下|如下|以下|下面|就像|这样|例如|比如"
)
_LONGEST = 40


def freed(text: str) -> str:
    """A text without the reader; 认为你 does not address one."""
    return impersonal(re.sub("(?<=认为)[你您]的?", "", text))


def past(form: re.Pattern[str], line: Line, begin: int, end: int) -> int:
    """Behind the words that `form` takes at `begin`, as far as they are whole."""
    match = form.match(line.simple, begin, end)
    return next((p for p in range(match.end() if match else begin, begin, -1) if p in line.edges), begin)


def predicate(line: Line, begin: int, end: int) -> tuple[str, int]:
    """The modal verb of a predicate, and where the rest of it begins; one that denies stays with the rest."""
    match = _PREDICATE.match(line.simple, begin, end)
    if match is None or match.end() >= end:
        return "", begin
    modal = match.group("M") or ""
    if modal in ("不会", "不能", "不得", "不可以"):
        return "会" if modal != "不得" else "", match.start("M") if match.start("M") in line.edges else begin
    return (modal, match.end()) if match.end() in line.edges else ("", past(_PREDICATE, line, begin, end))


def owner(line: Line, begin: int, end: int) -> tuple[str | None, int] | None:
    """Who a clause is about ("" for the reader) and where its predicate begins; None where that is unclear."""
    if begin not in line.edges:
        return None
    reader = _READER.match(line.simple, begin, end)
    if reader is not None and line.simple[reader.end() : reader.end() + 1] != "的":
        return ("", reader.end()) if reader.end() in line.edges else None
    begin += 2 * line.simple.startswith(("你的", "您的"), begin)
    stop = noun_phrase_end(line, begin, end) if begin in line.edges else begin
    if stop <= begin:
        return "", begin
    subject = line.simple[begin:stop]
    if stop >= end or make_subject(line, begin, stop) is None:
        return None
    if re.search(r"^(?:默认|通常|一般|直接)$|[对将把从向]|^(?:最|更)|[中里上下]$", subject):
        return None
    return impersonal(line.written(begin, stop)), stop


def antecedent(line: Line, start: int, stop: int) -> str | None:
    """What 它 stands for behind a condition that names one thing only, its subject or its object."""
    owned = owner(line, start, stop)
    found = final_object(line, start, stop)
    if owned is None or (owned[0] and found is not None):
        return None
    if owned[0]:
        return re.sub("^一[个种]", "", owned[0])
    if found is None or not _HANDLED.match(line.simple, found[0]):
        return None
    named = re.match("一[个种组]", line.simple[found[1] : stop])
    begin = found[1] + (named.end() if named else 0)
    return (
        impersonal(line.written(begin, stop))
        if line.whole(begin, stop) and "的" not in line.simple[begin:stop]
        else None
    )


def reads(text: str) -> bool:
    """Whether a half of a rule stands alone: nothing in it points elsewhere, and it is short and whole."""
    plain = _ANY.sub("", re.sub(r"--?[a-z][\w-]*", "x", text))
    brief = re.sub(r"[\x21-\x7e]+", "xx", plain)
    if DEICTIC.search(plain) or UNRULY.search(plain) or _RAW.search(plain) or not balanced(plain) or "我" in plain:
        return False
    return 2 <= len(brief) <= _LONGEST


def says_enough(line: Line, span: tuple[int, int]) -> bool:
    """Whether a condition names what it is about: at least two words of content."""
    told = [t for t in line.span(*span) if t.tag in NAMES | {"n", "v", "vn", "a", "an", "ad", "vd", "m"}]
    return len(told) >= 2 and any(len(t.text) > 1 for t in told) and span[1] - span[0] >= 4
