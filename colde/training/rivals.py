"""`colde train NAME` for the rivals: recipe → network → pairwise training → profiles → checkpoint.

A rival is named by its recipe, colde/training/recipes/*.json: `{"name", "model": {…config}, "training":
{…PairwiseConfig}}`. Its class stands in the registry, so that nothing here knows a model.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from colde.errors import ModelError
from colde.models.base import OnProgress
from colde.models.checkpoint import read_tensors
from colde.models.registry import CARDS, CLASSES
from colde.models.siamese import RivalMatcher, Siamese, load_stored, stored_tensors
from colde.similarity import Array
from colde.training.pairwise import (
    PairwiseConfig,
    document_vectors,
    score_pairs,
    score_vectors,
    train_network,
)
from colde.training.prepared import PreparedCorpus, ProfileCorpus, prepare_corpus
from colde.training.profiles import fit_profiles

RECIPES = Path(__file__).parent / "recipes"
RUN = "run.json"
SCORES = "scores.npz"  # of the validation pairs that profiles were fitted to, by corpus, in their order


def recipes() -> dict[str, dict[str, Any]]:
    """Every recipe by the name of its model."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RECIPES.glob("*.json"))]
    return {recipe["name"]: recipe for recipe in found}


RIVALS: Mapping[str, dict[str, Any]] = recipes()


def matcher_class(name: str) -> type[RivalMatcher[Any]]:
    """The class of a model; a variant has the class of its model."""
    module, _, cls = CLASSES[name.partition(":")[0]].partition(":")
    found: type[RivalMatcher[Any]] = getattr(import_module(module), cls)
    return found


def settings_of(name: str, config: Path | None = None) -> dict[str, Any]:
    """The recipe, with what a JSON file `{"model", "training", "prepared", "start"}` says otherwise.

    Raises:
        ModelError: the file cannot be read, or names a setting that does not exist.
    """
    given: dict[str, Any] = {}
    if config is not None:
        try:
            given = json.loads(config.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"{config}: not a readable JSON file ({error})") from None
    recipe = RIVALS[name]
    settings: dict[str, Any] = {
        part: {**recipe.get(part, {}), **given.get(part, {})} for part in ("model", "training")
    }
    known = {f.name for f in fields(PairwiseConfig)}
    for key in settings["training"]:
        if key not in known:
            raise ModelError(f"training has no setting {key!r}; there are: {', '.join(sorted(known))}")
    settings["prepared"] = given.get("prepared")
    settings["start"] = given.get("start")
    return settings


def build(name: str, model: Mapping[str, Any], seed: int = 0) -> Any:
    """The network of a rival, untrained: the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            return matcher_class(name).build(model)
        except TypeError as error:
            raise ModelError(f"{name}: a wrong setting ({error})") from None


def train_rival(
    model: str,
    corpora: Sequence[Path],
    output: Path,
    config: Path | None = None,
    seed: int = 0,
    resume: bool = False,
    on_progress: OnProgress | None = None,
) -> Path:
    """Train a rival on one or several corpora and write its checkpoint into `output`; arguments as in `train`.

    `start` of the config is the folder of a checkpoint to begin from: cross-encoders share their pre-training.
    A run that goes on must have the settings it began with. Prepared documents are kept in `prepared` of the config,
    else in `output/prepared`; with them there the corpora's own files may be missing. Runs on CUDA where there is one.
    """
    settings = settings_of(model, config)
    training = PairwiseConfig(**settings["training"])
    network = build(model, settings["model"], seed)
    if settings["start"]:
        load_stored(network, read_tensors(Path(settings["start"])), Path(settings["start"]))
    _describe(
        output,
        {
            "name": model,
            "model": asdict(network.config),
            "training": asdict(training),
            "corpora": [c.name for c in corpora],
            "seed": seed,
            "start": settings["start"],
        },
        resume,
    )
    kept = Path(settings["prepared"] or output / "prepared")
    loaded = [prepare_corpus(network, corpus, kept, on_progress) for corpus in corpora]
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    best = train_network(
        network, loaded, training, seed=seed, state_in=output, resume=resume, on_progress=on_progress
    )
    _round(network)
    begun = time.perf_counter()
    card = CARDS.get(model) or replace(CARDS[model.partition(":")[0]], name=model)
    score = scorer(network, loaded, training.tokens, card.symmetric, training.profile_pairs)
    valid = [c.for_profiles(training.profile_pairs) for c in loaded]
    profiles = fit_profiles(
        score, cast(Any, valid), seed, count=training.unrelated_pairs, kind=card.score_kind
    )
    np.savez(output / SCORES, **{c.name: score(c, c.valid.pairs) for c in valid})
    matcher_class(model)(
        network.cpu(),
        card=card,
        profiles=profiles,
        training={
            "corpora": [c.name for c in loaded],
            "pairs": {c.name: len(c.labels["train"]) for c in loaded},
            "seed": seed,
            "settings": asdict(training),
            "best_step": best.step,
            "valid_auc": round(best.auc, 5),
            "tokens": best.tokens,
            "seconds": round(best.seconds, 1),
            "tokens_per_second": round(best.tokens / max(best.seconds, 1e-9)),
            "seconds_for_profiles": round(time.perf_counter() - begun, 1),
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        },
    ).save(output)
    return output


@torch.no_grad()
def _round(network: Any) -> None:
    """To what a checkpoint keeps (float16), so that thresholds and figures are those of the kept network."""
    for value in stored_tensors(network).values():
        value.copy_(value.half())


def _describe(output: Path, run: Mapping[str, Any], resume: bool) -> None:
    """Write down what is run; refuse to go on with a run of other settings."""
    path = output / RUN
    text = json.dumps(run, indent=1, sort_keys=True) + "\n"
    if resume and path.is_file() and path.read_text(encoding="utf-8") != text:
        raise ModelError(
            f"{output}: the run there has other settings ({RUN}); remove the folder or name another"
        )
    output.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def scorer(
    network: Any,
    corpora: Sequence[PreparedCorpus],
    tokens: int,
    both_orders: bool,
    most: int | None = None,
) -> Any:
    """For `fit_profiles`: corpus and pairs of positions among the documents of `for_profiles(most)` → scores.

    Documents of a siamese network are read once; scores that are asked for again are not computed again.
    """
    known = {c.name: c for c in corpora}
    vectors: dict[str, torch.Tensor] = {}
    scores: dict[tuple[str, bytes], Array] = {}

    def fresh(prepared: PreparedCorpus, pairs: np.ndarray) -> Array:
        names = prepared.valid_documents(most)
        if not isinstance(network, Siamese):
            return score_pairs(
                network, prepared.documents, names[pairs], tokens=2 * tokens, both_orders=both_orders
            )
        if prepared.name not in vectors:
            read = [prepared.documents[d] for d in names]
            vectors[prepared.name] = document_vectors(network, read, 2 * tokens)
        return score_vectors(network, vectors[prepared.name], pairs)

    def score(corpus: ProfileCorpus, pairs: np.ndarray) -> Array:
        key = (corpus.name, pairs.tobytes())
        if key not in scores:
            scores[key] = fresh(known[corpus.name], pairs)
        return scores[key]

    return score
