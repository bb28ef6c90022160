"""Siamese networks whose vector is the mean of a pretrained encoder's token states, and what can be shown of them.

The cosine of two means is a sum: with s_i the sum of the states of sentence i of A over its number of tokens, t_j the
same for B, and a, b the two means,

    cosine = Σ_i Σ_j s_i · t_j / (|a| |b|)

over all sentences, headings and special tokens. So each pair of sentences has an exact part in the score.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from torch import Tensor, nn

from colde.document import Document, Span
from colde.models.lora import add_low_rank
from colde.models.masked import masked_mean
from colde.models.reading import Prepared, as_float, document_tokens, framed, reading_of
from colde.models.siamese import CosineSiamese, SiameseMatcher, pad_ids, with_arrays
from colde.models.strongest import cell_evidence
from colde.similarity import Array, Encoding, Evidence, Reading, SimilarityMap
from colde.tokens import SPECIAL_TOKENS
from colde.vectors import cosines

MOST_EVIDENCE = 10

SECTION_MEANING = (
    "Sections as far as {title} read them: the cosine of the mean states of their tokens. High where two sections are "
    "about the same matter; it does not say that they share a passage."
)
SENTENCE_MEANING = (
    "Sentences as far as {title} read them, each in its context: "
    "the cosine of the mean states of their tokens."
)
CONTRIBUTION_MEANING = (
    "What each pair of sentences adds to {title}'s score, as a share of what the strongest pair adds. The score is "
    "exactly the sum over all pairs, headings included; pairs that lower it are shown as 0."
)


class MeanStates(CosineSiamese):
    """The first tokens of a document through an encoder; the vector is the mean of all token states."""

    sentences = False
    encoder: nn.Module

    @property
    @abstractmethod
    def most_tokens(self) -> int:
        """How many tokens are read, the two special ones included."""

    def reads(self) -> dict[str, Any]:
        return {"tokens": self.most_tokens}

    def prepare(self, document: Document) -> Prepared:
        """[CLS], the first word pieces of all that is compared, [SEP]."""
        return Prepared(framed(document_tokens(document).ids[: self.most_tokens - SPECIAL_TOKENS]))

    def run(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[documents, tokens], [documents, tokens] → states [documents, tokens, width]."""
        states: Tensor = self.encoder(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        return states

    def states(self, documents: Sequence[Prepared]) -> tuple[Tensor, Tensor]:
        """States [documents, tokens, width] and mask [documents, tokens]."""
        ids, mask = pad_ids([d.ids for d in documents], self.device)
        return self.run(ids, mask), mask

    def vectors(self, documents: Sequence[Prepared]) -> Tensor:
        """[documents, width], not normalised."""
        return masked_mean(*self.states(documents))


M = TypeVar("M", bound=MeanStates)


class MeanStatesMatcher(SiameseMatcher[M]):
    """Sections, sentences and the parts of the score, from the states the vector is the mean of."""

    def reading(self, document: Document, prepared: Prepared) -> Reading:
        tokens = document_tokens(document)
        return reading_of(tokens, np.arange(len(tokens)) < prepared.size - SPECIAL_TOKENS)

    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        encoding = super().encoding(document, prepared, explain)
        if not explain:
            return encoding
        tokens = document_tokens(document)
        read = prepared.size - SPECIAL_TOKENS
        starts, ends = tokens.starts[:read], tokens.ends[:read]
        states = as_float(self.network.states([prepared])[0][0, 1 : read + 1])  # [tokens read, width]
        sections, section_spans = _sums(states, tokens.section[:read], starts, ends)
        sentences, sentence_spans = _sums(states, tokens.sentence[:read], starts, ends)
        return with_arrays(
            encoding,
            sections=sections / prepared.size,
            section_spans=section_spans,
            sentences=sentences / prepared.size,
            sentence_spans=sentence_spans,
        )

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section` and `sentence` (cosines of mean states), `contribution` (parts of the score)."""
        found = {}
        for level, meaning in (("section", SECTION_MEANING), ("sentence", SENTENCE_MEANING)):
            values = cosines(a.arrays[f"{level}s"], b.arrays[f"{level}s"])
            found[level] = self._map(level, values, a, b, "cosine", meaning)
        parts = np.maximum(contributions(a, b), 0)
        strongest = parts.max(initial=0.0)
        shares = parts / strongest if strongest > 0 else parts
        found["contribution"] = self._map("sentence", shares, a, b, "attribution", CONTRIBUTION_MEANING)
        return {name: m for name, m in found.items() if m.values.size}

    def _map(
        self, level: str, values: Array, a: Encoding, b: Encoding, kind: Any, meaning: str
    ) -> SimilarityMap:
        rows, columns = (_spans(e.arrays[f"{level}_spans"]) for e in (a, b))
        return SimilarityMap(
            values.astype(np.float32), rows, columns, kind, meaning.format(title=self.card.title)
        )

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The pairs of sentences that add most to the score, each sentence once; weighed as in `contribution`."""
        parts = contributions(a, b)
        strongest = parts.max(initial=0.0)
        rows, columns = (_spans(e.arrays["sentence_spans"]) for e in (a, b))
        return cell_evidence(
            a,
            b,
            parts / strongest if strongest > 0 else parts,
            rows,
            columns,
            model=self.card.name,
            kind="adds to the score",
            most=MOST_EVIDENCE,
        )


def contributions(a: Encoding, b: Encoding) -> Array:
    """What each pair of sentences adds to the cosine: [sentences read of a, sentences read of b]."""
    scale = np.linalg.norm(a.arrays["vector"]) * np.linalg.norm(b.arrays["vector"])
    parts = a.arrays["sentences"] @ b.arrays["sentences"].T / scale
    return np.asarray(parts, dtype=np.float32)


def _sums(states: Array, group: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[Array, np.ndarray]:
    """Sums of the states of each group of neighbouring tokens, [groups, width], and its span; group −1 is left out."""
    names, first = np.unique(group, return_index=True)
    kept = names >= 0
    width = states.shape[-1]
    if not kept.any():
        return np.zeros((0, width), np.float32), np.zeros((0, 2), np.int32)
    last = len(group) - 1 - np.unique(group[::-1], return_index=True)[1]
    total = np.stack([states[group == g].sum(0) for g in names[kept]])
    return total.astype(np.float32), np.stack([starts[first[kept]], ends[last[kept]]], 1).astype(np.int32)


def _spans(pairs: np.ndarray) -> tuple[Span, ...]:
    return tuple(Span(int(start), int(end)) for start, end in pairs)


def train_only(encoder: nn.Module, parts: Iterable[nn.Module], rank: int, alpha: float) -> None:
    """Freeze everything but these parts; with a rank above 0 train updates of their linear layers instead."""
    encoder.requires_grad_(False)
    for part in parts:
        if rank:
            add_low_rank(part, rank, alpha)
        else:
            part.requires_grad_(True)
