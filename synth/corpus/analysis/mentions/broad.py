"""Broad names, which say little about a passage: continents, countries, peoples, languages and the like."""

from __future__ import annotations

from functools import lru_cache

from synth.corpus.analysis.mentions.names import key

_ENGLISH = """
Earth, World, Europe, Asia, Africa, America, Americas, North America, South America, Latin America,
Central America, Central Asia, Southeast Asia, East Asia, South Asia, Middle East, Oceania, Antarctica,
Western Europe, Eastern Europe, Central Europe, Northern Europe, Southern Europe, North Africa, West, East,
Western, Atlantic, Pacific, Mediterranean, European, European Union, EU, UN, United Nations, Asian, African,
American, Americans, Europeans, Latin, UK, United Kingdom, U.K., Great Britain, Britain, British, US, USA, U.S.,
U.S.A., United States, United States of America, England, English, Englishman, Scotland, Scottish, Wales, Welsh,
Ireland, Irish, Northern Ireland, France, French, Germany, German, Germans, Austria, Austrian, Switzerland,
Swiss, Italy, Italian, Italians, Spain, Spanish, Portugal, Portuguese, Netherlands, Dutch, Holland, Belgium,
Belgian, Luxembourg, Denmark, Danish, Norway, Norwegian, Sweden, Swedish, Finland, Finnish, Iceland, Icelandic,
Poland, Polish, Czech, Czech Republic, Slovakia, Hungary, Hungarian, Romania, Romanian, Bulgaria, Bulgarian,
Greece, Greek, Greeks, Turkey, Turkish, Russia, Russian, Soviet, Soviet Union, Ukraine, Ukrainian, Serbia,
Serbian, Croatia, Croatian, Yugoslavia, Estonia, Latvia, Lithuania, Georgia, Armenia, Armenian, Israel, Jewish,
Arab, Arabic, Iran, Iranian, Persian, Iraq, Syria, Lebanon, Egypt, Egyptian, Saudi Arabia, India, Indian,
Indians, Pakistan, Pakistani, Bangladesh, Sri Lanka, Nepal, China, Chinese, Hong Kong, Taiwan, Japan, Japanese,
Korea, Korean, South Korea, North Korea, Mongolia, Mongolian, Vietnam, Vietnamese, Thailand, Thai, Malaysia,
Singapore, Indonesia, Indonesian, Philippines, Filipino, Australia, Australian, New Zealand, Canada, Canadian,
Mexico, Mexican, Brazil, Brazilian, Argentina, Argentine, Chile, Colombia, Peru, Cuba, Venezuela, South Africa,
South African, Nigeria, Nigerian, Kenya, Ghana, Morocco, Algeria, Ethiopia, Christian, Christianity, Catholic,
Muslim, Islam, Islamic, Hindi, Tamil, Telugu, Bengali, Hebrew, Roman, World War I, World War II, First World War,
Second World War, Renaissance, Middle Ages, Internet, Wikipedia, Google, YouTube, Facebook,
DJ, LP, CD, EP, DVD, TV, CEO, MP, MVP, PhD, California,
New York, New York City, London, Paris, Hollywood, Republican, Democratic, Congress
"""
_CHINESE = """
地球 世界 欧洲 亚洲 非洲 美洲 大洋洲 北美 南美 北美洲 南美洲 拉丁美洲 中东 东亚 东南亚 南亚 中亚 西欧 东欧 北欧
南欧 西方 东方 大西洋 太平洋 印度洋 地中海 联合国 欧盟 英国 英格兰 苏格兰 威尔士 爱尔兰 美国 法国 德国 奥地利
瑞士 意大利 西班牙 葡萄牙 荷兰 比利时 卢森堡 丹麦 挪威 瑞典 芬兰 冰岛 波兰 捷克 斯洛伐克 匈牙利 罗马尼亚
保加利亚 希腊 土耳其 俄罗斯 俄国 苏联 乌克兰 塞尔维亚 克罗地亚 南斯拉夫 以色列 阿拉伯 伊朗 波斯 伊拉克 叙利亚
埃及 沙特阿拉伯 印度 巴基斯坦 孟加拉国 斯里兰卡 尼泊尔 不丹 中国 中国大陆 大陆 中华人民共和国 中华民国 香港 澳门
台湾 日本 韩国 朝鲜 北韩 南韩 蒙古 越南 泰国 缅甸 老挝 柬埔寨 马来西亚 新加坡 印度尼西亚 印尼 菲律宾 澳大利亚
澳洲 新西兰 纽西兰 加拿大 墨西哥 巴西 阿根廷 智利 哥伦比亚 秘鲁 古巴 委内瑞拉 南非 尼日利亚 肯尼亚 摩洛哥
阿尔及利亚 埃塞俄比亚 英语 英文 法语 德语 日语 韩语 俄语 西班牙语 葡萄牙语 意大利语 阿拉伯语 拉丁语 希腊语 汉语
中文 华语 粤语 普通话 英国人 美国人 法国人 德国人 日本人 中国人 汉族 基督教 天主教 伊斯兰教 佛教 穆斯林 犹太人
互联网 维基百科 第一次世界大战 第二次世界大战 一战 二战 文艺复兴 中世纪 华北 华南 华东 华中 东北 西北 西南 东南
河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海
广西 西藏 宁夏 新疆 内蒙古 北京 上海 天津 重庆 东京 纽约 伦敦 巴黎 加州 明朝 清朝 唐朝 宋朝 元朝 汉朝 清代 明代
宋代 唐代 共产党 国民党 中国共产党 中国国民党 中共
"""


@lru_cache(maxsize=1)
def _broad() -> frozenset[str]:
    english = (" ".join(name.split()) for name in _ENGLISH.split(","))
    return frozenset(key(name) for name in (*english, *_CHINESE.split()))


def is_broad(name: str) -> bool:
    """Whether an English or Chinese name is so broad that it occurs in texts on any subject."""
    return key(name) in _broad()
