"""Plots as SVG without script, which print and follow the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

from synth.evaluation.report.page import SafeHtml, folded, safe, table, two

WIDTH = 560
_TOP = 8
BINS = 10


def _svg(height: float, body: Sequence[str], label: str, width: int = WIDTH) -> str:
    kind = "plot" if width == WIDTH else "plot small"
    return (
        f'<svg class="{kind}" viewBox="0 0 {width} {height:g}" role="img" aria-label="{safe(label)}" '
        f'preserveAspectRatio="xMinYMin meet">{"".join(body)}</svg>'
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{safe(text)}</text>'


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values, 1, 2 or 5 times a power of ten apart, from at or below `low` to at or above `high`."""
    least = max(high - low, 1e-9) / most
    unit = 10.0 ** floor(log10(least))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= least * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, max(last, first + 1) + 1)]


def gauge(mean: float, low: float | None = None, high: float | None = None) -> SafeHtml:
    """A mean from 0 to 1 with its interval, on one line of the width of a cell."""

    def line(kind: str, start: float, end: float) -> str:
        left, right = (100 * min(1.0, max(0.0, value)) for value in (start, end))
        return f'<line class="{kind}" x1="{left:.1f}" x2="{right:.1f}" y1="5" y2="5"/>'

    whisker = "" if low is None or high is None else line("whisker", low, high)
    return _cell_svg(f"{line('track', 0, 1)}{whisker}{line('dot', mean, mean)}", "gauge")


def bar(share: float) -> SafeHtml:
    """A bar that fills a share of the width of a cell."""
    return _cell_svg(f'<rect class="bar" width="{max(0.5, 100 * share):.1f}" height="10"/>', "length")


def _cell_svg(body: str, kind: str) -> SafeHtml:
    return SafeHtml(
        f'<svg class="{kind}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{body}</svg>'
    )


def counted(title: str, unit: str, counts: Mapping[str, int], most: int = 14) -> str:
    """A table of counts with a bar each, the first `most` of them in sight; `title` and `unit` are HTML."""
    largest = max(counts.values(), default=0) or 1
    rows = [[name, bar(count / largest), count] for name, count in counts.items()]
    head = [title, "", unit]
    more = len(rows) - most
    rest = folded(two(f"{more} more", f"另外 {more} 项"), table(head, rows[most:], "counts")) if more > 0 else ""
    return f"<div>{table(head, rows[:most], 'counts')}{rest}</div>"


def histogram(counts: Sequence[int], label: str) -> str:
    """A histogram of values from 0 to 1 in equal bins."""
    width, tall = 360, 110
    high, wide = max(counts) or 1, (width - 40) / len(counts)
    body = []
    for i, count in enumerate(counts):
        size = count / high * tall
        x = 20 + i * wide
        body.append(
            f'<rect class="bar" x="{x + 1:.1f}" y="{_TOP + 14 + tall - size:.1f}" width="{wide - 2:.1f}" '
            f'height="{size:.1f}"/>'
        )
        if count:
            body.append(_text(x + wide / 2, _TOP + 10 + tall - size, str(count), "value", "middle"))
    body += [
        _text(20 + value * (width - 40), _TOP + tall + 30, f"{value:g}", "tick", "middle") for value in ticks(0, 1)
    ]
    return _svg(_TOP + tall + 38, body, label, width)


def binned(values: Sequence[float]) -> list[int]:
    """The number of values in each tenth from 0 to 1; 1 belongs to the last."""
    counts = [0] * BINS
    for value in values:
        if value == value:
            counts[min(BINS - 1, max(0, int(value * BINS + 1e-9)))] += 1
    return counts


def curves(lines: Mapping[str, Sequence[tuple[int, float]]], label: str) -> str:
    """A line chart of values from 0 to 1 by k, on a logarithmic scale; lines that coincide share one and their labels
    stand together."""
    ks = sorted({k for points in lines.values() for k, _ in points})
    left, right, tall = 40.0, WIDTH - 185.0, 220.0
    span = log10(ks[-1] / ks[0]) or 1.0
    place = {k: left + log10(k / ks[0]) / span * (right - left) for k in ks}

    def down(value: float) -> float:
        return _TOP + 6 + (1 - value) * tall

    body = []
    for value in ticks(0, 1):
        body.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{down(value):.1f}" y2="{down(value):.1f}"/>')
        body.append(_text(left - 8, down(value) + 4, f"{value:g}", "tick", "end"))
    body += [_text(x, down(0) + 20, f"k = {k}", "tick", "middle") for k, x in place.items()]
    names: dict[tuple[tuple[int, float], ...], list[str]] = {}
    for name, points in lines.items():
        names.setdefault(tuple((k, round(value, 4)) for k, value in points), []).append(name)
    ends = _label_heights({name: down(points[-1][1]) for points, alike in names.items() for name in alike}, down(0))
    for i, (points, alike) in enumerate(names.items()):
        path = " ".join(f"{place[k]:.1f},{down(value):.1f}" for k, value in points)
        body.append(f'<polyline class="line c{i % 8}" points="{path}"/>')
        body += [f'<circle class="c{i % 8}" cx="{place[k]:.1f}" cy="{down(v):.1f}" r="3.5"/>' for k, v in points]
        body += [_text(right + 10, ends[name] + 4, name, f"label c{i % 8}") for name in alike]
    return _svg(down(0) + 28, body, label)


def _label_heights(positions: Mapping[str, float], lowest: float, least: float = 18.0) -> dict[str, float]:
    """Heights of labels, moved apart so that none overlap, and upwards where they would pass `lowest`."""
    heights: dict[str, float] = {}
    last = -1e9
    for name in sorted(positions, key=positions.__getitem__):
        last = heights[name] = max(positions[name], last + least)
    last = lowest + least
    for name in reversed(heights):
        last = heights[name] = min(heights[name], last - least)
    return heights


def against(points: Mapping[str, tuple[float, float]], label: str) -> str:
    """A scatter plot of systems by their score on the set (across) and on people's questions (up), with a diagonal."""
    scale = ticks(min(min(point) for point in points.values()), max(max(point) for point in points.values()))
    low, high = scale[0], scale[-1]
    side, left, top = 340.0, 50.0, 12.0

    def at(value: float) -> float:
        return (value - low) / (high - low) * side

    body = [f'<line class="grid" x1="{left}" y1="{top + side}" x2="{left + side}" y2="{top}"/>']
    for value in scale:
        body.append(_text(left + at(value), top + side + 16, f"{value:g}", "tick", "middle"))
        body.append(_text(left - 8, top + side - at(value) + 4, f"{value:g}", "tick", "end"))
    heights = _label_heights({name: top + side - at(people) for name, (_, people) in points.items()}, top + side)
    for name, (mine, people) in points.items():
        x, y = left + at(mine), top + side - at(people)
        body.append(
            f'<line class="leader" x1="{x:.1f}" y1="{y:.1f}" x2="{left + side + 20}" y2="{heights[name]:.1f}"/>'
        )
        body.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>')
        body.append(_text(left + side + 24, heights[name] + 4, name, "label"))
    return _svg(top + side + 26, body, label)
