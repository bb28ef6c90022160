"""Studies of SMASH RNN and CoLDE over the systems that have a row: by length, ranking, texts changed.

    python -m studies.papers.systems_studies ../shared/corpora --models simnet,lda,tfidf

Runs of studies/papers/systems_table.py are taken from `--work`; a model without one is loaded as it ships. The same
pairs are judged. Writes docs/results/systems_studies.json and its tables in systems.md; figures that exist are not
computed again unless `--again` is given.

    lengths                 accuracy by the longer document of a pair: up to 1,000 words, up to 4,000, more; all
                            corpora together (SMASH RNN, figure 5)
    ranking                 each source of a related pair: its related documents among ten, the others at random: P@1,
                            MRR, MAP, of each corpus, and of all together by the length of the source (figure 6)
    paragraphs, sections    accuracy and area under the curve with the paragraphs (encyclopedia; SMASH RNN, figure 7) or
                            the sections (papers; CoLDE, figure 8) of every document in random order
    first_words             the same of papers of which nothing is read after so many words (CoLDE, figure 7)

Changed documents are judged by the thresholds of the unchanged ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.metrics import average_precision_score, roc_auc_score

from colde.corpus.corpus_folder import Pair
from colde.judge.profiles import corpora as shipped_corpora
from colde.models.registry import spec
from colde.results.similarity_map import Array
from colde.training.training_run import read_settings
from studies.arguments import command_line
from studies.corpora import record_words
from studies.papers.new_document_pairs import NewDocumentPairs, judged, predicted_similar, thresholds
from studies.papers.system_scores import Scorer, finished_run, kept_scores
from studies.robustness.changed_texts import Change, keep_first_words, shuffle_paragraphs, shuffle_sections
from studies.tables import markdown_table, read_json, replace_between, write_json

BOUNDS = {"up to 1,000 words": (0, 1_000), "1,000 to 4,000": (1_000, 4_000), "more": (4_000, 10**9)}
CANDIDATES = 10
BEGIN, END = "<!-- studies: studies/papers/systems_studies.py -->", "<!-- end of the studies -->"
UNCHANGED = "as they are"
RANKED = ("p_at_1", "mrr", "map")
Row = Mapping[str, Any]


@cache
def words(known: NewDocumentPairs) -> dict[str, int]:
    """How many words each judged document has."""
    return {name: record_words(record) for name, record in known.records().items()}


def by_length(values: np.ndarray, size: np.ndarray) -> dict[str, tuple[int, list[float]]]:
    """How many texts there are of each length, and the mean of each measure [texts, measures]."""
    means_by_length = {}
    for name, (low, high) in BOUNDS.items():
        inside = (size > low) & (size <= high)
        means = values[inside].mean(0) if inside.any() else np.full(values.shape[1], np.nan)
        means_by_length[name] = (int(inside.sum()), means.round(4).tolist())
    return means_by_length


def accuracy_by_length(
    right: Sequence[np.ndarray], longer: Sequence[np.ndarray]
) -> dict[str, dict[str, float]]:
    """Accuracy of the pairs of all corpora by the words of the longer document."""
    accuracies = by_length(np.concatenate(right)[:, None], np.concatenate(longer))
    return {name: {"pairs": n, "accuracy": accuracy} for name, (n, (accuracy,)) in accuracies.items()}


def candidates(known: NewDocumentPairs, seed: int = 0) -> dict[str, tuple[list[str], np.ndarray]]:
    """Of each source of a related pair ten documents, and which are related: at most five, the others random."""
    random = np.random.default_rng(seed)
    every = sorted({n for p in known.pairs for n in (p.source, p.target)})
    related = _related(known.pairs)
    lists = {}
    for source in sorted({p.source for p in known.pairs if p.label == 1}):
        chosen = sorted(related[source])[: CANDIDATES // 2]
        others = [n for n in every if n != source and n not in related[source]]
        drawn = random.choice(others, CANDIDATES - len(chosen), replace=False).tolist()
        lists[source] = ([*chosen, *drawn], np.repeat([1, 0], [len(chosen), len(drawn)]))
    return lists


def _related(pairs: Sequence[Pair]) -> dict[str, set[str]]:
    related: dict[str, set[str]] = {}
    for p in pairs:
        if p.label == 1:
            related.setdefault(p.source, set()).add(p.target)
            related.setdefault(p.target, set()).add(p.source)
    return related


def ranked(labels: Array, scores: Array) -> tuple[float, float, float]:
    """P@1, reciprocal rank of the first related document, and average precision of one list."""
    order = labels[np.argsort(-scores, kind="stable")]
    return float(order[0]), 1 / float(np.argmax(order) + 1), float(average_precision_score(labels, scores))


def ranking(scorer: Scorer, known: NewDocumentPairs) -> tuple[Array, list[str]]:
    """P@1, reciprocal rank and average precision of each list: [lists, 3], and whose list each is."""
    lists = candidates(known)
    pairs = [Pair(source, name, 0) for source, (names, _) in lists.items() for name in names]
    scores = scorer.scores(known, pairs).reshape(-1, CANDIDATES)
    values = [ranked(y, s) for (_, y), s in zip(lists.values(), scores, strict=True)]
    return np.array(values).reshape(-1, 3), list(lists)


def rankings(scorer: Scorer, every: Mapping[str, NewDocumentPairs]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Means over the lists of each corpus, and of all corpora by the length of the source."""
    means: dict[str, Any] = {}
    values, size = [], []
    for name, known in every.items():
        measures, sources = ranking(scorer, known)
        means[name] = {
            "lists": len(measures),
            **dict(zip(RANKED, measures.mean(0).round(4).tolist(), strict=True)),
        }
        count = words(known)
        values.append(measures)
        size.append([count[s] for s in sources])
    by = by_length(np.concatenate(values), np.concatenate(size))
    return means, {
        name: {"lists": n, **dict(zip(RANKED, measures, strict=True))} for name, (n, measures) in by.items()
    }


