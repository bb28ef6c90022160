"""Fit the detector of the kind of a document and write `colde/judge/kind_detector.safetensors`.

    .venv/bin/python -m studies.accuracy.fit_document_kind ../shared/corpora BACKGROUND.jsonl [--write] [--json FILE]

BACKGROUND.jsonl holds texts of other genres (`studies.accuracy.kind_background`). Three complete books, the documents
of the pairs of `results_table`, and every fifth of the others choose nothing: they are the test. On the others the
study fits one linear model for each kind by ridge regression, and chooses the least certainty that gives the kind:
`LOSS` of the documents of the kind are below it.

Figures:

- test: what the documents that chose nothing, and pairs of them, are called;
- left out: what the documents of a kind, and pairs of them, are called by a detector that never saw this kind;
- unseen genre: what the texts of a genre, and pairs of them, are called by a detector that never saw this genre.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from safetensors.numpy import save_file
from sklearn.linear_model import LogisticRegression

from colde.corpus.corpus_folder import read_records
from colde.judge import kind_detector
from colde.judge.kind_detector import FARTHEST, DocumentKindDetector
from colde.judge.kind_features import STYLE_FEATURES, style, term_counts, term_rates
from colde.judge.log_odds import from_log_odds
from colde.judge.profiles import profile_table
from colde.results.verdicts.pair_kind import MOST_EVIDENCE, PairKind
from colde.training.corpora.development_split import BOOKS
from studies.accuracy.kind_background import PROPOSALS
from studies.arguments import command_line
from studies.papers.new_document_pairs import judged
from studies.tables import write_json

LOSS = {"papers": 0.06, "encyclopedia": 0.25, "proposals": 0.15, "textbooks": 0.4}
"""Share of the documents of each kind that are called none, so that unseen kinds are.

