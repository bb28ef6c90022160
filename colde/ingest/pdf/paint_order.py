"""Words that what is drawn hides: outside their clipping path, or below an opaque drawing that comes later."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.pdf.character_boxes import Box
from colde.ingest.pdf.word_splitter import RawWord

Point = tuple[float, float]
_MAX_OBJECTS = 4000  # of a page, with those in groups; drawings beyond them are not looked at
_MAX_DEPTH = 4  # of groups in groups
_MAX_COVERS = 200
_MIN_COVER_POINTS = 4.0  # width and height of what hides a word
_MIN_COVERED_SHARE = 0.8  # of the area of a word
_SCAN_SHARE = 0.5  # of the area of the page, from which a picture over the text is a scan with its text below
_OPAQUE = 255
_MAX_SEGMENTS = 64  # of a clipping path that is followed; of longer ones only the bounds count


class _Object(NamedTuple):
    """An object of a page, its kind, and the matrix and the clipping paths of the group that it is in."""

    item: Any
    kind: int
    matrix: raw.FS_MATRIX | None
    group_outlines: Sequence[Sequence[Point]]


def hidden_by_drawings(page: pdfium.PdfPage, text: Any, words: Sequence[RawWord], bounds: Box) -> set[int]:
    """The `RawWord.index` of words that lie outside their clipping path or below a later opaque drawing.

    Args:
        text: the text page of pdfium.
        bounds: of what is shown of the page.
    """
    if not words:
        return set()
    objects = _objects(page)
    covers = _covers(objects, bounds)
    below = _below(words, [box for _, box in covers])
    hidden = _clipped_words(text, words, objects)
    if below:
        order = {bytes(o.item): i for i, o in enumerate(objects) if o.kind == raw.FPDF_PAGEOBJ_TEXT}
        for word, places in below:
            drawn = order.get(bytes(raw.FPDFText_GetTextObject(text, word.index)))
            if drawn is not None and any(covers[place][0] > drawn for place in places):
                hidden.add(word.index)
    return hidden


def _below(words: Sequence[RawWord], covers: Sequence[Box]) -> list[tuple[RawWord, list[int]]]:
    """The words of which boxes cover most, and which boxes these are."""
    if not covers:
        return []
    lefts, bottoms, rights, tops = np.array([w.box for w in words]).T.reshape(4, -1, 1)
    left, bottom, right, top = np.array(covers).T
    across = np.minimum(rights, right) - np.maximum(lefts, left)
    along = np.minimum(tops, top) - np.maximum(bottoms, bottom)
    areas = (rights - lefts) * (tops - bottoms)
    covered = (across > 0.0) & (along > 0.0) & (across * along >= _MIN_COVERED_SHARE * areas)
    return [(words[int(i)], np.flatnonzero(covered[i]).tolist()) for i in np.flatnonzero(covered.any(axis=1))]


def _objects(page: pdfium.PdfPage) -> list[_Object]:
    """The objects of a page in the order of drawing, with those in groups; none of a page with too many."""
    objects: list[_Object] = []
    count = raw.FPDFPage_CountObjects(page)
    if count <= _MAX_OBJECTS:
        _collect([raw.FPDFPage_GetObject(page, i) for i in range(count)], None, (), 0, objects)
    return objects


def _collect(
    items: Sequence[Any],
    matrix: raw.FS_MATRIX | None,
    group_outlines: Sequence[Sequence[Point]],
    depth: int,
    objects: list[_Object],
) -> None:
    kind_of = raw.FPDFPageObj_GetType
    for item in items[: _MAX_OBJECTS - len(objects)]:
        kind = kind_of(item)
        objects.append(_Object(item, kind, matrix, group_outlines))
        if kind == raw.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            local = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(item, local)
            count = min(max(0, raw.FPDFFormObj_CountObjects(item)), _MAX_OBJECTS)
            inner = [raw.FPDFFormObj_GetObject(item, i) for i in range(count)]
            outlines = list(_clip_outlines(objects[-1]))
            _collect(inner, _product(local, matrix), outlines, depth + 1, objects)


def _covers(objects: Sequence[_Object], page: Box) -> list[tuple[int, Box]]:
    """Opaque boxes and pictures that are drawn after some text: their places in the order, and bounds."""
    covers: list[tuple[int, Box]] = []
    after_text = False
    for i, o in enumerate(objects):
        if o.kind == raw.FPDF_PAGEOBJ_TEXT:
            after_text = True
        elif after_text and o.kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE):
            box = _covered_box(o, page)
            if box is not None:
                covers.append((i, box))
                if len(covers) == _MAX_COVERS:
                    break
    return covers


def _covered_box(o: _Object, page: Box) -> Box | None:
    """What an opaque box or picture covers; None where it is too small, a scan, or transparent."""
    box = _bounds(o)
    if box is None or min(box[2] - box[0], box[3] - box[1]) < _MIN_COVER_POINTS:
        return None
    if o.kind == raw.FPDF_PAGEOBJ_IMAGE and _area(box) > _SCAN_SHARE * _area(page):
        return None
    if raw.FPDFPageObj_HasTransparency(o.item) or not _fills_its_bounds(o):
        return None
    return _intersection([box, *(_bounds_of(outline) for outline in _clip_outlines(o))])


def _fills_its_bounds(o: _Object) -> bool:
    """Whether an object is a picture, or a box that is filled with an opaque colour."""
    if o.kind == raw.FPDF_PAGEOBJ_IMAGE:
        return True
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not raw.FPDFPath_GetDrawMode(o.item, fill, stroke) or fill.value == raw.FPDF_FILLMODE_NONE:
        return False
    if not raw.FPDFPageObj_GetFillColor(o.item, red, green, blue, alpha) or alpha.value < _OPAQUE:
        return False
    count = raw.FPDFPath_CountSegments(o.item)
    if not 4 <= count <= 6:
        return False
    points = _points([raw.FPDFPath_GetPathSegment(o.item, i) for i in range(count)])
    return len({round(x, 2) for x, _ in points}) == 2 == len({round(y, 2) for _, y in points})


def _clipped_words(text: Any, words: Sequence[RawWord], objects: Sequence[_Object]) -> set[int]:
    """Indices of the words of which hardly anything lies inside the clipping paths of their text."""
    clip_of, count = raw.FPDFPageObj_GetClipPath, raw.FPDFClipPath_CountPaths
    outlines = {
        bytes(o.item): list(_clip_outlines(o))
        for o in objects
        if o.kind == raw.FPDF_PAGEOBJ_TEXT and (o.group_outlines or count(clip_of(o.item)) > 0)
    }
    if not outlines:
        return set()
    clipped: set[int] = set()
    for word in words:
        paths = outlines.get(bytes(raw.FPDFText_GetTextObject(text, word.index)), ())
        if not all(_touches(word.box, path) for path in paths):
            clipped.add(word.index)
    return clipped


def _touches(box: Box, outline: Sequence[Point]) -> bool:
    """Whether one of five points of a box, from its left to its right, lies inside an outline."""
    left, bottom, right, top = box
    y = (bottom + top) / 2
    return any(_is_inside((left + share * (right - left), y), outline) for share in (0.5, 0.1, 0.3, 0.7, 0.9))


def _is_inside(point: Point, outline: Sequence[Point]) -> bool:
    """Whether a line from a point to the right crosses an outline an odd number of times."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def _clip_outlines(o: _Object) -> Iterator[Sequence[Point]]:
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
        yield points if _is_one_polygon(segments) else _corners(_bounds_of(points))


