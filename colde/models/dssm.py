"""DSSM: a siamese network over the letter trigrams of all words (Huang et al. 2013, "DSSM" in CoLDE's table 2).

    words → letter trigrams of #word# → counts → ln(1 + count), length 1 → 300 → 300 → 128, tanh each → cosine

The first layer is linear in the counts, so the whole text is read at the cost of its different trigrams. What is
shown is the same network run on sections, and run again with single sentences left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import torch
from scipy import sparse
from sklearn.feature_extraction.text import HashingVectorizer
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, normalize

from colde.document import Document, Span
from colde.models.reading import Ints, Prepared, as_float
from colde.models.siamese import CosineSiamese, SiameseMatcher
from colde.passages import likeness, passage
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.vectors import cosines

WORD = re.compile(r"\w+")
LETTERS = 3  # letter trigrams; the ends of a word count as letters: #word#
MOST_EVIDENCE = 30
SHORTEST = 5  # words of a sentence that may stand as evidence
TEXTS_AT_ONCE = 512

SECTION_MEANING = (
    "Letters of whole sections: the cosine of DSSM's vectors of the two sections, each read by itself. High where two "
    "sections are written in words of like letters; it does not say that they share a passage."
)


@dataclass(frozen=True, slots=True)
class DssmConfig:
    """Sizes. The buckets and the rank keep the checkpoint at 1.4 MB (docstring of `DssmNetwork`)."""

    buckets: int = 8_192  # trigrams are hashed to so many columns; Huang et al. keep a list of 30,621
    rank: int = 64  # of the first layer's matrix
    hidden: tuple[int, ...] = (300, 300)  # Huang et al. 2013, figure 1: 300–300–128 with tanh
    out: int = 128


@dataclass(frozen=True, slots=True, eq=False)
class Trigrams(Prepared):
    """The letter trigrams of a text: `ids` [different trigrams] are their columns, rising.

    Attributes:
        counts: [different trigrams], how often each stands in the text.
    """

    counts: Ints


class DssmNetwork(CosineSiamese):
    """Trigram counts → vector.

    The first layer of the paper is a full matrix [trigrams, 300]. Here it is a product [buckets, rank] · [rank, 300]:
    8,192 × 300 numbers would be 4.9 MB as float16, this is 1.1 MB. With 8,192 buckets 12 % of the (document, trigram)
    entries of the training corpora share a column with a more frequent trigram, with 4,096 21 %.
    """

    config: DssmConfig
    kind: ClassVar[type[Prepared]] = Trigrams
    sentences: ClassVar[bool] = False

    def __init__(self, config: DssmConfig) -> None:
        super().__init__()
        self.config = config
        # A text's weights have length 1, so that standard normal rows give standard normal sums.
        self.trigrams = nn.Parameter(torch.randn(config.buckets, config.rank))
        sizes = (config.rank, *config.hidden, config.out)
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in pairwise(sizes))

    def prepare(self, document: Document) -> Trigrams:
        text = "\n".join(document.text[s.start : s.end] for _, s in document.compared())
        return trigrams_of([text], self.config.buckets)[0]

    def vectors(self, documents: Sequence[Prepared]) -> Tensor:
        """[documents, out]; a text without a word is a bag without a trigram, whose sum is zero."""
        bags = [d for d in documents if isinstance(d, Trigrams)]
        assert len(bags) == len(documents)
        ids = np.concatenate([b.ids for b in bags])
        counts = np.concatenate([b.counts for b in bags])
        starts = np.cumsum([0, *(len(b.ids) for b in bags[:-1])])
        of_text = np.repeat(np.arange(len(bags)), [len(b.ids) for b in bags])
        weights = np.log1p(counts.astype(np.float64))  # "log counts"
        length = np.sqrt(np.bincount(of_text, weights=weights**2, minlength=len(bags)))
        weights = weights / np.maximum(length, 1e-12)[of_text]  # long texts would drown in tanh
        x = embedding_bag(
            torch.from_numpy(ids).long().to(self.device),
            self.trigrams,
            torch.from_numpy(starts).long().to(self.device),
            mode="sum",
            per_sample_weights=torch.from_numpy(weights).to(self.device, self.trigrams.dtype),
        )  # [documents, rank]
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


class Dssm(SiameseMatcher[DssmNetwork]):
    """DSSM as a Matcher."""

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> DssmNetwork:
        hidden = tuple(settings.get("hidden", DssmConfig().hidden))
        return DssmNetwork(DssmConfig(**{**settings, "hidden": hidden}))

    def reading(self, document: Document, prepared: Prepared) -> Reading:
        """All words."""
        words = sum(len(WORD.findall(document.text[s.start : s.end])) for _, s in document.compared())
        return Reading(words, words)

    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        """With `explain` the vectors of sections, and how the document's changes without each sentence."""
        found = super().encoding(document, prepared, explain)
        if not explain:
            return found
        compared = [s for _, s in document.compared()]
        sections = trigrams_of(
            [document.text[s.start : s.end] for s in compared], self.network.config.buckets
        )
        return replace(
            found,
            sections=self._vectors(sections),
            section_spans=tuple(Span(s.start, s.end) for s in compared),
            arrays={**found.arrays, "changes": self._changes(document, prepared)},
        )

    def _vectors(self, texts: Sequence[Prepared]) -> Array:
        """[texts, out], some texts at a time."""
        found = [np.zeros((0, self.network.config.out), np.float32)]
        for at in range(0, len(texts), TEXTS_AT_ONCE):
            found.append(as_float(self.network.vectors(texts[at : at + TEXTS_AT_ONCE])))
        return np.concatenate(found)

    def _changes(self, document: Document, prepared: Prepared) -> Array:
        """Unit vector of the document less that of the document without a sentence: [sentences, out]."""
        assert isinstance(prepared, Trigrams)
        buckets = self.network.config.buckets
        whole = np.zeros(buckets, np.int32)
        whole[prepared.ids] = prepared.counts
        texts = [document.text[s.start : s.end] for _, s in document.sentences()]
        without = []
        for sentence in trigrams_of(texts, buckets):
            left = whole.copy()
            left[sentence.ids] -= np.minimum(sentence.counts, left[sentence.ids])
            kept = np.flatnonzero(left).astype(np.int32)
            without.append(Trigrams(kept, left[kept]))
        unit = normalize(torch.from_numpy(self._vectors([prepared, *without])), dim=-1)
        return as_float(unit[:1] - unit[1:])

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section`."""
        assert a.sections is not None and b.sections is not None
        values = cosines(a.sections, b.sections)
        return {
            "section": SimilarityMap(values, a.section_spans, b.section_spans, "cosine", SECTION_MEANING),
        }

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Pairs of sentences whose common presence carries most of the score, each sentence once.

        The weight is exact: the score, less the score without a's sentence, less that without b's, plus that without
        both. It is small, because any one sentence is a small part of a long document.
        """
        left, right = ([s for _, s in e.document.sentences()] for e in (a, b))
        rows, columns = _long_enough(a), _long_enough(b)
        weights = (
            a.arrays["changes"][rows] @ b.arrays["changes"][columns].T
        )  # [sentences of a, sentences of b]
        found: list[Evidence] = []
        while len(found) < MOST_EVIDENCE and weights.size:
            i, j = (int(k) for k in np.unravel_index(int(weights.argmax()), weights.shape))
            if not weights[i, j] > 0:
                break
            one, other = left[rows[i]], right[columns[j]]
            found.append(
                Evidence(
                    self.card.name,
                    passage(a.document, one.start, one.end),
                    passage(b.document, other.start, other.end),
                    float(weights[i, j]),
                    likeness(
                        a.document.text[one.start : one.end], b.document.text[other.start : other.end], 0.0
                    ),
                )
            )
            weights[i, :] = weights[:, j] = -np.inf
        return found


def _long_enough(encoding: Encoding) -> Ints:
    """Positions of the sentences of at least `SHORTEST` words."""
    texts = [encoding.document.text[s.start : s.end] for _, s in encoding.document.sentences()]
    return np.array([i for i, t in enumerate(texts) if len(WORD.findall(t)) >= SHORTEST], dtype=np.int32)


@lru_cache(maxsize=4)
def _hashing(buckets: int) -> HashingVectorizer:
    """scikit-learn's n-grams inside words: it pads a word with a blank at each end, which is the paper's #."""
    return HashingVectorizer(
        analyzer="char_wb",
        ngram_range=(LETTERS, LETTERS),
        n_features=buckets,
        alternate_sign=False,
        norm=None,
    )


def trigrams_of(texts: Sequence[str], buckets: int) -> list[Trigrams]:
    """The letter trigrams of each text; each different word is taken apart once."""
    counted = [Counter(WORD.findall(t.lower())) for t in texts]
    words = {w: k for k, w in enumerate(dict.fromkeys(w for c in counted for w in c))}
    empty = np.zeros(0, np.int32)
    if not words:
        return [Trigrams(empty, empty) for _ in texts]
    of_words = sparse.csr_matrix(_hashing(buckets).transform(list(words)))  # [words, buckets]
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
