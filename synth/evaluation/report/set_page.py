"""Page on a testset: a summary, grades with their rules, worst rows, retrievers, contents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.evaluation.messages import Message, message
from synth.evaluation.report.charts import against
from synth.evaluation.report.page import render
from synth.evaluation.scoring import RULES

_MEASURES = ("ndcg@10", "mrr@10", "human_ndcg@10", "human_mrr@10")


def set_page(scores: Mapping[str, Any], title: str) -> str:
    """Return the page for a result of `score`, given as its JSON."""
    retrievers = scores["retrieval"]["retrievers"] if "retrieval" in scores else {}
    ranked = dict(sorted(retrievers.items(), key=lambda item: -item[1]["ndcg@10"]))
    columns = [name for name in _MEASURES if any(name in retriever for retriever in ranked.values())]
    points = {
        name: (retriever["ndcg@10"], retriever["human_ndcg@10"])
        for name, retriever in retrievers.items()
        if "human_ndcg@10" in retriever
    }
    return render(
        "set_page.html",
        style="page.css",
        script="page.js",
        title=title,
        heading=message("set.title"),
        scores={"retrieval": None, "validity": None, **scores},
        folders={name: folder["rows"] for name, folder in scores["folders"].items()},
        worth=_worth(scores["rows"], scores["grades"]),
        rules=RULES,
        retrievers=ranked,
        columns=columns,
        plot=against(points, "nDCG@10") if points else "",
        stored=lambda said: Message(said["key"], said["values"]),
    )


def _worth(n: int, grades: Mapping[str, Any]) -> Message:
    """Return a summary of the set: whether the corpus confirms it, how precise its scores are, which grades are low."""
    share, size = grades["evidence"]["value"], grades["size"]
    if share is None:
        evidence = message("set.unchecked", n=n)
    elif share == 1:
        evidence = message("set.all_hold", n=n)
    else:
        evidence = message("set.some_hold", n=n, wrong=n - round(share * n))
    uses = {"A": "large_enough", "B": "large_enough", "C": "for_clear_differences"}
    weak = [
        message("set.lowest_grade", aspect=message(f"aspect.{name}"), letter=grade["letter"])
        for name, grade in grades.items()
        if grade["letter"] in ("D", "E") and name != "size"
    ]
    return message(
        "set.worth",
        evidence=evidence,
        size=message("set.exactness", points=round(100 * size["value"])),
        use=message(f"set.{uses.get(size['letter'], 'too_small')}"),
        lowest=message("set.lowest", grades=weak) if weak else message("set.none_low"),
    )
