"""A model's most confident mistakes on labelled pairs, and their common traits.

The result holds figures, titles and small maps, but no text of a corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct, field
from numpy.typing import NDArray
from scipy.stats import binomtest

from colde import strict_json
from colde.corpus.corpus_folder import Pair
from colde.judge.calibration import Judgement
from colde.models.base import Matcher
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Document
from colde.text.word_weights.term_weights import Counts, shipped_statistics, tfidf

MAX_MISTAKES = 4
"""Mistakes of each kind that are shown."""
MAX_MAP_CELLS = 10
"""Rows and columns of a small map; each of its cells is the maximum of several cells of a larger one."""
GROUPS = 3

Natural = Annotated[int, Meta(ge=0, le=strict_json.MAX_INTEGER)]
Share = Annotated[float, Meta(ge=0, le=1)]


class GroupShare(Struct):
    """Mistakes of a group of pairs, as `_share` gives them."""

    wrong: Natural
    of: Natural
    low: Share | None
    high: Share | None


class Group(Struct):
    """A group of pairs with like traits."""

    start: float = field(name="from")
    to: float
    missed: GroupShare
    called: GroupShare


class Example(Struct):
    """A mistake, as `_shown` gives it."""

    titles: tuple[str, str]
    words: tuple[Natural, Natural]
    label: Literal["related", "unrelated"]
    score: float
    probability: Share
    shared: float
    unseen: Literal[0, 1, 2] | None
    map: Annotated[
        list[Annotated[list[float], Meta(max_length=MAX_MAP_CELLS)]], Meta(max_length=MAX_MAP_CELLS)
    ]

    def __post_init__(self) -> None:
        if len({len(row) for row in self.map}) > 1 or [] in self.map:
            raise ValueError("map: its rows differ in length")


class ProfileMistakes(Struct):
    """What `mistakes` gives for a profile."""

    pairs: Natural
    related: Natural
    missed: Natural
    called: Natural
    common: dict[str, list[Group]]
    shown: list[Example]


class ModelMistakes(Struct):
    """The mistakes of a model by profile."""

    title: str
    profiles: Annotated[dict[str, ProfileMistakes], Meta(min_length=1)]


class MistakesFile(Struct):
    """The form of the file of `colde mistakes --json`."""

    models: Annotated[dict[str, ModelMistakes], Meta(min_length=1)]


Drawn = Callable[[str, str], Mapping[str, SimilarityMap]]
"""The maps of two documents by their names in the corpus."""

TRAITS = {
    "words": "Words of the shorter document",
    "ratio": "Length of the shorter as a share of the longer",
    "shared": "Shared words (TF-IDF cosine)",
    "unseen": "Documents that stand in no training pair",
}
"""Traits of pairs, and their titles."""


def draw_maps_with(matcher: Matcher, document: Callable[[str], Document]) -> Drawn:
    """A function from two documents to the maps of a model."""
    return lambda a, b: matcher.match(*matcher.encode([document(a), document(b)])).maps


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """Labelled pairs with the scores, probabilities and verdicts of a model.

    Attributes:
        pairs: all with a label.
        scores, probabilities, similar: [pairs]; threshold: of the verdicts.
    """

    pairs: Sequence[Pair]
    scores: Sequence[float]
    probabilities: Sequence[float]
    similar: Sequence[bool]
    threshold: float

    @classmethod
    def of(cls, pairs: Sequence[Pair], scores: Sequence[float], judged: Sequence[Judgement]) -> JudgedPairs:
        """From the judgements of a profile.

        Raises:
            ValueError: the profile has no threshold or no probability.
        """
        first = judged[0]
        if first.threshold is None or first.probability is None:
            raise ValueError("the model has no threshold or no probability there")
        return cls(
            pairs,
            scores,
            [float(j.probability or 0.0) for j in judged],
            [bool(j.similar) for j in judged],
            first.threshold,
        )


def traits_of(
    pairs: Sequence[Pair], document: Callable[[str], Document], trained: frozenset[str] | None
) -> dict[str, NDArray[np.float64]]:
    """Traits of pairs: [pairs] each.

    Args:
        trained: documents of the training pairs; None where they are not known.
    """
    names = list(dict.fromkeys(n for p in pairs for n in (p.source, p.target)))
    position = {name: i for i, name in enumerate(names)}
    documents = [document(name) for name in names]
    words = np.array([max(1, d.words()) for d in documents], dtype=np.float64)
    weights: Counts = tfidf([d.text for d in documents], shipped_statistics())
    i, j = np.array([(position[p.source], position[p.target]) for p in pairs]).T
    shorter, longer = np.minimum(words[i], words[j]), np.maximum(words[i], words[j])
    traits = {
        "words": shorter,
        "ratio": shorter / longer,
        "shared": np.asarray(weights[i].multiply(weights[j]).sum(1), dtype=np.float64).ravel(),
    }
    if trained is not None:
        new = np.array([name not in trained for name in names])
        traits["unseen"] = new[i].astype(np.float64) + new[j]
    return traits


def mistakes(
    judged: JudgedPairs,
    traits: Mapping[str, NDArray[np.float64]],
    drawn: Drawn | None,
    document: Callable[[str], Document],
) -> dict[str, Any]:
    """Counts of mistakes, overall and by trait, and the most confident ones, as plain values.

    Args:
        drawn: the maps of a pair, from which small ones are made; None: no maps.
    """
    labels = np.array([p.label == 1 for p in judged.pairs])
    similar = np.array(judged.similar)
    wrong = labels != similar
    return {
        "pairs": len(labels),
        "related": int(labels.sum()),
        "missed": int((wrong & labels).sum()),
        "called": int((wrong & ~labels).sum()),
        "threshold": round(judged.threshold, 4),
        "common": {
            name: [
                {
                    "from": round(float(values[group].min()), 3),
                    "to": round(float(values[group].max()), 3),
                    "missed": _share(wrong[group & labels]),
                    "called": _share(wrong[group & ~labels]),
                }
                for group in _groups(values)
            ]
            for name, values in traits.items()
        },
        "shown": [
            _shown(judged, k, traits, drawn, document)
            for sort in (wrong & ~labels, wrong & labels)
            for k in _most_confident(np.array(judged.probabilities), similar, sort)
        ],
    }


def _most_confident(
    probabilities: NDArray[np.float64], similar: NDArray[np.bool_], sort: NDArray[np.bool_]
) -> list[int]:
    sure = np.where(similar, probabilities, 1 - probabilities)
    return [int(k) for k in np.argsort(-sure, kind="stable") if sort[k]][:MAX_MISTAKES]


def _groups(values: NDArray[np.float64]) -> Iterator[NDArray[np.bool_]]:
    """Groups of pairs by rising values: three of about equal size, or one for each of up to three different values."""
    different = np.unique(values)
    if len(different) <= GROUPS:
        yield from (values == v for v in different)
        return
    borders = np.quantile(values, np.linspace(0, 1, GROUPS + 1)[1:-1])
    number = np.searchsorted(borders, values, side="right")
    yield from (number == k for k in range(GROUPS) if (number == k).any())


def _share(wrong: NDArray[np.bool_]) -> dict[str, Any]:
    """The number of mistakes, and Wilson's 95 % interval of their share."""
    n, k = len(wrong), int(wrong.sum())
    if not n:
        return {"wrong": 0, "of": 0, "low": None, "high": None}
    interval = binomtest(k, n).proportion_ci(method="wilson")
    return {"wrong": k, "of": n, "low": round(float(interval.low), 3), "high": round(float(interval.high), 3)}


