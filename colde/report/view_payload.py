"""The content of the linked view, as compact JSON.

Offsets stay code points into each document's text. Lists of passages are flat (`[start, end, …]`); the
values of a map are 16-bit integers in base64; a map of more than a million cells comes as an overview, and its
values in tiles when the page asks for them (`colde.report.map_tiles`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from colde import models as registry
from colde.report.contribution_summary import summarise_contribution
from colde.report.map_names import (
    DARKER_MEANINGS,
    LEVELS,
    PREFERENCE,
    READER_LEVELS,
    map_label,
    representative_maps,
)
from colde.report.map_tiles import (
    MISSING,
    MOST_STEPS,
    encode_base64,
    is_large,
    largest_magnitude,
    overview,
    quantisation_steps,
    quantise,
)
from colde.report.measured_quality import measured_quality
from colde.report.page_warnings import page_warnings
from colde.report.score_position import score_position
from colde.report.shared_kinds import kind_rows, split_summary
from colde.report.unrelated_percentiles import unrelated_percentile
from colde.report.verdict import stance
from colde.results.comparison import Comparison
from colde.results.match import Match
from colde.results.model_score import Score
from colde.results.similarity_map import Array, Letter, SimilarityMap
from colde.text.document import Document, Section, Span
from colde.text.set_aside import set_aside

VERSION = 7
"""Changes when the fields do; the view refuses another version than its own."""
MAX_PASSAGES = 50
"""Shared passages of one kind that the payload holds."""
EndState = Literal["cancelled", "failed"]
"""How a comparison ended that has not finished."""
_NOT_IN_KEY = re.compile(r"[^a-z0-9]+")


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
        model: the one model to show, which may not have anything yet; None for all that have a map or
            evidence, for a page on which the reader chooses.
        boxes: whether sentences carry their places on the pages.
        stopped: how the comparison ended, where it has not finished; its models without a score say so.
        beside: whether the models that are not in `models` come with one map a level, to be drawn beside it.

    Returns:
        `documents`, `models`, `scores` (what each finished model says of the pair), `shared` (how much both texts
        share, by kind, or None while it is not counted), `beside` (the other models, or None), `comparable` (names of
        all models with a map of the two texts, in the order of their results), two hashes (`texts` of the
        documents, `generation` of everything), `split` (a line on the shares of each text, or None), and the constants
        that the view shares with this module: `version`, `missing`, `levels`.
    """
    documents = {"a": _document(comparison.a, boxes), "b": _document(comparison.b, boxes)}
    scores = {s.name: s for s in comparison.results}
    names = [model] if model is not None else _shown_models(comparison)
    payload: dict[str, Any] = {
        "version": VERSION,
        "missing": MISSING,
        "levels": list(LEVELS),
        "texts": _digest(documents),
        "documents": documents,
        "models": [_model(comparison, name, scores.get(name), stopped) for name in names],
        "scores": [_score(s) for s in comparison.results],
        "comparable": _comparable_models(comparison),
        "shared": _shared(comparison),
        "split": None if comparison.shared is None else split_summary(comparison.shared),
        "beside": None,
    }
    if beside:
        others = [name for name in payload["comparable"] if name not in names]
        payload["beside"] = [_model_maps(comparison, name, scores.get(name), stopped) for name in others]
    content = [
        payload["models"],
        payload["scores"],
        payload["comparable"],
        payload["beside"],
        payload["shared"],
        payload["split"],
    ]
    payload["generation"] = _digest([payload["texts"], boxes, *content])
    return payload


def _shown_models(comparison: Comparison) -> list[str]:
    """Models with something to look at, in the order of their results, those still at work last."""
    evident = {e.model for e in comparison.evidence}
    names = dict.fromkeys([*(s.name for s in comparison.results), *comparison.maps])
    return [n for n in names if comparison.maps.get(n) or n in evident]


def _comparable_models(comparison: Comparison) -> list[str]:
    """Models with a map of the two texts that can stand beside those of others."""
    names = dict.fromkeys([*(s.name for s in comparison.results), *comparison.maps])
    return [n for n in names if representative_maps(comparison.maps.get(n, {}))]


def _document(document: Document, boxes: bool) -> dict[str, Any]:
    return {
        "title": document.title or document.source,
        "words": document.words(),
        "pages": document.pages,
        "notes": page_warnings(document),
        "aside": ", ".join(map(str, set_aside(document))),
        "page_sizes": [[round(w, 1), round(h, 1)] for w, h in document.page_sizes] if boxes else [],
        "text": document.text,
        "sections": [_section(s, boxes) for s in document.sections],
    }


def _section(section: Section, boxes: bool) -> dict[str, Any]:
    body = (Span(section.body, section.end),) if section.body < section.end else ()
    found: dict[str, Any] = {
        "heading": section.heading,
        "level": section.level,
        "role": section.role,
        "start": section.start,
        "body": section.body,
        "end": section.end,
        "paragraphs": _flat(section.paragraphs or body),
        "sentences": _flat(section.sentences),
    }
    if any(s.boxes for s in section.sentences):
        found["pages"] = [s.boxes[0].page if s.boxes else 0 for s in section.sentences]
        if boxes:
            found["boxes"] = [
                [x for box in s.boxes for x in (box.page, *(round(c, 1) for c in box[1:]))]
                for s in section.sentences
            ]
    return found


