"""How good each view of each model is as an explanation: completeness, deletion and insertion against chance.

    python -m studies.explanations.explanation_figures CORPORA LINES.jsonl --models colde,tfidf --pairs 40
    python -m studies.explanations.explanation_figures CORPORA LINES.jsonl --models smith,han --sentences --shares .25
    python -m studies.explanations.explanation_figures CORPORA LINES.jsonl --models all --shares none --pairs 70

Passages of both documents of a related pair are ordered by the values that a view gives them: chunks, or with
--sentences single sentences, for models that read the beginning of a text alone; the rest is then left out first, so
that nothing moves up. The score is read without the first passages (deletion) and with them alone (insertion), at some
shares of the text; no document is left empty. A view is any map of the model over both texts, and any weights over
each: a contribution map gives a passage what it adds for each of its letters, every other map the strongest cell of a
passage that begins in it, weights their sum for each letter. Beside it are orders that need no model (`deletion.py`);
of these and of the contribution map the loss is also read with passages of A alone and of B alone left out.
`--shares none` leaves nothing out and measures completeness alone: the residual of the contribution map as a share of
the score, and how far the cell of a passage is from the sum of the cells in it.

A line for each pair and model goes into the file, figures only; a pair that the file has for the same weights is not
measured again. `explanation_tables.py` makes tables of it.
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
from colde.comparison.questions.deletion_test import first_share
from colde.evaluation.model_contract import nesting_error
from colde.judge.profiles import profile_of
from colde.models.base import Matcher, ProfileAware
from colde.models.checkpoint import read_config
from colde.results.pair_result import PairResult
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document, Span
from studies.arguments import command_line
from studies.explanations.deletion import (
    BASELINES,
    Pair,
    Place,
    by_value,
    chunk_spans,
    curve,
    pair_of_chunks,
    pair_of_sentences,
    related,
    without,
)
from studies.tables import append_line, read_lines

LEVELS = ("section", "chunk", "sentence")
KEYS = ("corpus", "pair", "model", "version", "passages", "shares", "seed")
"""What tells measurements apart."""


def main() -> None:
    asked = _arguments()
    shares = [float(s) for s in asked.shares.split(",") if s != "none"]
    loaded = {name: models.load(name) for name in models.resolve(asked.models)}
    passages = "sentences" if asked.sentences else "chunks"
    done = {key(line) for line in read_lines(asked.output)}
    corpora = asked.corpora.split(",")
    documents = {c: related(asked.folder / c, asked.pairs, asked.seed) for c in corpora}
    turns = [(n, c) for n in range(asked.pairs) for c in corpora if n < len(documents[c])]
    for number, corpus in turns:
        known: dict[Any, Pair] = {}  # by the chunks of a model
        for name, matcher in loaded.items():
            values = (corpus, number, name, version(name), passages, shares, asked.seed)
            head = dict(zip(KEYS, values, strict=True))
            if key(head) not in done:
                model = (
                    matcher.for_profile(profile_of(corpus)) if isinstance(matcher, ProfileAware) else matcher
                )
                pair = documents[corpus][number]
                line = head | _measured(model, pair, number, asked.sentences, shares, known)
                append_line(asked.output, line)
                print(
                    f"{corpus} {number} {name}: {line['score']:.3f}, residual {line['residual']}", flush=True
                )


def _arguments() -> argparse.Namespace:
    parser = command_line(__doc__, "--models", "--seed")
    parser.add_argument("folder", type=Path, help="of the corpora")
    parser.add_argument("output", type=Path, help="JSON lines, added to")
    parser.add_argument("--corpora", default="acl,wiki,peps")
    parser.add_argument("--pairs", type=int, default=20, help="of each corpus")
    parser.add_argument("--shares", default=".1,.25,.5")
    parser.add_argument("--sentences", action="store_true", help="order sentences, of what the model reads")
    return parser.parse_args()


def version(name: str) -> str:
    """Short hash of a model's weights and settings as it ships."""
    stored = read_config(asset("models", name))
    text = json.dumps([stored.weights, stored.settings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def key(line: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values that tell measurements apart."""
    return tuple(json.dumps(line[name]) for name in KEYS)


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
    pair = pair_of_sentences(model, documents, seed) if sentences and shares else None
    result = model.match(*model.encode(documents if pair is None else pair.documents))
    figures = {"score": result.score, **_completeness(result), "views": {}, "sides": {}}
    if not shares:
        return figures
    pair = pair or _chunk_pair(result, documents, seed, known)
    contribution = f"contribution_{'sentence' if sentences else 'chunk'}"
    finer = "" if sentences else "contribution_sentence"  # its cells add up to the same
    views = {view: orders for view, orders in _orders(result.maps, pair).items() if view != finer}
    for view, orders in views.items():
        figures["views"][view] = _curves(model, pair, result, view, orders, shares)
        if view in BASELINES or view == contribution:
            figures["sides"][view] = [
                _one_side(model, pair, orders[0], result.score, shares, side) for side in (0, 1)
            ]
    return figures


def _chunk_pair(
    result: PairResult, documents: tuple[Document, Document], seed: int, known: dict[Any, Pair]
) -> Pair:
    """The pair by the chunks of the model, or by those of 512 tokens for a model without a contribution map."""
    chunks = result.maps.get("contribution_chunk")
    spans = tuple(map(tuple, (chunks.rows, chunks.columns) if chunks else map(chunk_spans, documents)))
    if spans not in known:
        known[spans] = pair_of_chunks(documents, spans, seed)
    return known[spans]


def _completeness(result: PairResult) -> dict[str, float | None]:
    """The residual as a share of the score, and the error of nested sums; None without contribution maps."""
    levels = [m for level in LEVELS if (m := result.maps.get(f"contribution_{level}")) is not None]
    if not levels:
        return {"residual": None, "nested": None}
    nested = max((nesting_error(*pair) for pair in pairwise(levels)), default=0.0)
    return {"residual": abs(levels[0].residual or 0.0) / max(abs(result.score), 1e-9), "nested": nested}


def _curves(
    model: Matcher,
    pair: Pair,
    result: PairResult,
    view: str,
    orders: Sequence[Sequence[Place]],
    shares: Sequence[float],
) -> dict[str, Any]:
    """Loss by deletion and score by insertion in the order of a view."""
    curves = np.mean([curve(model, pair, order, result.score, shares) for order in orders], axis=0)
    m = result.maps.get(view) or result.maps.get(f"within_a_{view}")
    role, level = (None, None) if m is None else (m.role, m.level)
    return {"role": role, "level": level, "deletion": curves[0], "insertion": curves[1]}


def _one_side(
    model: Matcher, pair: Pair, order: Sequence[Place], score: float, shares: Sequence[float], side: int
) -> float:
    """Mean loss where passages of one document alone are left out."""
    side_order = [place for place in order if place[0] == side]
    return float(np.mean([score - without(model, pair, first_share(side_order, share)) for share in shares]))


def view_of(name: str) -> str:
    """The view a map belongs to: weights of both texts are one."""
    return name.removeprefix("within_a_").removeprefix("within_b_")


def _orders(maps: Mapping[str, SimilarityMap], pair: Pair) -> dict[str, list[list[Place]]]:
    """Orders of the passages by view; those that need no model first."""
    places = pair.places
    by_view: dict[str, list[list[Place]]] = dict(pair.orders)
    weights: dict[str, dict[int, SimilarityMap]] = defaultdict(dict)
    for name, m in maps.items():
        if m.form == "weights":
            weights[view_of(name)][0 if m.side == "within_a" else 1] = m
        elif m.side == "across":
            by_view[name] = [_sorted(places, [_strength(m, side, span) for side, span in places])]
    for view, sides in weights.items():
        if len(sides) == 2:
            by_view[view] = [_sorted(places, [_weight(sides[p[0]], p[1]) for p in places])]
    return by_view


def _sorted(places: Sequence[Place], values: Sequence[float]) -> list[Place]:
    return by_value(places, np.nan_to_num(np.array(values), nan=-np.inf))


def _strength(m: SimilarityMap, side: int, span: Span) -> float:
    """What a map says of a passage: its contribution per letter, or its strongest cell."""
    spans = m.columns if side else m.rows
    values: Array = m.values.T if side else m.values
    inside = [k for k, s in enumerate(spans) if span.start <= s.start < span.end]
    around = [k for k, s in enumerate(spans) if s.start <= span.start < s.end]
    if m.role == "contribution":
        if m.level == "section":
            letters = sum(len(spans[k]) for k in around)
            return float(np.nansum(values[around]) / max(1, letters))
        return float(np.nansum(values[inside]) / max(1, len(span)))
    cells = values[inside or around]
    return float(np.nanmax(cells)) if cells.size and not np.isnan(cells).all() else -np.inf


def _weight(m: SimilarityMap, span: Span) -> float:
    values = m.values.ravel()
    inside = [k for k, s in enumerate(m.weighted) if span.start <= s.start < span.end]
    return float(np.nansum(values[inside]) / max(1, len(span)))


if __name__ == "__main__":
    main()
