"""Chinese nouns, adjectives, adverbs and words that join, and what can be said for them."""

from __future__ import annotations

from synth.grammar.rewording.chinese_lexicon import Entry, entry, table

_EVERYWHERE = """
首次 第一次
首任 第一任
首位 第一位
首个 第一个
首家 第一家
首座 第一座
首批 第一批
首届 第一届
第一家 首家
第一座 首座
第一位 首位
第一批 首批
第一届 首届
第一间 首间
第一款 首款
第一部 首部
第一所 首所
第一支 首支
第一名 首名
第一任 首任
第一个 首个
起初 最初
一共 总共
共有 总共有
总共 一共
逐渐 渐渐
逐步 一步步
迅速 很快
立即 立刻 马上
立刻 马上
经常 时常 常常
时常 经常
有时候 偶尔
有时 偶尔
大约 大概
大概 大约
将近 接近
至少 起码
并未 没有
未能 没能
尚未 还没有
并非 不是
一并 一起 同时
随后 之后
逐年 一年年
为了 为
假如 要是 倘若
如果 要是 假如 倘若
倘若 要是 假如
以及 和
尽管 虽然
除非 要不是
多个 好几个 若干
许多 很多 不少
很多 许多 不少
全体 所有
已有 现有
额外 附加
显式 明确
著名 知名 有名
知名 著名
全世界 全球
遗骨 骸骨
灵柩 棺木
瘟疫 疫病
著作 作品
医师 医生
双亲 父母
支持者 拥护者
用途 用处
特点 特征
特征 特点
特色 特点
数量 数目
数目 数量
初始资本 启动资金
最新版本 最新版
默认情况下 在不作改动的情况下
历史最悠久 历史最长
世界上 全球
附近 周边
周围 四周 周边
四周 周围
东北方 东北方向
西北方 西北方向
内部监察 内部督察
"""

_SAID = "^(?:在|会|用|由|以|被|是|可以|使用|通过|分布|生活|出现|称)"

NOUNS: tuple[Entry, ...] = (
    entry("建筑", "建筑物", before="[批座栋]$", after="^(?:的|是|由|于|在|，|$)"),
    entry("主要", "大多", after="^(?:使用|分布|生活|生长|栖息)"),
    entry("仅", "只", not_after="^(?:次于|此|有)"),
    entry("内部", "底层", before="在$", after="^，"),
    entry("最初", "起初 一开始", not_after="^的"),
    entry("最初的", "最早的"),
    entry("通常", "一般", after=_SAID),
    entry("一般", "通常", after=_SAID),
    entry("不同", "不一样", after="^的"),
    entry("相同", "同样", after="^(?:的|类型)"),
    entry("巨大", "很大", after="^的"),
    entry("罕见", "少见", after="^(?:的|$)"),
    entry("目的", "用意", before="的$", after="^(?:是|在于)"),
    entry("境外", "以外的地方", after="^(?:的|[发出生])"),
    entry("方法", "办法", not_before=r"[A-Za-z)）0-9] ?$"),
    entry("办法", "方法"),
    entry("仅仅", "只", not_after="^是"),
    entry("大量", "很多", after="^的"),
    entry("原因", "缘由", before="的$"),
    entry("妻子", "配偶", after="^(?:是|叫|$)"),
    entry("丈夫", "配偶", after="^(?:是|叫|$)"),
    entry("大部分", "大多数", not_before="的$", after="^[\u4e00-\u9fff]{2}", not_after="^(?:位于|属于|都是|分布)"),
    entry("大多数", "大部分", not_before="的$", after="^[\u4e00-\u9fff]{2}"),
    entry("全球", "全世界", after="^(?:第|最|单体|各地|总|的|共)"),
    entry("第一次", "首次", not_after="^世界"),
    *table(_EVERYWHERE),
)
