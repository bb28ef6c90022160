"""Shared fixtures: where the corpora and documents for tests lie."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# float32, for tests compare to the last digits (OpenVINO has its own); a test about the cache turns it on.
os.environ.setdefault("COLDE_RUNTIME", "torch")
os.environ.setdefault("COLDE_CACHE", "off")
if "PYTEST_XDIST_WORKER" in os.environ:  # workers share the cores: more threads than cores is slower than one
    os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("colde", deadline=None)  # no test asserts a time
settings.load_profile("colde")
ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("COLDE_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """`shared("documents/papers")`: that file or folder; skips where it is missing, fails under CI."""

    def find(name: str) -> Path:
        path = SHARED / name
        if not path.exists():
            if os.environ.get("CI"):
                pytest.fail(f"{name} is missing beside the checkout; under CI it must be there")
            pytest.skip(f"{name} is not here")
        return path

    return find
