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
UNITS = ("section", "chunk", "block", "paragraph", "window", "sentence", "word")
"""What a row or a column is, as maps are named; of maps that do not say it, it is their level."""
PREFERRED = "passages"
"""Of the maps of one level, the one that shows what the two texts share."""
MOST_CELLS = 500_000
"""Of a map that is shown beside those of other models; a coarser one of the model stands in for a larger one."""
WITHIN = ("within_a_", "within_b_")
MORE = {
    "attention": "more of the model’s attention",
    "kept": "kept through more layers",
    "rank": "ranked higher",
}
"""What a darker shade says, by a word in the map's name."""
HIERARCHIES = {"p": "paragraph hierarchy", "s": "sentence hierarchy", "w": "word hierarchy"}
"""The last letter of attention maps of models that read a text in several hierarchies."""


def view_payload(
    comparison: Comparison, model: str | None = None, *, boxes: bool = True, beside: bool = False
) -> dict[str, Any]:
    """The payload of the linked view.

    Args:
        comparison: finished or still growing. A model that has maps but no score yet is marked as pending:
            its missing values are values to come.
        model: the one model to show, which may not have anything yet; None for all that have a map or
            evidence, for a page on which the reader chooses.
        boxes: whether sentences carry their places on the pages.
        beside: whether the models that are not in `models` come with one map a level, to be drawn beside it.

    Returns:
        `documents`, `models`, `beside` (the other models, or None), `comparable` (names of all models with a
        map of the two texts, in the order of their results), and two content hashes: `texts` of the documents,
        `generation` of everything.
    """
    documents = {"a": _document(comparison.a, boxes), "b": _document(comparison.b, boxes)}
    scores = {s.name: s for s in comparison.results}
    names = [model] if model is not None else _shown(comparison)
    payload: dict[str, Any] = {
        "version": VERSION,
        "texts": _digest(documents),
        "documents": documents,
        "models": [_model(comparison, name, scores.get(name)) for name in names],
        "comparable": _comparable(comparison),
        "beside": None,
    }
    if beside:
        others = [name for name in payload["comparable"] if name not in names]
        payload["beside"] = [_neighbour(comparison, name, scores.get(name)) for name in others]
    content = [payload["models"], payload["comparable"], payload["beside"]]
    payload["generation"] = _digest([payload["texts"], boxes, *content])
    return payload


def _shown(comparison: Comparison) -> list[str]:
    """Models with something to look at, in the order of their results, those still at work last."""
    evident = {e.model for e in comparison.evidence}
    names = dict.fromkeys([*(s.name for s in comparison.results), *comparison.maps])
    return [n for n in names if comparison.maps.get(n) or n in evident]


def _comparable(comparison: Comparison) -> list[str]:
    """Models with a map of the two texts that can stand beside those of others."""
    names = dict.fromkeys([*(s.name for s in comparison.results), *comparison.maps])
    return [n for n in names if typical(comparison.maps.get(n, {}))]


