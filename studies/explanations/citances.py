"""Which sentences of a cited paper does a citing sentence speak of? Rankings against the judgement of people.

python -m studies.explanations.citances FOLDER [--memory FILE.npz]

FOLDER holds documents.jsonl.gz and citances.jsonl. MRR of the first judged sentence and hit@5 are means over cases;
F1 compares the two first sentences with the judged ones, counts added up within a cited paper, mean over papers.
The sentence map is made as the program makes it, what is rare being counted among the sentences of both papers; the
middle of the citing paper is that of ten of its sentences, the citing ones stand as one. The learned ranking is a
logistic regression over the same similarities, fitted on the other cited papers; the chosen one has the weights that
are best on the other cited papers. Intervals: 95 %, bootstrap over cited papers.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from colde.alignment.sentence_similarity import (
    NEIGHBOUR_SHARE,
    SELF_SIMILARITY_WEIGHT,
    WORD_WEIGHT,
    base_similarities,
    character_ngram_cosines,
    excess_self_similarity,
    rare_word_overlap,
    smooth_over_neighbours,
)
from colde.encoders.vector_math import cosines, normalised, window_means
from colde.explain.background_corpus import background_sentences
from colde.explain.sentence_pairs import pair_weights
from colde.text.sentences.citations import without_citations
from studies.arguments import command_line
from studies.explanations.vector_memory import VectorStore
from studies.tables import interval_text, table_head, table_row

Scores = NDArray[np.floating]

FOLDS = 10
DRAWS = 2_000
WEIGHTS = (1.0, 1.25, 1.5, 1.75, 2.0)
"""Of parts of words and of rare words beside meaning; with the two below, what the chosen ranking chooses from."""
BEFORE, SHIPPED = "before: mean of meaning, letters and rare words", "the sentence map"
SHARES_REPEATED = (0.0, 0.125, 0.25, 0.375)
SHARES_AROUND = (0.0, 1 / 3, 1 / 2, 2 / 3)
TEN = 10
"""Sentences of a citing paper whose mean stands for its middle."""


@dataclass(frozen=True, slots=True)
class Case:
    """What is asked, and the sentences of both papers with the judgement on those of the cited one."""

    cited: str
    citing: tuple[str, ...]
    query: str
    sentences: tuple[str, ...]
    numbers: tuple[int, ...]
    judged: frozenset[int]

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.array([n in self.judged for n in self.numbers])


def read_cases(folder: Path) -> list[Case]:
    with gzip.open(folder / "documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = {r["id"]: r for r in map(json.loads, lines)}
    texts = {
        name: {n: t for section in r["sections"] for n, t in section["sentences"]}
        for name, r in records.items()
    }
    cases = []
    for line in (folder / "citances.jsonl").read_text(encoding="utf-8").splitlines():
        judgement = json.loads(line)
        cited, citing = texts[judgement["cited"]], texts[judgement["citing"]]
        query = " ".join(citing[n] for n in judgement["citing_sentences"] if n in citing)
        judged = frozenset(judgement["cited_sentences"])
        if query and judged & cited.keys():
            citing_sentences = tuple(citing.values())
            cases.append(
                Case(judgement["cited"], citing_sentences, query, tuple(cited.values()), tuple(cited), judged)
            )
    return cases


@dataclass(frozen=True, slots=True)
class RankingResult:
    """How well some cases were ranked.

    Attributes:
        reciprocal, in_five: [cases], 1 / rank of the first judged sentence, and whether it is among five.
        f1: by cited paper.
    """

    reciprocal: Scores
    in_five: Scores
    f1: dict[str, float]

    @property
    def measures(self) -> tuple[float, float, float]:
        return float(self.reciprocal.mean()), float(self.in_five.mean()), float(np.mean([*self.f1.values()]))


def ranked(cases: Sequence[Case], rankings: Sequence[Scores]) -> RankingResult:
    """MRR, hit@5 and F1 of the first two."""
    reciprocal, in_five = [], []
    counts: dict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(3, dtype=np.int64))
    for case, scores in zip(cases, rankings, strict=True):
        right = case.right[np.argsort(-scores, kind="stable")]
        first = int(np.argmax(right))
        reciprocal.append(1 / (first + 1))
        in_five.append(float(first < 5))
        counts[case.cited] += np.array([right[:2].sum(), 2, len(case.judged)])
    f1 = {paper: 2 * hits / (given + wanted) for paper, (hits, given, wanted) in counts.items()}
    return RankingResult(np.array(reciprocal), np.array(in_five), f1)


def chosen(
    cases: Sequence[Case], candidates: Mapping[str, Sequence[Scores]]
) -> tuple[list[Scores], Counter[str]]:
    """Each cited paper ranked by the candidate of the greatest MRR on all others, and how often each was chosen."""
    papers = np.array([c.cited for c in cases])
    reciprocal = {name: ranked(cases, scores).reciprocal for name, scores in candidates.items()}
    out: list[Scores] = [np.zeros(0)] * len(cases)
    often: Counter[str] = Counter()
    for paper in dict.fromkeys(papers.tolist()):
        of_paper = papers == paper
        best = max(reciprocal, key=lambda name: float(reciprocal[name][~of_paper].mean()))
        often[best] += 1
        for i in np.flatnonzero(of_paper):
            out[i] = candidates[best][i]
    return out, often


def gain(cases: Sequence[Case], new: RankingResult, old: RankingResult) -> str:
    """What the three measures gain, with intervals."""
    papers = list(new.f1)
    by_paper = {p: np.flatnonzero([c.cited == p for c in cases]) for p in papers}
    f1 = np.array([new.f1[p] - old.f1[p] for p in papers])
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        some = rng.integers(len(papers), size=len(papers))
        at = np.concatenate([by_paper[papers[k]] for k in some])
        reciprocal, in_five = (new.reciprocal - old.reciprocal)[at], (new.in_five - old.in_five)[at]
        draws.append([reciprocal.mean(), in_five.mean(), f1[some].mean()])
    low, high = np.percentile(draws, [2.5, 97.5], axis=0)
    means = np.subtract(new.measures, old.measures)
    return ", ".join(interval_text(values, "+") for values in zip(means, low, high, strict=True))


def z(scores: Scores) -> Scores:
    return (scores - scores.mean()) / (scores.std() + 1e-9)


def words(case: Case, query: str) -> Scores:
    weighted = TfidfVectorizer(sublinear_tf=True)
    sentences = weighted.fit_transform(case.sentences)
    return (sentences @ weighted.transform([query]).T).toarray()[:, 0]


def letters(cases: Sequence[Case], queries: Sequence[str]) -> list[Scores]:
    """Cosines by letters; what is rare is counted among the sentences of a cited paper and all that cite it."""
    out: list[Scores] = [np.zeros(0)] * len(cases)
    for cited in dict.fromkeys(c.cited for c in cases):
        numbers = [i for i, c in enumerate(cases) if c.cited == cited]
        letter_cosines = character_ngram_cosines(cases[numbers[0]].sentences, [queries[i] for i in numbers])
        for column, i in enumerate(numbers):
            out[i] = letter_cosines[:, column]
    return out


@dataclass(frozen=True, slots=True)
class Row:
    """The row of the sentence map of a case, each [sentences]: cosines, letters and rare words, without citations.

    Attributes:
        repeated: `excess_self_similarity` of the sentences of the cited paper.
        with_citations: letters with citations left in, as the map once had them.
        weights: `pair_weights` of each sentence and the citing one.
    """

    meaning: Scores
    letters: Scores
    rare: Scores
    excess_self_similarity: Scores
    with_citations: Scores
    weights: Scores

    def strength(self) -> Scores:
        """The strength that the sentence map shows."""
        return self.similarity() * self.weights

    def similarity(
        self,
        weight: float = WORD_WEIGHT,
        excess_self_similarity: float = SELF_SIMILARITY_WEIGHT,
        around: float = NEIGHBOUR_SHARE,
    ) -> Scores:
        """As the program has it, or at other weights."""
        words, none = (self.letters + self.rare)[:, None], np.zeros(1, np.float32)
        base = base_similarities(
            self.meaning[:, None],
            words,
            self.excess_self_similarity,
            none,
            weight=weight,
            share=excess_self_similarity,
        )
        return smooth_over_neighbours(base, around)[:, 0]


def map_rows(cases: Sequence[Case], memory: VectorStore) -> list[Row]:
    """What the sentence map is made of, for the citing sentence of each case."""
    rows = []
    vectors = {c.cited: normalised(memory.texts(c.sentences)) for c in cases}
    queries = normalised(memory.texts([c.query for c in cases]))
    known = background_sentences()
    assert known is not None
    background = {cited: known.background_similarity(v) for cited, v in vectors.items()}
    of_queries = known.background_similarity(queries)[:, None]
    rng = np.random.default_rng(0)
    drawn = {
        c.citing: [c.citing[i] for i in rng.permutation(len(c.citing))[:TEN]]
        for c in {x.citing: x for x in cases}.values()
    }
    flat = iter(memory.texts([s for sentences in drawn.values() for s in sentences]))
    middle = {
        key: normalised(np.array([next(flat) for _ in sentences])).mean(0) for key, sentences in drawn.items()
    }
    for case, query, of_query in zip(cases, queries, of_queries, strict=True):
        centre = (middle[case.citing] + vectors[case.cited].mean(0)) / 2
        centred = normalised(vectors[case.cited] - centre)
        citing = [*case.citing, case.query]
        bare = [[without_citations(text) for text in texts] for texts in (case.sentences, citing)]
        rows.append(
            Row(
                cosines(centred, query[None] - centre)[:, 0],
                character_ngram_cosines(*bare)[:, -1],
                rare_word_overlap(*bare)[:, -1],
                excess_self_similarity(centred),
                character_ngram_cosines(case.sentences, citing)[:, -1],
                pair_weights(case.sentences, [case.query], background[case.cited], of_query)[:, 0],
            )
        )
    return rows


def map_rankings(rows: Sequence[Row]) -> dict[str, list[Scores]]:
    """The sentence map now and before, and other weights."""
    by_name = {
        SHIPPED: [r.strength() for r in rows],
        "similarity alone": [r.similarity() for r in rows],
        BEFORE: [r.similarity(1, 0, 0) for r in rows],
        "mean of the cosines of meaning and letters": [r.meaning + r.with_citations for r in rows],
    }
    for x, u, c in product(WEIGHTS, SHARES_REPEATED, SHARES_AROUND):
        name = f"words {x:g}, repeated {u:g}, around {c:.2f}"
        by_name[name] = [r.similarity(x, u, c) for r in rows]
    return by_name


def rankings(cases: Sequence[Case], memory: VectorStore) -> dict[str, list[Scores]]:
    """Every way to rank, by name: one array of scores a case."""
    vectors = {c.cited: normalised(memory.texts(c.sentences)) for c in cases}

    def meaning(case: Case, query: str) -> Scores:
        return cosines(vectors[case.cited], memory.texts([query]))[:, 0]

    def around(case: Case, query: str) -> Scores:
        return cosines(window_means(vectors[case.cited], 3), memory.texts([query]))[:, 0]

    def centred(case: Case, query: str) -> Scores:
        mean = vectors[case.cited].mean(0)
        return cosines(vectors[case.cited] - mean, normalised(memory.texts([query])) - mean)[:, 0]

    def three(scores: Scores) -> Scores:
        return window_means(scores[:, None].astype(np.float32), 3)[:, 0]

    def each(way: Callable[[Case, str], Scores], *, plain: bool = False) -> list[Scores]:
        return [way(c, without_citations(c.query) if plain else c.query) for c in cases]

    rng = np.random.default_rng(0)
    w, m, mp, wp = each(words), each(meaning), each(meaning, plain=True), each(words, plain=True)
    c = letters(cases, [x.query for x in cases])
    cp = letters(cases, [without_citations(x.query) for x in cases])
    a = each(around)
    by_name = {
        "random": [rng.random(len(x.sentences)) for x in cases],
        "TF-IDF, words": w,
        "TF-IDF, runs of 3 to 5 letters": c,
        "MiniLM": m,
        "MiniLM, centred on the cited paper": each(centred),
        "MiniLM, windows of 3 sentences": a,
        "MiniLM + words": [z(x) + z(y) for x, y in zip(m, w, strict=True)],
        "MiniLM + letters": [z(x) + z(y) for x, y in zip(m, c, strict=True)],
        "without citations: TF-IDF, words": wp,
        "without citations: TF-IDF, letters": cp,
        "without citations: MiniLM + letters": [z(x) + z(y) for x, y in zip(mp, cp, strict=True)],
        "without citations: MiniLM + letters + half of windows": [
            z(x) + z(y) + z(v) / 2 + z(three(y)) / 2 for x, y, v in zip(mp, cp, a, strict=True)
        ],
    }
    basic = [
        np.stack([z(x), z(y), z(v), z(three(y)), z(length(k))], axis=1)
        for k, x, y, v in zip(cases, mp, cp, a, strict=True)
    ]
    placed = [np.hstack([b, place(k)]) for k, b in zip(cases, basic, strict=True)]
    by_name["learned: the four similarities and length"] = learned(cases, basic)
    by_name["learned: with the place in the paper"] = learned(cases, placed)
    return by_name


def length(case: Case) -> Scores:
    return np.log1p([len(s.split()) for s in case.sentences])


def place(case: Case) -> Scores:
    """Whether a sentence stands in the first tenth, in the second, in the last, and how far down: [sentences, 4]."""
    at = np.arange(len(case.sentences)) / len(case.sentences)
    return np.stack([at < 0.1, (at >= 0.1) & (at < 0.2), at >= 0.9, at], axis=1).astype(float)


def learned(cases: Sequence[Case], features: Sequence[Scores]) -> list[Scores]:
    """Each case ranked by a regression that saw no case of its cited paper."""
    out: list[Scores] = [np.zeros(0)] * len(cases)
    groups = [c.cited for c in cases]
    for seen, unseen in GroupKFold(FOLDS).split(groups, groups=groups):
        x = np.concatenate([features[i] for i in seen])
        y = np.concatenate([cases[i].right for i in seen])
        model = LogisticRegression(max_iter=500).fit(x, y)
        for i in unseen:
            out[i] = model.decision_function(features[i])
    return out


def main() -> None:
    parser = command_line(__doc__, "--memory")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder", type=Path, help="folder of another encoder with the same tokenizer")
    options = parser.parse_args()
    cases = read_cases(options.folder)
    memory = VectorStore(options.memory, options.encoder)
    maps = map_rankings(map_rows(cases, memory))
    memory.save()
    print(f"{len(cases)} cases, {len({c.cited for c in cases})} cited papers\n")
    print(table_head(["ranking", "MRR", "hit@5", "F1"]))
    by_choice, often = chosen(cases, maps)
    known = {name: ranked(cases, scores) for name, scores in maps.items()}
    for name, result in {**known, "chosen, cited paper left out": ranked(cases, by_choice)}.items():
        print(row(name, result), flush=True)
    print(f"\nchosen: {dict(often)}")
    for name in (SHIPPED, "chosen, cited paper left out"):
        new = known[name] if name in known else ranked(cases, by_choice)
        print(f"{name}, over before: {gain(cases, new, known[BEFORE])}", flush=True)
    for name, scores in rankings(cases, memory).items():
        print(row(name, ranked(cases, scores)), flush=True)
    memory.save()


def row(name: str, result: RankingResult) -> str:
    return table_row([name, *(f"{v:.3f}" for v in result.measures)])


if __name__ == "__main__":
    main()
