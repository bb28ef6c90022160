"""What the linked view needs to know of a comparison, as compact JSON.

Offsets stay code points into each document's text. Lists of passages are flat (`[start, end, …]`); the
values of a map are 16-bit integers in base64, since a sentence map of long documents has millions of them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from colde import models as registry
from colde.comparison import Comparison
from colde.document import Document, Section, Span
from colde.report.notes import page_notes
from colde.similarity import Array, Evidence, Score, SimilarityMap
from colde.structure import set_aside

VERSION = 1
MISSING = -32768
"""Stands for a value that does not exist (yet)."""
FINEST = 10_000
"""Steps to one: four decimals, enough for every colour and every number shown."""
LEVELS = ("section", "chunk", "sentence", "word")
LABELS = {"cosine": "topic", "attention": "attention", "attribution": "attribution", "term weight": "words"}


def view_payload(comparison: Comparison, model: str | None = None, *, boxes: bool = True) -> dict[str, Any]:
    """The payload of the linked view.

    Args:
        comparison: finished or still growing. A model that has maps but no score yet is marked as pending:
            its missing values are values to come.
        model: the one model to show, which may not have anything yet; None for all that have a map or
            evidence, for a page on which the reader chooses.
        boxes: whether sentences carry their places on the pages.

    Returns:
        `documents`, `models`, and two content hashes: `texts` of the documents, `generation` of everything.
    """
    documents = {"a": _document(comparison.a, boxes), "b": _document(comparison.b, boxes)}
    scores = {s.name: s for s in comparison.results}
    names = [model] if model is not None else _shown(comparison)
    payload: dict[str, Any] = {
        "version": VERSION,
        "texts": _digest(documents),
        "documents": documents,
        "models": [_model(comparison, name, scores.get(name)) for name in names],
    }
    payload["generation"] = _digest([payload["texts"], boxes, payload["models"]])
    return payload


def _shown(comparison: Comparison) -> list[str]:
    """Models with something to look at, in the order of their results, those still at work last."""
    evident = {e.model for e in comparison.evidence}
    names = dict.fromkeys([*(s.name for s in comparison.results), *comparison.maps])
    return [n for n in names if comparison.maps.get(n) or n in evident]


def _document(document: Document, boxes: bool) -> dict[str, Any]:
    return {
        "title": document.title or document.source,
        "words": document.words(),
        "pages": document.pages,
        "notes": page_notes(document),
        "aside": set_aside(document),
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


def _model(comparison: Comparison, name: str, score: Score | None) -> dict[str, Any]:
    card = registry.cards().get(name)
    evidence = [e for e in comparison.evidence if e.model == name]
    found: dict[str, Any] = {
        "name": name,
        "title": score.title if score else card.title if card else name,
        "pending": score is None,
        "maps": {key: _map(key, m) for key, m in comparison.maps.get(name, {}).items()},
        "evidence": [_evidence(e) for e in evidence],
        "matched": {
            "a": _share(comparison.a, (e.a for e in evidence)),
            "b": _share(comparison.b, (e.b for e in evidence)),
        },
    }
    if score:
        readings = {"a": score.read_a, "b": score.read_b}
        found["read"] = {k: {"tokens_read": r.tokens_read, "tokens": r.tokens} for k, r in readings.items()}
        found["unread"] = {k: [[s.start, s.end] for s in r.unread] for k, r in readings.items()}
    return found


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "a": {"start": evidence.a.start, "end": evidence.a.end, "section": evidence.a.section},
        "b": {"start": evidence.b.start, "end": evidence.b.end, "section": evidence.b.section},
        "weight": round(evidence.weight, 4),
        "kind": evidence.kind,
    }


def _share(document: Document, spans: Iterable[Span]) -> float | None:
    """Which share of the compared text the passages cover, overlaps counted once; None without passages."""
    covered, end = 0, -1
    ordered = sorted((s.start, s.end) for s in spans)
    for start, stop in ordered:
        covered += max(0, stop - max(start, end))
        end = max(end, stop)
    whole = sum(len(section) for _, section in document.compared())
    return round(covered / whole, 4) if ordered and whole else None


def _map(name: str, m: SimilarityMap) -> dict[str, Any]:
    scale = _scale(m.values)
    return {
        "level": _level(name),
        "label": _label(name, m),
        "axes": "aa" if name.startswith("within_a_") else "bb" if name.startswith("within_b_") else "ab",
        "kind": m.kind,
        "meaning": m.meaning,
        "shape": list(m.values.shape),
        "rows": _flat(m.rows),
        "columns": _flat(m.columns),
        "scale": scale,
        "values": pack(m.values, scale),
    }


def _scale(values: Array) -> float:
    """Steps to one, fewer where values are too great for 16 bits."""
    with np.errstate(invalid="ignore"):
        greatest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0.0
    return FINEST if greatest <= 3.2 else 32_000 / greatest


def pack(values: Array, scale: float) -> str:
    """Values × scale as little-endian int16 in base64, rows one after the other; NaN as `MISSING`."""
    steps = np.where(np.isnan(values), MISSING, np.rint(np.nan_to_num(values) * scale))
    return base64.b64encode(steps.astype("<i2").tobytes()).decode("ascii")


def _level(name: str) -> str:
    """The level of a map is the word for it in its name; other names (passages, attention) are of chunks."""
    words = name.split("_")
    return next((level for level in LEVELS if level in words), "chunk")


def _label(name: str, m: SimilarityMap) -> str:
    """What to call the map beside others of its level: its name without side and level, or its kind."""
    rest = [w for w in name.split("_") if w not in (*LEVELS, "within", "a", "b")]
    level = _level(name)
    return " ".join(rest) or (f"{level}s" if level in ("sentence", "word") else LABELS[m.kind])


def _flat(spans: Sequence[Span]) -> list[int]:
    return [offset for s in spans for offset in (s.start, s.end)]


def _digest(value: Mapping[str, Any] | list[Any]) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
