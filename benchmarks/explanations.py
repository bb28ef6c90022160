"""How much each view of each model is worth as an explanation: deletion and insertion against chance.

    python benchmarks/explanations.py CORPUS --models tfidf,smith [--pairs 20] [--shares .1,.25,.5] --output FILE.json

Passages of both documents of a related pair are put in an order by what a view says of them: chunks, or with
--sentences single sentences, for models that read the beginning of a text alone; the rest is then left out first, so
that nothing moves up. The score is read without the first passages (deletion) and with them alone (insertion), at some
shares of the text. A view is any map of the model over both texts, and any weights over each: a contribution map gives
a passage what it adds for each of its letters, every other map the strongest cell of a passage that begins in it,
weights their sum for each letter. Beside it stand orders that know nothing of the model: at random, by the strongest
raw cosine of MiniLM vectors, by the strongest TF-IDF cosine. Figures: mean loss of the score by deletion, mean score by
insertion, and their differences from chance with 95 % intervals, bootstrap over pairs. A view whose differences both
reach zero is no better than chance.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from faithfulness import RANDOM, Pair, Place, _by_strongest, _interval, _pair, _related

from colde import models
from colde.encoders.frozen import shared_frozen_encoder
from colde.encoders.vectors import cosines
from colde.models.base import Matcher, ProfileAware
from colde.results.maps import SimilarityMap
from colde.text.document import Document, Span
from colde.text.leave_out import leave_out
from colde.text.term_weights import shipped_statistics, tfidf, word_cosines

CHANCE = "random"
Curve = tuple[float, float]
"""Loss by deletion and score by insertion, means over the shares."""


def main() -> None:
    asked = _arguments()
    shares = [float(s) for s in asked.shares.split(",")]
    related = _related(asked.corpus, asked.pairs, asked.seed)
    whole = [] if asked.sentences else [_pair(a, b, seed) for seed, (a, b) in enumerate(related)]
    found: dict[str, Any] = {}
    for name in asked.models.split(","):
        model = models.load(name)
        if isinstance(model, ProfileAware):
            model = model.for_profile(asked.profile)
        curves: dict[str, list[Curve]] = defaultdict(list)
        maps: dict[str, SimilarityMap] = {}
        scores, residuals = [], []
        pairs = whole or [_read_by(model, documents, seed) for seed, documents in enumerate(related)]
        for number, pair in enumerate(pairs, 1):
            result = model.match(*model.encode(pair.documents))
            scores.append(result.score)
            maps |= result.maps
            section = result.maps.get("contribution_section")
            if section is not None:
                residuals.append(abs(section.residual or 0.0) / max(abs(result.score), 1e-9))
            for view, orders in _orders(result.maps, pair).items():
                each = [_curve(model, pair, order, result.score, shares) for order in orders]
                curves[view].append(tuple(np.mean(each, axis=0)))
            print(f"{name} {number}/{len(pairs)}", flush=True)
        found[name] = _summary(curves, maps, scores, residuals)
        print(f"{name}: {json.dumps(found[name], ensure_ascii=False)}", flush=True)
        head = {
            "corpus": asked.corpus.name,
            "pairs": len(pairs),
            "seed": asked.seed,
            "profile": asked.profile,
            "passages": "sentences" if asked.sentences else "chunks",
        }
        text = json.dumps({**head, "shares": shares, "models": found}, indent=1, ensure_ascii=False)
        asked.output.write_text(text + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--models", required=True)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--shares", default=".1,.25,.5")
    parser.add_argument("--sentences", action="store_true", help="order sentences, of what the model reads")
    parser.add_argument("--profile", default="papers")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, required=True)
    return parser.parse_args()


def _read_by(model: Matcher, documents: tuple[Document, Document], seed: int) -> Pair:
    """The documents as far as the model reads them, and orders of their sentences."""
    result = model.match(*model.encode(documents, explain=False), explain=False)
    unread = result.coverage_a.unread, result.coverage_b.unread
    a, b = (leave_out(d, spans) for d, spans in zip(documents, unread, strict=True))
    places: list[list[Place]] = [
        [(side, Span(s.start, s.end)) for _, s in d.sentences()] for side, d in enumerate((a, b))
    ]
    texts = [[d.text[s.start : s.end] for _, s in own] for d, own in zip((a, b), places, strict=True)]
    everything = [*places[0], *places[1]]
    random = np.random.default_rng(seed)
    orders = [[everything[k] for k in random.permutation(len(everything))] for _ in range(RANDOM)]
    vectors = shared_frozen_encoder().encode_sentences([a, b])
    words = [tfidf(own, shipped_statistics()) for own in texts]
    return Pair(
        (a, b),
        {
            CHANCE: orders,
            "cosine": [_by_strongest(cosines(*vectors), places)],
            "TF-IDF": [_by_strongest(word_cosines(*words), places)],
        },
    )


def view_of(name: str) -> str:
    """The view a map belongs to: weights of both texts are one."""
    return name.removeprefix("within_a_").removeprefix("within_b_")


def _orders(maps: Mapping[str, SimilarityMap], pair: Pair) -> dict[str, list[list[Place]]]:
    """Orders of the chunks by view; the views that know nothing of the model first."""
    places = sorted(
        {place for orders in pair.orders.values() for place in orders[0]}, key=lambda p: (p[0], p[1].start)
    )
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
    values = m.values if side == 0 else m.values.T
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


def _curve(
    model: Matcher, pair: Pair, order: Sequence[Place], score: float, shares: Sequence[float]
) -> Curve:
    lengths = np.array([len(s) for _, s in order])
    gone = np.cumsum(lengths) / lengths.sum()
    lost, kept = [], []
    for share in shares:
        cut = int(np.searchsorted(gone, share)) + 1
        lost.append(score - _without(model, pair, order[:cut]))
        kept.append(_without(model, pair, order[cut:]))
    return float(np.mean(lost)), float(np.mean(kept))


def _without(model: Matcher, pair: Pair, removed: Sequence[Place]) -> float:
    documents = [
        leave_out(d, [s for side, s in removed if side == number]) for number, d in enumerate(pair.documents)
    ]
    if not all(any(True for _ in d.compared()) for d in documents):
        return 0.0  # an empty document
    return model.match(*model.encode(documents, explain=False), explain=False).score


def _summary(
    curves: Mapping[str, Sequence[Curve]],
    maps: Mapping[str, SimilarityMap],
    scores: Sequence[float],
    residuals: Sequence[float],
) -> dict[str, Any]:
    chance = np.array(curves[CHANCE])
    views = {}
    for view, found in curves.items():
        values = np.array(found)
        if len(values) != len(chance):
            continue  # some pairs have no such map
        m = maps.get(view) or maps.get(f"within_a_{view}")
        views[view] = {
            "role": None if m is None else m.role,
            "level": None if m is None else m.level,
            "deletion": _interval(values[:, 0]),
            "deletion less chance": _interval(values[:, 0] - chance[:, 0]),
            "insertion": _interval(values[:, 1]),
            "insertion less chance": _interval(values[:, 1] - chance[:, 1]),
        }
    return {
        "score": round(float(np.mean(scores)), 4),
        "residual": None if not residuals else float(np.max(residuals)),
        "views": views,
    }


if __name__ == "__main__":
    main()
