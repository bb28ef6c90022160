"""The objects that a page draws, in their order; those in groups with the matrix and the clipping paths of these."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.pdf.characters.character_boxes import Box

Point = tuple[float, float]
_MAX_OBJECTS = 4000  # of a page, with those in groups
_MAX_DEPTH = 4  # of groups in groups
_MAX_SEGMENTS = 64  # of a clipping path that is followed; of longer ones only the bounds count


class PageObject(NamedTuple):
    """An object of a page, its kind, and the matrix and the clipping paths of the group that it is in."""

    item: Any
    kind: int
    matrix: raw.FS_MATRIX | None
    group_outlines: Sequence[Sequence[Point]]


def page_objects(page: pdfium.PdfPage) -> list[PageObject]:
    """The objects of a page in the order of drawing, those in groups instead of these; none of too many."""
    objects: list[PageObject] = []
    count = raw.FPDFPage_CountObjects(page)
    if count <= _MAX_OBJECTS:
        _collect([raw.FPDFPage_GetObject(page, i) for i in range(count)], None, (), 0, objects)
    return objects if len(objects) <= _MAX_OBJECTS else []


def _collect(
    items: Sequence[Any],
    matrix: raw.FS_MATRIX | None,
    group_outlines: Sequence[Sequence[Point]],
    depth: int,
    objects: list[PageObject],
) -> None:
    kind_of = raw.FPDFPageObj_GetType
    for item in items:
        if len(objects) > _MAX_OBJECTS:
            return
        kind = kind_of(item)
        o = PageObject(item, kind, matrix, group_outlines)
        if kind == raw.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            local = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(item, local)
            count = min(max(0, raw.FPDFFormObj_CountObjects(item)), _MAX_OBJECTS + 1)
            inner = [raw.FPDFFormObj_GetObject(item, i) for i in range(count)]
            _collect(inner, product(local, matrix), list(clip_outlines(o)), depth + 1, objects)
        else:
            objects.append(o)


def clip_outlines(o: PageObject) -> Iterator[Sequence[Point]]:
    """The clipping paths of an object as polygons, curves by their control points; long ones by their bounds."""
    yield from o.group_outlines
    clip = raw.FPDFPageObj_GetClipPath(o.item)
    for i in range(max(0, raw.FPDFClipPath_CountPaths(clip))):
        count = raw.FPDFClipPath_CountPathSegments(clip, i)
        if count < 3:
            continue
        segments = [raw.FPDFClipPath_GetPathSegment(clip, i, k) for k in range(count)]
        points = _points(segments)
        if o.matrix is not None:
            points = [_moved(point, o.matrix) for point in points]
        yield points if _is_one_polygon(segments) else _corners(bounds_of(points))


def _is_one_polygon(segments: Sequence[Any]) -> bool:
    """Whether the segments are a single outline that is short enough to be followed; two have six at least."""
    count = len(segments)
    type_of = raw.FPDFPathSegment_GetType
    return count < 6 or (
        count <= _MAX_SEGMENTS and sum(type_of(s) == raw.FPDF_SEGMENT_MOVETO for s in segments) == 1
    )


def object_bounds(o: PageObject) -> Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(o.item, left, bottom, right, top):
        return None
    box = (left.value, bottom.value, right.value, top.value)
    return box if o.matrix is None else bounds_of([_moved(p, o.matrix) for p in _corners(box)])


def bounds_of(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _corners(box: Box) -> list[Point]:
    left, bottom, right, top = box
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def intersection(boxes: Sequence[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return max(lefts), max(bottoms), min(rights), min(tops)


def _points(segments: Sequence[Any]) -> list[Point]:
    x, y = ctypes.c_float(), ctypes.c_float()
    get_point = raw.FPDFPathSegment_GetPoint
    points = []
    for segment in segments:
        get_point(segment, x, y)
        points.append((x.value, y.value))
    return points


def _moved(point: Point, matrix: raw.FS_MATRIX | None) -> Point:
    if matrix is None:
        return point
    x, y = point
    return matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f


def product(first: raw.FS_MATRIX, second: raw.FS_MATRIX | None) -> raw.FS_MATRIX:
    """The matrix that moves a point by the first and then by the second."""
    if second is None:
        return first
    a, b = first.a * second.a + first.b * second.c, first.a * second.b + first.b * second.d
    c, d = first.c * second.a + first.d * second.c, first.c * second.b + first.d * second.d
    e, f = _moved((first.e, first.f), second)
    return raw.FS_MATRIX(a, b, c, d, e, f)
