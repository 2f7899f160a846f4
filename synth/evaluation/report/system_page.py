"""Page on a system's responses: thresholds, metrics, curves, slices, distributions, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synth.evaluation.intervals import SHOWN_FROM
from synth.evaluation.report.charts import Estimated, bars, binned, curves, histogram, intervals
from synth.evaluation.report.page import SafeHtml, figure, page, safe, section, table, two

_MOST_SLICES, _MOST_DOCUMENTS, _MOST_PLOTS = 14, 20, 6
_AT_K = re.compile(r"^(?P<name>\w+)@(?P<k>\d+)$")
_DECISIONS = {"passed": "通过", "failed": "未通过", "inconclusive": "无法判定"}
_FIELDS = {
    "question_type": ("type", "题型"),
    "difficulty": ("difficulty", "难度"),
    "category": ("topic", "主题"),
    "language": ("language", "语言"),
}
PREFERRED = (
    "evidence_recall@10",
    "correctness",
    "evidence_ndcg@10",
    "token_f1",
    "support",
    "exact_match",
    "recall@10",
    "ndcg@10",
)
"""Metrics to show where there is room for a few: the first of these that have values."""


def chief(metrics: Mapping[str, Any], most: int = _MOST_PLOTS) -> list[str]:
    """The most informative metrics with values, in order."""
    measured = [name for name, estimate in metrics.items() if estimate["n"]]
    return [*(name for name in PREFERRED if name in measured), *(name for name in measured if name not in PREFERRED)][
        :most
    ]


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
    metrics = {name: estimate for name, estimate in scores["metrics"].items() if estimate["n"]}
    yield _overview(scores, metrics)
    if scores["thresholds"]:
        yield _thresholds(scores["thresholds"])
    yield _metrics(scores, metrics)
    lines = _lines(metrics)
    if lines:
        yield section(two("Retrieval by depth", "检索曲线"), *_curves(lines))
    for name, of in scores["slices"].items():
        if len(of) < 2:
            continue
        yield _slices(name, of, chief(metrics))
    yield _distributions(values, chief(metrics))
    if "compared" in scores:
        yield _compared(scores["compared"], metrics)
    yield _coverage(documents, funnel)
    yield _rows(rows, scores["rows"])


def _overview(scores: Mapping[str, Any], metrics: Mapping[str, Any]) -> str:
    cards = "".join(
        f'<div class="card"><small>{safe(name)}</small><b>{metrics[name]["mean"]:.3f}</b><small>{_span(metrics[name])}'
        f"</small></div>"
        for name in chief(metrics, 4)
    )
    missing = len(scores["missing"])
    note = two(
        f"{scores['rows']} rows, {missing} of them without a response (counted as empty ones). Every mean has its 95 % "
        "interval; questions of one document are kept together.",
        f"共 {scores['rows']} 题，其中 {missing} 题没有回答（按空回答计）。"
        "每个均值附 95% 置信区间，同一文档的题目一并重抽样。",
    )
    return section(two("At a glance", "概览"), f'<div class="cards">{cards}</div>', note=note)


def _span(estimate: Mapping[str, Any]) -> str:
    return "–" if estimate["low"] is None else f"{estimate['low']:.3f} – {estimate['high']:.3f}"


def _thresholds(checks: Sequence[Mapping[str, Any]]) -> str:
    head = [
        two("threshold", "门槛"),
        two("where", "范围"),
        two("at least", "至少"),
        two("mean", "均值"),
        two("95 % interval", "95% 区间"),
        two("decision", "结论"),
    ]
    rows = [
        [c["metric"], c["where"] or "–", f"{c['least']:g}", c["mean"], _span(c), _decision(c["decision"])]
        for c in checks
    ]
    return section(two("Thresholds", "门槛检查"), table(head, rows))


def _decision(name: str) -> SafeHtml:
    return SafeHtml(f'<b class="{safe(name)}">{two(name, _DECISIONS[name])}</b>')


def _metrics(scores: Mapping[str, Any], metrics: Mapping[str, Any]) -> str:
    head = [
        two("metric", "指标"),
        two("mean", "均值"),
        two("95 % interval", "95% 区间"),
        two("rows", "题数"),
        two("definition", "定义"),
    ]
    rows = [
        [
            name,
            estimate["mean"],
            _span(estimate),
            f"{estimate['n']} / {estimate['of']}",
            scores["definitions"].get(name.partition("@")[0], ""),
        ]
        for name, estimate in metrics.items()
    ]
    deepest = {metric: f"{metric}@{points[-1][0]}" for metric, points in _lines(metrics).items()}
    shown = [name for name in metrics if deepest.get(name.partition("@")[0], name) == name]
    plot = intervals([_estimated(name, metrics[name]) for name in shown], "metrics")
    title = two("Means with intervals, at the largest k", "均值与区间（k 取最大值）")
    return section(two("All metrics", "全部指标"), figure(title, plot, table(head, rows)))


def _estimated(name: str, estimate: Mapping[str, Any]) -> Estimated:
    return name, estimate["mean"], estimate["low"], estimate["high"]


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
    plots = []
    for column in columns:
        rows = [(label, _drawn(of[label][column])) for label in first if of[label].get(column, {"n": 0})["n"]]
        if not rows:
            continue
        head = [two(english, chinese), two("mean", "均值"), two("95 % interval", "95% 区间"), two("rows", "题数")]
        numbers = table(head, [[label, estimate["mean"], _span(estimate), estimate["n"]] for label, estimate in rows])
        plot = intervals([_estimated(f"{label} ({estimate['n']})", estimate) for label, estimate in rows], column)
        plots.append(figure(safe(column), plot, numbers))
    more = len(sizes) - len(first)
    note = (
        two(f"The {len(first)} largest; {more} more.", f"仅列最大的 {len(first)} 组，另有 {more} 组。")
        if more > 0
        else ""
    )
    return section(
        two(f"By {english}", f"按{chinese}"),
        f'<div class="grid2">{"".join(plots)}</div>',
        note=note if more > 0 else "",
    )


def _drawn(estimate: Mapping[str, Any]) -> Mapping[str, Any]:
    """The estimate of a slice, without its interval where that is of too few rows."""
    return estimate if estimate["n"] >= SHOWN_FROM else {**estimate, "low": None, "high": None}


def _distributions(values: Mapping[str, Sequence[float]], columns: Sequence[str]) -> str:
    plots = []
    for name in columns:
        counts = binned(values[name])
        head = [two("from", "起"), two("to", "止"), two("rows", "题数")]
        rows = [[f"{i / len(counts):g}", f"{(i + 1) / len(counts):g}", n] for i, n in enumerate(counts)]
        plots.append(figure(safe(name), histogram(counts, name), table(head, rows)))
    return section(two("Distributions", "分布"), f'<div class="grid2">{"".join(plots)}</div>')


def _compared(other: Mapping[str, Any], metrics: Mapping[str, Any]) -> str:
    head = [
        two("metric", "指标"),
        two("this", "本系统"),
        two("compared", "对照"),
        two("difference", "差值"),
        two("95 % interval", "95% 区间"),
        f"p (Holm, {other['corrected_for']})",
    ]
    rows = [
        [name, metrics[name]["mean"], other["metrics"][name]["mean"], f"{gap['mean']:+.3f}", _span(gap), gap["p_holm"]]
        for name, gap in other["differences"].items()
        if gap["mean"] is not None and name in metrics
    ]
    return section(two("Compared", "与另一系统对照"), table(head, rows))


def _coverage(documents: Mapping[str, int], funnel: Mapping[str, int]) -> str:
    first = dict(sorted(documents.items(), key=lambda counted: (-counted[1], counted[0]))[:_MOST_DOCUMENTS])
    head = [two("document", "文档"), two("rows", "题数")]
    parts = [figure(two("Rows by document", "各文档题数"), bars(first, "documents"), table(head, documents.items()))]
    if funnel:
        head = [two("stage", "阶段"), two("candidates", "候选题数")]
        parts.append(
            figure(two("Candidates of the set", "出题漏斗"), bars(funnel, "funnel"), table(head, funnel.items()))
        )
    more = len(documents) - len(first)
    note = two(f"{len(documents)} documents are asked about.", f"共涉及 {len(documents)} 个文档。")
    if more > 0:
        note += two(f" The plot has the first {len(first)}.", f"图中为前 {len(first)} 个。")
    return section(two("Coverage", "覆盖"), f'<div class="grid2">{"".join(parts)}</div>', note=note)


def _rows(rows: Sequence[Mapping[str, Any]], total: int) -> str:
    note = two(
        f"The {len(rows)} worst of {total} rows, by the mean of the metrics above; a file of scores has all of them.",
        f"按上述指标均值最差的 {len(rows)} 题（共 {total} 题）；完整数据见逐题得分文件。",
    )
    return section(
        two("Row by row", "逐题查看"),
        '<input type="search" aria-label="search" placeholder="…">',
        *map(_row, rows),
        note=note,
    )


def _row(row: Mapping[str, Any]) -> str:
    scores = ", ".join(f"{name} {value:.2f}" for name, value in row["scores"].items() if value is not None)
    parts = [
        (two("golden answers", "标准答案"), "; ".join(row["golden_answers"]) or "–"),
        (two("answer", "回答"), row["answer"] if row["answer"] is not None else "–"),
        (two("evidence", "证据"), " … ".join(row["evidence"]) or "–"),
        (two("retrieved", "检索结果"), " · ".join(row["retrieved"]) or "–"),
    ]
    body = "".join(f"<dt>{label}</dt><dd>{safe(text)}</dd>" for label, text in parts)
    return (
        f'<details class="row"><summary>{safe(row["question"])} <code>{safe(row["id"])}</code></summary>'
        f"<dl>{body}</dl><code>{safe(scores)}</code></details>"
    )
