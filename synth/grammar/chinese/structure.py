"""Chinese functions for questions from headings, lists and tables: tasks, lead-ins of lists, and rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from synth.grammar.chinese.stated import described, stated
from synth.grammar.chinese.statutes import ARTICLE, LAW, short_name
from synth.grammar.structure.forms import StructureForms
from synth.grammar.structure.language import Rule, StructureLanguage
from synth.grammar.structure.outline import concluding
from synth.text.normalise import to_simplified
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

FORMS = StructureForms.of(__package__)
_HOW = re.compile(r"^(?:如何|怎么|怎样|怎麼|怎樣)(?P<goal>.{2,24})[?？]?$")
_GOAL = re.compile(
    r"^(?P<goal>(?:安装|卸载|配置|设置|创建|新建|添加|删除|修改|更新|升级|启动|停止|重启|登录|注册|申请|办理|提交|查询|查看|下载|上传|"
    r"导入|导出|备份|恢复|部署|发布|编译|构建|运行|测试|调试|启用|禁用|开启|关闭|连接|绑定|解绑|重置|更换|清洁|清洗|拆卸|组装|"
    r"报名|预约|取消|退订|退款|缴费|充值|开通|注销|打开|使用|编写|制作|准备|选择|购买|加入|切换|迁移|扩容)[^，。：:的]{1,16})$"
)
_LISTING = re.compile(
    r"^(?P<subject>[^，。；：]{2,24}?)(?:主要|一般|通常|分别|还|均)?(?P<modal>应当|应|可以|可|需要?|必须)?"
    r"(?P<verb>包括|包含|分为|具有|拥有|需要|支持|提供|涉及|涵盖|具备|提交|携带|准备|满足|符合|有)"
    r"(?:了)?(?:以下|如下|下列)?(?:(?P<count>[一二三四五六七八九十两\d]+|几|多|若干)(?P<measure>[个种类项点条大]{0,2}))?(?P<what>[^，。；：的]{0,12})[：:]$"
)
_OF_THESE = re.compile(
    r"^(?:以下|下列)(?:[一二三四五六七八九十两\d几]+[个种类项]?)?(?P<what>[^，。；：]{2,10}?)(?P<rest>(?:不|可以|可|应当|应|必须|需要?|属于|不得|无需|免).{2,24})[：:]$"
)
_AS_FOLLOWS = re.compile(r"^(?P<what>[^，。；：]{3,24}?)(?:主要)?(?:有)?(?:如下|是)[：:]$")
_CIRCUMSTANCES = re.compile(
    r"^(?P<who>[^，。；：]{0,30}?)具?有(?:下列|以下)(?P<what>情形|情况|行为)之一的?，(?P<rest>[^：。]{3,60})[：:]$"
)
_ITS = re.compile(r"^其(?P<what>[^他它，]{2,6}?)(?P<rest>应当.{2,}|自动.{2,}|终止|失效|无效|解除|中止)$")
_IF = re.compile(
    r"^(?P<before>[^，。；]{0,16}，)?(?:如果|若(?!干)|假如|倘若|一旦|要是|如(?=[^，]{0,6}(?:不|未|需|要|有|遇|出现|发生|发现|存在|使用|超过|低于|无|没))(?![下上图何此前果同今表实期约数故法]))(?P<c>[^。；：]{4,60}?)(?:的话|时|的)?，(?:那么|那|则|就|便)?(?P<m>[^。；]{4,80})。$"
)
_CLAUSE = re.compile(
    r"^(?P<c>(?:违反[^，。]{2,40}，)?[^。；：]{6,70}?)的，(?P<m>(?:依法|应当|由|处|责令|可以|予以|不予|不得|给予|没收|吊销|按照|视为|构成|从重|撤销|终止|免除)[^。；]{4,90})。$"
)
_CONTINUES = re.compile(r"^(?:且|并|或|而|又|但|和|以及|同时)")
_PENALTY = re.compile(r"处[^理]{0,20}(?:罚款|拘留|徒刑|警告)|罚款|处分|吊销|没收|责令|拘留|追究|赔偿")
_HANDLED = re.compile(r"^(?:由|按照|依照|给予|报)")
_THRESHOLD = re.compile(
    r"(?P<bound>超过|大于|高于|多于|不少于|不低于|至少|低于|少于|不足|未满|不满|不超过|小于)\s*(?P<n>\d+(?:\.\d+)?|[一二三四五六七八九十两]+)\s*(?P<unit>%|[^\s\d，。的]{1,3})"
)
_AFTER_THRESHOLD = re.compile(r"(?P<n>\d+)\s*(?P<unit>%|[个天日年月周元岁人次小分]{1,3})(?P<bound>以上|以下|以内)")
_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "十": 10}
_UPWARDS = ("超过", "大于", "高于", "多于", "不少于", "不低于", "至少", "以上")
_MARKED = re.compile(r"[?？…“”「」《》\"（(\[]")


def goal(heading: str, reading: Reading) -> str:
    """Return the task that a heading names, a verb such as 安装 with its object, or "" if it names no task."""
    text = to_simplified(heading)
    if match := _HOW.match(text):
        return match["goal"].rstrip("?？")
    match = _GOAL.match(text)
    return match["goal"] if match else ""


def noun(text: str, reading: Reading) -> str:
    """Return a label without the spaces, colons and full stops around it."""
    return text.strip(" ：:。")


def thing(heading: str, reading: Reading) -> str:
    """Return the name in a heading, or "" if there is none."""
    return "" if FORMS.has("no_name", heading) else noun(heading, reading)


def listing(lead: str, parse: Any) -> str:
    """Return the question that the list below a lead-in answers, or "" if no question fits. `parse` is not used."""
    text = ARTICLE.sub("", to_simplified(lead).rsplit("。", 1)[-1].strip()).replace("但不限于", "")
    text = re.sub(r"(?<=[\u4e00-\u9fff]) (?=\d)|(?<=\d) (?=[\u4e00-\u9fff])", "", text)
    if match := _CIRCUMSTANCES.match(text):
        who, rest = match["who"], match["rest"]
        if "；" in rest:
            return ""
        if own := _ITS.match(rest):
            return f"{who}的{own['what']}在哪些{match['what']}下{own['rest']}？" if who else ""
        asked = f"有哪些{match['what']}之一的" if match["what"] == "行为" else f"在哪些{match['what']}下"
        return f"{who}{asked}，{rest}？"
    if match := _OF_THESE.match(text):
        return f"哪些{match['what']}{match['rest']}？"
    if match := _LISTING.match(text):
        subject, modal = match["subject"], match["modal"] or ""
        if FORMS.has("weak", subject) or re.search(
            r"如果|因为|为了|但是?$|[可应需必]$|^(?:也|还|都|有|并|且|在|对应|相应|所)", subject
        ):
            return ""
        what = match["what"].strip()
        if what and not re.search(r"[\u4e00-\u9fff]", what):
            return ""
        count = match["count"]
        if count and count not in "多若干" and what:
            asked = (
                f"{subject}{modal}{match['verb']}哪{'几' if count == '几' else count}{match['measure'] or '个'}{what}？"
            )
        else:
            asked = f"{subject}{modal}{match['verb']}哪些{what}？"
        return asked
    if match := _AS_FOLLOWS.match(text):
        what = match["what"]
        leans = FORMS.has("weak", what) or re.search(r"(?:^|，)(?:对应|相应|相关|具体|所)", what)
        if leans or len(content_words(what)) < 2:
            return ""
        if re.search(r"(?:步骤|流程|方法|过程|做法)$", what):
            return f"{what}是怎样的？"
        return f"{what}有哪些？"
    return ""


def about(question: str, thing: str) -> str:
    """Return a question if it names its subject `thing`, else "". If the subject is a law, its name is added."""
    if _is_law(thing):
        return f"根据《{short_name(thing)}》，{question}"
    pairs = any(thing[at : at + 2] in question for at in range(len(thing) - 1))
    return question if pairs or set(content_words(thing)) & set(content_words(question)) else ""


def _is_law(thing: str) -> bool:
    return bool(LAW.search(to_simplified(thing))) and len(thing) > 3


def rules(reading: Reading, section: Section, thing: str) -> Iterator[Rule]:
    """Yield the rules in the complete sentences of a section (see `concluding`)."""
    for sentence in concluding(reading, section, FORMS):
        written = sentence.text.strip().replace(",", "，")
        if head := _HEAD.match(to_simplified(written)):
            written = written[head.end() :]
        text = to_simplified(written)
        found = _if(text) or (_clause(text) if _is_law(thing) else None)
        if found:
            condition, answer, question, case = found
            at = text.find(answer)
            yield Rule(
                condition=condition,
                answer=written[at : at + len(answer)],
                question=question,
                case="",
                case_question=case,
                spans=((sentence.start, sentence.end),),
            )


_HEAD = re.compile(rf"(?:{ARTICLE.pattern[1:]})?(?:[（(][一二三四五六七八九十\d]+[)）])?")


def _if(text: str) -> tuple[str, str, str, str] | None:
    """Return (condition, consequence, question, question on an example) of 如果A，就B。 or None for other sentences."""
    match = _IF.match(text)
    if match is None or _MARKED.search(match["c"]):
        return None
    condition, said = match["c"], match["m"]
    main = re.sub(r"^(?:那么|那|则|就|便)", "", said)
    if _CONTINUES.match(main) or "，" in condition or re.search(r"，(?:那么|则|就|便|才)", main):
        return None
    if FORMS.has("weak", condition) or FORMS.has("consequence_leans", main) or FORMS.has("pointing_verb", main):
        return None
    if re.match(r"^.{0,3}(?:不要|不应|切勿|切不可|请勿|别(?!人|的))", main) or FORMS.has("empty", main):
        return None
    if len(main) < 4 or len(condition) > 40 or re.search(r"[一二三四五六七八九十]是$|^[a-zA-Z]+$", main):
        return None
    ask = _asked(main)
    before = match["before"] or ""
    if not ask or (before and not re.match(r"^(?:在|对于?|当|根据|按)", before)):
        return None
    said = re.sub(r"[您你]们?", "我", condition)
    case = _case(said)
    return condition, main, f"{before}如果{said}，{ask}？", f"{before}如果{case}，{ask}？" if case else ""


def _clause(text: str) -> tuple[str, str, str, str] | None:
    """Return the parts of a rule in a law, "…的，由…处…", like `_if`, or None for other sentences."""
    match = _CLAUSE.match(text)
    if match is None or _MARKED.search(match["c"]) or re.search(r"下列|本条|前款|前项|上述|该|其(?!他)|除", match["c"]):
        return None
    condition = re.sub(r"^违反(?:本(?:法|条例|办法|规定|细则)[^，]*|[^，]{0,4}规定)，", "", match["c"])
    main = match["m"]
    if FORMS.has("consequence_leans", main) or FORMS.has("empty", main) or len(condition) < 6:
        return None
    if re.search(r"第[一二三四五六七八九十百]+[条款项]|的，", f"{main}") or "的，" in condition:
        return None
    if re.match(r"^(?:确|需|经|因|未|拒|逾期|对|在|有|情节|造成|构成|可以|应当|并|且|或|已|尚|仍)", condition):
        return None
    kinds = (
        ("punished", _PENALTY.search(main) and not re.search(r"减轻|从轻|免除|不承担", main)),
        ("may", main.startswith("可以")),
        ("must", FORMS.has("must", main) or _HANDLED.match(main)),
    )
    kind = next((name for name, fits in kinds if fits), "follows")
    return condition, main, f"{condition}的，{FORMS.frame(kind, condition)}？", ""


def _asked(main: str) -> str:
    """Return the words that ask for a consequence, such as 应该怎么办, preceded by the person who acts.

    Return "" if it is unclear what kind of consequence it is.
    """
    who = match["who"] if (match := _WHO.match(main)) and not FORMS.has("weak", match["who"]) else ""
    if FORMS.has("must", main):
        return f"{who}应该怎么办"
    if FORMS.has("may", main):
        return f"{who}可以怎么办"
    if _REMEDY.match(main):
        return ""
    return "会怎么样" if FORMS.has("follows", main) and not FORMS.has("uncertain", main) else ""


_REMEDY = re.compile(r"^[^，]{0,6}(?:可|请|建议|需|应|不妨)")
_WHO = re.compile(r"^(?P<who>[^，就也还都再又可会能]{2,8}?)就?(?:应当|应该|应(?=[^用对])|必须|需要|可以)")


def _case(condition: str) -> str:
    """Return an example that meets the condition, with a number in place of the threshold; "" without threshold."""
    match = _THRESHOLD.search(condition) or _AFTER_THRESHOLD.search(condition)
    if match is None:
        return ""
    n = _value(match["n"])
    if n is None or n < 2:
        return ""
    number = n + max(1, round(n * 0.3)) if match["bound"] in _UPWARDS else max(1, n * 2 // 3)
    if number == n:
        return ""
    verb = "为" if re.search(r"[长重高度量数额龄期间温率价比位压速]$", condition[: match.start()]) else ""
    return f"{condition[: match.start()]}{verb}{number}{match['unit']}{condition[match.end() :]}"


def _value(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    if len(text) == 1 and text in _DIGITS:
        return _DIGITS[text]
    if re.fullmatch(r"[二三四五六七八九]?十[一二三四五六七八九]?", text):
        tens, _, ones = text.partition("十")
        return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
    return None


def option(does: str) -> str:
    """Return the description of an option in the words of a question, or "" if it refers to other text."""
    text = to_simplified(does)
    if FORMS.has("consequence_leans", text) or FORMS.has("no_deed", text):
        return ""
    return text if len(re.findall(r"[\u4e00-\u9fff]", text)) >= 4 else ""


STRUCTURE = StructureLanguage(
    forms=FORMS,
    goal=goal,
    listing=listing,
    rules=rules,
    about=about,
    option=option,
    noun=noun,
    thing=thing,
    row=noun,
    joint="",
    stated=stated,
    described=described,
)