def _is_one_polygon(segments: Sequence[Any]) -> bool:
    """Whether the segments are a single outline that is short enough to be followed; two have six at least."""
    count = len(segments)
    type_of = raw.FPDFPathSegment_GetType
    return count < 6 or (
        count <= _MAX_SEGMENTS and sum(type_of(s) == raw.FPDF_SEGMENT_MOVETO for s in segments) == 1
    )


def _bounds(o: _Object) -> Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(o.item, left, bottom, right, top):
        return None
    box = (left.value, bottom.value, right.value, top.value)
    return box if o.matrix is None else _bounds_of([_moved(p, o.matrix) for p in _corners(box)])


def _bounds_of(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _corners(box: Box) -> list[Point]:
    left, bottom, right, top = box
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _intersection(boxes: Sequence[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return max(lefts), max(bottoms), min(rights), min(tops)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


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


def _product(first: raw.FS_MATRIX, second: raw.FS_MATRIX | None) -> raw.FS_MATRIX:
    """The matrix that moves a point by the first and then by the second."""
    if second is None:
        return first
    a, b = first.a * second.a + first.b * second.c, first.a * second.b + first.b * second.d
    c, d = first.c * second.a + first.d * second.c, first.c * second.b + first.d * second.d
    e, f = _moved((first.e, first.f), second)
    return raw.FS_MATRIX(a, b, c, d, e, f)