def judged_scores(scorer: Scorer, known: NewDocumentPairs, seed: int) -> Array:
    """Scores of the judged pairs, as systems_table.py has kept them, else made again: [pairs]."""
    kept = kept_scores(scorer.work, scorer.name, (seed if scorer.run else 0,))
    scores = kept[0].get(known.folder.name) if kept else None
    return scores if scores is not None and len(scores) == len(known.pairs) else scorer.scores(known)


def robustness(
    scorer: Scorer, known: NewDocumentPairs, changes: Mapping[str, Change], unchanged: Array
) -> dict[str, dict[str, float]]:
    """Accuracy and area under the curve of unchanged and changed documents, by the thresholds of the unchanged."""
    scores = {UNCHANGED: unchanged}
    scores |= {title: scorer.changed(known, _folder(title), change) for title, change in changes.items()}
    limits = thresholds(known, unchanged)
    figures = {}
    for form, values in scores.items():
        right = (values.astype(np.float64) >= limits) == known.labels
        area = float(roc_auc_score(known.labels, values))
        figures[form] = {"accuracy": round(float(right.mean()), 4), "roc_auc": round(area, 4)}
    return figures


def _folder(title: str) -> str:
    return title.replace(" ", "_").replace(",", "")


CHANGES: Mapping[str, tuple[str, Mapping[str, Change]]] = {
    "paragraphs": ("wiki", {"paragraphs shuffled": shuffle_paragraphs}),
    "sections": ("acl", {"sections shuffled": shuffle_sections}),
    "first_words": ("acl", {f"first {n:,} words": keep_first_words(n) for n in (250, 1_000, 4_000)}),
}
"""Of what corpus which changes are studied."""


