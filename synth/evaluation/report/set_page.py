"""Page on a testset: what it is worth in a sentence, grades with their rules, worst rows, retrievers, contents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from synth.evaluation.report.charts import against, counted, gauge
from synth.evaluation.report.page import SafeHtml, figure, folded, page, safe, section, table, two
from synth.evaluation.scoring import (
    NEEDS_CORPUS,
    NEEDS_EVIDENCE,
    NEEDS_GRAPH,
    NO_PASSAGE,
    NONE_THERE,
    ONE_ANSWER,
    RULES,
    TOO_FEW,
)

_UNITS = {"chunk": "段落", "document": "文档"}

NAMES_ZH = {
    "evidence": "证据",
    "distinct": "不重复",
    "no_leaks": "不泄露答案",
    "own_words": "用自己的话提问",
    "variety": "多样性",
    "documents": "文档覆盖",
    "entities": "实体覆盖",
    "topics": "主题覆盖",
    "hard": "难度",
    "retrievable": "可检索",
    "discrimination": "区分能力",
    "size": "规模",
}
REASONS = {
    NEEDS_CORPUS: "需要 --corpus",
    NEEDS_EVIDENCE: "需要 --corpus，且题目带有证据",
    NEEDS_GRAPH: "需要 --corpus 和 --graph",
    NO_PASSAGE: "没有原文；请用 --corpus 指定文档",
    NONE_THERE: "语料中没有",
    ONE_ANSWER: "没有只求一个答案的题目",
    TOO_FEW: "只有一题，无从比较",
}
FAULTS = (
    ("{} of its word pairs are copied from the passage", "{} 的相邻词对照抄原文"),
    ("has the question of {}", "题面与 {} 相同"),
    ("the question contains its answer '{}'", "题面含有答案“{}”"),
    (
        "no reference retriever finds its passage in the first ten: is it ambiguous or wrong?",
        "没有检索器在前十名中找到原文：是否有歧义或错误？",
    ),
    ("{} words long", "长 {} 个词"),
    ("has no golden answer", "没有标准答案"),
    ("is no question", "不是问句"),
    ("names one thing and says nothing of it: nobody can tell what is meant", "只有一个名称，不知所指"),
    ("the question is cut off: {}", "题面被截断：{}"),
    ("the answer is cut off: {}", "答案被截断：{}"),
    ("the evidence is cut off: {}", "证据被截断：{}"),
)
RETRIEVERS = {
    "hybrid": "词干 BM25 与编码器句向量的名次融合",
    "bm25": "按词的 BM25（k1 1.5，b 0.75）",
    "bm25_pieces": "按字符片段的 BM25：四个字母或两个汉字",
    "bm25_feedback": "用前三个段落作伪相关反馈的 BM25",
    "encoder": "编码器下题面与段落的余弦",
    "encoder_sentences": "题面与最近句子的余弦",
    "hashed": "散列词与字符片段的余弦，不用模型",
    "overlap": "共有词的数目",
    "bm25_long": "削弱：不作饱和与长度归一的 BM25",
    "bm25_opening": "削弱：只看段落首句的 BM25",
    "bm25_most": "削弱：只认得四分之三的词的 BM25",
    "bm25_half": "削弱：只认得一半的词的 BM25",
    "bm25_few": "削弱：只认得十分之三的词的 BM25",
    "hashed_small": "削弱：散列为 48 维",
}
FIELDS = {
    "question_type": ("Types", "题型"),
    "difficulty": ("Difficulty", "难度"),
    "category": ("Topics", "主题"),
    "language": ("Languages", "语言"),
}
FIGURES = {
    "tau": ("tau-b of nDCG@10", "nDCG@10 的 tau-b"),
    "mrr_gap": ("mean gap of MRR@10", "MRR@10 平均差距"),
    "agreement": ("agreement on pairs surely different", "显著不同的检索器对：一致比例"),
    "contradicted": ("pairs surely contradicted", "显著相反的检索器对"),
    "words": ("words of the question in its passage", "题面实词出现在原文的比例"),
    "bigrams": ("pairs of words in its passage", "题面相邻词对出现在原文的比例"),
}


def set_page(scores: Mapping[str, Any], title: str) -> str:
    """The page of a result of `score`, given as its JSON."""
    return page(title, two("Quality of this testset", "测试集质量报告"), list(_sections(scores)))


def _sections(scores: Mapping[str, Any]) -> Iterator[str]:
    rows = scores["rows"]
    yield section(
        two("Grades", "评级"),
        f'<div class="cards">{"".join(_card(name, grade) for name, grade in scores["grades"].items())}</div>',
        _rules(scores["grades"]),
        lead=_worth(rows, scores["grades"]),
        note=two(f"{rows} rows; {scores['faulty']} have a fault.", f"共 {rows} 题，其中 {scores['faulty']} 题有问题。"),
    )
    if "validity" in scores:
        yield _validity(scores["validity"])
    yield _worst(scores)
    if "retrieval" in scores:
        yield _retrievers(scores["retrieval"])
    yield section(two("Contents", "题目构成"), f'<div class="grid2">{"".join(_counts(scores))}{_lengths(scores)}</div>')


def _worth(n: int, grades: Mapping[str, Any]) -> str:
    """What the set is worth, in a sentence: whether it holds, how exactly it measures, where it is weak."""
    share = grades["evidence"]["value"]
    if share is None:
        trust = (f"The evidence of these {n} rows was not checked", f"这 {n} 题的证据未经核对")
    elif share == 1:
        trust = (f"All {n} rows hold in the corpus", f"全部 {n} 题在语料中核对无误")
    else:
        wrong = n - round(share * n)
        trust = (f"{wrong} of {n} rows do not hold in the corpus", f"{n} 题中有 {wrong} 题在语料中不成立")
    size = grades["size"]
    points = round(100 * size["value"])
    exact = (f"a share measured on them is known to ±{points} points", f"所测比例的误差约为 ±{points} 个百分点")
    able = {
        "A": ("enough to compare systems", "足以比较系统"),
        "B": ("enough to compare systems", "足以比较系统"),
        "C": ("enough for clear differences", "足以看出明显的差别"),
    }.get(size["letter"], ("too few rows for any but large differences", "题数太少，只能看出很大的差别"))
    weak = [name for name, grade in grades.items() if grade["letter"] in ("D", "E") and name != "size"]
    named = ", ".join(f"{name.replace('_', ' ')} ({grades[name]['letter']})" for name in weak)
    named_zh = "、".join(f"{NAMES_ZH[name]}（{grades[name]['letter']}）" for name in weak)
    rest = (
        (f"lowest grades: {named}", f"评级最低：{named_zh}") if weak else ("no grade is below C", "没有低于 C 的评级")
    )
    return two(f"{trust[0]}; {exact[0]}, {able[0]}; {rest[0]}.", f"{trust[1]}；{exact[1]}，{able[1]}；{rest[1]}。")


def _card(name: str, grade: Mapping[str, Any]) -> str:
    value = "–" if grade["value"] is None else f"{safe(grade['letter'])} · {grade['value']:.3f}"
    says = two(RULES[name].text, RULES[name].text_zh)
    reason = (
        f"<small>{two(grade['reason'], REASONS.get(grade['reason'], grade['reason']))}</small>"
        if grade["reason"]
        else ""
    )
    label = two(name.replace("_", " "), NAMES_ZH[name])
    return (
        f'<div class="card {safe(grade["letter"])}"><small>{label}</small><b>{value}</b>'
        f"<small>{says}</small>{reason}</div>"
    )


def _rules(grades: Mapping[str, Any]) -> str:
    rows = [
        [
            SafeHtml(two(name.replace("_", " "), NAMES_ZH[name])),
            grade["letter"],
            grade["value"],
            _span(grade),
            grade["n"],
            SafeHtml(two(RULES[name].text, RULES[name].text_zh)),
            RULES[name].shown,
        ]
        for name, grade in grades.items()
    ]
    head = [
        two("side", "方面"),
        two("grade", "评级"),
        two("value", "数值"),
        two("95% interval", "95% 区间"),
        "n",
        two("what it is", "含义"),
        two("rule", "规则"),
    ]
    return folded(two("rules and numbers", "规则与数据"), table(head, rows))


def _span(grade: Mapping[str, Any]) -> str:
    return "–" if grade["low"] is None else f"{grade['low']:.3f}\u00a0–\u00a0{grade['high']:.3f}"


def _counts(scores: Mapping[str, Any]) -> Iterator[str]:
    for name, counts in scores["counts"].items():
        if list(counts) != ["(none)"]:
            yield counted(two(*FIELDS[name]), two("rows", "题数"), counts)


def _lengths(scores: Mapping[str, Any]) -> str:
    names = {"question": ("words of a question", "题面词数"), "answer": ("words of an answer", "答案词数")}
    rows = [
        [
            SafeHtml(two(*names[name])),
            spread["shortest"],
            f"{spread['median']:g}",
            f"{spread['mean']:.1f}",
            spread["longest"],
        ]
        for name, spread in scores["lengths"].items()
    ]
    head = ["", two("shortest", "最短"), two("median", "中位数"), two("mean", "平均"), two("longest", "最长")]
    figures = [[name.replace("_", "-"), value] for name, value in scores["figures"].items()]
    return f"<div>{table(head, rows)}</div><div>{table([two('diversity', '多样性'), ''], figures)}</div>"


def _retrievers(scores: Mapping[str, Any]) -> str:
    retrievers = scores["retrievers"]
    order = sorted(retrievers, key=lambda name: -retrievers[name]["ndcg@10"])
    keys = [key for key in ("ndcg@10", "mrr@10", "human_ndcg@10", "human_mrr@10") if key in retrievers[order[0]]]
    head = [two("retriever", "检索器"), "", *keys, two("is", "说明")]

    def says(name: str) -> SafeHtml:
        return SafeHtml(two(retrievers[name]["description"], RETRIEVERS.get(name, retrievers[name]["description"])))

    rows = [
        [name, gauge(retrievers[name]["ndcg@10"]), *(retrievers[name][k] for k in keys), says(name)] for name in order
    ]
    numbers = table(head, rows)
    if "human_ndcg@10" in keys:
        points = {name: (retriever["ndcg@10"], retriever["human_ndcg@10"]) for name, retriever in retrievers.items()}
        title = two(
            "nDCG@10 on this set (across) and on human questions (up)", "nDCG@10：横轴为本测试集，纵轴为人工题目"
        )
        numbers += figure(title, against(points, "nDCG@10"), table(head, rows))
    return section(
        two("Reference retrievers", "参考检索器"),
        numbers,
        note=two(
            f"{scores['questions']} questions, {scores['unit']}s retrieved; some retrievers are weakened on purpose.",
            f"{scores['questions']} 题，检索单位为{_UNITS[scores['unit']]}；部分检索器被有意削弱。",
        ),
    )


def _validity(validity: Mapping[str, Any]) -> str:
    rows = []
    for name, figure_ in validity["figures"].items():
        interval = "" if figure_["low"] is None else f" ({figure_['low']:.3f} – {figure_['high']:.3f})"
        mark = SafeHtml(
            f'<b class="yes">{two("yes", "是")}</b>' if figure_["reached"] else f'<b class="no">{two("no", "否")}</b>'
        )
        sample = f"{figure_['sample_mean']:.3f} ({figure_['sample_low']:.3f} – {figure_['sample_high']:.3f})"
        rows.append(
            [SafeHtml(two(*FIGURES[name])), f"{figure_['value']:.3f}{interval}", sample, figure_["wanted"], mark]
        )
    n = validity["human_sample"]
    head = [
        two("figure", "指标"),
        two("this set", "本测试集"),
        two(f"human samples of {n} (5 to 95 %)", f"{n} 题人工抽样（5%–95%）"),
        two("wanted", "要求"),
        two("reached", "达到"),
    ]
    easier = two(
        f"It tells {validity['told_apart']} of {validity['pairs']} pairs of retrievers apart, people's questions "
        f"{validity['human_told_apart']}; its mean MRR@10 is {validity['shift']:+.3f} from theirs. {validity['note']}",
        f"本集能区分 {validity['told_apart']}/{validity['pairs']} 对检索器，"
        f"人工题目能区分 {validity['human_told_apart']} 对；"
        f"MRR@10 平均相差 {validity['shift']:+.3f}。由文档生成的测试集适合给检索器排序，不适合给生成器排序："
        "答案短，所问多为原文直接陈述的内容。",
    )
    return section(two("Validity", "效度"), table(head, rows), note=easier)


def _worst(scores: Mapping[str, Any]) -> str:
    head = [two("question", "题面"), two("what is wrong", "问题"), two("row", "题目编号")]
    rows = [[row["question"], SafeHtml("; ".join(map(_fault, row["faults"]))), row["id"]] for row in scores["worst"]]
    body = table(head, rows) if rows else f"<p>{two('No row has a fault.', '没有发现有问题的题目。')}</p>"
    return section(two("Worst rows", "最差的题目"), body)


def _fault(says: str) -> str:
    """A fault in both languages; one that a check of the corpus names is quoted as it is."""
    for english, chinese in FAULTS:
        before, _, after = english.partition("{}")
        if says.startswith(before) and says.endswith(after) and (before or after):
            return two(english, chinese, says[len(before) : len(says) - len(after)])
    return safe(says)
