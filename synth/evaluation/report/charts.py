"""Plots as SVG without script: they print, and they scale with the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from rich.cells import cell_len as columns

from synth.evaluation.report.page import safe

WIDTH = 560
_ROW, _TOP, _BOTTOM = 24, 8, 26
_COLUMN = 6.9
BINS = 10

Estimated = tuple[str, float, float | None, float | None]
"""A label, a mean, and the ends of its interval."""


def _svg(height: float, body: Sequence[str], label: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{safe(label)}" '
        f'preserveAspectRatio="xMinYMin meet">{"".join(body)}</svg>'
    )


def _text(x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{safe(said)}</text>'


def _cut(label: str, most: int = 30) -> str:
    if columns(label) <= most:
        return label
    while columns(label) > most - 1:
        label = label[:-1]
    return label + "…"


def _scale(left: float, top: float, bottom: float, ticks: Sequence[float], high: float) -> list[str]:
    body = []
    for tick in ticks:
        x = left + tick / high * (WIDTH - left - 60)
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom:.1f}"/>')
        body.append(_text(x, bottom + 16, f"{tick:g}", "tick", "middle"))
    return body


def intervals(rows: Sequence[Estimated], label: str) -> str:
    """Means from 0 to 1 with their intervals, one a line."""
    left = min(230.0, 16 + _COLUMN * max(columns(_cut(row[0])) for row in rows))
    bottom = _TOP + _ROW * len(rows)
    body = _scale(left, _TOP, bottom, (0, 0.25, 0.5, 0.75, 1), 1.0)

    def at(value: float) -> float:
        return left + min(1.0, max(0.0, value)) * (WIDTH - left - 60)

    for i, (name, mean, low, high) in enumerate(rows):
        y = _TOP + _ROW * (i + 0.5)
        body.append(_text(left - 8, y + 4, _cut(name), "label", "end"))
        if low is not None and high is not None:
            body.append(f'<line class="whisker" x1="{at(low):.1f}" x2="{at(high):.1f}" y1="{y}" y2="{y}"/>')
        body.append(f'<circle class="dot" cx="{at(mean):.1f}" cy="{y}" r="4.5"/>')
        body.append(_text(WIDTH - 50, y + 4, f"{mean:.3f}", "value"))
    return _svg(bottom + _BOTTOM, body, label)


def bars(counts: Mapping[str, float], label: str) -> str:
    """How many of each, one a line."""
    left = min(230.0, 16 + _COLUMN * max(columns(_cut(name)) for name in counts))
    most = max(counts.values()) or 1
    body = []
    for i, (name, count) in enumerate(counts.items()):
        y = _TOP + _ROW * i
        long = count / most * (WIDTH - left - 60)
        body.append(_text(left - 8, y + 16, _cut(name), "label", "end"))
        body.append(f'<rect class="bar" x="{left:.1f}" y="{y + 4}" width="{max(1.0, long):.1f}" height="{_ROW - 8}"/>')
        body.append(_text(left + long + 6, y + 16, f"{count:g}", "value"))
    return _svg(_TOP + _ROW * len(counts) + 4, body, label)


def histogram(counts: Sequence[int], label: str) -> str:
    """How many rows have a value in each tenth from 0 to 1."""
    high, wide, tall = max(counts) or 1, (WIDTH - 60) / len(counts), 120
    body = []
    for i, count in enumerate(counts):
        size = count / high * tall
        x = 30 + i * wide
        body.append(
            f'<rect class="bar" x="{x + 2:.1f}" y="{_TOP + 14 + tall - size:.1f}" width="{wide - 4:.1f}" '
            f'height="{size:.1f}"/>'
        )
        if count:
            body.append(_text(x + wide / 2, _TOP + 10 + tall - size, str(count), "value", "middle"))
    ends = [(30 + i * wide, f"{i / len(counts):g}") for i in range(len(counts) + 1)]
    body += [_text(x, _TOP + tall + 30, end, "tick", "middle") for x, end in ends]
    return _svg(_TOP + tall + 38, body, label)


def binned(values: Sequence[float]) -> list[int]:
    """How many of the values, from 0 to 1, lie in each tenth; 1 belongs to the last."""
    counts = [0] * BINS
    for value in values:
        if value == value:
            counts[min(BINS - 1, max(0, int(value * BINS + 1e-9)))] += 1
    return counts


def curves(lines: Mapping[str, Sequence[tuple[int, float]]], label: str) -> str:
    """Values from 0 to 1 by k, one line each, named where it ends."""
    ks = sorted({k for points in lines.values() for k, _ in points})
    left, right, tall = 40.0, WIDTH - 150.0, 200.0
    step = (right - left) / max(1, len(ks) - 1)
    place = {k: left + i * step for i, k in enumerate(ks)}

    def down(value: float) -> float:
        return _TOP + 6 + (1 - value) * tall

    body = []
    for value in (0, 0.25, 0.5, 0.75, 1):
        body.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{down(value):.1f}" y2="{down(value):.1f}"/>')
        body.append(_text(left - 8, down(value) + 4, f"{value:g}", "tick", "end"))
    body += [_text(x, down(0) + 18, f"k = {k}", "tick", "middle") for k, x in place.items()]
    ends = _apart({name: down(points[-1][1]) for name, points in lines.items()})
    for i, (name, points) in enumerate(lines.items()):
        path = " ".join(f"{place[k]:.1f},{down(value):.1f}" for k, value in points)
        body.append(f'<polyline class="line c{i % 8}" points="{path}"/>')
        body += [_spot(place[k], down(value), i) for k, value in points]
        body.append(_text(right + 10, ends[name] + 4, name, f"label c{i % 8}"))
    return _svg(down(0) + 28, body, label)


def _spot(x: float, y: float, colour: int) -> str:
    return f'<circle class="c{colour % 8}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'


def _apart(wanted: Mapping[str, float], least: float = 15.0) -> dict[str, float]:
    """Heights of labels moved so that none covers another."""
    found: dict[str, float] = {}
    last = -1e9
    for name in sorted(wanted, key=lambda one: wanted[one]):
        last = found[name] = max(wanted[name], last + least)
    return found


def against(points: Mapping[str, tuple[float, float]], across: str, up: str) -> str:
    """Systems as points: the set across, people up; on the diagonal both agree."""
    low = min(min(point) for point in points.values())
    low = max(0.0, int(low * 10) / 10)
    side, left, top = 340.0, 50.0, 26.0

    def at(value: float) -> float:
        return (value - low) / (1 - low) * side

    body = [f'<line class="grid" x1="{left}" y1="{top + side}" x2="{left + side}" y2="{top}"/>']
    steps = max(1, ceil((1 - low) * 5 + 1e-9))
    for i in range(steps + 1):
        value = low + (1 - low) * i / steps
        body.append(_text(left + at(value), top + side + 16, f"{value:.2f}", "tick", "middle"))
        body.append(_text(left - 8, top + side - at(value) + 4, f"{value:.2f}", "tick", "end"))
    heights = _apart({name: top + side - at(people) for name, (_, people) in points.items()})
    for name, (mine, people) in points.items():
        x, y = left + at(mine), top + side - at(people)
        body.append(
            f'<line class="leader" x1="{x:.1f}" y1="{y:.1f}" x2="{left + side + 20}" y2="{heights[name]:.1f}"/>'
        )
        body.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>')
        body.append(_text(left + side + 24, heights[name] + 4, name, "label"))
    body.append(_text(left + side / 2, top + side + 34, across, "label", "middle"))
    body.append(_text(4, 12, up, "label"))
    return _svg(top + max(side, *heights.values()) + 44, body, f"{across}, {up}")