def _model(
    comparison: Comparison, name: str, score: Score | None, stopped: EndState | None
) -> dict[str, Any]:
    evidence = sorted(
        (e for e in comparison.evidence if e.model == name), key=lambda e: e.stands_out, reverse=True
    )
    maps = comparison.maps.get(name, {})
    made = summarise_contribution(comparison, name)
    faithfulness = measured_quality(name, comparison.faithfulness.get(name))
    found: dict[str, Any] = {
        **_model_maps(comparison, name, score, stopped),
        "maps": {key: _map(m, name) for key, m in maps.items() if m.form == "matrix"},
        "shadings": _shadings(maps),
        "evidence": [_evidence(e) for e in evidence],
        "made": None if made is None else made.to_dict(),
        "worth": None if faithfulness is None else asdict(faithfulness),
    }
    if score:
        readings = {"a": score.read_a, "b": score.read_b}
        found["read"] = {k: {"tokens_read": r.tokens_read, "tokens": r.tokens} for k, r in readings.items()}
        found["unread"] = {k: [[s.start, s.end] for s in r.unread] for k, r in readings.items()}
        found["parts"] = [asdict(part) for part in score.parts]
    return found


def _shared(comparison: Comparison) -> list[dict[str, Any]] | None:
    """Shared text by kind, each with its longest passages; None while it is not counted."""
    if comparison.shared is None:
        return None
    return [
        {
            "kind": row.label,
            "a": row.a,
            "b": row.b,
            "count": len(row.passages),
            "means": row.means,
            "passages": [[p.a.start, p.a.end, p.b.start, p.b.end] for p in row.passages[:MAX_PASSAGES]],
        }
        for row in kind_rows(comparison.shared)
    ]


def _score(score: Score) -> dict[str, Any]:
    """Score of one model, its threshold and what it says of the pair."""
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
    comparison: Comparison, name: str, score: Score | None, stopped: EndState | None
) -> dict[str, Any]:
    """A model with the maps that stand beside those of others, one a level, and nothing else."""
    card = registry.cards().get(name)
    maps = comparison.maps.get(name, {})
    levels = representative_maps(maps)
    return {
        "name": name,
        "title": score.title if score else card.title if card else name,
        "pending": score is None and stopped is None,
        "stopped": stopped if score is None else None,
        "typical": levels,
        "maps": {key: _map(maps[key], name) for key in levels.values()},
    }


def _shadings(maps: Mapping[str, SimilarityMap]) -> list[dict[str, Any]]:
    """Weights of single words, sentences … of each text, for both texts at once: what a model looked at or kept."""
    found: dict[str, dict[str, Any]] = {}
    for m in maps.values():
        if m.form != "weights":
            continue
        key = _NOT_IN_KEY.sub("_", f"{m.level} {m.role} {m.label}".strip().lower())
        shading = found.setdefault(
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
        weights = {"spans": _flat(m.weighted), "steps": steps, "values": pack_values(m.values, steps)}
        shading[_weighted_side(m)] = weights
    return list(found.values())


def _weighted_side(m: SimilarityMap) -> Letter:
    """The document whose passages have the weights."""
    return m.row_side if m.weighted is m.rows else m.column_side


def _evidence(evidence: Match) -> dict[str, Any]:
    return {
        "a": {"start": evidence.a.start, "end": evidence.a.end, "section": evidence.a.section},
        "b": {"start": evidence.b.start, "end": evidence.b.end, "section": evidence.b.section},
        "weight": round(evidence.weight, 4),
        "kind": evidence.kind,
        "weak": not evidence.stands_out,
        "words": [[w.a.start, w.a.end, w.b.start, w.b.end, w.weight] for w in evidence.words],
    }


def _map(m: SimilarityMap, model: str) -> dict[str, Any]:
    steps = quantisation_steps(m.values)
    large = is_large(m)
    return {
        "role": m.role,
        "level": m.level,
        "offered": READER_LEVELS[m.level],
        "side": m.side,
        "label": map_label(m),
        "preference": PREFERENCE[m.role],
        "kind": m.kind,
        "unit": m.unit,
        "scale": m.scale,
        "limits": list(m.limits or (0.0, 1.0)) if m.kind == "cosine" and m.scale == "sequential" else None,
        "usual": unrelated_percentile(model, m),
        "flat": m.flat,
        "meaning": m.meaning,
        "shape": list(m.values.shape),
        "rows": _flat(m.rows),
        "columns": _flat(m.columns),
        "steps": steps,
        "values": "" if large else pack_values(m.values, steps),
        "overview": overview(m, steps) if large else None,
    }


def pack_values(values: Array, steps: float) -> str:
    """Values × steps as little-endian int16 in base64, rows one after the other; NaN as `MISSING`."""
    return encode_base64(quantise(values, steps))


def _flat(spans: Sequence[Span]) -> list[int]:
    return [offset for s in spans for offset in (s.start, s.end)]


def _digest(value: Mapping[str, Any] | list[Any]) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
