"""CoLDE Explorer: compare two long documents and see why they are alike.

import colde

a, b = colde.read("a.pdf"), colde.read("b.docx")
comparison = colde.compare(a, b)
print(comparison.scores)
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from colde.version import VERSION

if TYPE_CHECKING:
    from colde.api import Collection, Comparison, compare, compare_steps
    from colde.comparison.claim_chart import claim_chart
    from colde.comparison.ledger import ledger
    from colde.comparison.version_history import version_history
    from colde.errors import ColdeError, ReadError
    from colde.index import Index
    from colde.ingest import read, read_text
    from colde.models import load
    from colde.text.document import Document

# How long OpenMP threads spin before they sleep; torch reads it when it is loaded. By default they spin for
# milliseconds: where other programs use the cores, an encoder took five times the processor time (docs/log/speed.md).
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")

__version__ = VERSION

__all__ = [
    "ColdeError",
    "Collection",
    "Comparison",
    "Document",
    "Index",
    "ReadError",
    "claim_chart",
    "compare",
    "compare_steps",
    "ledger",
    "load",
    "read",
    "read_text",
    "version_history",
]

_HOME = {
    "ColdeError": "colde.errors",
    "Collection": "colde.api",
    "Comparison": "colde.api",
    "Document": "colde.text.document",
    "Index": "colde.index",
    "ReadError": "colde.errors",
    "claim_chart": "colde.comparison.claim_chart",
    "compare": "colde.api",
    "compare_steps": "colde.api",
    "ledger": "colde.comparison.ledger",
    "load": "colde.models",
    "read": "colde.ingest",
    "read_text": "colde.ingest",
    "version_history": "colde.comparison.version_history",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are used, so that `import colde` is fast."""
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'colde' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
