"""Words that what is drawn hides: outside their clipping path, or below an opaque drawing that comes later."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class _Object:
    """An object of a page: its place in the order of drawing, and the matrix of the group that it is in."""

    order: int
    item: Any
    kind: int
    matrix: raw.FS_MATRIX | None


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
    below = [w for w in words if any(_is_below(w.box, cover) for _, cover in covers)]
    by_address: dict[bytes, _Object] = {}
    if below or any(o.matrix is not None for o in objects):
        by_address = {bytes(o.item): o for o in objects if o.kind == raw.FPDF_PAGEOBJ_TEXT}
    hidden = _clipped_words(text, words, by_address)
    for word in below:
        drawn = by_address.get(bytes(raw.FPDFText_GetTextObject(text, word.index)))
        if drawn is not None and any(o.order > drawn.order and _is_below(word.box, box) for o, box in covers):
            hidden.add(word.index)
    return hidden


def _objects(page: pdfium.PdfPage) -> list[_Object]:
    """The objects of a page in the order of drawing, with those in groups; none of a page with too many."""
    objects: list[_Object] = []
    count = raw.FPDFPage_CountObjects(page)
    if count > _MAX_OBJECTS:
        return []
    items = ((raw.FPDFPage_GetObject(page, i), None, 0) for i in range(count))
    _collect(items, objects)
    return objects


def _collect(items: Iterator[tuple[Any, raw.FS_MATRIX | None, int]], objects: list[_Object]) -> None:
    for item, matrix, depth in items:
        if len(objects) >= _MAX_OBJECTS:
            return
        kind = raw.FPDFPageObj_GetType(item)
        objects.append(_Object(len(objects), item, kind, matrix))
        if kind == raw.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            inner = raw.FS_MATRIX()
            raw.FPDFPageObj_GetMatrix(item, inner)
            joined = inner if matrix is None else _product(inner, matrix)
            _collect(
                (
                    (raw.FPDFFormObj_GetObject(item, i), joined, depth + 1)
                    for i in range(max(0, raw.FPDFFormObj_CountObjects(item)))
                ),
                objects,
            )


def _covers(objects: Sequence[_Object], page: Box) -> list[tuple[_Object, Box]]:
    """Opaque boxes and pictures that are drawn after some text, with their bounds."""
    covers: list[tuple[_Object, Box]] = []
    after_text = False
    for o in objects:
        after_text = after_text or o.kind == raw.FPDF_PAGEOBJ_TEXT
        if not after_text or o.kind not in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE):
            continue
        box = _bounds(o)
        if box is None or min(box[2] - box[0], box[3] - box[1]) < _MIN_COVER_POINTS:
            continue
        if o.kind == raw.FPDF_PAGEOBJ_IMAGE and _area(box) > _SCAN_SHARE * _area(page):
            continue
        if not raw.FPDFPageObj_HasTransparency(o.item) and _fills_its_bounds(o):
            covers.append((o, _intersection([box, *_clip_bounds(o)])))
            if len(covers) == _MAX_COVERS:
                break
    return covers


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
    points = [_point(raw.FPDFPath_GetPathSegment(o.item, i)) for i in range(count)]
    return len({round(x, 2) for x, _ in points}) == 2 == len({round(y, 2) for _, y in points})


def _clipped_words(text: Any, words: Sequence[RawWord], by_address: dict[bytes, _Object]) -> set[int]:
    """Indices of the words of which hardly anything lies inside the clipping paths of their text."""
    outlines: dict[bytes, list[Sequence[Point]]] = {}
    clipped: set[int] = set()
    for word in words:
        item = raw.FPDFText_GetTextObject(text, word.index)
        if not item:
            continue
        address = bytes(item)
        if address not in outlines:
            o = by_address.get(address) or _Object(0, item, raw.FPDF_PAGEOBJ_TEXT, None)
            outlines[address] = list(_clip_outlines(o))
        if outlines[address] and not all(_touches(word.box, outline) for outline in outlines[address]):
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
    clip = raw.FPDFPageObj_GetClipPath(o.item)
    for i in range(max(0, raw.FPDFClipPath_CountPaths(clip))):
        count = raw.FPDFClipPath_CountPathSegments(clip, i)
        if count < 3:
            continue
        segments = [raw.FPDFClipPath_GetPathSegment(clip, i, k) for k in range(count)]
        points = [_moved(_point(segment), o.matrix) for segment in segments]
        parts = sum(raw.FPDFPathSegment_GetType(s) == raw.FPDF_SEGMENT_MOVETO for s in segments)
        yield points if parts == 1 and count <= _MAX_SEGMENTS else _corners(_bounds_of(points))


def _clip_bounds(o: _Object) -> list[Box]:
    return [_bounds_of(outline) for outline in _clip_outlines(o)]


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


def _is_below(word: Box, cover: Box) -> bool:
    """Whether a box covers most of that of a word."""
    left, bottom, right, top = _intersection([word, cover])
    return (
        right > left
        and top > bottom
        and _area((left, bottom, right, top)) >= _MIN_COVERED_SHARE * _area(word)
    )


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _point(segment: Any) -> Point:
    x, y = ctypes.c_float(), ctypes.c_float()
    raw.FPDFPathSegment_GetPoint(segment, x, y)
    return x.value, y.value


def _moved(point: Point, matrix: raw.FS_MATRIX | None) -> Point:
    if matrix is None:
        return point
    x, y = point
    return matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f


def _product(first: raw.FS_MATRIX, second: raw.FS_MATRIX) -> raw.FS_MATRIX:
    """The matrix that moves a point by the first and then by the second."""
    a, b = first.a * second.a + first.b * second.c, first.a * second.b + first.b * second.d
    c, d = first.c * second.a + first.d * second.c, first.c * second.b + first.d * second.d
    e, f = _moved((first.e, first.f), second)
    return raw.FS_MATRIX(a, b, c, d, e, f)
