"""The words channel: a document's vector also says which telling words it uses (not in the paper: docs/departures.md).

Each word that is neither common nor rare has a trained vector. A text's vector is their sum, weighted by TF-IDF,
normalised (supervised semantic indexing: Bai et al. 2009). The encoder knows what a text is about; this knows which
names, methods and things it speaks of, and what goes with them in the documents it was trained on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, normalize

from colde.text.term_weights import Counts, Statistics, distinctive_columns, tfidf, unit_rows


class TrainedWords(nn.Module):
    """Trained vectors of the telling words; hashed words outside the table count nothing."""

    def __init__(self, dimension: int, statistics: Statistics) -> None:
        super().__init__()
        self.statistics = statistics
        self.columns = distinctive_columns(statistics)  # [words], columns of the hashed counts
        self.table = nn.Parameter(torch.randn(len(self.columns), dimension) / dimension**0.5)

    @torch.no_grad()
    def stored(self) -> dict[str, Tensor]:
        """The table as int8 with a scale a row: half of float16, and cosines of documents move by under .001."""
        scale = self.table.abs().amax(1, keepdim=True).clamp(min=1e-6) / 127
        return {"words.table": (self.table / scale).round().to(torch.int8), "words.scale": scale}

    @torch.no_grad()
    def restore(self, tensors: Mapping[str, Tensor]) -> TrainedWords:
        """Take over what `stored` gave."""
        self.table.copy_(tensors["words.table"] * tensors["words.scale"])
        return self

    def rows(self, texts: Sequence[str]) -> Counts:
        """TF-IDF of texts over every hashed word: [texts, BUCKETS], rows of length one."""
        return tfidf(texts, self.statistics)

    def known(self, rows: Counts) -> Counts:
        """The columns of the table, rows of length one: [texts, words]."""
        return Counts(unit_rows(rows[:, self.columns]), dtype=np.float32)

    def forward(self, known: Counts, dropout: float = 0.0) -> Tensor:
        """[texts, words] → [texts, dimension], of length one; zero for a text without a known word."""
        weights = torch.from_numpy(known.data.astype(np.float32))
        if dropout:
            weights = weights * (torch.rand(len(weights)) >= dropout)
        summed = embedding_bag(
            torch.from_numpy(known.indices.astype(np.int64)),
            self.table,
            torch.from_numpy(known.indptr[:-1].astype(np.int64)),
            per_sample_weights=weights,
            mode="sum",
        )
        return normalize(summed, dim=-1)
