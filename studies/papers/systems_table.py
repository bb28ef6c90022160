"""The table of the papers' other systems, on pairs with a document that no training pair names: trained where missing.

    python -m studies.papers.systems_table ../shared/corpora --work runs/systems --models rnn,cnn,lda
    python -m studies.papers.systems_table ../shared/corpora --work runs/systems --shipped tfidf,bm25,dssm,arc_i
    python -m studies.papers.systems_table ../shared/corpora --work runs/systems --shipped match_ignition:random
    --pairs 100

Judged are the first 400 pairs of each valid.tsv with a document that stands in no training pair. They choose nothing of
the network: the recipes run for all their steps. Thresholds are out of fold (five folds by source). The same network
as it stood before its first step is judged, too; the difference of the areas under the ROC curve has a paired bootstrap
over sources. Rows are kept in docs/results/systems.json, and the table in docs/results/systems.md is made of them: a
row that is there is not made again unless it is named with `--again`. A variant under `--shipped` without weights of
its own is judged with those of the model it varies or begins from: another setting in use, not in training.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from colde import models
from colde.corpus.corpus_folder import Pair, read_pairs, record_to_document
from colde.evaluation import pair_scores as corpus_scores
from colde.evaluation.metrics import measure
from colde.judge.calibration import best_threshold
from colde.judge.profiles import corpora as shipped_corpora
from colde.models.checkpoint import read_config, read_tensors
from colde.models.registry import spec
from colde.models.shared.bi_cross_encoder import BaselineMatcher, load_checkpoint_tensors
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.training.baseline_fit import Load, build
from colde.training.batch_scoring import score_pairs
from colde.training.cached_gradients import autocast
from colde.training.colde_corpus import load_vector_corpus
from colde.training.colde_fit import load_network
from colde.training.colde_objective import pair_scores
from colde.training.pair_batches import draw_pairs
from colde.training.pair_training import SCALE_PAIRS, PairwiseConfig, fit_scale
from colde.training.prepared_corpora import PreparedCorpus, prepare_corpus
from colde.training.training_run import build_config, read_settings
from studies.papers import bert_han_fit
from studies.papers.baselines_table import printer, run_folder, train_missing
from studies.papers.systems_rows import JUDGED, add_seed, read, table, write
from studies.search.corpus_file import write_documents
from studies.significance import PairedScores, paired_bootstrap_auc

FOLDS = 5


@dataclass(frozen=True, slots=True)
class NewDocumentPairs:
    """Pairs of a corpus with a document that stands in no training pair, in the order of valid.tsv.

    Attributes:
        folder: of the corpus.
        pairs: at most `JUDGED`.
    """

    folder: Path
    pairs: tuple[Pair, ...]

    @property
    def labels(self) -> np.ndarray:
        """[pairs], 1 similar, 0 not."""
        return np.array([p.label for p in self.pairs], dtype=np.int64)

    @property
    def sources(self) -> list[str]:
        return [p.source for p in self.pairs]


def judged(folder: Path, most: int = JUDGED) -> NewDocumentPairs:
    """The pairs of a corpus that are judged."""
    seen = {n for p in read_pairs(folder / "train.tsv") for n in (p.source, p.target)}
    new = [p for p in read_pairs(folder / "valid.tsv") if not {p.source, p.target} <= seen]
    return NewDocumentPairs(folder, tuple(new[:most]))


def judged_corpus(known: NewDocumentPairs, work: Path) -> Path:
    """A corpus of the documents that are judged and nothing else, so that models that ship read no others."""
    folder = work / "judged" / f"{len(known.pairs)}" / known.folder.name
    if not (folder / "valid.tsv").is_file():
        records = corpus_scores.records_of(known.folder, [(p.source, p.target) for p in known.pairs])
        write_corpus(records.values(), known.pairs, folder)
    return folder


def write_corpus(records: Iterable[Mapping[str, Any]], pairs: Sequence[Pair], folder: Path) -> None:
    """A corpus of these documents, whose pairs are all for validation."""
    write_documents(records, folder)
    head = "source\ttarget\tlabel\n"
    (folder / "train.tsv").write_text(head, encoding="utf-8")
    rows = "".join(f"{p.source}\t{p.target}\t{p.label}\n" for p in pairs)
    (folder / "valid.tsv").write_text(head + rows, encoding="utf-8")


def load_with_settings(name: str, settings: Mapping[str, Any] | None = None) -> Any:
    """A model without weights of its own, with those of the one it varies or begins from; or at settings of one's own.

    Raises:
        CheckpointError: they do not fit.
    """
    chosen = spec(name)
    folder, matcher = models.checkpoint(chosen.variant_of or chosen.start or name), chosen.matcher_class()
    stored = read_config(folder)
    fixed = {} if chosen.start else stored.settings
    network = matcher.build({**fixed, **chosen.model, **(settings or {})})
    load_checkpoint_tensors(network, network.translate_names(read_tensors(folder)), folder)
    return matcher(network, card=chosen.card, training=stored.training)


def shipped_model(name: str) -> Any:
    """A model as it ships, or a variant of one at its own setting."""
    chosen = spec(name)
    return load_with_settings(name) if chosen.variant_of or chosen.start else models.load(name)


def shipped_scores(
    model: Any,
    known: NewDocumentPairs,
    work: Path,
    on_progress: OnProgress | None = None,
    pairs: Sequence[Pair] | None = None,
) -> Array:
    """Scores of the judged pairs, or of others of their documents, by what ships: [pairs].

    In the precision it was trained in. Documents as a baseline reads them are kept for the next.
    """
    wanted = known.pairs if pairs is None else tuple(pairs)
    if not isinstance(model, BaselineMatcher):
        return matcher_scores(model, NewDocumentPairs(known.folder, wanted), on_progress)
    corpus = judged_corpus(known, work)
    reduced = NewDocumentPairs(corpus, wanted)
    training = model.training["settings"]
    prepared = prepare_corpus(model.network, corpus, corpus.parent / "prepared", on_progress)
    with autocast(model.network, training["bf16"]):
        return network_scores(model.network, reduced, lambda *_: prepared, training["tokens"])


def loader(name: str, settings: Mapping[str, Any], work: Path) -> Load:
    """How a system's documents are read, as its fit function does; each corpus once."""
    known: dict[Path, PreparedCorpus] = {}
    sentences = Path(settings.get("sentences") or work / "sentences")

    def load(network: Any, corpus: Path, on_progress: OnProgress | None) -> PreparedCorpus:
        if corpus not in known and spec(name).fit.startswith(bert_han_fit.__name__):
            known[corpus] = bert_han_fit.load(network, corpus, on_progress, kept=sentences)
        elif corpus not in known:
            known[corpus] = prepare_corpus(network, corpus, work / "prepared", on_progress)
        return known[corpus]

    return load


