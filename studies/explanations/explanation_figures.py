"""How much each view of each model is worth as an explanation: completeness, deletion and insertion against chance.

    python -m studies.explanations.explanation_figures CORPORA --models colde,tfidf --pairs 40 LINES.jsonl
    python -m studies.explanations.explanation_figures CORPORA --models smith,han --sentences --shares .25 --pairs 10
    LINES.jsonl python -m studies.explanations.explanation_figures CORPORA --models all --shares none --pairs 70
    LINES.jsonl

Passages of both documents of a related pair are put in an order by what a view says of them: chunks, or with
--sentences single sentences, for models that read the beginning of a text alone; the rest is then left out first, so
that nothing moves up. The score is read without the first passages (deletion) and with them alone (insertion), at some
shares of the text; no document is left empty. A view is any map of the model over both texts, and any weights over
each: a contribution map gives a passage what it adds for each of its letters, every other map the strongest cell of a
passage that begins in it, weights their sum for each letter. Beside it stand orders that know nothing of the model
(`deletion.py`); of these and of the contribution map the loss is read with passages of A alone and of B alone left out,
too. `--shares none` leaves nothing out and measures completeness alone: the residual of the contribution map as a share
of the score, and how far a passage's cell is from the sum of what lies in it.

A line a pair and model goes into the file, figures only; what stands there, of the same weights, is not measured
again. `explanations_table.py` makes tables of it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from colde import models
from colde.assets import asset
from colde.explain.contribution import nesting_error
from colde.models.base import Matcher, ProfileAware
from colde.models.checkpoint import read_config
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document, Span
from studies.arguments import command_line
from studies.explanations.deletion import (
    BASELINES,
    Pair,
    Place,
    chunk_spans,
    curve,
    first,
    pair_of_chunks,
    pair_of_sentences,
    related,
    without,
)
from studies.explanations.explanation_tables import read_lines
from studies.explanations.planting import CORPORA

LEVELS = ("section", "chunk", "sentence")


def main() -> None:
    asked = _arguments()
    shares = [] if asked.shares == "none" else [float(s) for s in asked.shares.split(",")]
    passages = "sentences" if asked.sentences else "chunks"
    names = list(models.cards()) if asked.models == "all" else asked.models.split(",")
    names = [n for n in names if asset("models", n).is_dir()]
    done = {key(line) for line in read_lines(asked.output)}
    corpora = asked.corpora.split(",")
    documents = {c: related(asked.folder / c, asked.pairs, asked.seed) for c in corpora}
    loaded = {n: models.load(n) for n in names}
    for number in range(asked.pairs):
        for corpus in corpora:
            if number >= len(documents[corpus]):
                continue
            known: dict[Any, Pair] = {}  # by the chunks of a model
            for name in names:
                head = {
                    "corpus": corpus,
                    "pair": number,
                    "model": name,
                    "version": version(name),
                    "passages": passages,
                    "shares": shares,
                    "seed": asked.seed,
                }
                if key(head) in done:
                    continue
                matcher = loaded[name]
                model = matcher.for_profile(CORPORA[corpus]) if isinstance(matcher, ProfileAware) else matcher
                line = {
                    **head,
                    **_measured(model, documents[corpus][number], number, asked.sentences, shares, known),
                }
                with asked.output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(
                    f"{corpus} {number} {name}: {line['score']:.3f}, residual {line['residual']}", flush=True
                )


def _arguments() -> argparse.Namespace:
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path, help="of the corpora")
    parser.add_argument("output", type=Path, help="JSON lines, added to")
    parser.add_argument("--corpora", default="acl,wiki,peps")
    parser.add_argument("--models", required=True, help="names, or all")
    parser.add_argument("--pairs", type=int, default=20, help="of each corpus")
    parser.add_argument("--shares", default=".1,.25,.5")
    parser.add_argument("--sentences", action="store_true", help="order sentences, of what the model reads")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def version(name: str) -> str:
    """Short hash of a model's weights and settings as it ships."""
    stored = read_config(asset("models", name))
    said = json.dumps([stored.weights, stored.settings], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def key(line: Mapping[str, Any]) -> tuple[Any, ...]:
    """What tells measurements apart."""
    names = ("corpus", "pair", "model", "version", "passages", "shares", "seed")
    return tuple(json.dumps(line[name]) for name in names)


def _measured(
    model: Matcher,
    documents: tuple[Document, Document],
    seed: int,
    sentences: bool,
    shares: Sequence[float],
    known: dict[Any, Pair],
) -> dict[str, Any]:
    """Score, completeness, and for each view the loss by deletion and the score by insertion.

    Args:
        known: pairs that another model of the same chunks was measured on; added to.
    """
    read = pair_of_sentences(model, documents, seed) if sentences and shares else None
    result = model.match(*model.encode(documents if read is None else read.documents))
    score, maps = result.score, result.maps
    made = [m for level in LEVELS if (m := maps.get(f"contribution_{level}")) is not None]
    size = max(abs(score), 1e-9)
    found: dict[str, Any] = {
        "score": score,
        "residual": abs(made[0].residual or 0.0) / size if made else None,
        "nested": max((nesting_error(*levels) for levels in pairwise(made)), default=0.0) if made else None,
        "views": {},
        "sides": {},
    }
    if not shares:
        return found
    if read is None:
        own = maps.get("contribution_chunk")
        spans = tuple(map(tuple, (own.rows, own.columns) if own else map(chunk_spans, documents)))
        read = known[spans] = known.get(spans) or pair_of_chunks(documents, spans, seed)
    pair = read
    unit = "sentence" if sentences else "chunk"
    finer = "" if sentences else "contribution_sentence"  # sums to the same
    for view, orders in _orders(maps, pair).items():
        if view == finer:
            continue
        curves = np.mean([curve(model, pair, order, score, shares) for order in orders], axis=0)
        m = maps.get(view) or maps.get(f"within_a_{view}")
        role, level = (None, None) if m is None else (m.role, m.level)
        found["views"][view] = {
            "role": role,
            "level": level,
            "deletion": curves[0],
            "insertion": curves[1],
        }
        if view in BASELINES or view == f"contribution_{unit}":
            found["sides"][view] = [
                _one_side(model, pair, orders[:1], score, shares, side) for side in (0, 1)
            ]
    return found


def _one_side(
    model: Matcher,
    pair: Pair,
    orders: Sequence[Sequence[Place]],
    score: float,
    shares: Sequence[float],
    side: int,
) -> float:
    """Mean loss where passages of one document alone are left out."""
    lost = []
    for order in orders:
        own = [p for p in order if p[0] == side]
        lost += [score - without(model, pair, first(own, share)) for share in shares]
    return float(np.mean(lost))


def view_of(name: str) -> str:
    """The view a map belongs to: weights of both texts are one."""
    return name.removeprefix("within_a_").removeprefix("within_b_")


def _orders(maps: Mapping[str, SimilarityMap], pair: Pair) -> dict[str, list[list[Place]]]:
    """Orders of the passages by view; the views that know nothing of the model first."""
    places = pair.places
    found: dict[str, list[list[Place]]] = dict(pair.orders)
    weights: dict[str, dict[int, SimilarityMap]] = defaultdict(dict)
    for name, m in maps.items():
        if m.form == "weights":
            weights[view_of(name)][0 if m.side == "within_a" else 1] = m
        elif m.side == "across":
            found[name] = [_sorted(places, [_strength(m, place) for place in places])]
    for view, sides in weights.items():
        if len(sides) == 2:
            found[view] = [_sorted(places, [_weight(sides[p[0]], p[1]) for p in places])]
    return found


def _sorted(places: Sequence[Place], values: Sequence[float]) -> list[Place]:
    order = np.argsort(-np.nan_to_num(np.array(values), nan=-np.inf), kind="stable")
    return [places[int(k)] for k in order]


def _strength(m: SimilarityMap, place: Place) -> float:
    side, span = place
    own = m.rows if side == 0 else m.columns
    values: Array = m.values if side == 0 else m.values.T
    inside = [k for k, s in enumerate(own) if span.start <= s.start < span.end]
    if m.role == "contribution":
        if m.level == "section":  # a section's, for each of its letters
            inside = [k for k, s in enumerate(own) if s.start <= span.start < s.end]
            return float(np.nansum(values[inside]) / max(1, sum(len(own[k]) for k in inside)))
        return float(np.nansum(values[inside]) / max(1, len(span)))
    if not inside:
        inside = [k for k, s in enumerate(own) if s.start <= span.start < s.end]
    cells = values[inside]
    return float(np.nanmax(cells)) if cells.size and not np.isnan(cells).all() else -np.inf


def _weight(m: SimilarityMap, span: Span) -> float:
    values = m.values.ravel()
    inside = [k for k, s in enumerate(m.weighted) if span.start <= s.start < span.end]
    return float(np.nansum(values[inside]) / max(1, len(span)))


if __name__ == "__main__":
    main()
