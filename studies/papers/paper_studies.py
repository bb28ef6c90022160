"""Studies of SMITH, SMASH RNN and Match-Ignition, and the papers' tests, on pairs with a new document.

    python -m studies.papers.paper_studies ../shared/corpora --work runs/systems --studies lengths,ratios,tests

Judged as studies/papers/systems_table.py judges. Writes docs/results/paper_studies.json and the tables in
paper_studies.md; figures that exist are not computed again unless `--again` is given, and a stopped run goes on.

    lengths   SMITH, figure 4: weights that ship, over the first 2 to 64 blocks of a document
    memory    SMITH, 4.1.3: memory of a step against length, beside one Transformer over the whole text
    ratios    Match-Ignition, table 6: weights that ship, α of 0, 5, 10 and 20 %, with processor time
    trained   SMITH, tables 5 to 7 and block lengths; SMASH RNN's hierarchies: small, trained on one corpus alone
    tests     each paper's comparisons, from the scores that studies/papers/systems_table.py has kept, corrected by
              Holm; where none are kept any more, a comparison stays as it is
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import torch
from rich.console import Console
from scipy.stats import ttest_rel
from torch.nn.functional import normalize

from colde import models
from colde.encoders.batches import padded_batches
from colde.judge.profiles import corpora as shipped_corpora
from colde.models.registry import spec
from colde.models.smith.smith import Smith
from colde.models.smith.smith_network import SmithNetwork
from colde.results.similarity_map import Array
from colde.training.pair_networks.cached_gradients import autocast, pair_gradients
from colde.training.pair_networks.pair_batches import draw_pairs
from colde.training.pair_networks.prepared_corpora import PreparedCorpus, prepare_corpus
from studies.arguments import command_line
from studies.papers.baselines_table import printer, run_folder, train_into
from studies.papers.new_document_pairs import (
    NewDocumentPairs,
    figures,
    judged,
    judged_corpus,
    predicted_similar,
)
from studies.papers.paper_studies_tables import page_tables
from studies.papers.smith_memory import memory
from studies.papers.system_scores import Scorer, kept_scores, load_with_settings, network_scores
from studies.papers.systems_rows import COLDE_TABLE_2
from studies.significance import holm, permutation_test
from studies.tables import read_json, replace_between, write_json

BLOCKS = (2, 4, 8, 16, 32, 48, 64)
RATIOS = (0.0, 0.05, 0.10, 0.20)
BATCH = 8  # pairs, of table 6
TRAINED_ON = "acl"
BEGIN, END = "<!-- studies: studies/papers/paper_studies.py -->", "<!-- end of the studies -->"

SMALL = {
    "steps": 60,
    "pairs": 16,
    "pretrain_steps": 0,
    "validate_every": 1000,
    "valid_pairs": 60,
    "profile_pairs": 60,
    "unrelated_pairs": 60,
}
"""Training of the small studies: two minutes of one core each."""
SEEDS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Form:
    """A form that is trained small.

    Attributes:
        group: forms are compared with the first of their group.
        name: a registered model or variant.
        model, training: settings that differ from its recipe, and from `SMALL`.
    """

    group: str
    title: str
    name: str
    model: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)


SHORT_TEXT = {"blocks": 16}  # 512 tokens
PRETRAINED = {"pretrain_steps": 40}
FORMS: Mapping[str, Form] = {
    "smith": Form("SMITH", "NP, two layers, normal, blocks of 32", "smith:np", SHORT_TEXT),
    "wp": Form("SMITH", "WP", "smith:wp", SHORT_TEXT, PRETRAINED),
    "wp+sp": Form("SMITH", "WP+SP", "smith", SHORT_TEXT, PRETRAINED),
    "short": Form("SMITH", "Short", "smith:short"),
    "sum": Form("SMITH", "sum-concat", "smith:np", SHORT_TEXT | {"combine": "sum-concat"}),
    "mean": Form("SMITH", "mean-concat", "smith:np", SHORT_TEXT | {"combine": "mean-concat"}),
    "attention": Form("SMITH", "attention", "smith:np", SHORT_TEXT | {"combine": "attention"}),
    "four": Form("SMITH", "four layers", "smith:np", SHORT_TEXT | {"sentence_layers": 4}),
    "six": Form("SMITH", "six layers", "smith:np", SHORT_TEXT | {"sentence_layers": 6}),
    "long": Form("SMITH", "blocks of 64", "smith:np", {"blocks": 8, "tokens": 64}),
    "smith-1536": Form("SMITH, 1536 word pieces", "NP, two layers, normal, blocks of 32", "smith:np"),
    "sum-1536": Form("SMITH, 1536 word pieces", "sum-concat", "smith:np", {"combine": "sum-concat"}),
    "mean-1536": Form("SMITH, 1536 word pieces", "mean-concat", "smith:np", {"combine": "mean-concat"}),
    "attention-1536": Form("SMITH, 1536 word pieces", "attention", "smith:np", {"combine": "attention"}),
    "p+s+w": Form("SMASH RNN", "P+S+W", "smash_rnn"),
    "p+s": Form("SMASH RNN", "P+S", "smash_rnn:p+s"),
    "p": Form("SMASH RNN", "P", "smash_rnn:p"),
}

TESTED: Mapping[str, tuple[str, float, Sequence[str]]] = {
    "CoLDE, table 2": (COLDE_TABLE_2[0], 0.05, COLDE_TABLE_2[1:]),
    "SMITH, table 5": ("smith", 0.05, ("han", "smash_rnn", "s_bert:256")),
    "SMASH RNN, tables 5 and 7": ("smash_rnn", 0.01, ("rnn", "cnn", "deepqa", "han")),
    "Match-Ignition, tables 2 to 4": (
        "match_ignition", 0.05, (
            "simnet", "arc_ii", "duet", "re2", "cross_encoder", "han", "smash_rnn", "smith", "bert_han",
            "transformer_xl", "longformer",
        ),
    ),
    "Match-Ignition, tables 5 and 7": (
        "match_ignition", 0.05,
        tuple(f"match_ignition:{k}" for k in ("sentences", "words", "random", "norm", "attention", "apart")),
    ),
}  # fmt: skip
"""Of each paper's table: whom it compares, at what level, with whom."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a study needs: judged pairs by corpus, `save` for its figures, and groups of forms (empty: all)."""

    known: Mapping[str, NewDocumentPairs]
    work: Path
    console: Console
    save: Callable[[], None]
    groups: Sequence[str] = ()

    def prepared(self, network: Any, known: NewDocumentPairs) -> PreparedCorpus:
        """The judged documents as a network reads them."""
        corpus = judged_corpus(known, self.work)
        return prepare_corpus(network, corpus, corpus.parent / "prepared")


