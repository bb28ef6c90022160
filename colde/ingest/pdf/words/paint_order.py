"""Words that what is drawn hides: outside their clipping path, or below a drawing or a comment.

Where the bounds of later drawings cover a word, the page is drawn with the word and without it: a word is hidden where
both look the same.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from pypdfium2 import raw

from colde.ingest.pdf.characters.character_boxes import Box
from colde.ingest.pdf.drawing.page_objects import (
    PageObject,
    Point,
    bounds_of,
    clip_outlines,
    intersection,
    object_bounds,
    page_objects,
    product,
)
from colde.ingest.pdf.drawing.page_raster import PageRaster
from colde.ingest.pdf.words.word_splitter import RawWord

_MAX_COVERS = 1000
_MIN_COVER_POINTS = 4.0  # width and height of what hides a word, and width of a line that does
_MIN_COVER_ALPHA = 128  # of 255
_MIN_COVERED_SHARE = 0.8  # of the area of a word
_MIN_AREA = 1e-3  # square points of a word; some have none
_SCAN_SHARE = 0.5  # of the area of the page, from which pictures over the text are a scan with its text below
_MIN_VISIBLE_SHARE = 0.2  # of the ink of a word that is seen
_PIXELS_PER_POINT = 2.0
_MIN_DIFFERENCE = (
    24.0  # of 255 in red, green or blue, from which the eye can tell two pixels; on white a contrast of 1.2
)
_PAPER_OPACITY = 0.05  # of the letters of a word, below which a pixel is paper
_COPIED_SHARE = 0.8  # of the ink and of the paper of a word, from which a copy of it is seen
_GREY_OF_PATTERNS = (0xBF, 0xBF, 0xBF)
_HIDDEN_ANNOTATION = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_COVERING_ANNOTATIONS = frozenset(
    (
        raw.FPDF_ANNOT_SQUARE, raw.FPDF_ANNOT_CIRCLE, raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_POLYLINE,
        raw.FPDF_ANNOT_LINE, raw.FPDF_ANNOT_INK, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP,
        raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_REDACT,
    )
)  # fmt: skip


def hidden_by_drawings(
    page: pdfium.PdfPage, text: Any, words: Sequence[RawWord], bounds: Box, has_patterns: bool
) -> set[int]:
    """The `RawWord.index` of words that lie outside their clipping path or are not seen below what covers them.

    Pages that may take without end to draw are not looked at: those with a pattern, or with groups in groups in groups.

    Args:
        text: the text page of pdfium.
        bounds: of what is shown of the page.
        has_patterns: whether the file holds patterns of tiles.
    """
    if not words:
        return set()
    objects = page_objects(page)
    hidden = _clipped_words(text, words, objects)
    covers = [*_covers(objects, bounds), *((len(objects), box) for box in _covering_annotations(page))]
    suspects = list(_below(text, words, objects, covers)) if covers else []
    if suspects and not any(
        o.kind == raw.FPDF_PAGEOBJ_FORM or (has_patterns and _is_pattern(o)) for o in objects
    ):
        hidden |= _not_seen(PageRaster(page, bounds, max_scale=_PIXELS_PER_POINT), suspects, objects)
    return hidden


def _is_pattern(o: PageObject) -> bool:
    """Whether an object may be filled with a pattern: pdfium gives all of them one grey."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    named = raw.FPDFPageObj_GetFillColor(o.item, red, green, blue, alpha)
    return bool(named) and (red.value, green.value, blue.value) == _GREY_OF_PATTERNS


def _not_seen(
    raster: PageRaster, suspects: Sequence[tuple[RawWord, Any]], objects: Sequence[PageObject]
) -> set[int]:
    """Indices of the words whose ink leaves the page as it is without them. Each comes with its text object."""
    items = {bytes(item): item for _, item in suspects}
    with _inactive([o.item for o in objects if bytes(o.item) not in items]):
        ink = raster.opacity()
    shown = raster.colours()
    with _inactive(items.values()):
        without = raster.colours()
    hidden = set()
    for word, _ in suspects:
        place = raster.place_of(word.box)
        of_word = ink[place] / 255.0
        seen = _differ(shown[place], without[place])
        is_seen = of_word[seen].sum() >= _MIN_VISIBLE_SHARE * of_word.sum()
        if of_word.any() and not is_seen and not _shows(shown[place], of_word):
            hidden.add(word.index)
    return hidden


