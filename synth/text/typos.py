"""Detection and correction of typing errors in questions."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.text.language import is_chinese
from synth.text.normalise import to_simplified, to_traditional

# Frequent words of questions, whose typing errors are recognised.
FREQUENT = frozenset(
    "what which when where whose does there their between before after during because should would could from with "
    "first about many much people name named called year years become became company country city world history "
    "government university difference purpose function parameter default value response request application "
    "document founded created established built located used using discovered invented introduced published "
    "released written developed designed designated produced performed described defined declared required allowed "
    "started happen happens happened return returns receive received support supports provide provides contain "
    "contains consist change changed increase increased language languages number percentage population "
    "configuration environment variable database password security website question answer important different "
    "possible available various several original originally commonly usually mainly official president minister "
    "member members century second third largest highest oldest another through against without within "
    "development production automatically directly instead already always something everything".split()
)
# Real words that look like a typing error in a frequent word.
_REAL = frozenset(
    "abroad advice advise afer affect ape aped are ares ater bare barely barley began begun bellow below beng beside "
    "besides blow boar board bord border bored born borne borrow bother breath breathe broad broader brother bull "
    "bult cad caled call calm cast casual causal cause causes chance chances clam clap clause cloth clothe clothes "
    "coarse cold coma come comma cost could count county course cover covert crate creed curse curses cute dairy dead "
    "deal dear deed desert dessert diary dose draw drawn ear ears effect either ether even ever every except expect "
    "fact facts fair fallow fare farther fast fate father fats fed feet fellow felt field fiend filed filled fist "
    "follow fond form forma formed forms fort forth fount fours fried friend fro funded further game gave gaze gown "
    "grow grown hallow hare hat heat held hello her here hers hoist hollow hose host idea ides lad lager laid last "
    "late later latest latter lead least led lest letter lied lien line liner link lion list lists live lived loin "
    "loose lose lost love mach mad made make maker male mall mane manes many mare marital mark marks marry martial "
    "may mead mean means meet met most mush must nae neither net note notes once ones other others own pain paint "
    "part parts party past paste pat path pause peal pear perfect piece pint place places plan plane planed plant "
    "play plays point points posse posses possess post pot prefect price prices pries prince princes princess print "
    "prise prize prizes production prove proved quiet quit quite rage rain raise rang rather read reads real red rely "
    "reply rid ride rise role roles root rule rules run sacred sad said sand sate saved saw scared scent sea seal "
    "sear seat self sell send sent set sets sever severe shelf shell shod shoed shoot short shot shout show shown "
    "side sign signed sing singed site slip sold sole some son sped speed spite sport stand stared start starts stat "
    "state stated stay steep step stet stile still stop strip stuff sue sued super tail take taken talk tan tank "
    "tanks team tear teen ten tents term test text than thank that the thee them then these they thing think this "
    "thorough those though thought three threw time times top tops tough trail tree trial tried trough true turn "
    "turns type unite united untie untied use user users verse vote wait wand want wart wary way wear weather wed wee "
    "weed were wet whet whether while whiled whit white whiter who whole whore wide wile wine wing wish wit with "
    "wither wold won wood word words work world worse worst would wrap writ write yea year yeas yore your".split()
)
_LETTERS = re.compile(r"[a-z]{3,}")

# Wrong to right. The errors in `_SURE` never occur in correct text, so we can also recognise them.
_SURE = {
    "时侯": "时候", "以经": "已经", "付责": "负责", "导至": "导致", "开使": "开始", "因该": "应该", "被成为": "被称为",
    "神么": "什么", "怎吗": "怎么", "参素": "参数", "按装": "安装", "反回": "返回", "面机": "面积", "可已": "可以",
    "位与": "位于", "属与": "属于", "建与": "建于", "出生与哪": "出生于哪", "成立与哪": "成立于哪", "毕业与": "毕业于",
    "那一年": "哪一年", "那个国家": "哪个国家", "位于那里": "位于哪里", "事哪一年": "是哪一年", "事由谁": "是由谁",
    "事谁": "是谁", "再哪里": "在哪里", "在那里": "在哪里", "哪各": "哪个",
    "位什么": "为什么", "类形": "类型", "模形": "模型", "有谁创": "由谁创", "参加了那": "参加了哪", "又多少": "有多少",
    "因文缩写": "英文缩写", "首督": "首都", "验正": "验证", "处里": "处理", "默任": "默认", "负则": "负责",
    "于那一": "于哪一", "从那里": "从哪里", "是是": "是", "的的": "的",
}  # fmt: skip
_UNSURE = {
    "事什么": "是什么",
    "须要": "需要", "做为": "作为", "部份": "部分", "获的": "获得", "用与": "用于", "设制": "设置", "申明": "声明",
    "年分": "年份", "登陆": "登录", "帐号": "账号", "其它": "其他",
}  # fmt: skip
CHINESE_SLIPS = {**_SURE, **_UNSURE}
"""Common Chinese typing errors and their corrections, in simplified script."""


def mended(question: str, language: str) -> str:
    """Return `question` with its unmistakable typing errors corrected."""
    if is_chinese(language):
        return _mended_chinese(question, traditional=language == "zh-Hant")
    first = question.split(" ", 1)[0]
    if first.lower() in _corrections():
        question = first[:1] + _corrections()[first.lower()][1:] + question[len(first) :]
    return _LETTERS.sub(lambda match: _corrections().get(match.group(), match.group()), question)


def _mended_chinese(question: str, *, traditional: bool) -> str:
    """Correct character by character, so that all other characters keep their script."""
    for wrong, right in _SURE.items():
        at = to_simplified(question).find(wrong)
        if at < 0:
            continue
        end = at + len(wrong)
        correct = to_traditional(right) if traditional else right
        if len(wrong) == len(right) == len(correct):
            same = zip(question[at:end], wrong, right, correct, strict=True)
            correct = "".join(written if w == r else c for written, w, r, c in same)
        question = question[:at] + correct + question[end:]
    return question


@lru_cache(maxsize=1)
def _corrections() -> dict[str, str]:
    """Return a mapping from typing errors to the words of `FREQUENT`.

    An error is two letters swapped, a letter doubled or a letter left out.
    """
    corrections = {"teh": "the", "woh": "who", "hwo": "how", "wyh": "why"}
    for word in sorted(FREQUENT):
        inner = range(1, len(word) - 1)
        slips = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
        if len(word) > 4:
            slips |= {word[:at] + word[at] + word[at:] for at in inner}
            slips |= {word[:at] + word[at + 1 :] for at in inner}
        corrections.update((slip, word) for slip in sorted(slips) if len(slip) > 3 and not is_word(slip))
    return corrections


@lru_cache(maxsize=1)
def english_slips() -> frozenset[str]:
    """Return the typing errors of frequent words. An error that is itself a word is left out."""
    return frozenset(_corrections())


def is_word(word: str) -> bool:
    """Return whether `word` is in a word list of this module. A typing error that is a real word is not corrected."""
    return word in FREQUENT or word in _REAL or word.removesuffix("s") in _REAL


def has_slip(question: str, language: str) -> bool:
    """Return whether `question` has an unmistakable typing error, in English or in either Chinese script."""
    if is_chinese(language):
        text = to_simplified(question)
        return any(wrong in text for wrong in _SURE)
    first, _, rest = question.partition(" ")
    return any(word in english_slips() for word in _LETTERS.findall(f"{first.lower()} {rest}"))