def lengths(place: Place, results: dict[str, Any]) -> None:
    """SMITH at every length from one pass of its sentence level."""
    network = _with_more_positions(max(BLOCKS))
    for name, known in place.known.items():
        if name in results:
            continue
        prepared = place.prepared(network, known)
        vectors = _vectors_by_length(network, prepared)
        at = {d: i for i, d in enumerate(prepared.ids)}
        ends = np.array([(at[p.source], at[p.target]) for p in known.pairs])
        scores = {b: (v[ends[:, 0]] * v[ends[:, 1]]).sum(1) for b, v in vectors.items()}
        results[name] = {str(32 * b): figures(known, s.astype(np.float32), None) for b, s in scores.items()}
        place.save()


def _with_more_positions(blocks: int) -> SmithNetwork:
    """The SMITH that ships, for longer texts: blocks after the 48th, the last one trained, have its position."""
    shipped: Any = models.load("smith")
    shipped_network = shipped.network
    network = Smith.build({**spec("smith").model, "blocks": blocks}).eval()
    tensors = shipped_network.state_dict()
    table = tensors["place.weight"]
    tensors["place.weight"] = torch.cat([table, table[-1:].expand(blocks - len(table), -1)])
    network.load_state_dict(tensors)
    return network


@torch.inference_mode()
def _vectors_by_length(network: SmithNetwork, prepared: PreparedCorpus) -> dict[int, Array]:
    """Unit vectors of all documents, by how many of their blocks are read: [documents, width]."""
    by_length = {b: np.zeros((len(prepared.documents), network.config.width), np.float32) for b in BLOCKS}
    for some in padded_batches([d.size for d in prepared.documents], 32_768):
        documents = [prepared.documents[i] for i in some]
        with autocast(network, True):
            _, level = network.levels(documents)
            for blocks, vectors in by_length.items():
                read, _ = network.read_blocks(level.blocks[:, :blocks], level.mask[:, :blocks])
                vectors[some] = normalize(read.float(), dim=-1).numpy()
    return by_length