def typical(maps: Mapping[str, SimilarityMap]) -> dict[str, str]:
    """Level → the name of the map that stands for a model beside others: what the texts share, else the first
    that is not attention."""
    found: dict[str, str] = {}
    for name, m in maps.items():
        if name.startswith(WITHIN) or not m.values.size or m.values.size > MOST_CELLS:
            continue
        level = _level(_unit(name, maps))
        if level not in found or name == PREFERRED or (
            maps[found[level]].kind == "attention" and m.kind != "attention"
        ):  # fmt: skip
            found[level] = name
    return found


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
    evidence = [e for e in comparison.evidence if e.model == name]
    maps = comparison.maps.get(name, {})
    found: dict[str, Any] = {
        **_neighbour(comparison, name, score),
        "maps": {key: _map(key, m, _unit(key, maps)) for key, m in maps.items() if _units(key, m) is None},
        "shadings": _shadings(maps),
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


def _neighbour(comparison: Comparison, name: str, score: Score | None) -> dict[str, Any]:
    """A model with the maps that stand beside those of others, one a level, and nothing else."""
    card = registry.cards().get(name)
    maps = comparison.maps.get(name, {})
    levels = typical(maps)
    return {
        "name": name,
        "title": score.title if score else card.title if card else name,
        "pending": score is None,
        "typical": levels,
        "maps": {key: _map(key, maps[key], _unit(key, maps)) for key in levels.values()},
    }


def _shadings(maps: Mapping[str, SimilarityMap]) -> list[dict[str, Any]]:
    """Weights of single words, sentences … of each text, for both texts at once: what a model looked at or kept."""
    found: dict[str, dict[str, Any]] = {}
    for name, m in maps.items():
        units = _units(name, m)
        if units is None:
            continue
        key, side = name.removeprefix(WITHIN[0]).removeprefix(WITHIN[1]), name[len("within_")]
        shading = found.setdefault(
            key,
            {
                "key": key,
                "unit": _unit(name, maps),
                "label": _shading_label(key, _unit(name, maps)),
                "more": next(
                    (text for word, text in MORE.items() if word in key.split("_")), "a higher value"
                ),
                "kind": m.kind,
                "meaning": m.meaning,
                "a": None,
                "b": None,
            },
        )
        greatest = float(np.nanmax(np.abs(m.values))) if np.isfinite(m.values).any() else 0.0
        scale = 32_000 / (greatest or 1.0)  # shares of thousands of words are small
        shading[side] = {"spans": _flat(units), "scale": scale, "values": pack(m.values, scale)}
    return list(found.values())


def _units(name: str, m: SimilarityMap) -> tuple[Span, ...] | None:
    """The passages that a map within a document gives a weight each; None of a matrix, or of likeness."""
    if not name.startswith(WITHIN) or m.kind == "cosine" or 1 not in m.values.shape:
        return None
    if m.values.shape == (1, 1):  # the unit lies in what stands for the whole
        return min(m.rows, m.columns, key=lambda spans: len(spans[0]))
    return m.rows if len(m.rows) > 1 else m.columns


def _shading_label(key: str, unit: str) -> str:
    """“words: attention, paragraph hierarchy”."""
    rest = [w for w in key.split("_") if w not in UNITS]
    what = " ".join(w for w in rest if w not in HIERARCHIES) or "weight"
    return f"{unit}s: {', '.join([what, *(HIERARCHIES[w] for w in rest if w in HIERARCHIES)])}"


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


def _map(name: str, m: SimilarityMap, unit: str) -> dict[str, Any]:
    scale = _scale(m.values)
    return {
        "level": _level(unit),
        "unit": unit,
        "label": _label(name, m, unit),
        "axes": "aa" if name.startswith(WITHIN[0]) else "bb" if name.startswith(WITHIN[1]) else "ab",
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


def _unit(name: str, maps: Mapping[str, SimilarityMap]) -> str:
    """What a row or a column is, in the singular: the word for it in the map's name, else in the name of a map over
    the same passages; a chunk where no name says it (passages)."""
    words = [w.removesuffix("s") for w in name.split("_")]
    own = next((unit for unit in UNITS if unit in words), None)
    if own is not None:
        return own
    m = maps[name]
    same = (
        k for k, other in maps.items() if k != name and (other.rows, other.columns) == (m.rows, m.columns)
    )
    named = (unit for k in same for unit in UNITS if unit in k.split("_"))
    return next(named, "chunk")


def _level(unit: str) -> str:
    """The level at which passages of this kind are offered."""
    return unit if unit in LEVELS else "chunk"


def _label(name: str, m: SimilarityMap, unit: str) -> str:
    """What to call the map beside others of its level: its name without side and level, or its kind."""
    rest = [w for w in name.split("_") if w not in (*LEVELS, "within", "a", "b")]
    return " ".join(rest) or (f"{unit}s" if unit in ("sentence", "word") else LABELS[m.kind])


def _flat(spans: Sequence[Span]) -> list[int]:
    return [offset for s in spans for offset in (s.start, s.end)]


def _digest(value: Mapping[str, Any] | list[Any]) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]
