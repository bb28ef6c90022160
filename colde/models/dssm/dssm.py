"""DSSM: a siamese network over the letter trigrams of all words (Huang et al. 2013, "DSSM" in CoLDE's table 2).

    words → letter trigrams of #word# → counts → ln(1 + count), length 1 → 300 → 300 → 128, tanh each → cosine

The first layer is linear in the counts, so reading a text costs as much as reading its different trigrams. The
explanation comes from the same network, run on sections and on the document without each of its sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, cast

import numpy as np
import torch
from scipy import sparse
from torch import Tensor, nn
from torch.nn.functional import embedding_bag

from colde.explain.contribution import Units, default_units
from colde.explain.level_maps import level_map
from colde.models.shared.bi_cross_encoder import BiEncoderMatcher, CosineBiEncoder
from colde.models.shared.integrated_gradients import VectorParts, integrated_sum_parts
from colde.models.shared.network_input import (
    DocumentTokens,
    Ints,
    ModelInput,
    as_float,
    vector_encoding,
)
from colde.models.shared.unit_parts import UnitEncoding, unit_contributions
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array, SimilarityMap
from colde.row_blocks import row_blocks
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import hashed

WORD = re.compile(r"\w+")
LETTERS = 3  # letter trigrams; the ends of a word count as letters: #word#
TEXTS_AT_ONCE = 512

SECTION_MEANING = (
    "Letters of whole sections: the cosine of DSSM's vectors of the two sections, each read by itself. High where two "
    "sections are written in words of like letters; it does not say that they share a passage."
)
CONTRIBUTION_MEANING = (
    "what the letter trigrams of each sentence add, by integrated Jacobians of the dense layers on the straight path "
    "from a text without letters. The score of such a text is the baseline. The parts are approximate; the residual "
    "states the error. A negative cell lowers the score."
)


@dataclass(frozen=True, slots=True)
class DssmConfig:
    """Sizes. The buckets and the rank keep the checkpoint at 1.4 MB (docstring of `DssmNetwork`)."""

    buckets: int = 8_192  # trigrams are hashed to so many columns; Huang et al. keep a list of 30,621
    rank: int = 64  # of the first layer's matrix
    hidden: tuple[int, ...] = (300, 300)  # Huang et al. 2013, figure 1: 300–300–128 with tanh
    out: int = 128


@dataclass(frozen=True, slots=True, eq=False)
class Trigrams(ModelInput):
    """The letter trigrams of a text: `ids` [different trigrams] are their columns, rising.

    Attributes:
        counts: [different trigrams], how often each stands in the text.
    """

    counts: Ints


class DssmNetwork(CosineBiEncoder):
    """Trigram counts → vector.

    The first layer of the paper is a full matrix [trigrams, 300]. Here it is a product [buckets, rank] · [rank, 300]:
    8,192 × 300 numbers would be 4.9 MB as float16, this is 1.1 MB. With 8,192 buckets 12 % of the (document, trigram)
    entries of the training corpora share a column with a more frequent trigram, with 4,096 21 %.
    """

    config: DssmConfig
    input_type: ClassVar[type[ModelInput]] = Trigrams
    sentences: ClassVar[bool] = False

    def __init__(self, config: DssmConfig) -> None:
        super().__init__()
        self.config = config
        # A text's weights have length 1, so that standard normal rows give standard normal sums.
        self.trigrams = nn.Parameter(torch.randn(config.buckets, config.rank))
        sizes = (config.rank, *config.hidden, config.out)
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in pairwise(sizes))

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> Trigrams:
        """Take the letter trigrams of all that is compared; word pieces are not needed."""
        text = "\n".join(document.text[s.start : s.end] for _, s in document.compared())
        return trigrams_of([text], self.config.buckets)[0]

    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, out]."""
        return self.deepen(self.summed(documents))

    def deepen(self, x: Tensor) -> Tensor:
        """The dense layers: [documents, rank] → [documents, out]."""
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x

    def summed(self, documents: Sequence[ModelInput]) -> Tensor:
        """Weighted sums of the trigrams' rows: [documents, rank]; zeros for a text without a word."""
        bags = [cast(Trigrams, d) for d in documents]
        ids = np.concatenate([b.ids for b in bags])
        counts = np.concatenate([b.counts for b in bags])
        starts = np.cumsum([0, *(len(b.ids) for b in bags[:-1])])
        of_text = np.repeat(np.arange(len(bags)), [len(b.ids) for b in bags])
        weights = np.log1p(counts.astype(np.float64))  # "log counts"
        length = np.sqrt(np.bincount(of_text, weights=weights**2, minlength=len(bags)))
        weights = weights / np.maximum(length, 1e-12)[of_text]  # long texts would drown in tanh
        return embedding_bag(
            torch.from_numpy(ids).long().to(self.device),
            self.trigrams,
            torch.from_numpy(starts).long().to(self.device),
            mode="sum",
            per_sample_weights=torch.from_numpy(weights).to(self.device, self.trigrams.dtype),
        )