def ratios(place: Place, results: dict[str, Any]) -> None:
    """Match-Ignition at other shares of words dropped, and what each takes of the processor."""
    for ratio in RATIOS:
        row = results.setdefault(f"{ratio:.0%}", {})
        for name, known in place.known.items():
            if name in row:
                continue
            network = load_with_settings("match_ignition", {"ratio": ratio}).network
            prepared = place.prepared(network, known)
            begun = process_time()
            with autocast(network, True):
                scores = network_scores(network, known, prepared, 4096)
            row[name] = figures(known, scores, None)
            row[name]["seconds_a_batch"] = round((process_time() - begun) / len(known.pairs) / 2 * BATCH, 3)
            if name == TRAINED_ON:
                row[name]["training_seconds_a_batch"] = _step_seconds(network, prepared)
            place.save()


def _step_seconds(network: Any, prepared: PreparedCorpus, steps: int = 4) -> float:
    """Processor seconds of a training step of eight pairs, the first not counted."""
    some = PreparedCorpus(
        prepared.name,
        prepared.ids,
        prepared.documents,
        {"train": prepared.pairs["valid"], "valid": prepared.pairs["valid"]},
        {"train": prepared.labels["valid"], "valid": prepared.labels["valid"]},
        prepared.profile,
    )
    network.train()
    taken = []
    for step in range(steps + 1):
        begun = process_time()
        pair_gradients(
            network, draw_pairs([some], BATCH, 0, step), step, tokens=4096, cached=False, bf16=True
        )
        taken.append(process_time() - begun)
    return round(float(np.mean(taken[1:])), 3)


def trained(place: Place, results: dict[str, Any]) -> None:
    """Every form trained small, with each seed, and each against the first of its group."""
    known = place.known[TRAINED_ON]
    forms = {key: form for key, form in FORMS.items() if not place.groups or form.group in place.groups}
    right: dict[str, list[np.ndarray]] = {key: [] for key in forms}
    for seed in SEEDS:
        for key in forms:
            scores = _seed_scores(place, key, seed, results)
            right[key].append(predicted_similar(known, scores) == known.labels)
    for group in dict.fromkeys(f.group for f in forms.values()):
        first, *others = (np.mean(right[k], axis=0) for k, f in forms.items() if f.group == group)
        keys = [k for k, f in forms.items() if f.group == group][1:]
        p = holm([permutation_test(first, other, known.sources).p for other in others])
        for key, value in zip(keys, p, strict=True):
            results[key]["p"] = round(float(value), 4)
    place.save()


def _seed_scores(place: Place, key: str, seed: int, results: dict[str, Any]) -> Array:
    """Scores of the judged pairs by a form and seed, trained if they are not kept; their figures go into `results`."""
    known, form = place.known[TRAINED_ON], FORMS[key]
    path = place.work / "scores" / f"{run_folder(Path(), f'study-{key}', seed)}.npy"
    row = results.setdefault(key, {"group": form.group, "title": form.title})
    if not path.is_file():
        scores, minutes = _small(place, key, seed)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, scores)
        row |= {"minutes": minutes} if seed == 0 else {}
    scores = np.load(path)
    measured = figures(known, scores, None)
    row |= measured if seed == 0 else {"seeds": {**row.get("seeds", {}), str(seed): measured}}
    place.save()
    return scores


