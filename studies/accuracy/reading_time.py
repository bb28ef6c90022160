"""Time that a model takes on one core."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from colde.text.document import Document


def seconds(model: Any, documents: Sequence[Document]) -> dict[str, float]:
    """To encode a document and to compare two, mean; what is loaded once is loaded before, and no cache is used."""
    with patch.dict(os.environ, COLDE_CACHE="off"):
        model.encode(documents[:1], explain=False)
        documents = [replace(document) for document in documents]  # nothing remembered of them
        begun = time.perf_counter()
        encoded = [model.encode([document], explain=False)[0] for document in documents]
        read = time.perf_counter()
    pairs = list(itertools.combinations(encoded, 2))
    for a, b in pairs:
        model.match(a, b, explain=False)
    compared = time.perf_counter()
    return {
        "document": round((read - begun) / len(documents), 4),
        "pair": round((compared - read) / len(pairs), 4),
    }
