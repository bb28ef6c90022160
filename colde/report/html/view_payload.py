"""The content of the linked view, as compact JSON.

Offsets are code points of each document's text. Lists of passages are flat (`[start, end, …]`). The values of a map
are compressed (`colde.report.maps.packed_values`). Lists of passages and values that several maps share are sent once,
in `spans` and `values`; maps have their numbers in these. A map of more than a million cells comes as an overview, and
its tiles follow when the page asks for them (`colde.report.maps.map_tiles`).
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from colde import models as registry
from colde.report.content.changes_report import SIDES, also_in, changes_note
from colde.report.formatting import passage_place, sentence_case
from colde.report.maps.map_colours import unrelated_percentile
from colde.report.maps.map_names import (
    DARKER_MEANINGS,
    LEVELS,
    PREFERENCE,
    READER_LEVELS,
    map_label,
    page_maps,
    representative_maps,
)
from colde.report.maps.map_tiles import is_large, map_numbers, overview
from colde.report.maps.packed_values import (
    MISSING,
    MOST_STEPS,
    Numbered,
    Packed,
    largest_magnitude,
    pack,
    quantisation_steps,
    quantise,
)
from colde.report.wording.contribution_summary import summarise_contribution
from colde.report.wording.measured_quality import measured_quality
from colde.report.wording.shared_kinds import split_payload
from colde.report.wording.verdict import stance
from colde.report.wording.verdict_bar import score_position
from colde.results.change import LABELS, Change
from colde.results.comparison import Comparison
from colde.results.model_score import Score
from colde.results.passage import Passage
from colde.results.shared_text import KINDS, SAME_MEANING, SharedPassage
from colde.results.similarity_map import SimilarityMap
from colde.serialise import to_value
from colde.text.document import Document, Section, Span
from colde.text.not_compared.set_aside import set_aside
from colde.text.places import name_section

VERSION = 12
"""Changes when the fields do; the view refuses another version than its own."""
EndState = Literal["cancelled", "failed"]
"""How a comparison ended that did not finish."""
_NOT_IN_KEY = re.compile(r"[^a-z0-9]+")


class SharedLists:
    """Lists that several maps of a payload share: the maps have their numbers.

    Attributes:
        spans: flat lists of passages.
        values: packed values.
    """

    def __init__(self) -> None:
        self.spans: Numbered[tuple[int, ...]] = Numbered()
        self.values: Numbered[str] = Numbered()

    def add_spans(self, spans: Sequence[Span]) -> int:
        """The number of a list of passages."""
        return self.spans.number(tuple(_flat(spans)))

    def add_values(self, numbers: Packed) -> int:
        """The number of the values of a map."""
        return self.values.number(pack(numbers))


class PageWarning(TypedDict):
    """A warning about the pages from `first` to `last`."""

    first: int
    last: int
    text: str


def view_payload(
    comparison: Comparison,
    model: str | None = None,
    *,
    boxes: bool = True,
    beside: bool = False,
    stopped: EndState | None = None,
) -> dict[str, Any]:
    """The payload of the linked view.

    Args:
        comparison: finished, still growing, or stopped. A model without a score is marked as pending while the
            comparison goes on: its missing values are values to come.
        model: the one model to show, which may have no map yet; None for all that have a map, for a page on which
            the reader chooses.
        boxes: whether sentences have their boxes on the pages.
        beside: whether the other models come with one map a level, to be drawn beside those of `models`.
        stopped: how the comparison ended, where it has not finished; its models without a score show it.

    Returns:
        `documents`, `models`, `scores` (of each finished model), `changes` (whether the texts are versions, a note on
        the list, and the list, or None while it is not made), `beside` (the other models, or None), `comparable` (names
        of all models with a map of the two texts, in the order of their results), two hashes (`texts` of the documents,
        `generation` of the payload), `passages` that the texts share, the `closest` other sentences and `split`
        (`split_payload`), which are None while they are not searched, `kinds` of passages, `spans` and `values`
        (`SharedLists`), and the constants that the view shares with this module: `version`, `missing`, `levels`.
    """
    documents = {"a": document_payload(comparison.a, boxes), "b": document_payload(comparison.b, boxes)}
    scores = {s.name: s for s in comparison.models}
    known = list(dict.fromkeys([*scores, *comparison.maps]))  # those without a score last
    shown = [name for name in known if comparison.maps.get(name)] if model is None else [model]
    comparable = [n for n in known if representative_maps(comparison.maps.get(n, {}))]
    others = [name for name in comparable if name not in shown]
    lists = SharedLists()
    payload: dict[str, Any] = {
        "version": VERSION,
        "missing": MISSING,
        "levels": list(LEVELS),
        "texts": _digest(documents),
        "models": [_model(comparison, name, scores.get(name), stopped, lists) for name in shown],
        "scores": [_score(s) for s in comparison.models],
        "comparable": comparable,
        "changes": _changes(comparison),
        "kinds": list(KINDS),
        **_shared_text(comparison),
        "beside": [_model_maps(comparison, n, scores.get(n), stopped, lists) for n in others]
        if beside
        else None,
    }
    payload |= {"spans": [list(flat) for flat in lists.spans.values], "values": lists.values.values}
    payload["generation"] = _digest([payload, boxes])
    return {**payload, "documents": documents}


def document_payload(document: Document, boxes: bool) -> dict[str, Any]:
    return {
        "title": document.title or document.source,
        "words": document.words(),
        "pages": document.pages,
        "notes": page_warnings(document),
        "aside": ", ".join(map(str, set_aside(document))),
        "page_sizes": [[round(w, 1), round(h, 1)] for w, h in document.page_sizes] if boxes else [],
        "text": document.text,
        "sections": [_section(document, s, boxes) for s in document.sections],
    }


def page_warnings(document: Document) -> list[PageWarning]:
    """The warnings about pages, once for each run of pages, in the order of the pages."""
    warnings = [
        PageWarning(first=first, last=last, text=sentence_case(warning.text))
        for warning in document.warnings
        for first, last in warning.pages
    ]
    return sorted(warnings, key=lambda note: (note["first"], note["last"]))


def _section(document: Document, section: Section, boxes: bool) -> dict[str, Any]:
    body = (Span(section.body, section.end),) if section.body < section.end else ()
    entry: dict[str, Any] = {
        "heading": section.heading,
        "place": name_section(document, section),
        "level": section.level,
        "role": section.role,
        "start": section.start,
        "body": section.body,
        "end": section.end,
        "paragraphs": _flat(section.paragraphs or body),
        "sentences": _flat(section.sentences),
    }
    if any(s.boxes for s in section.sentences):
        entry["pages"] = [s.boxes[0].page if s.boxes else 0 for s in section.sentences]
        if boxes:
            entry["boxes"] = [
                [x for box in s.boxes for x in (box.page, *(round(c, 1) for c in box[1:]))]
                for s in section.sentences
            ]
    return entry


def _model(
    comparison: Comparison, name: str, score: Score | None, stopped: EndState | None, lists: SharedLists
) -> dict[str, Any]:
    maps = page_maps(comparison, name)
    entry: dict[str, Any] = {
        **_model_maps(comparison, name, score, stopped, lists),
        "maps": {key: _map(m, name, lists) for key, m in maps.items() if m.form == "matrix"},
        "shadings": _shadings(maps, lists),
        "made": to_value(summarise_contribution(comparison, name)),
        "measured_quality": to_value(measured_quality(name, comparison.faithfulness.get(name))),
    }
    if score:
        readings = {"a": score.read_a, "b": score.read_b}
        entry["read"] = to_value(readings)
        entry["unread"] = {k: [[s.start, s.end] for s in r.unread] for k, r in readings.items()}
        entry["parts"] = to_value(score.parts)
    return entry


def _changes(comparison: Comparison) -> dict[str, Any]:
    """The changes, most important first; `near` is where a sentence would be in the text that lacks it."""
    shared, note = comparison.shared, changes_note(comparison)
    if shared is None:
        return {"versions": False, "note": note, "list": None}
    ends = {
        side: sorted(
            (getattr(part, side).end, getattr(part, other).end)
            for passage in shared.passages
            for part in passage.parts
            if part.kind in SAME_MEANING
        )
        for side, other in (("a", "b"), ("b", "a"))
    }

    def near(change: Change) -> int | None:
        if change.a is not None and change.b is not None:
            return None
        side = "b" if change.a is None else "a"
        span = change.a or change.b or Span(0, 0)
        before = bisect_left(ends[side], (span.start + 1, 0))
        return ends[side][before - 1][1] if before else 0

    def passage(document: Document, span: Span | None) -> dict[str, Any] | None:
        if span is None:
            return None
        return {"start": span.start, "end": span.end, "place": passage_place(Passage.at(document, span))}

    listed = [
        {
            "kind": LABELS[c.kind],
            "a": passage(comparison.a, c.a),
            "b": passage(comparison.b, c.b),
            "near": near(c),
            "description": c.description,
            "marks": {side: to_value(c.marks.get(side, ())) for side in SIDES},
            "also": also_in(comparison, c).strip(),
        }
        for c in comparison.changes
    ]
    return {"versions": shared.are_versions, "note": note, "list": listed}


def _score(score: Score) -> dict[str, Any]:
    return {
        "name": score.name,
        "title": score.title,
        "score": round(score.score, 4),
        "threshold": None if score.threshold is None else round(score.threshold, 4),
        "says": stance(score),
        "probability": score.probability,
        "percentile": score.percentile,
        "at": score_position(score),
    }


def _model_maps(
    comparison: Comparison, name: str, score: Score | None, stopped: EndState | None, lists: SharedLists
) -> dict[str, Any]:
    card = registry.cards().get(name)
    maps = comparison.maps.get(name, {})
    levels = representative_maps(maps)
    return {
        "name": name,
        "title": score.title if score else card.title if card else name,
        "pending": score is None and stopped is None,
        "stopped": stopped if score is None else None,
        "typical": levels,
        "maps": {key: _map(maps[key], name, lists) for key in levels.values()},
    }


def _shadings(maps: Mapping[str, SimilarityMap], lists: SharedLists) -> list[dict[str, Any]]:
    """Weights of words, sentences and other passages, of both texts together: what a model looked at or kept."""
    shadings: dict[str, dict[str, Any]] = {}
    for m in maps.values():
        if m.form != "weights":
            continue
        key = _NOT_IN_KEY.sub("_", f"{m.level} {m.role} {m.label}".strip().lower())
        shading = shadings.setdefault(
            key,
            {
                "key": key,
                "role": m.role,
                "level": m.level,
                "label": f"{m.level}s: {map_label(m)}",
                "more": DARKER_MEANINGS.get(m.role, "a higher value"),
                "kind": m.kind,
                "meaning": m.meaning,
                "reference": m.reference,
                "residual": m.residual,
                "a": None,
                "b": None,
            },
        )
        steps = MOST_STEPS / (largest_magnitude(m.values) or 1.0)  # shares of thousands of words are small
        side = m.row_side if m.weighted is m.rows else m.column_side
        shading[side] = {
            "spans": lists.add_spans(m.weighted),
            "steps": steps,
            "values": lists.add_values(quantise(m.values, steps)),
        }
    return list(shadings.values())


def _shared_text(comparison: Comparison) -> dict[str, Any]:
    """What the two texts share; each value is None while it is not searched."""
    shared = comparison.shared
    if shared is None:
        return dict.fromkeys(("passages", "closest", "split"))
    return {
        "passages": [_passage(comparison, p) for p in shared.passages],
        "closest": to_value(shared.closest),
        "split": split_payload(shared),
    }


def _passage(comparison: Comparison, passage: SharedPassage) -> dict[str, Any]:
    return {
        "a": _place(comparison.a, passage.a),
        "b": _place(comparison.b, passage.b),
        "kind": passage.kind,
        "certainty": round(passage.certainty, 4),
        "standard": passage.standard,
        "words": [passage.words["a"], passage.words["b"]],
        "parts": [
            x for p in passage.parts for x in (KINDS.index(p.kind), p.a.start, p.a.end, p.b.start, p.b.end)
        ],
        "aligned": [[w.a.start, w.a.end, w.b.start, w.b.end, w.weight] for w in passage.aligned],
    }


def _place(document: Document, span: Span) -> dict[str, Any]:
    place = Passage.at(document, span)
    return {"start": span.start, "end": span.end, "section": place.section or place.position}


def _map(m: SimilarityMap, model: str, lists: SharedLists) -> dict[str, Any]:
    steps = quantisation_steps(m.values)
    large = is_large(m)
    return {
        "role": m.role,
        "level": m.level,
        "offered": READER_LEVELS[m.level],
        "side": m.side,
        "label": sentence_case(map_label(m)),
        "preference": PREFERENCE[m.role],
        "kind": m.kind,
        "unit": m.unit,
        "scale": m.scale,
        "limits": list(m.limits or (0.0, 1.0)) if m.kind == "cosine" and m.scale == "sequential" else None,
        "usual": unrelated_percentile(model, m),
        "flat": m.flat,
        "meaning": m.meaning,
        "shape": list(m.values.shape),
        "rows": lists.add_spans(m.rows),
        "columns": lists.add_spans(m.columns),
        "steps": steps,
        "values": None if large else lists.add_values(map_numbers(m, steps)),
        "overview": overview(m, steps, lists.add_values) if large else None,
    }


def _flat(spans: Sequence[Span]) -> list[int]:
    return [offset for s in spans for offset in (s.start, s.end)]


def _digest(value: Mapping[str, Any] | list[Any]) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