def _small(place: Place, key: str, seed: int) -> tuple[Array, float]:
    """Scores of the judged pairs by a form trained small, and the minutes of its training."""
    known, form = place.known[TRAINED_ON], FORMS[key]
    folder = run_folder(place.work, f"study-{key}", seed)
    settings = {
        "model": dict(form.model),
        "training": {**SMALL, **form.training},
        "prepared": str(place.work / "prepared"),
    }
    train_into(folder, form.name, [known.folder], settings, seed, printer(place.console, folder.name))
    scorer = Scorer(form.name, place.work, settings, folder)
    return scorer.scores(known), round(scorer.model.training["seconds"] / 60, 1)


def tests(place: Place, results: dict[str, Any]) -> None:
    """Each paper's comparisons: paired t-test over the pairs, and permutation of the answers to each source.

    A comparison of which no scores are kept stays as it is; the corrections are computed anew for all.
    """
    for title, (name, level, others) in TESTED.items():
        rows = {(r["with"], r["corpus"]): r for r in results.get(title, {}).get("rows", ())}
        for other in others:
            rows |= _comparisons(place, name, other)
        order = [rows[o, n] for o in others for n in place.known if (o, n) in rows]
        for test in ("t", "permuted") if order else ():
            for row, p in zip(order, holm([r[test] for r in order]), strict=True):
                row[f"{test}_holm"] = round(float(p), 4)
        if order:
            results[title] = {"model": name, "level": level, "rows": order}
    place.save()


def _comparisons(place: Place, name: str, other: str) -> dict[tuple[str, str], dict[str, Any]]:
    """One model against another on each corpus for which scores of both are kept."""
    first, second = (kept_scores(place.work, model, SEEDS) for model in (name, other))
    if first is None or second is None:
        return {}
    return {
        (other, corpus): {
            "with": other,
            "corpus": corpus,
            "seed": second[1],
            **_compared(known, first[0][corpus], second[0][corpus]),
        }
        for corpus, known in place.known.items()
        if corpus in first[0] and corpus in second[0]
    }


def _compared(known: NewDocumentPairs, first: Array, second: Array) -> dict[str, Any]:
    """By how much the first is right more often on the pairs that both judged, and both tests' p."""
    count = min(len(first), len(second))
    same = NewDocumentPairs(known.folder, known.pairs[:count])
    right = [predicted_similar(same, s[:count]) == same.labels for s in (first, second)]
    t = ttest_rel(*(r.astype(float) for r in right)).pvalue
    permuted = permutation_test(*right, same.sources)
    return {
        "pairs": count,
        "difference": round(permuted.value, 4),
        "t": 1.0 if np.isnan(t) else float(f"{t:.4g}"),
        "permuted": permuted.p,
    }


STUDIES: Mapping[str, Callable[[Place, dict[str, Any]], None]] = {
    "lengths": lengths,
    "memory": lambda place, results: memory(results, place.save),
    "ratios": ratios,
    "trained": trained,
    "tests": tests,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "corpora", "--work", "--output")
    parser.add_argument("--studies", default=",".join(STUDIES), help="with commas")
    parser.add_argument("--only", default=",".join(shipped_corpora()), help="names of corpora, with commas")
    parser.add_argument("--pairs", type=int, default=400, help="of each corpus")
    parser.add_argument("--group", action="append", default=[], help="of forms that are trained; default all")
    parser.add_argument("--again", action="store_true", help="compute anew what is there")
    chosen = parser.parse_args(arguments)
    path = chosen.output / "paper_studies.json"
    results: dict[str, Any] = read_json(path, {})

    def save() -> None:
        write_json(path, results)
        replace_between(chosen.output / "paper_studies.md", BEGIN, END, page_tables(results))

    known = {name: judged(chosen.corpora / name, chosen.pairs) for name in chosen.only.split(",")}
    place = Place(known, chosen.work, Console(), save, chosen.group)
    for study in chosen.studies.split(","):
        if chosen.again:
            results.pop(study, None)
        STUDIES[study](place, results.setdefault(study, {}))
    save()


if __name__ == "__main__":
    main()