A pair of two documents of a kind loses less, since the evidence of one can make up for the doubt about the other.
"""
MOST = 900  # documents of a corpus
WINDOW = (300, 2_000)  # words of a part of a document; four in ten are cut to one
SHARE, GENRES = 0.05, 8  # a term is a feature where this share of the texts of so many genres have it
PENALTY = 2.0
BACKGROUND_WEIGHT = 0.25  # of a genre, where a kind has 1
FOLDS = 5
PARTNERS = 20

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Row:
    """A text: its kind or genre, the book it is of, whether it is one of the test, and its features."""

    genre: str
    book: str
    test: bool
    terms: Counter[str]
    style: Array


def corpus_rows(corpora: Path) -> Iterator[Row]:
    """Documents of the kinds, four in ten cut to a part."""
    rng = np.random.default_rng(0)
    for profile in profile_table().values():
        if profile.corpus is None:
            continue
        folder = corpora / profile.corpus
        judged_pairs = judged(folder, None).pairs
        measured = {name for pair in judged_pairs for name in (pair.source, pair.target)}
        records = list(read_records(folder))
        for rank, i in enumerate(rng.permutation(len(records))[:MOST]):
            name, record = records[i]
            text = record_text(record)
            if rng.random() < 0.4:
                text = part(text, rng)
            books = BOOKS.get(profile.corpus)
            book = name.split("/")[0] if books else ""
            test = name in measured or (book in books if books else rank % 5 == 0)
            yield Row(profile.name, book, test, term_counts(text), style(text))


def record_text(record: Mapping[str, Any]) -> str:
    """Headings and paragraphs of a document, as `compared_text` has them; no sentence is split for it."""
    pieces = ((section.get("heading") or "", *section["paragraphs"]) for section in record["sections"])
    return "\n\n".join(filter(None, (piece for section in pieces for piece in section)))


def part(text: str, rng: np.random.Generator) -> str:
    """A run of words of a text."""
    words = text.split()
    length = int(np.exp(rng.uniform(*np.log(WINDOW))))
    start = int(rng.integers(0, max(len(words) - length, 0) + 1))
    return " ".join(words[start : start + length])


def background_rows(path: Path) -> Iterator[Row]:
    for line in path.open(encoding="utf-8"):
        entry = json.loads(line)
        yield Row(entry["genre"], "", False, term_counts(entry["text"]), style(entry["text"]))


@dataclass(frozen=True, slots=True)
class Data:
    """Features and genres of all texts.

    Attributes:
        terms: of the features, in their order.
        values: [texts, features].
        genre, test: [texts].
        foreign: [texts], proposals of other communities, which are never fitted on.
        fold: [texts]; the texts of a genre are in one fold, and those of a book; those of other kinds in all.
    """

    terms: tuple[str, ...]
    values: NDArray[np.float32]
    genre: NDArray[np.str_]
    test: Flags
    foreign: Flags
    fold: NDArray[np.int64]


def prepare(rows: Sequence[Row]) -> Data:
    """The features of all texts; terms are chosen on those that are no test."""
    genre = np.array([row.genre for row in rows])
    test = np.array([row.test for row in rows])
    foreign = np.isin(genre, [source.genre for source in PROPOSALS])
    genres = sorted(set(genre[~foreign]))
    terms = common_terms([row for row in rows if not row.test], genres)
    columns = {term: i for i, term in enumerate(terms)}
    values = np.empty((len(rows), len(terms) + STYLE_FEATURES), np.float32)
    for i, row in enumerate(rows):
        values[i] = np.concatenate((term_rates(row.terms, columns), row.style))
    return Data(terms, values, genre, test, foreign, folds(rows, genres))


def common_terms(rows: Sequence[Row], genres: Sequence[str]) -> tuple[str, ...]:
    """Terms that are common in several genres."""
    common: Counter[str] = Counter()
    for name in genres:
        texts = [row.terms for row in rows if row.genre == name]
        having = Counter(term for terms in texts for term in terms)
        common.update(term for term, count in having.items() if count >= SHARE * len(texts))
    return tuple(sorted(term for term, count in common.items() if count >= GENRES))


def folds(rows: Sequence[Row], genres: Sequence[str]) -> NDArray[np.int64]:
    """The fold of each text: genres and books are in one fold, documents of the kinds are drawn."""
    kinds = kind_names()
    books = sorted({row.book for row in rows if row.book})
    place = {name: i % FOLDS for i, name in enumerate([*(g for g in genres if g not in kinds), *books])}
    drawn = np.random.default_rng(1).integers(0, FOLDS, len(rows))
    return np.array([place.get(row.book or row.genre, drawn[i]) for i, row in enumerate(rows)])


def kind_names() -> list[str]:
    return [p.name for p in profile_table().values() if p.corpus is not None]


def fit(data: Data, chosen: Flags, kinds: Sequence[str]) -> DocumentKindDetector:
    """Linear models by ridge regression on these texts, without calibration."""
    values, genre = data.values[chosen], data.genre[chosen]
    mean, scale = values.mean(0), values.std(0) + 1e-3
    z = np.clip((values - mean) / scale, -FARTHEST, FARTHEST)
    z = np.concatenate((z, np.ones((len(z), 1), np.float32)), axis=1)
    weight = np.zeros(len(genre), np.float32)
    for name in set(genre):
        weight[genre == name] = (1 if name in kinds else BACKGROUND_WEIGHT) / (genre == name).sum()
    weight /= weight.sum()
    gram = (z * weight[:, None]).T @ z
    gram[np.arange(len(gram) - 1), np.arange(len(gram) - 1)] += PENALTY
    targets = np.stack([np.where(genre == kind, 1, -1) for kind in kinds], 1).astype(np.float32)
    solved = scipy.linalg.solve(gram, (z * weight[:, None]).T @ targets, assume_a="pos").astype(float)
    ones = np.ones(len(kinds))
    return DocumentKindDetector(
        kinds=tuple(kinds),
        columns={term: i for i, term in enumerate(data.terms)},
        mean=mean.astype(float),
        scale=scale.astype(float),
        weights=solved[:-1].T,
        bias=solved[-1],
        slope=ones,
        offset=0 * ones,
        limit=0.5 * ones,
    )


def scores(detector: DocumentKindDetector, values: NDArray[np.float32]) -> Array:
    """[texts, kinds]."""
    z = np.clip((values - detector.mean) / detector.scale, -FARTHEST, FARTHEST)
    return z @ detector.weights.T + detector.bias


def calibrate(detector: DocumentKindDetector, held: Array, genre: NDArray[np.str_]) -> DocumentKindDetector:
    """The detector with certainties and limits, from scores of texts that it was not fitted on: [texts, kinds]."""
    slope, offset, limit = (np.zeros(len(detector.kinds)) for _ in range(3))
    for i, kind in enumerate(detector.kinds):
        true = genre == kind
        balance = np.where(true, 0.5 / true.sum(), 0.5 / (~true).sum())
        model = LogisticRegression(C=1e4).fit(held[:, i : i + 1], true, sample_weight=balance * len(true))
        slope[i], offset[i] = model.coef_[0, 0], model.intercept_[0]
        limit[i] = from_log_odds(slope[i] * np.quantile(held[true, i], LOSS[kind]) + offset[i])
    return replace(detector, slope=slope, offset=offset, limit=limit)


def called(detector: DocumentKindDetector, raw: Array) -> dict[str, dict[str, float]]:
    """What texts with these scores are called, and pairs of them, each text with `PARTNERS` random others."""
    kinds = [detector.kind(row) for row in raw]
    order = np.random.default_rng(0).permutation(len(kinds))
    pairs = [
        PairKind(kinds[i], kinds[j]).profile
        for shift in range(1, PARTNERS + 1)
        for i, j in zip(order, np.roll(order, shift), strict=True)
    ]
    return {"documents": shares([kind.name for kind in kinds]), "pairs": shares(pairs)}


def shares(names: Sequence[str | None]) -> dict[str, float]:
    """Share of each answer, greatest first."""
    return {name or "none": round(count / len(names), 3) for name, count in Counter(names).most_common()}


def held_scores(data: Data, usable: Flags, kinds: Sequence[str]) -> Array:
    """Scores of each of these texts by models that saw neither it nor its genre: [texts, kinds]; 0 for the others."""
    held = np.zeros((len(data.genre), len(kinds)))
    for fold in range(FOLDS):
        apart = usable & (data.fold == fold)
        held[apart] = scores(fit(data, usable & ~apart, kinds), data.values[apart])
    return held


def fit_and_calibrate(data: Data, usable: Flags, kinds: Sequence[str]) -> tuple[DocumentKindDetector, Array]:
    """The detector of these texts, and scores of each text by models that saw neither it nor its genre."""
    held = held_scores(data, usable, kinds)
    return calibrate(fit(data, usable, kinds), held[usable], data.genre[usable]), held


def left_out(data: Data, usable: Flags, kind: str) -> dict[str, dict[str, float]]:
    """What the documents of a kind, and pairs of two of them, are called by a detector that never saw one."""
    kinds = [k for k in kind_names() if k != kind]
    detector, _ = fit_and_calibrate(data, usable & (data.genre != kind), kinds)
    return called(detector, scores(detector, data.values[data.genre == kind]))


def main() -> None:
    parser = command_line(__doc__, "corpora", "--json")
    parser.add_argument("background", type=Path, help="texts of other genres")
    parser.add_argument("--write", action="store_true", help="store the parameters for the program")
    options = parser.parse_args()
    data = prepare([*corpus_rows(options.corpora), *background_rows(options.background)])
    kinds = kind_names()
    usable = ~data.test & ~data.foreign
    detector, held = fit_and_calibrate(data, usable, kinds)
    if options.write:
        write(detector)
    result: dict[str, Any] = {"features": len(data.terms) + STYLE_FEATURES}
    result["most evidence"] = MOST_EVIDENCE
    result["limit"] = dict(zip(kinds, detector.limit.round(3).tolist(), strict=True))
    aside = data.test | data.foreign
    result["test"] = by_genre(detector, scores(detector, data.values[aside]), data.genre[aside])
    apart = usable & ~np.isin(data.genre, kinds)
    result["unseen genre"] = by_genre(detector, held[apart], data.genre[apart])
    result["left out"] = {kind: left_out(data, usable, kind) for kind in kinds}
    print(json.dumps(result, indent=2))
    if options.json is not None:
        write_json(options.json, result)


def by_genre(
    detector: DocumentKindDetector, raw: Array, genre: NDArray[np.str_]
) -> dict[str, dict[str, dict[str, float]]]:
    """What the texts of each genre, and pairs of them, are called."""
    return {str(g): called(detector, raw[genre == g]) for g in sorted(set(genre))}


def write(detector: DocumentKindDetector) -> None:
    """Store the parameters in half precision beside the module."""
    names = ("mean", "scale", "weights", "bias", "slope", "offset", "limit")
    tensors = {name: np.ascontiguousarray(getattr(detector, name), np.float16) for name in names}
    path = Path(kind_detector.__file__).with_name(kind_detector.PARAMETERS)
    metadata = {"kinds": json.dumps(detector.kinds), "terms": json.dumps(list(detector.columns))}
    save_file(tensors, path, metadata=metadata)


if __name__ == "__main__":
    main()