class Dssm(BiEncoderMatcher[DssmNetwork]):
    """DSSM as a Matcher."""

    network_class = DssmNetwork
    config_class = DssmConfig

    def encoding(self, document: Document, explain: bool) -> Encoding:
        """The vector; with `explain` also those of sections."""
        prepared = self.network.prepare(document)
        raw = as_float(self.network.vectors([prepared])[0])
        spans = tuple(Span(s.start, s.end) for _, s in document.compared())
        texts = [document.text[s.start : s.end] for s in spans]
        words = sum(len(WORD.findall(t)) for t in texts)
        encoding = vector_encoding(document, Coverage(words, words), prepared, raw)
        if not explain:
            return encoding
        units = default_units(document)
        return encoding.extended(
            UnitEncoding,
            sections=self._vectors(trigrams_of(texts, self.network.config.buckets)),
            section_spans=spans,
            units=units,
            parts=self._parts(units, prepared),
        )

    def _parts(self, units: Units, prepared: Trigrams) -> VectorParts:
        """The vector over units: each has its share of every trigram's weight."""
        weights = np.log1p(prepared.counts.astype(np.float64))
        each = np.zeros(self.network.config.buckets)  # weight of one occurrence
        each[prepared.ids] = weights / np.maximum(np.linalg.norm(weights), 1e-12) / prepared.counts
        table = as_float(self.network.trigrams)
        steps = [
            (unit.counts * each[unit.ids]) @ table[unit.ids]
            for unit in trigrams_of(units.texts(), self.network.config.buckets)
        ]
        sums = torch.tensor(np.array(steps, np.float32).reshape(-1, table.shape[1]))
        return integrated_sum_parts(lambda x: self.network.deepen(x[:, 0]), sums)

    def _vectors(self, texts: Sequence[ModelInput]) -> Array:
        """[texts, out], some texts at a time."""
        vectors = [np.zeros((0, self.network.config.out), np.float32)]
        for some in row_blocks(len(texts), 1, TEXTS_AT_ONCE):
            vectors.append(as_float(self.network.vectors(texts[some])))
        return np.concatenate(vectors)

    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """`section` and contributions."""
        left, right = require_encoding(a, UnitEncoding), require_encoding(b, UnitEncoding)
        section = level_map("section", a, b, SECTION_MEANING, role="words", limits=(-1.0, 1.0))
        return {"section": section} | unit_contributions(left, right, score, CONTRIBUTION_MEANING)


def letter_trigrams(word: str) -> list[str]:
    """Letter trigrams of a word with a blank at each end, the paper's #."""
    marked = f" {word} "
    return [marked[i : i + LETTERS] for i in range(len(marked) - LETTERS + 1)]


def trigrams_of(texts: Sequence[str], buckets: int) -> list[Trigrams]:
    """The letter trigrams of each text; each different word is split once."""
    counted = [Counter(WORD.findall(t.lower())) for t in texts]
    words = {w: k for k, w in enumerate(dict.fromkeys(w for c in counted for w in c))}
    empty = np.zeros(0, np.int32)
    if not words:
        return [Trigrams(empty, empty) for _ in texts]
    of_words = hashed(map(letter_trigrams, words), buckets)  # [words, buckets]
    indptr = np.cumsum([0, *(len(c) for c in counted)])
    columns = np.array([words[w] for c in counted for w in c], dtype=np.int32)
    numbers = np.array([n for c in counted for n in c.values()], dtype=np.float64)
    of_texts = sparse.csr_matrix((numbers, columns, indptr), shape=(len(texts), len(words)))
    product = sparse.csr_matrix(of_texts @ of_words)
    product.sort_indices()
    bounds = zip(product.indptr[:-1], product.indptr[1:], strict=True)
    return [
        Trigrams(product.indices[i:j].astype(np.int32), product.data[i:j].astype(np.int32)) for i, j in bounds
    ]
