"""Trained vectors of distinctive words, a channel of the score that the paper does not have (docs/departures.md).

The vector of a text is the sum of its words' vectors, weighted by TF-IDF, normalised (supervised semantic indexing, Bai
et al. 2009). The sentence encoder captures what a text is about; these vectors capture which names, methods and things
it mentions, and what occurs with them in the training documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, normalize

from colde.explain.contribution import Factors, Float64Array, distribute_weights
from colde.results.similarity_map import Array
from colde.text.word_weights.term_weights import Counts, Statistics, distinctive_columns, tfidf, unit_rows


@dataclass(frozen=True, slots=True, eq=False)
class DocumentWords:
    """Words of a document.

    Attributes:
        tfidf: [1, BUCKETS], of all words; vector: [dimension], from its trained words.
    """

    tfidf: Counts
    vector: Array


class TrainedWords(nn.Module):
    """A table of word vectors, and the cosine of texts by them. Words outside the table are ignored."""

    name = "trained words"  # in `PairResult.parts`

    def __init__(self, dimension: int, statistics: Statistics) -> None:
        super().__init__()
        self.statistics = statistics
        self.columns = distinctive_columns(statistics)  # [words], columns of the hashed counts
        self.table = nn.Parameter(torch.randn(len(self.columns), dimension) / dimension**0.5)

    @torch.no_grad()
    def stored(self) -> dict[str, Tensor]:
        """The table as int8 with a scale a row: half the size of float16, and cosines change by less than 0.001."""
        scale = self.table.abs().amax(1, keepdim=True).clamp(min=1e-6) / 127
        return {"words.table": (self.table / scale).round().to(torch.int8), "words.scale": scale}

    @torch.no_grad()
    def restore(self, tensors: Mapping[str, Tensor]) -> TrainedWords:
        """Set the table to what `stored` returned."""
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

    def score(self, a: DocumentWords, b: DocumentWords) -> float | None:
        """The cosine of the two vectors; None if a document has no word of the table."""
        if not (a.vector.any() and b.vector.any()):
            return None
        return float(np.clip(a.vector @ b.vector, -1, 1))

    def factors(
        self, a: DocumentWords, b: DocumentWords, shares_a: Counts, shares_b: Counts, weight: float
    ) -> list[Factors]:
        """Parts of weight · score by pair of passages.

        Args:
            shares_a, shares_b: [passages, BUCKETS], as `word_shares` returns.
        """
        return [(self.vector_parts(a.tfidf, shares_a) * weight, self.vector_parts(b.tfidf, shares_b))]

    def vector_parts(self, tfidf: Counts, shares: Counts) -> Float64Array:
        """Parts of a document's vector by passage: [passages, dimension].

        Args:
            tfidf: [1, BUCKETS], of the document; shares: [passages, BUCKETS], as `word_shares` returns.
        """
        known = self.known(tfidf)
        table = self.table.detach().double().numpy()
        parts = distribute_weights(shares[:, self.columns], known) @ table
        vector = np.asarray(known @ table)[0]  # of all words, also of one that no passage holds
        return np.asarray(parts / max(float(np.linalg.norm(vector)), 1e-12), dtype=np.float64)

    def shared_words(self, a: DocumentWords, b: DocumentWords, weight: float) -> Counts:
        """Part of weight · score of each word that both use, without products of different words: [1, BUCKETS]."""
        one, other = (self.known(words.tfidf) for words in (a, b))
        table = self.table.detach().numpy()
        norms = float(np.linalg.norm(one @ table)) * float(np.linalg.norm(other @ table))
        both = Counts(one.multiply(other))
        values = both.data * np.square(table[both.indices]).sum(1) * weight / max(norms, 1e-12)
        return Counts((values, self.columns[both.indices], [0, both.nnz]), shape=a.tfidf.shape)
