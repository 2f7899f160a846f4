"""Plots as SVG without scripts. They can be printed and follow the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

WIDTH = 560
_TOP = 8
BINS = 10
_LABEL = 18.0  # height of a label
_MOST_TICKS = 6


def put(parent: Element, tag: str, text: str = "", **attributes: str | float) -> Element:
    """Add an element to a drawing and return it.

    Floats are rounded to a tenth. In attribute names, "_" becomes "-", and a trailing "_" is dropped.
    """
    values = {
        name.rstrip("_").replace("_", "-"): f"{value:.1f}" if isinstance(value, float) else str(value)
        for name, value in attributes.items()
    }
    element = SubElement(parent, tag, values)
    element.text = text or None
    return element


def _plot(height: float, label: str, width: int = WIDTH) -> Element:
    kind, box = "plot" if width == WIDTH else "plot small", f"0 0 {width} {height:g}"
    frame = {"viewBox": box, "role": "img", "aria-label": label, "preserveAspectRatio": "xMinYMin meet"}
    return Element("svg", {"class": kind, **frame})


def _drawn(drawing: Element) -> Markup:
    return Markup(tostring(drawing, encoding="unicode"))


def ticks(low: float, high: float) -> list[float]:
    """Return round values that span `low` to `high`, spaced 1, 2 or 5 times a power of ten."""
    least = max(high - low, 1e-9) / _MOST_TICKS
    unit = 10.0 ** floor(log10(least))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= least * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [round(i * step, 10) for i in range(first, max(last, first + 1) + 1)]


def gauge(mean: float, low: float | None = None, high: float | None = None) -> Markup:
    """Draw a mean from 0 to 1 with its interval, on one line as wide as a table cell."""
    drawing = _cell("gauge")
    lines = [("track", 0.0, 1.0), ("whisker", low, high), ("dot", mean, mean)]
    for kind, start, end in lines:
        if start is not None and end is not None:
            left, right = (100 * min(1.0, max(0.0, value)) for value in (start, end))
            put(drawing, "line", class_=kind, x1=left, x2=right, y1=5, y2=5)
    return _drawn(drawing)


def bar(share: float) -> Markup:
    """Draw a bar that fills a share of the width of a table cell."""
    drawing = _cell("length")
    put(drawing, "rect", class_="bar", width=max(0.5, 100 * share), height=10)
    return _drawn(drawing)


def _cell(kind: str) -> Element:
    frame = {"class": kind, "viewBox": "0 0 100 10", "preserveAspectRatio": "none", "aria-hidden": "true"}
    return Element("svg", frame)


def histogram(counts: Sequence[int], label: str) -> Markup:
    """Draw a histogram of values from 0 to 1; `counts` contains the number of values in each equal bin."""
    width, tall = 360, 110
    high, wide = max(counts) or 1, (width - 40) / len(counts)
    drawing = _plot(_TOP + tall + 38, label, width)
    for i, count in enumerate(counts):
        size = count / high * tall
        x = 20 + i * wide
        put(drawing, "rect", class_="bar", x=x + 1, y=_TOP + 14 + tall - size, width=wide - 2, height=size)
        if count:
            top = _TOP + 10 + tall - size
            put(drawing, "text", str(count), x=x + wide / 2, y=top, class_="value", text_anchor="middle")
    for value in ticks(0, 1):
        x = 20 + value * (width - 40)
        put(drawing, "text", f"{value:g}", x=x, y=_TOP + tall + 30, class_="tick", text_anchor="middle")
    return _drawn(drawing)


def binned(values: Sequence[float]) -> list[int]:
    """Return the number of values in each of ten bins from 0 to 1; 1 belongs to the last bin, NaN is ignored."""
    counts = [0] * BINS
    for value in values:
        if value == value:
            counts[min(BINS - 1, max(0, int(value * BINS + 1e-9)))] += 1
    return counts


def curves(lines: Mapping[str, Sequence[tuple[int, float]]], label: str) -> Markup:
    """Draw a line chart of values from 0 to 1 by k, on a logarithmic scale.

    `lines` maps a name to its points (k, value). Identical lines are drawn once, with all their labels.
    """
    ks = sorted({k for points in lines.values() for k, _ in points})
    left, right, tall = 40.0, WIDTH - 185.0, 220.0
    span = log10(ks[-1] / ks[0]) or 1.0
    place = {k: left + log10(k / ks[0]) / span * (right - left) for k in ks}

    def down(value: float) -> float:
        return _TOP + 6 + (1 - value) * tall

    drawing = _plot(down(0) + 28, label)
    for value in ticks(0, 1):
        put(drawing, "line", class_="grid", x1=left, x2=right, y1=down(value), y2=down(value))
        put(drawing, "text", f"{value:g}", x=left - 8, y=down(value) + 4, class_="tick", text_anchor="end")
    for k, x in place.items():
        put(drawing, "text", f"k = {k}", x=x, y=down(0) + 20, class_="tick", text_anchor="middle")
    names: dict[tuple[tuple[int, float], ...], list[str]] = {}
    for name, points in lines.items():
        names.setdefault(tuple((k, round(value, 4)) for k, value in points), []).append(name)
    ends = _label_heights({name: down(points[-1][1]) for points, alike in names.items() for name in alike}, down(0))
    for i, (points, alike) in enumerate(names.items()):
        path = " ".join(f"{place[k]:.1f},{down(value):.1f}" for k, value in points)
        put(drawing, "polyline", class_=f"line c{i % 8}", points=path)
        for k, value in points:
            put(drawing, "circle", class_=f"c{i % 8}", cx=place[k], cy=down(value), r="3.5")
        for name in alike:
            put(drawing, "text", name, x=right + 10, y=ends[name] + 4, class_=f"label c{i % 8}")
    return _drawn(drawing)


def _label_heights(positions: Mapping[str, float], lowest: float) -> dict[str, float]:
    """Return heights of labels without overlaps. Labels that would pass `lowest` are moved up."""
    heights: dict[str, float] = {}
    last = -1e9
    for name in sorted(positions, key=positions.__getitem__):
        last = heights[name] = max(positions[name], last + _LABEL)
    last = lowest + _LABEL
    for name in reversed(heights):
        last = heights[name] = min(heights[name], last - _LABEL)
    return heights


def against(points: Mapping[str, tuple[float, float]], label: str) -> Markup:
    """Draw a scatter plot with a diagonal. Each point is a system: its score on the set and on human questions."""
    scale = ticks(min(min(point) for point in points.values()), max(max(point) for point in points.values()))
    low, high = scale[0], scale[-1]
    side, left, top = 340.0, 50.0, 12.0

    def at(value: float) -> float:
        return (value - low) / (high - low) * side

    drawing = _plot(top + side + 26, label)
    put(drawing, "line", class_="grid", x1=left, y1=top + side, x2=left + side, y2=top)
    for value in scale:
        put(drawing, "text", f"{value:g}", x=left + at(value), y=top + side + 16, class_="tick", text_anchor="middle")
        put(drawing, "text", f"{value:g}", x=left - 8, y=top + side - at(value) + 4, class_="tick", text_anchor="end")
    heights = _label_heights({name: top + side - at(people) for name, (_, people) in points.items()}, top + side)
    for name, (mine, people) in points.items():
        x, y = left + at(mine), top + side - at(people)
        put(drawing, "line", class_="leader", x1=x, y1=y, x2=left + side + 20, y2=heights[name])
        put(drawing, "circle", class_="dot", cx=x, cy=y, r="4.5")
        put(drawing, "text", name, x=left + side + 24, y=heights[name] + 4, class_="label")
    return _drawn(drawing)