def network_scores(network: Any, known: NewDocumentPairs, load: Load, tokens: int) -> Array:
    """Scores of the pairs by a baseline's network, from prepared documents: [pairs]."""
    prepared = load(network, known.folder, None)
    position = {name: i for i, name in enumerate(prepared.ids)}
    ends = np.array([(position[p.source], position[p.target]) for p in known.pairs])
    return score_pairs(network, prepared.documents, ends, tokens=2 * tokens, both_orders=True)


def run_scores(model: Any, known: NewDocumentPairs, load: Load) -> Array:
    """Scores of the pairs by a run of one's own: [pairs].

    Of a baseline's network from prepared documents, in the precision of its training; of any other from the texts.
    """
    if not isinstance(model, BaselineMatcher):
        return matcher_scores(model, known)
    training = model.training["settings"]
    with autocast(model.network, training["bf16"]):
        return network_scores(model.network, known, load, training["tokens"])


def matcher_scores(model: Any, known: NewDocumentPairs, on_progress: OnProgress | None = None) -> Array:
    """Scores of the pairs by any model, from the corpus' texts: [pairs]."""
    pairs = [(p.source, p.target) for p in known.pairs]
    records = corpus_scores.records_of(known.folder, pairs)

    def document(name: str) -> Document:
        return record_to_document(records[name], sentences=needs_sentences(model))

    return np.array(
        list(corpus_scores.score_pairs(model, document, pairs, on_progress=on_progress)), dtype=np.float32
    )


def needs_sentences(model: Any) -> bool:
    """Whether a model's score depends on sentences, which take longest to find; CoLDE's does."""
    return bool(model.network.sentences) if isinstance(model, BaselineMatcher) else True


def colde_network_scores(known: NewDocumentPairs, sentences: Path) -> Array:
    """Scores of the pairs by CoLDE's network that ships, from kept sentence vectors: [pairs]."""
    corpus = load_vector_corpus(known.folder, sentences, 0.0)
    position = {name: i for i, name in enumerate(corpus.layouts.names)}
    ends = np.array([(position[p.source], position[p.target]) for p in known.pairs])
    return pair_scores(load_network(models.checkpoint("colde")), corpus, ends)["attention"]


def untrained_scores(
    name: str, settings: Mapping[str, Any], seed: int, known: Sequence[NewDocumentPairs], load: Load
) -> Any:
    """Scores by the same network as it stood before its first step, by corpus."""
    training = build_config(PairwiseConfig, dict(spec(name).training), "training")
    network = build(spec(name), settings, seed)
    if training.fit_scale:
        corpora = [load(network, k.folder, None) for k in known]
        total = training.pretrain_steps + training.steps
        fit_scale(network, draw_pairs(corpora, SCALE_PAIRS, seed, total), training, seed)
    with autocast(network, training.bf16):
        return {k.folder.name: network_scores(network, k, load, training.tokens) for k in known}


def thresholds(known: NewDocumentPairs, scores: Array) -> np.ndarray:
    """For each pair the threshold that the other folds' pairs choose: [pairs]."""
    labels, exact = known.labels, scores.astype(np.float64)
    found = np.zeros(len(labels))
    for fit, test in GroupKFold(FOLDS).split(exact, labels, known.sources):
        found[test] = best_threshold(exact[fit], labels[fit], np.ones(len(fit)))
    return found


