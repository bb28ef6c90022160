"""Text of the diagrams (SmartArt), charts and other drawings of a Word document."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from colde.ingest.docx.names import CHART, DIAGRAM, DRAWING, NEW_CHART, WORD_ART
from colde.ingest.docx.package import Package
from colde.ingest.shared.blocks import Block


def read_drawing(element: Any, package: Package) -> list[Block]:
    """The text of a drawing: that of a diagram is running text, the figures of a chart are a table with its caption.

    Args:
        element: `dgm:relIds`, `c:chart`, `cx:chart`, letters in a curve, or a paragraph `a:p` of another drawing.
    """
    if element.tag == WORD_ART:
        return [Block(text)] if (text := " ".join((element.get("string") or "").split())) else []
    if element.tag == DRAWING + "p":
        return [Block(text)] if (text := _text(element)) else []
    is_diagram = element.tag == DIAGRAM + "relIds"
    relation = package.related(element, "dm" if is_diagram else "id")
    root = package.xml(relation.target) if relation is not None and not relation.external else None
    if root is None:
        return []
    if is_diagram:
        return [Block(text) for text in _diagram_texts(root)]
    return list(_new_chart(root) if element.tag == NEW_CHART + "chart" else _chart(root))


def _text(element: Any) -> str:
    """The text of all runs in an element, on one line."""
    return " ".join("".join(t.text or "" for t in element.iter(DRAWING + "t")).split())


def _diagram_texts(root: Any) -> Iterator[str]:
    """The paragraphs of the points of a diagram, each point with those below it."""
    points = {point.get("modelId"): point for point in root.iter(DIAGRAM + "pt")}
    below = defaultdict(list)
    for link in root.iter(DIAGRAM + "cxn"):
        if link.get("type", "parOf") == "parOf":
            place = link.get("srcOrd") or ""
            below[link.get("srcId")].append((int(place) if place.isdecimal() else 0, link.get("destId")))
    stack = [key for key, point in reversed(points.items()) if point.get("type") == "doc"]
    order: dict[str | None, None] = {}
    while stack:
        key = stack.pop()
        if key not in order:
            order[key] = None
            stack.extend(point for _, point in sorted(below[key], key=lambda link: -link[0]))
    for key in [*order, *(key for key in points if key not in order)]:
        if key in points:
            yield from filter(None, map(_text, points[key].iter(DRAWING + "p")))


def _chart(root: Any) -> Iterator[Block]:
    """The titles of a chart as captions, its series as the columns of a table."""
    for title in root.iter(CHART + "title"):
        if text := _text(title):
            yield Block(text, role="caption")
    all_series = list(root.iter(CHART + "ser"))
    labels: dict[str, str] = {}
    for series in all_series:
        labels |= _points(series, "cat") or _points(series, "xVal")
    columns = [_points(series, "val") or _points(series, "yVal") for series in all_series]
    names = [" ".join(_points(series, "tx").values()) for series in all_series]
    indexes = dict.fromkeys([*labels, *(index for column in columns for index in column)])
    rows = [[labels.get(index, ""), *(column.get(index, "") for column in columns)] for index in indexes]
    lines = [" | ".join(row).strip() for row in [["", *names], *rows] if any(row)]
    if lines:
        yield Block("\n".join(lines), role="table")


def _new_chart(root: Any) -> Iterator[Block]:
    """The titles of a chart in the format of 2014 as captions, its labels and figures as the rows of a table."""
    for title in root.iter(NEW_CHART + "title"):
        if text := _text(title):
            yield Block(text, role="caption")
    levels = [[(pt.text or "").strip() for pt in level] for level in root.iter(NEW_CHART + "lvl")]
    rows = itertools.zip_longest(*levels, fillvalue="")
    if text := "\n".join(" | ".join(row) for row in rows):
        yield Block(text, role="table")


def _points(series: Any, name: str) -> dict[str, str]:
    """The values that a part of a series keeps, by their indexes; those of several levels with a space between."""
    values: dict[str, str] = {}
    for element in series.iterfind(CHART + name):
        for point in element.iter(CHART + "pt"):
            text = (point.findtext(CHART + "v") or "").strip()
            index = point.get("idx") or ""
            values[index] = f"{values[index]} {text}" if index in values else text
        if not values and (text := element.findtext(CHART + "v")):
            values[""] = text
    return values
