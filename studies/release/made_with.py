"""What shipped artefacts were made with: assets/made_with.json, and what of it has changed since.

An artefact is made of weights, of the sample texts, or of both. For each the file keeps a hash of every input.
`make fresh` rebuilds what has changed; `tests/studies/test_fresh.py` fails until then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from colde_explorer_app.page_parts.thumbnails import MAPS

from colde.assets import asset, file_hash
from colde.corpus.samples import samples
from colde.models import DEFAULTS
from colde.models.checkpoint import read_config
from studies import ROOT

Inputs: TypeAlias = dict[str, str]
"""Hash by input: `model NAME`, or the path of a file below assets/."""

CARDS = "app/colde_explorer_app/images"
SCREENSHOTS = "assets/screenshots"
FIGURES, CELLS = "assets/figures.json", "assets/unrelated_cells.json"
EXPLANATIONS, MISTAKES = "assets/explanations.json", "assets/mistakes.json"


def manifest() -> Path:
    """The file of hashes."""
    return asset("made_with.json")


def fingerprints(names: Iterable[str], *, judged: bool = True) -> Inputs:
    """Of models as they ship; see `StoredConfig.fingerprint`."""
    return {f"model {n}": read_config(asset("models", n)).fingerprint(judged=judged) for n in sorted(names)}


def hashes(*paths: Path) -> Inputs:
    """Of files below assets/."""
    return {path.relative_to(asset().parent).as_posix(): file_hash(path) for path in sorted(paths)}


def sample_files() -> Inputs:
    """Of the texts of all sample pairs."""
    texts = {path for sample in samples() for path in (sample.a, sample.b)}
    return hashes(asset("samples", "samples.json"), *texts)


def common() -> Inputs:
    """Of what verdicts and maps take from no checkpoint: rarity of words, background of sentences, usual cells."""
    return hashes(
        asset("models", "words", "idf.safetensors"),
        asset("models", "background", "sentences.safetensors"),
        asset("unrelated_cells.json"),
    )


def _measured(name: str) -> list[str]:
    """Names of the models that a file of figures holds."""
    figures = json.loads(asset(name).read_text(encoding="utf-8"))
    return list(figures.get("models", figures))


INPUTS: Mapping[str, Callable[[], Inputs]] = {
    CELLS: lambda: fingerprints(DEFAULTS, judged=False),
    FIGURES: lambda: fingerprints(_measured("figures.json"), judged=False),
    MISTAKES: lambda: fingerprints(_measured("mistakes.json")),
    EXPLANATIONS: lambda: fingerprints(_measured("explanations.json"), judged=False),
    CARDS: lambda: fingerprints({DEFAULTS[0], *(model for _, model, _ in MAPS)}) | sample_files() | common(),
    SCREENSHOTS: lambda: fingerprints(DEFAULTS) | sample_files() | common(),
}
"""Inputs by artefact, in the order in which they are made: the cards show what is usual, screenshots the cards."""


def record(artefact: Path | str, models: Iterable[str] | None = None) -> None:
    """Note that an artefact has just been made, all of it or for some models; one outside the checkout is not noted."""
    path = (ROOT / artefact).resolve()
    key = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    if key not in INPUTS:
        return
    kept, now = _recorded(), INPUTS[key]()
    if models is not None:
        anew = {f"model {name}" for name in models}
        before = kept.get(key, {})
        now = {name: value if name in anew else before.get(name, "") for name, value in now.items()}
    kept[key] = now
    ordered = {name: kept[name] for name in sorted(kept) if name in INPUTS}
    manifest().write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


def stale() -> dict[str, list[str]]:
    """Artefacts that were made with other inputs than are there now, and which inputs have changed."""
    kept = _recorded()
    changed_inputs = {}
    for artefact, inputs in INPUTS.items():
        now, before = inputs(), kept.get(artefact, {})
        changed = sorted(n for n in now.keys() | before.keys() if now.get(n) != before.get(n))
        if changed:
            changed_inputs[artefact] = changed
    return changed_inputs


def _recorded() -> dict[str, Inputs]:
    path = manifest()
    recorded: dict[str, Inputs] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return recorded