def predicted_similar(known: NewDocumentPairs, scores: Array) -> np.ndarray:
    """1 where a pair reaches the threshold that the other folds' pairs choose: [pairs]."""
    return (scores.astype(np.float64) >= thresholds(known, scores)).astype(float)


def figures(known: NewDocumentPairs, scores: Array, untrained: Array | None) -> dict[str, Any]:
    """Precision, recall, F1 and accuracy out of fold, area under the curve, and what training is worth."""
    labels, exact = known.labels, scores.astype(np.float64)
    found = measure(labels, predicted_similar(known, exact), 0.5)
    row: dict[str, Any] = {"pairs": len(labels)}
    row |= {k: round(found[k], 4) for k in ("accuracy", "precision", "recall", "f1")}
    row["roc_auc"] = round(float(roc_auc_score(labels, exact)), 4)
    if untrained is not None:
        row["untrained_roc_auc"] = round(float(roc_auc_score(labels, untrained)), 4)
        gain = paired_bootstrap_auc([PairedScores(labels, exact, untrained, known.sources)])
        row["gain"] = {k: round(v, 4) for k, v in asdict(gain).items()}
    return row


def row_of(
    name: str,
    folder: Path | None,
    known: Sequence[NewDocumentPairs],
    work: Path,
    settings: Mapping[str, Any],
    on_progress: OnProgress,
    seed: int = 0,
) -> dict[str, Any]:
    """Judge one model: a trained run in `folder`, or what ships."""
    model: Any = models.load(folder) if folder else shipped_model(name)
    training = dict(getattr(model, "training", {})) if folder is not None else {}
    scores: dict[str, Array] = {}
    untrained: dict[str, Array] = {}
    if folder is not None and isinstance(model, BaselineMatcher):
        load = loader(name, settings, work)
        scores = {k.folder.name: run_scores(model, k, load) for k in known}
        untrained = untrained_scores(name, asdict(model.network.config), training["seed"], known, load)
    elif name == "colde" and "sentences" in settings:
        scores = {k.folder.name: colde_network_scores(k, Path(settings["sentences"])) for k in known}
    else:
        scores = {k.folder.name: shipped_scores(model, k, work, on_progress) for k in known}
    path = scores_path(work, name, seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **scores)
    weights = (
        "recipe" if folder else "another setting" if spec(name).variant_of or spec(name).start else "shipped"
    )
    return {
        "name": name,
        "title": model.card.title,
        "source": model.card.source,
        "weights": weights,
        "parameters": model.parameters,
        "steps": training.get("best_step"),
        "pairs_a_step": training.get("settings", {}).get("pairs"),
        "minutes": round(training["seconds"] / 60, 1) if "seconds" in training else None,
        "corpora": {
            k.folder.name: figures(k, scores[k.folder.name], untrained.get(k.folder.name)) for k in known
        },
    }


def scores_path(work: Path, name: str, seed: int) -> Path:
    """Where the scores of the judged pairs are kept, by corpus, for the studies."""
    return work / "scores" / f"{run_folder(Path(), name, seed)}.npz"


def kept_scores(work: Path, name: str, seeds: Sequence[int] = (0,)) -> tuple[dict[str, Array], int] | None:
    """Scores of the judged pairs by corpus, and of which seed: the first whose are kept."""
    for seed in seeds:
        path = scores_path(work, name, seed)
        if path.is_file():
            with np.load(path, allow_pickle=False) as kept:
                return dict(kept), seed
    return None


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/systems"))
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--models", default="", help="names with commas, trained by their recipes")
    parser.add_argument("--shipped", default="", help="names with commas, judged with the weights that ship")
    parser.add_argument("--again", action="store_true", help="make rows anew that are there")
    parser.add_argument("--config", type=Path, help="settings; `sentences`, `counts`: folders")
    parser.add_argument("--pairs", type=int, default=JUDGED, help="of each corpus, where a model is slow")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    names = shipped_corpora()
    folders = [chosen.corpora / name for name in names]
    known = [judged(folder, chosen.pairs) for folder in folders]
    console = Console()
    wanted = [(n, False) for n in chosen.models.split(",") if n]
    wanted += [(n, True) for n in chosen.shipped.split(",") if n]
    for name, ships in wanted:
        there = next((r for r in read(chosen.output) if r["name"] == name), None)
        if there and not chosen.again and (chosen.seed == 0 or str(chosen.seed) in there.get("seeds", {})):
            continue
        show = printer(console, name)
        folder = None
        if not ships:
            folder = train_missing(name, folders, chosen.work, chosen.seed, chosen.config, show)
        row = row_of(name, folder, known, chosen.work, read_settings(chosen.config), show, chosen.seed)
        write(add_seed(read(chosen.output), row, chosen.seed), names, chosen.output)
        console.print(table([row], names))


if __name__ == "__main__":
    main()
