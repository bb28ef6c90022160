"""The HTML report of a comparison: one file that asks for nothing, neither from the network nor from the disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from colde import models as registry
from colde.report.changes_report import change_rows, changes_note
from colde.report.disagreement import disagreement
from colde.report.formatting import clean
from colde.report.html_page import html_page, json_in_html
from colde.report.map_tiles import tiles
from colde.report.profile_corpora import describe_corpora
from colde.report.review_export import mark_to_dict
from colde.report.reviewed_matches import excluded_passages, format_excluded, matches
from colde.report.shared_kinds import kind_rows
from colde.report.verdict import verdict
from colde.report.view_payload import view_payload
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.serialise import json_pieces


def to_html(comparison: Comparison, *, what_if: Mapping[str, Any] | None = None) -> str:
    """The comparison as one self-contained HTML page, for a browser of 2023 or later; works offline.

    Arguments and errors as in `html_pieces`.
    """
    return "".join(html_pieces(comparison, what_if=what_if))


def html_pieces(comparison: Comparison, *, what_if: Mapping[str, Any] | None = None) -> Iterator[str]:
    """`to_html` in pieces: with the maps of two long documents the page takes hundreds of megabytes as one text.

    Where the comparison has a review, a summary of it stands below the verdict.

    Args:
        what_if: the scores without the passages left out, as the explorer's tab *Why* has them.

    Raises:
        ValueError: the comparison has no score yet.
    """
    judged = verdict(comparison)
    first = comparison.results[0]
    payload = _payload(comparison, what_if)
    reviewed = matches(comparison) if comparison.review else ()
    decisions = Counter(match.decision or "open" for match in reviewed)
    title_a, title_b = (clean(d.title) or clean(d.source) or "Untitled" for d in (comparison.a, comparison.b))
    yield from html_page(
        "comparison.html.j2",
        comparison=comparison,
        title_a=title_a,
        title_b=title_b,
        verdict=judged,
        first=first,
        matches=[match for match in comparison.evidence if match.model == first.name],
        reviewed=reviewed,
        decisions={name: decisions[name] for name in ("accepted", "rejected", "open")},
        noted=[match for match in reviewed if match.decision or match.note],
        excluded=list(excluded_passages(comparison)),
        disagreement=disagreement(comparison),
        shared_kinds=[] if comparison.shared is None else kind_rows(comparison.shared),
        changes=list(change_rows(comparison)),
        changes_note=changes_note(comparison),
        tokens_read=_tokens_read,
        method_notes=_method_notes,
        payload=json_in_html(json_pieces(payload)),
        tiles=_tiles(comparison, payload["models"]),
    )


def _payload(comparison: Comparison, what_if: Mapping[str, Any] | None) -> dict[str, Any]:
    """Content of the linked view, with the review and the passages left out."""
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


def _method_notes(score: Score) -> str:
    """What a score means, where the model comes from, and what its profile was fitted on."""
    card = registry.cards().get(score.name)
    notes = [card.score_means, f"Source: {card.source}.", card.explains] if card else []
    if score.no_verdict:
        notes.append(f"No threshold and no probability: {score.no_verdict}.")
    elif score.profile is not None:
        corpora = describe_corpora(score.name, score.profile, score.corpora)
        corpora = corpora or "corpora that its checkpoint does not record"
        notes.append(f"Its profile {score.profile} was fitted on validation pairs of {corpora}.")
    notes.append(f"{score.seconds:.1f} s for this pair.")
    return " ".join(notes)


def _tokens_read(score: Score) -> str:
    """How much of either text the model read: `all`, or `450 of 900 tokens; all`."""
    sides = [
        "all" if read.tokens_read >= read.tokens else f"{read.tokens_read:,} of {read.tokens:,} tokens"
        for read in (score.read_a, score.read_b)
    ]
    return "; ".join(dict.fromkeys(sides))


def _tiles(
    comparison: Comparison, models: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the hash and the tiles of each large map; equal maps stand in the page once."""
    written: set[str] = set()
    for model in models:
        for name, sent in model["maps"].items():
            if sent["overview"] is None or (key := sent["overview"]["digest"]) in written:
                continue
            written.add(key)
            yield key, tiles(comparison.maps[model["name"]][name])
