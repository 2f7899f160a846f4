"""SVG plot of sweep settings: mean, interval, and whether the mean is significantly below the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width
from xml.etree.ElementTree import Element, tostring

from synth.evaluation.report.charts import put, ticks

_ROW, _TOP, _PLOT, _RIGHT = 28, 46, 460, 70
_LEGEND = {"best": "best", "alike": "not significantly different", "below": "significantly below the best"}
_STYLE = """
.back { fill: #fff; } text { fill: #1b2430; } .soft { fill: #5b6675; } .grid { stroke: #e1e5ea; }
.best { stroke: #0b6e4f; fill: #0b6e4f; } .alike { stroke: #4a6fa5; fill: #4a6fa5; }
.below { stroke: #b0413e; fill: #b0413e; }
@media (prefers-color-scheme: dark) {
  .back { fill: #171c23; } text { fill: #e6e9ee; } .soft { fill: #9aa5b3; } .grid { stroke: #313a46; }
  .best { stroke: #4cc26b; fill: #4cc26b; } .alike { stroke: #6ea8fe; fill: #6ea8fe; }
  .below { stroke: #ff7b72; fill: #ff7b72; }
}
"""


@dataclass(frozen=True, slots=True)
class SettingEstimate:
    """Mean and interval of a setting. `below` means that it is significantly below the best."""

    title: str
    mean: float
    low: float
    high: float
    below: bool


def plot(estimates: Sequence[SettingEstimate], metric: str, level: float) -> str:
    """Return an SVG of the estimates, which must be ordered best first.

    `level` is the p value below which a difference is significant. The axis spans the intervals. Colours follow the
    reader's colour scheme.
    """
    left = 24 + round(7.2 * max((_width(estimate.title) for estimate in estimates), default=0))
    width, height = left + _PLOT + _RIGHT, _TOP + _ROW * len(estimates) + 56
    scale = ticks(
        min((estimate.low for estimate in estimates), default=0.0),
        max((estimate.high for estimate in estimates), default=1.0),
    )
    low, high = scale[0], scale[-1]

    def x(value: float) -> float:
        return left + _PLOT * (value - low) / (high - low)

    drawing = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": str(width),
            "height": str(height),
            "viewBox": f"0 0 {width} {height}",
            "style": "max-width: 100%; height: auto",
            "font-family": "system-ui, sans-serif",
            "font-size": "13",
        },
    )
    put(drawing, "style", _STYLE)
    put(drawing, "rect", width=width, height=height, class_="back")
    put(drawing, "text", f"{metric}, mean and 95% interval", x=left, y=22, font_weight=600)
    bottom = _TOP + _ROW * len(estimates)
    for value in scale:
        put(drawing, "line", x1=x(value), y1=_TOP - 10, x2=x(value), y2=bottom, class_="grid")
        put(drawing, "text", f"{value:g}", x=x(value), y=bottom + 18, text_anchor="middle", class_="soft")
    for i, estimate in enumerate(estimates):
        y = _TOP + _ROW * i + 8
        kind = "below" if estimate.below else "best" if i == 0 else "alike"
        put(drawing, "text", estimate.title, x=left - 12, y=y + 4, text_anchor="end")
        put(drawing, "line", x1=x(estimate.low), y1=y, x2=x(estimate.high), y2=y, class_=kind, stroke_width=3)
        put(drawing, "circle", cx=x(estimate.mean), cy=y, r=5, class_=kind)
        put(drawing, "text", f"{estimate.mean:.3f}", x=left + _PLOT + 14, y=y + 4)
    left_edge = left
    for kind, text in _LEGEND.items():
        label = f"{text} (p < {level:g}, Holm)" if kind == "below" else text
        put(drawing, "circle", cx=left_edge + 5, cy=bottom + 40, r=4, class_=kind)
        put(drawing, "text", label, x=left_edge + 14, y=bottom + 44, font_size=11, class_="soft")
        left_edge += 30 + round(6.2 * len(label))
    return tostring(drawing, encoding="unicode") + "\n"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