def study_figures(
    study: str, scorer: Scorer, known: Mapping[str, NewDocumentPairs], seed: int
) -> dict[str, Any]:
    """The figures of one study; those of `ranking` are two tables."""
    if study == "lengths":
        right, longer = [], []
        for pairs in known.values():
            right.append(predicted_similar(pairs, judged_scores(scorer, pairs, seed)) == pairs.labels)
            count = words(pairs)
            longer.append(np.array([max(count[p.source], count[p.target]) for p in pairs.pairs]))
        return {study: accuracy_by_length(right, longer)}
    if study == "ranking":
        return dict(zip((study, "ranking_by_length"), rankings(scorer, known), strict=True))
    corpus, changes = CHANGES[study]
    unchanged = judged_scores(scorer, known[corpus], seed)
    return {study: robustness(scorer, known[corpus], changes, unchanged)}


def study_tables(figures: Mapping[str, Row], names: Sequence[str]) -> str:
    """A table for every study, a line for each system; a ranking has a column for each of the corpora."""
    tables = []
    for study, (title, columns, cell) in TABLES.items():
        rows = {_title(row): row[study] for row in figures.values() if study in row}
        if not rows:
            continue
        first = next(iter(rows.values()))
        keys = names if study == "ranking" else list(first)
        lines = ([system, *(cell(row[key]) for key in keys)] for system, row in rows.items())
        tables.append(f"**{title}.\n\n{markdown_table(['', *(columns(k, first[k]) for k in keys)], lines)}")
    return "\n".join(tables)


def _title(row: Row) -> str:
    return f"{row['title']}, seed {row['seed']}" if row.get("seed") else str(row["title"])


def _key(key: str, _: Row) -> str:
    return key


def _lists(key: str, figures: Row) -> str:
    return f"{key} ({figures['lists']} lists)"


def _accuracy(figures: Row) -> str:
    return f"{figures['accuracy']:.3f} ({figures['pairs']})"


def _ranks(figures: Row) -> str:
    return " / ".join(f"{figures[k]:.3f}" for k in RANKED)


def _areas(figures: Row) -> str:
    return f"{figures['accuracy']:.3f} / {figures['roc_auc']:.3f}"


TABLES: Mapping[str, tuple[str, Callable[[str, Row], str], Callable[[Row], str]]] = {
    "lengths": (
        "By the longer document of a pair**, in words, all corpora; accuracy (pairs)",
        _key,
        _accuracy,
    ),
    "ranking": ("Ranking among ten**, P@1 / MRR / MAP", _lists, _ranks),
    "ranking_by_length": (
        "Ranking among ten by the length of the source**, in words, all corpora; P@1 / MRR / MAP",
        _lists,
        _ranks,
    ),
    "paragraphs": (
        "Paragraphs in random order** (wiki), accuracy / area under the curve",
        _key,
        _areas,
    ),
    "sections": ("Sections in random order** (acl), accuracy / area under the curve", _key, _areas),
    "first_words": (
        "Only the first words of a text** (acl), accuracy / area under the curve",
        _key,
        _areas,
    ),
}
"""Of each table: its title, the head of a column, and the text of a cell."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--work", "--output", "--models", "--config", "--seed")
    parser.add_argument("--studies", default="lengths,ranking," + ",".join(CHANGES), help="with commas")
    parser.add_argument("--again", action="store_true", help="compute again what exists")
    chosen = parser.parse_args(arguments)
    known = {name: judged(chosen.corpora / name) for name in shipped_corpora()}
    path = chosen.output / "systems_studies.json"
    figures: dict[str, dict[str, Any]] = read_json(path, {})
    console = Console()
    for name in chosen.models.split(","):
        row = figures.setdefault(name, {"title": spec(name).card.title})
        missing = [s for s in chosen.studies.split(",") if chosen.again or s not in row]
        if not missing:
            continue
        run = finished_run(chosen.work, name, chosen.seed)
        scorer = Scorer(name, chosen.work, read_settings(chosen.config), run)
        row |= {"seed": chosen.seed} if run else {}
        for study in missing:
            row |= study_figures(study, scorer, known, chosen.seed)
            write_json(path, figures)
            console.print(f"{name} {study}: {row[study]}")
    replace_between(chosen.output / "systems.md", BEGIN, END, study_tables(figures, list(known)))


if __name__ == "__main__":
    main()
