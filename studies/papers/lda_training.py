"""Training of LDA: topics of the documents in training pairs, by scikit-learn's online variational inference."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from colde.corpus.corpus_folder import read_pairs, read_records
from colde.results.progress import Progress, Stage
from colde.results.similarity_map import Array
from colde.text.term_weights import Counts, distinctive_columns, shipped_statistics
from colde.training.corpus_cache import cached_word_counts
from colde.training.labelled_pairs import LabelledCorpus, labelled_corpus
from colde.training.threshold_fit import fit_profiles
from colde.training.training_run import TrainingRun, build_config
from studies.papers.lda import Lda, Topics, topic_similarity


@dataclass(frozen=True, slots=True)
class LdaTraining:
    """Settings of a run.

    Attributes:
        topics: number of topics.
        words: so many words are read: those in most training documents, without those in over 15 % of them.
        passes: over all training documents.
    """

    topics: int = 100
    words: int = 6_000
    passes: int = 4


def fit(run: TrainingRun) -> Path:
    """Fit topics to the training documents of all corpora, and profiles; `colde.training.training_run.FitFunction`."""
    training = build_config(LdaTraining, run.training, "training")
    kept = Path(run.settings.get("counts") or run.work / "counts")
    begun = time.process_time()
    rows, names = [], []
    for folder in run.corpora:
        rows.append(cached_word_counts(folder, kept))
        names.append([name for name, _ in read_records(folder)])
    seen = [_in_training(folder, own) for folder, own in zip(run.corpora, names, strict=True)]
    topics = fit_topics([r[s] for r, s in zip(rows, seen, strict=True)], training, run.seed)
    model = Lda(topics, card=run.spec.card)
    corpora = run.named([labelled_corpus(folder) for folder in run.corpora])
    shares = {}
    for corpus, own, table in zip(corpora, names, rows, strict=True):
        position = {name: i for i, name in enumerate(own)}
        shares[corpus.name] = [model.shares(table[position[n]]) for n in corpus.whole.ids]
        if run.on_progress is not None:
            run.on_progress(Progress(Stage.WORDS, len(shares), len(corpora), subject=corpus.name))

    def score(corpus: LabelledCorpus, pairs: np.ndarray) -> Array:
        known = shares[corpus.name]
        return np.array([topic_similarity(known[i], known[j]) for i, j in pairs], dtype=np.float32)

    kind = run.spec.card.score_kind
    model.profiles = fit_profiles(score, corpora, run.seed, kind=kind, folders=run.corpora)
    model.training = {
        "corpora": [c.name for c in corpora],
        "documents": {c.name: len(s) for c, s in zip(corpora, seen, strict=True)},
        "seed": run.seed,
        "settings": asdict(training),
        "seconds": round(time.process_time() - begun, 1),
    }
    model.save(run.output)
    return run.output


def fit_topics(corpora: Sequence[Counts], training: LdaTraining, seed: int) -> Topics:
    """Topics of the documents of all corpora, each given as word counts [documents, BUCKETS]."""
    from sklearn.decomposition import LatentDirichletAllocation

    held = np.mean([np.bincount(c.indices, minlength=c.shape[1]) / max(c.shape[0], 1) for c in corpora], 0)
    telling = distinctive_columns(shipped_statistics())
    chosen = np.sort(telling[np.argsort(-held[telling], kind="stable")[: training.words]])
    table = sparse.vstack([c[:, chosen] for c in corpora], format="csr")
    model = LatentDirichletAllocation(
        training.topics, learning_method="online", batch_size=256, max_iter=training.passes, random_state=seed
    )
    model.fit(table)
    weights = np.log(model.components_).astype(np.float16)  # as a checkpoint keeps them
    return Topics(chosen, weights.astype(np.float32), float(model.doc_topic_prior_))


def _in_training(folder: Path, names: Sequence[str]) -> np.ndarray:
    """Positions of the documents that stand in training pairs, rising."""
    seen = {n for p in read_pairs(folder / "train.tsv") for n in (p.source, p.target)}
    return np.array([i for i, name in enumerate(names) if name in seen])
