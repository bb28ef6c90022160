"""The HTML report of a comparison: one file that asks for nothing, neither from the network nor from the disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from colde.report.content.report_content import report_content
from colde.report.content.report_record import carried_values
from colde.report.content.review_export import mark_to_dict
from colde.report.content.reviewed_passages import format_excluded
from colde.report.html.html_page import html_page, json_in_html
from colde.report.html.view_payload import view_payload
from colde.report.maps.map_names import page_maps
from colde.report.maps.map_tiles import tiles
from colde.results.comparison import Comparison
from colde.results.saved.written_maps import MAX_CELLS
from colde.serialise import json_pieces


def to_html(
    comparison: Comparison, *, what_if: Mapping[str, Any] | None = None, made: date | None = None
) -> str:
    """The comparison as one self-contained HTML page, for a browser of 2023 or later; works offline.

    Arguments and errors as in `html_pieces`.
    """
    return "".join(html_pieces(comparison, what_if=what_if, made=made))


def html_pieces(
    comparison: Comparison, *, what_if: Mapping[str, Any] | None = None, made: date | None = None
) -> Iterator[str]:
    """`to_html` in pieces: with the maps of two long documents the page takes hundreds of megabytes as one text.

    Where the comparison has a review, a summary of it stands below the verdict.

    Args:
        made: date of the report; today, if None.
        what_if: the scores without the passages left out, as the explorer's tab *Why* has them.

    Raises:
        ValueError: the comparison has no score yet.
    """
    payload = _payload(comparison, what_if)
    content = report_content(comparison, made)
    yield from html_page(
        "comparison.html.j2",
        comparison=comparison,
        report=content,
        payload=json_in_html(json_pieces(payload)),
        record=json_in_html(json_pieces(carried_values(comparison, content.made))),
        tiles=_tiles(comparison, payload["models"]),
    )


def _payload(comparison: Comparison, what_if: Mapping[str, Any] | None) -> dict[str, Any]:
    content = view_payload(comparison, boxes=False)
    if comparison.review:
        content["review"] = {
            "id": "report",
            "marks": [mark_to_dict(mark) for mark in comparison.review.marks],
        }
        content["settings"] = {"out": format_excluded(comparison)}
    if what_if is not None:
        content |= {"what_if": dict(what_if), "settings": {"out": what_if["out"]}}
    return content


def _tiles(
    comparison: Comparison, models: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the hash and the tiles of each large map while `MAX_CELLS` last; of others the page has the overview alone.

    Equal maps stand in the page once.
    """
    written: set[str] = set()
    left = MAX_CELLS
    for model in models:
        for name, sent in model["maps"].items():
            if sent["overview"] is None or (key := sent["overview"]["digest"]) in written:
                continue
            large = page_maps(comparison, model["name"])[name]
            if large.values.size <= left:
                left -= large.values.size
                written.add(key)
                yield key, tiles(large)