def _differ(pixels: npt.NDArray[np.uint8], others: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which pixels the eye can tell from others."""
    differ: npt.NDArray[np.bool_] = np.abs(pixels - others.astype(float)).max(axis=-1) >= _MIN_DIFFERENCE
    return differ


def _shows(pixels: npt.NDArray[np.uint8], ink: npt.NDArray[np.float64]) -> bool:
    """Whether pixels show the letters of this ink: a copy that lies over them is no text of its own for pdfium."""
    paper = ink < _PAPER_OPACITY
    if not paper.any():
        return False
    inked = _differ(pixels, np.median(pixels[paper], axis=0))
    is_on_ink = ink[inked].sum() >= _COPIED_SHARE * ink.sum()
    return bool(is_on_ink and inked[paper].mean() <= 1.0 - _COPIED_SHARE)


@contextmanager
def _inactive(items: Iterable[Any]) -> Iterator[None]:
    """Leave objects out of what is drawn."""
    switched = [item for item in items if _is_active(item)]
    for item in switched:
        raw.FPDFPageObj_SetIsActive(item, False)
    try:
        yield
    finally:
        for item in switched:
            raw.FPDFPageObj_SetIsActive(item, True)


def _is_active(item: Any) -> bool:
    active = ctypes.c_int()
    return bool(raw.FPDFPageObj_GetIsActive(item, active) and active.value)


def _below(
    text: Any, words: Sequence[RawWord], objects: Sequence[PageObject], covers: Sequence[tuple[int, Box]]
) -> Iterator[tuple[RawWord, Any]]:
    """The words of which what comes later covers most, alone or together, with their text objects."""
    shares = _covered_shares(words, [box for _, box in covers])
    suspects = np.flatnonzero(shares.sum(axis=1) >= _MIN_COVERED_SHARE)
    if not suspects.size:
        return
    places = np.array([place for place, _ in covers])
    order = {bytes(o.item): i for i, o in enumerate(objects) if o.kind == raw.FPDF_PAGEOBJ_TEXT}
    for i in suspects.tolist():
        item = raw.FPDFText_GetTextObject(text, words[i].index)
        drawn = order.get(bytes(item))
        if drawn is not None and shares[i, places > drawn].sum() >= _MIN_COVERED_SHARE:
            yield words[i], item


def _covered_shares(words: Sequence[RawWord], boxes: Sequence[Box]) -> npt.NDArray[np.float64]:
    """The share of the area of each word that each box covers."""
    lefts, bottoms, rights, tops = np.array([w.box for w in words]).T.reshape(4, -1, 1)
    left, bottom, right, top = np.array(boxes).T
    across = np.minimum(rights, right) - np.maximum(lefts, left)
    along = np.minimum(tops, top) - np.maximum(bottoms, bottom)
    areas = np.maximum((rights - lefts) * (tops - bottoms), _MIN_AREA)
    shares: npt.NDArray[np.float64] = np.maximum(across, 0.0) * np.maximum(along, 0.0) / areas
    return shares


def _covers(objects: Sequence[PageObject], page: Box) -> list[tuple[int, Box]]:
    """What may hide the text that is drawn before it: the places in the order, and bounds."""
    covers: list[tuple[int, Box]] = []
    pictures: list[tuple[int, Box]] = []
    after_text = False
    for i, o in enumerate(objects):
        if o.kind == raw.FPDF_PAGEOBJ_TEXT:
            after_text = True
        elif after_text and (box := _covered_box(o)) is not None:
            (pictures if o.kind == raw.FPDF_PAGEOBJ_IMAGE else covers).append((i, box))
    if sum(_area(box) for _, box in pictures) <= _SCAN_SHARE * _area(page):
        covers += pictures
    return covers[:_MAX_COVERS]


def _covered_box(o: PageObject) -> Box | None:
    """What a drawing may cover; None where it is too small, or a path that leaves what is below in sight."""
    if o.kind == raw.FPDF_PAGEOBJ_PATH and not _may_cover(o):
        return None
    box = object_bounds(o)
    if box is None:
        return None
    box = intersection([box, *(bounds_of(outline) for outline in clip_outlines(o))])
    return box if min(box[2] - box[0], box[3] - box[1]) >= _MIN_COVER_POINTS else None


def _may_cover(path: PageObject) -> bool:
    """Whether a path is filled with a colour that is hardly transparent, or drawn with a thick line."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not raw.FPDFPath_GetDrawMode(path.item, fill, stroke):
        return False
    if fill.value != raw.FPDF_FILLMODE_NONE:
        red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
        named = raw.FPDFPageObj_GetFillColor(path.item, red, green, blue, alpha)
        return not named or alpha.value >= _MIN_COVER_ALPHA
    width, local = ctypes.c_float(), raw.FS_MATRIX()
    if not stroke.value or not raw.FPDFPageObj_GetStrokeWidth(path.item, width):
        return False
    raw.FPDFPageObj_GetMatrix(path.item, local)
    m = product(local, path.matrix)
    return width.value * math.sqrt(abs(m.a * m.d - m.b * m.c)) >= _MIN_COVER_POINTS


def _covering_annotations(page: pdfium.PdfPage) -> Iterator[Box]:
    """Bounds of the comments that are drawn over the page; marks of a place and links are not."""
    rectangle = raw.FS_RECTF()
    for i in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, i)
        if raw.FPDFAnnot_GetSubtype(annotation) in _COVERING_ANNOTATIONS and not (
            raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN_ANNOTATION
        ):
            raw.FPDFAnnot_GetRect(annotation, rectangle)
            yield rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
        raw.FPDFPage_CloseAnnot(annotation)


def _clipped_words(text: Any, words: Sequence[RawWord], objects: Sequence[PageObject]) -> set[int]:
    """Indices of the words of which hardly anything lies inside the clipping paths of their text."""
    clip_of, count = raw.FPDFPageObj_GetClipPath, raw.FPDFClipPath_CountPaths
    outlines = {
        bytes(o.item): list(clip_outlines(o))
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


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
