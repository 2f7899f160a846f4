"""Whether a word names one thing, by the word of a second segmenter beside LAC's."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.grammar.chinese.lexicon import NAMES
from synth.grammar.chinese.lines import Line, Token

_HAN = re.compile(r"[\u3400-\u9fff]")
_PROPER_TAGS = ("nr", "ns", "nz", "nt")
_LATIN_LETTER = re.compile(r"[A-Za-z]")
_GENERIC = re.compile(
    r"^(?:证券)?(?:交易所|大学|学院|学校|公司|政府|法院|国会|议会|委员会|教会|教堂|市中心|城市|市区|校区|西部|东部|南部|北部|中部|地区|州|省|县|镇|海岸|海滩|河|湖|山|岛)$"
)


def proper(token: Token) -> bool:
    """Whether the word is a name of its own, and no common noun that LAC took for one."""
    if token.tag == "code":
        return bool(_LATIN_LETTER.search(token.text)) and (
            len(token.text) >= 5 or not token.text.islower() or not token.text.isalpha()
        )
    if _LATIN_LETTER.search(token.text):
        return True
    if token.tag not in NAMES or len(token.text) < 2:
        return False
    if len(token.text) == 2 and token.tag in ("nz", "nw"):
        return False
    return token.tag == "PER" or _proper_text(token.text, token.tag)


@lru_cache(maxsize=65536)
def _proper_text(text: str, tag: str) -> bool:
    import rjieba

    if _GENERIC.match(text):
        return False
    pairs = rjieba.tag(text)
    if any(kind.startswith(_PROPER_TAGS) and not _GENERIC.match(word) for word, kind in pairs):
        return True
    if tag == "ORG" and len(text) >= 6:
        return True
    return sum(len(word) == 1 and kind not in ("m", "f", "q") for word, kind in pairs) * 2 >= len(pairs) + 1


def agreed(line: Line, place: int) -> bool:
    """Whether both segmenters see the end of a word at `place`."""
    text = line.simple
    left, right = place, place
    while left > 0 and place - left < 8 and _HAN.match(text[left - 1]):
        left -= 1
    while right < len(text) and right - place < 8 and _HAN.match(text[right]):
        right += 1
    if left == place or right == place:
        return True
    return place - left in _cuts(text[left:right])


@lru_cache(maxsize=65536)
def located(text: str) -> bool:
    """Whether the second segmenter takes the word as a whole for a place."""
    import rjieba

    pairs = rjieba.tag(text)
    return len(pairs) == 1 and pairs[0][1] == "ns"


@lru_cache(maxsize=65536)
def _cuts(text: str) -> frozenset[int]:
    import rjieba

    found, position = set(), 0
    for word in rjieba.cut(text):
        position += len(word)
        found.add(position)
    return frozenset(found)


@lru_cache(maxsize=65536)
def personal(text: str) -> bool:
    """Whether the words, simplified, name a person rather than a place, a people or a kind of animal."""
    import rjieba

    if _KIND_OF_LIFE.search(text):
        return False
    if re.search("[·・‧•]", text):
        return True
    pairs = rjieba.tag(text)
    if len(pairs) == 1:
        return pairs[0][1].startswith("nr")
    return len(text) <= 4 and pairs[0][1].startswith("nr") and (text[0] in _SURNAMES or text[:2] in _DOUBLE_SURNAMES)


@lru_cache(maxsize=65536)
def verbal(text: str) -> bool:
    """Whether the second segmenter leaves it open that the word is a verb."""
    import rjieba

    pairs = rjieba.tag(text)
    return len(pairs) > 1 or not pairs[0][1].startswith(("nr", "ns", "nt", "nz", "t", "m", "r", "q", "y", "e", "i"))


_KIND_OF_LIFE = re.compile(r"(?:[藤属科目纲门种龙鱼鸟虫蛇虾蟹花草木树菌藻猫犬鼠族朝军队派教会国城]|公司|大学)$")
_DOUBLE_SURNAMES = frozenset(
    "欧阳 司马 诸葛 上官 夏侯 东方 皇甫 尉迟 公孙 慕容 令狐 长孙 宇文 司徒 司空 独孤 拓跋 长谷 山本 佐藤 铃木".split()
)
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
    "岑施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷曲盛冉翁蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岩桓荀"
)
