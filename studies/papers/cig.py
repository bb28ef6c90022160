"""CIG: a graph convolution over the concepts of two documents (Liu et al. 2019; Match-Ignition's table 2).

concept graph (`concepts`) → for each concept five similarities (Sim), and [|c_a − c_b|; c_a ∘ c_b] of a siamese
convolution over its sentences (Siam) → H ← ReLU(D^-½ (A + I) D^-½ H W), twice → mean over the concepts
(→ and the five similarities of the whole texts, Sim^g) → dense, ReLU → logit
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from colde.models.shared.bi_cross_encoder import CrossEncoder, ProjectedWords
from colde.models.shared.network_input import DocumentTokens, ModelInput
from colde.results.model_score import Coverage
from colde.text.chunks import default_tokenizer
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import counts, shipped_statistics
from studies.papers.bag_similarities import SIMILARITIES
from studies.papers.concept_graph import ConceptGraph, ConceptText, concept_graph
from studies.papers.convolutions import initialise_near_identity, max_over_windows, window_mask
from studies.papers.first_tokens import ScoreOnlyCrossEncoder, embedded, pad_ids_to_minimum
from studies.papers.simnet import LEAST

WINDOW = 3
MOST_PIECES = 128  # of a concept's sentences on one side


@dataclass(frozen=True, slots=True)
class CigConfig:
    """Variants and sizes; Liu et al. 2019, 5.1, have 32 features of a siamese encoder and 16 of a graph layer."""

    sim: bool = True
    siam: bool = True
    whole: bool = False  # Sim^g
    words: int = 50
    features: int = 32
    hidden: int = 16
    layers: int = 2
    dropout: float = 0.1
    sentences: int = 64  # read from the front; bounded for time


class CigNetwork(CrossEncoder):
    """Graph of concepts → logit; the same for both orders."""

    config: CigConfig
    input_type: ClassVar[type[ModelInput]] = ConceptText
    cache_name: ClassVar[str] = "concepttext"

    def __init__(self, config: CigConfig) -> None:
        super().__init__()
        self.config = config
        size = len(SIMILARITIES) * config.sim + 2 * config.features * config.siam
        if not size:
            raise ValueError("a concept needs features: sim, siam or both")
        if config.siam:
            self.words = ProjectedWords(config.words)
            self.words.centre()
            self.convolution = nn.Conv1d(config.words, config.features, WINDOW, padding=WINDOW // 2)
            initialise_near_identity(self.convolution, config.words)
        sizes = [size, *[config.hidden] * config.layers]
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in pairwise(sizes))
        self.dropout = nn.Dropout(config.dropout)
        self.dense = nn.Linear(config.hidden + len(SIMILARITIES) * config.whole, config.hidden)
        self.out = nn.Linear(config.hidden, 1)

    def input_settings(self) -> dict[str, Any]:
        return {"sentences": self.config.sentences}

    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ConceptText:
        """Take the first sentences: their word pieces, and their words that stand in at most 15 % of documents."""
        spans = [s for _, s in document.sentences()][: self.config.sentences]
        texts = [document.text[s.start : s.end] for s in spans]
        pieces = [t.ids for t in default_tokenizer()(texts)] if texts else []
        idf = shipped_statistics().idf
        rows = counts(texts)
        words = []
        for i in range(len(texts)):
            at = slice(rows.indptr[i], rows.indptr[i + 1])
            columns = np.repeat(rows.indices[at], rows.data[at].astype(np.int64))
            words.append(columns[idf[columns] > 0])
        empty = np.zeros(0, np.int32)
        return ConceptText(
            np.concatenate([empty, *pieces]).astype(np.int32),
            np.array([len(p) for p in pieces], np.int32),
            np.concatenate([empty, *words]).astype(np.int32),
            np.array([len(w) for w in words], np.int32),
        )

    def join(self, a: ModelInput, b: ModelInput) -> ConceptGraph:
        return concept_graph(cast(ConceptText, a), cast(ConceptText, b), shipped_statistics())

    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]."""
        graphs = [cast(ConceptGraph, p) for p in pairs]
        h = self._features(graphs)
        passing = _blocks([propagation(torch.from_numpy(g.links)) for g in graphs]).to(self.device)
        for layer in self.layers:
            h = torch.relu(layer(passing @ self.dropout(h)))
        sizes = [len(g.links) for g in graphs]
        mean = torch.stack([features.mean(0) for features in torch.split(h, sizes)])
        if self.config.whole:
            mean = torch.cat([mean, _logs(np.stack([g.overall for g in graphs])).to(self.device)], 1)
        return cast(Tensor, self.out(torch.relu(self.dense(mean))).squeeze(1))

    def _features(self, graphs: Sequence[ConceptGraph]) -> Tensor:
        """What is known of each concept of each pair: [concepts, features]."""
        features = []
        if self.config.sim:
            features.append(_logs(np.concatenate([g.similarities for g in graphs])).to(self.device))
        if self.config.siam:
            a, b = (self._read([p[side] for g in graphs for p in g.pieces]) for side in (0, 1))
            features += [(a - b).abs(), a * b]
        return torch.cat(features, 1)

    def _read(self, texts: Sequence[np.ndarray]) -> Tensor:
        """The strongest windows of each text; zeros for one without words: [texts, features]."""
        ids, mask = pad_ids_to_minimum([t[:MOST_PIECES] for t in texts], self.device)
        values = torch.relu(self.convolution(embedded(self.words, ids, mask).transpose(1, 2)))
        there = mask.any(1, keepdim=True)
        return max_over_windows(values, window_mask(mask, mask.shape[1])) * there


def propagation(links: Tensor) -> Tensor:
    """D^-½ (A + I) D^-½ of a graph's links A: [concepts, concepts]."""
    with_self = links + torch.eye(len(links))
    scale = with_self.sum(1).rsqrt()
    return scale.unsqueeze(1) * with_self * scale


def _blocks(parts: Sequence[Tensor]) -> Tensor:
    """The parts on the diagonal, zero elsewhere."""
    matrix: Tensor = torch.block_diag(*parts)  # type: ignore[no-untyped-call]
    return matrix


def _logs(values: np.ndarray) -> Tensor:
    """Similarities as SimNet reads them."""
    return torch.log(torch.from_numpy(values) + LEAST) + 3


class Cig(ScoreOnlyCrossEncoder[CigNetwork]):
    """CIG as a Matcher."""

    network_class = CigNetwork
    config_class = CigConfig

    def coverage_of(self, document: Document, prepared: ConceptText) -> Coverage:
        spans = [s for _, s in document.sentences()]
        most = self.network.config.sentences
        read, rest = spans[:most], spans[most:]
        unread = (Span(rest[0].start, rest[-1].end),) if rest else ()
        return Coverage(_length(document, read), _length(document, spans), unread)


def _length(document: Document, spans: Sequence[Span]) -> int:
    """Words of some sentences."""
    return sum(len(document.text[s.start : s.end].split()) for s in spans)