def _shown(
    judged: JudgedPairs,
    k: int,
    traits: Mapping[str, NDArray[np.float64]],
    drawn: Drawn | None,
    document: Callable[[str], Document],
) -> dict[str, Any]:
    pair = judged.pairs[k]
    a, b = document(pair.source), document(pair.target)
    maps = {} if drawn is None else drawn(pair.source, pair.target)
    return {
        "titles": [d.title or d.source for d in (a, b)],
        "words": [d.words() for d in (a, b)],
        "label": "related" if pair.label == 1 else "unrelated",
        "score": round(float(judged.scores[k]), 3),
        "probability": round(float(judged.probabilities[k]), 3),
        "shared": round(float(traits["shared"][k]), 3),
        "unseen": int(traits["unseen"][k]) if "unseen" in traits else None,
        "map": small_map(maps),
    }


def small_map(maps: Mapping[str, SimilarityMap]) -> list[list[float]]:
    """Values of the map of sections of both texts, at most 10 × 10; empty where the model has none."""
    roles = ("topic", "words", "passages", "contribution")
    across = [m for m in maps.values() if m.side == "across" and m.form == "matrix" and m.level == "section"]
    chosen = next((m for role in roles for m in across if m.role == role), None)
    if chosen is None:
        return []
    values = np.nan_to_num(chosen.values, nan=0.0)
    for axis in (0, 1):
        if values.shape[axis] > MAX_MAP_CELLS:
            parts = np.array_split(np.arange(values.shape[axis]), MAX_MAP_CELLS)
            values = np.stack([values.take(p, axis).max(axis) for p in parts], axis)
    return [[round(float(v), 2) for v in row] for row in values]
