"""Plot of the settings of a sweep as SVG: mean, interval and difference from the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from unicodedata import east_asian_width

_ROW, _TOP, _PLOT, _RIGHT = 28, 46, 460, 70
_BEST, _ALIKE, _BELOW = "#0b6e4f", "#4a6fa5", "#b0413e"


@dataclass(frozen=True, slots=True)
class Bar:
    """A setting: its name, its mean with the interval, and whether it is significantly below the best."""

    title: str
    mean: float
    low: float
    high: float
    below: bool


def plot(bars: Sequence[Bar], metric: str) -> str:
    """The SVG of the bars, best first, over the part of 0 to 1 that they need."""
    left = 24 + round(7.2 * max((_width(bar.title) for bar in bars), default=0))
    width, height = left + _PLOT + _RIGHT, _TOP + _ROW * len(bars) + 44
    low, high = _range(bars)

    def x(value: float) -> float:
        return round(left + _PLOT * (value - low) / (high - low), 1)

    size = f'width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" font-size="13">',
        f'<rect {size} fill="#fff"/>',
        f'<text x="{left}" y="22" font-weight="600">{escape(metric)}, mean and 95 % interval</text>',
    ]
    for i in range(6):
        at = low + (high - low) * i / 5
        lines.append(f'<line x1="{x(at)}" y1="{_TOP - 10}" x2="{x(at)}" y2="{height - 40}" stroke="#e3e3e3"/>')
        lines.append(f'<text x="{x(at)}" y="{height - 22}" text-anchor="middle" fill="#555">{at:.2f}</text>')
    for i, bar in enumerate(bars):
        y = _TOP + _ROW * i + 8
        colour = _BELOW if bar.below else _BEST if i == 0 else _ALIKE
        lines += [
            f'<text x="{left - 12}" y="{y + 4}" text-anchor="end">{escape(bar.title)}</text>',
            f'<line x1="{x(bar.low)}" y1="{y}" x2="{x(bar.high)}" y2="{y}" stroke="{colour}" stroke-width="3"/>',
            f'<circle cx="{x(bar.mean)}" cy="{y}" r="5" fill="{colour}"/>',
            f'<text x="{left + _PLOT + 12}" y="{y + 4}" fill="#333">{bar.mean:.3f}</text>',
        ]
    legend = [(_BEST, "best"), (_ALIKE, "not told apart from it"), (_BELOW, "below it (p &lt; 0.05, Holm)")]
    place = left
    for colour, says in legend:
        lines.append(f'<circle cx="{place + 5}" cy="{height - 8}" r="4" fill="{colour}"/>')
        lines.append(f'<text x="{place + 14}" y="{height - 4}" font-size="11" fill="#555">{says}</text>')
        place += 60 if says == "best" else 150
    return "\n".join([*lines, "</svg>"]) + "\n"


def _width(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def _range(bars: Sequence[Bar]) -> tuple[float, float]:
    low = min((bar.low for bar in bars), default=0.0)
    high = max((bar.high for bar in bars), default=1.0)
    low, high = max(0.0, int(low * 10) / 10), min(1.0, -(-int(high * 1000) // 100) / 10)
    return (low, high) if high > low else (0.0, 1.0)
