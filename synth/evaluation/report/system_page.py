"""Page on a system's responses: headline metrics, thresholds, slices, the worst rows, then all metrics and plots."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from synth.evaluation.headlines import headlines, meaning
from synth.evaluation.intervals import MIN_ROWS_SHOWN
from synth.evaluation.report.charts import binned, counted, curves, gauge, histogram
from synth.evaluation.report.page import SafeHtml, figure, folded, page, part, safe, section, table, two

_MOST_SLICES, _MOST_DOCUMENTS, _FIRST_ROWS = 14, 20, 10
_AT_K = re.compile(r"^(?P<name>\w+)@(?P<k>\d+)$")
_DECISIONS = {"failed": "未通过", "inconclusive": "无法判定", "passed": "通过"}
_FIELDS = {
    "question_type": ("type", "题型"),
    "difficulty": ("difficulty", "难度"),
    "category": ("topic", "主题"),
    "language": ("language", "语言"),
}


def measured(metrics: Mapping[str, Any]) -> list[str]:
    """The metrics that have values."""
    return [name for name, estimate in metrics.items() if estimate["n"]]


def system_page(
    scores: Mapping[str, Any],
    title: str,
    *,
    values: Mapping[str, Sequence[float]],
    documents: Mapping[str, int],
    rows: Sequence[Mapping[str, Any]],
    funnel: Mapping[str, int],
) -> str:
    """The page of a result of `evaluate`, given as its JSON.

    `values` are the numbers of each metric by row (NaN: none), `documents` the number of rows by document, `rows` the
    rows shown in full, `funnel` the number of candidates by stage from the manifest of the testset.
    """
    heading = two("How the system does", "系统评测报告")
    return page(title, heading, list(_sections(scores, values, documents, rows, funnel)))


def _sections(
    scores: Mapping[str, Any],
    values: Mapping[str, Sequence[float]],
    documents: Mapping[str, int],
    rows: Sequence[Mapping[str, Any]],
    funnel: Mapping[str, int],
) -> Iterator[str]:
    metrics = {name: scores["metrics"][name] for name in measured(scores["metrics"])}
    chief = headlines(metrics)
    yield _overview(scores, metrics, chief)
    if scores["thresholds"]:
        yield _thresholds(scores["thresholds"])
    if "compared" in scores:
        yield _compared(scores["compared"], metrics, chief)
    for name, of in scores["slices"].items():
        if len(of) > 1:
            yield _slices(name, of, chief)
    yield _rows(rows, scores["rows"], metrics)
    yield _metrics(scores, metrics, chief)
    lines = _lines(metrics)
    if lines:
        yield section(two("Retrieval by depth", "检索曲线"), f'<div class="grid2">{"".join(_curves(lines))}</div>')
    yield _distributions(values, chief)
    yield _coverage(documents, funnel)


def _overview(scores: Mapping[str, Any], metrics: Mapping[str, Any], chief: Sequence[str]) -> str:
    cards = "".join(
        f'<div class="card"><small class="title">{safe(name)}</small><b>{metrics[name]["mean"]:.3f}</b>'
        f"{gauge(*_bounds(metrics[name]))}<small>{_span(metrics[name])}</small>"
        f"<small>{_explained(name, scores)}</small></div>"
        for name in chief
    )
    missing = len(scores["missing"])
    note = two(
        f"{scores['rows']} rows, {missing} of them without a response (counted as empty ones). Every mean has its 95 % "
        "interval; questions of one document are kept together.",
        f"共 {scores['rows']} 题，其中 {missing} 题没有回答（按空回答计）。"
        "每个均值附 95% 置信区间，同一文档的题目一并重抽样。",
    )
    lead = _lead(metrics, chief, scores["thresholds"])
    return section(two("At a glance", "概览"), f'<div class="cards">{cards}</div>', lead=lead, note=note)


def _lead(metrics: Mapping[str, Any], chief: Sequence[str], checks: Sequence[Mapping[str, Any]]) -> str:
    """The result in one sentence: what the retriever finds, what the answers hold, which thresholds are reached."""
    english, chinese = [], []
    for column in chief:
        name, _, k = column.partition("@")
        share = round(100 * metrics[column]["mean"])
        if name == "evidence_recall":
            english.append(f"the first {k} passages hold {share} % of the evidence")
            chinese.append(f"前 {k} 个段落含有 {share}% 的证据")
        elif name == "correctness":
            english.append(f"the answers hold {share} % of the golden answers")
            chinese.append(f"回答含有标准答案的 {share}%")
    if checks:
        passed = sum(check["decision"] == "passed" for check in checks)
        english.append(f"{passed} of {len(checks)} thresholds are passed")
        chinese.append(f"{len(checks)} 项门槛通过 {passed} 项")
    if not english:
        return ""
    first, *rest = english
    return two("; ".join([first[0].upper() + first[1:], *rest]) + ".", "；".join(chinese) + "。")


def _explained(column: str, scores: Mapping[str, Any]) -> str:
    """What a metric measures: a headline metric in a few words, another by its definition."""
    name, _, k = column.partition("@")
    english = meaning(column) or scores["definitions"].get(name, "")
    return two(english, _chinese().get(name, english).replace("前 k 个", f"前 {k} 个"))


@lru_cache(maxsize=1)
def _chinese() -> dict[str, str]:
    words: dict[str, str] = json.loads(part("metrics.zh.json"))
    return words


def _bounds(estimate: Mapping[str, Any]) -> tuple[float, float | None, float | None]:
    return estimate["mean"], estimate["low"], estimate["high"]


def _span(estimate: Mapping[str, Any]) -> str:
    return "–" if estimate["low"] is None else f"{estimate['low']:.3f}\u00a0–\u00a0{estimate['high']:.3f}"


def _thresholds(checks: Sequence[Mapping[str, Any]]) -> str:
    head = [
        two("threshold", "门槛"),
        two("decision", "结论"),
        two("at least", "至少"),
        two("mean", "均值"),
        two("95% interval", "95% 区间"),
        "",
        two("where", "范围"),
    ]
    order = list(_DECISIONS)
    rows = [
        [
            c["metric"],
            _decision(c["decision"]),
            f"{c['minimum']:g}",
            c["mean"],
            _span(c),
            gauge(*_bounds(c)) if c["mean"] is not None else None,
            c["scope"] or "–",
        ]
        for c in sorted(checks, key=lambda c: order.index(c["decision"]))
    ]
    return section(two("Thresholds", "门槛检查"), table(head, rows))


def _decision(name: str) -> SafeHtml:
    return SafeHtml(f'<b class="{safe(name)}">{two(name, _DECISIONS[name])}</b>')


def _metrics(scores: Mapping[str, Any], metrics: Mapping[str, Any], chief: Sequence[str]) -> str:
    """The headline metrics first, then the others at their largest k; all of them under the table."""
    deepest = {metric: f"{metric}@{points[-1][0]}" for metric, points in _lines(metrics).items()}
    others = [name for name in metrics if name not in chief and deepest.get(name.partition("@")[0], name) == name]
    head = [
        two("metric", "指标"),
        two("mean", "均值"),
        "",
        two("95% interval", "95% 区间"),
        two("rows", "题数"),
    ]

    def line(name: str, explained: str) -> list[Any]:
        estimate = metrics[name]
        title = SafeHtml(f"{safe(name)}{explained and f'<small>{explained}</small>'}")
        rows = f"{estimate['n']} / {estimate['of']}"
        return [title, estimate["mean"], gauge(*_bounds(estimate)), _span(estimate), rows]

    first = [line(name, _explained(name, scores)) for name in (*chief, *others)]
    every = folded(two("every k", "所有 k 值"), table(head, [line(name, "") for name in metrics]))
    return section(two("All metrics", "全部指标"), table(head, first, "metrics"), every)


def _lines(metrics: Mapping[str, Any]) -> dict[str, list[tuple[int, float]]]:
    lines: dict[str, list[tuple[int, float]]] = {}
    for name, estimate in metrics.items():
        match = _AT_K.match(name)
        if match:
            lines.setdefault(match["name"], []).append((int(match["k"]), estimate["mean"]))
    return {name: sorted(points) for name, points in lines.items() if len(points) > 1}


def _curves(lines: Mapping[str, Sequence[tuple[int, float]]]) -> Iterator[str]:
    by_evidence = {name: points for name, points in lines.items() if name.startswith("evidence_")}
    by_id = {name: points for name, points in lines.items() if name not in by_evidence}
    for title, some in ((two("By evidence", "按证据"), by_evidence), (two("By id", "按编号"), by_id)):
        if some:
            ks = sorted({k for points in some.values() for k, _ in points})
            rows = [[name, *(dict(points).get(k) for k in ks)] for name, points in some.items()]
            yield figure(title, curves(some, "by k"), table([two("metric", "指标"), *(f"k = {k}" for k in ks)], rows))


def _slices(name: str, of: Mapping[str, Mapping[str, Any]], columns: Sequence[str]) -> str:
    english, chinese = _FIELDS.get(name, (name, name))
    sizes = {label: max((estimate["of"] for estimate in metrics.values()), default=0) for label, metrics in of.items()}
    first = sorted(sizes, key=lambda label: (-sizes[label], label))[:_MOST_SLICES]

    def cell(estimate: Mapping[str, Any] | None) -> SafeHtml | None:
        if not estimate or not estimate["n"]:
            return None
        drawn = _drawn(estimate)
        interval = "" if drawn["low"] is None else f"<small>{_span(drawn)}</small>"
        return SafeHtml(f"{drawn['mean']:.3f}{gauge(*_bounds(drawn))}{interval}")

    head = [two(english, chinese), two("rows", "题数"), *(safe(column).replace("_", "_<wbr>") for column in columns)]
    rows = [[label, sizes[label], *(cell(of[label].get(column)) for column in columns)] for label in first]
    more = len(sizes) - len(first)
    note = two(f"The {len(first)} largest; {more} more.", f"仅列最大的 {len(first)} 组，另有 {more} 组。")
    return section(two(f"By {english}", f"按{chinese}"), table(head, rows, "slices"), note=note if more > 0 else "")


def _drawn(estimate: Mapping[str, Any]) -> Mapping[str, Any]:
    """The estimate of a slice, without its interval where that is of too few rows."""
    return estimate if estimate["n"] >= MIN_ROWS_SHOWN else {**estimate, "low": None, "high": None}


def _distributions(values: Mapping[str, Sequence[float]], columns: Sequence[str]) -> str:
    plots = []
    for name in columns:
        counts = binned(values[name])
        head = [two("from", "起"), two("to", "止"), two("rows", "题数")]
        rows = [[f"{i / len(counts):g}", f"{(i + 1) / len(counts):g}", n] for i, n in enumerate(counts)]
        plots.append(figure(safe(name), histogram(counts, name), table(head, rows)))
    note = two("Rows by their score.", "按得分统计的题数。")
    return section(two("Distributions", "分布"), f'<div class="grid3">{"".join(plots)}</div>', note=note)


def _compared(other: Mapping[str, Any], metrics: Mapping[str, Any], chief: Sequence[str]) -> str:
    head = [
        two("metric", "指标"),
        two("this", "本系统"),
        two("compared", "对照"),
        two("difference", "差值"),
        two("95% interval", "95% 区间"),
        f"p (Holm, {other['corrected_for']})",
    ]
    rows = {
        name: [
            name,
            metrics[name]["mean"],
            other["metrics"][name]["mean"],
            f"{gap['mean']:+.3f}",
            _span(gap),
            gap["p_holm"],
        ]
        for name, gap in other["differences"].items()
        if gap["mean"] is not None and name in metrics
    }
    first = [rows.pop(name) for name in chief if name in rows]
    rest = (
        folded(two(f"{len(rows)} more metrics", f"另外 {len(rows)} 项指标"), table(head, rows.values())) if rows else ""
    )
    return section(two("Compared", "与另一系统对照"), table(head, first), rest)


def _coverage(documents: Mapping[str, int], funnel: Mapping[str, int]) -> str:
    first = dict(sorted(documents.items(), key=lambda row: (-row[1], row[0])))
    parts = [counted(two("document", "文档"), two("rows", "题数"), first, _MOST_DOCUMENTS)]
    if funnel:
        parts.append(counted(two("stage of making the set", "出题漏斗"), two("candidates", "候选题数"), funnel))
    note = two(f"{len(documents)} documents are asked about.", f"共涉及 {len(documents)} 个文档。")
    return section(two("Coverage", "覆盖"), f'<div class="grid2">{"".join(parts)}</div>', note=note)


def _rows(rows: Sequence[Mapping[str, Any]], total: int, metrics: Mapping[str, Any]) -> str:
    note = two(
        f"The {len(rows)} worst of {total} rows, by the mean of their scores. A score below half of the mean of "
        "all rows is marked. A file of scores has all rows.",
        f"得分均值最低的 {len(rows)} 题（共 {total} 题）。低于全部题目均值一半的得分有标记。完整数据见逐题得分文件。",
    )
    more = len(rows) - _FIRST_ROWS
    button = (
        f'<button type="button" class="all">{two(f"Show {more} more", f"再显示 {more} 题")}</button>'
        if more > 0
        else ""
    )
    return section(
        two("Row by row", "逐题查看"),
        '<div class="rows"><input type="search" aria-label="search" placeholder="…">',
        *(_row(row, metrics) for row in rows),
        f"{button}</div>",
        note=note,
    )


def _row(row: Mapping[str, Any], metrics: Mapping[str, Any]) -> str:
    scores = "".join(
        f'<span class="{"no" if value < metrics[name]["mean"] / 2 else ""}">{safe(name)} <b>{value:.2f}</b></span>'
        for name, value in row["scores"].items()
        if value is not None
    )
    parts = [
        (two("golden answers", "标准答案"), "; ".join(row["golden_answers"]) or "–"),
        (two("answer", "回答"), row["answer"] if row["answer"] is not None else "–"),
        (two("evidence", "证据"), " … ".join(row["evidence"]) or "–"),
        (two("retrieved", "检索结果"), " · ".join(row["retrieved"]) or "–"),
        (two("row", "题目编号"), row["id"]),
    ]
    body = "".join(f"<dt>{label}</dt><dd>{safe(text)}</dd>" for label, text in parts)
    return (
        f'<details class="row"><summary><span class="question">{safe(row["question"])}</span>'
        f'<span class="scores">{scores}</span></summary><dl>{body}</dl></details>'
    )
