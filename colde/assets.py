"""Where the files live that come with the program: sample texts, trained weights, model cards."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def asset(*parts: str) -> Path:
    """The path of a bundled file or folder, e.g. `asset("samples", "samples.json")`.

    A checkout keeps these files in `assets/` beside the package, a wheel carries them in `colde/_assets`. The
    checkout wins where it has the file. What exists in neither place is answered with the path it would have,
    so that a caller can ask `.exists()` and say in its own words what is missing.
    """
    checkout, packaged = _PACKAGE.parent / "assets", _PACKAGE / "_assets"
    path = checkout.joinpath(*parts)
    if path.exists() or not packaged.is_dir():
        return path
    return packaged.joinpath(*parts)
