"""Baselines that are trained on pairs: two kinds of network, and the matcher around each.

A bi-encoder gives each document one vector, or several, and compares two documents by them; a cross-encoder reads both
documents at once.
A baseline’s file holds its config, its network and a small subclass of `BiEncoderMatcher` or `CrossEncoderMatcher`;
`colde.training.pair_training` trains all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, embedding

from colde.encoders.cancellation import interruptible
from colde.errors import CheckpointError
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.multi_vectors import V
from colde.models.shared.network_input import (
    DocumentTokens,
    InputEncoding,
    ModelInput,
    VectorEncoding,
    as_float,
)
from colde.results.encoding import Encoding, require_encoding
from colde.results.match import Match
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.chunks import packaged_encoder
from colde.text.document import Document

MAX_LOG_SCALE = 5.0  # of a cosine in a logit, at the start


class BaselineNetwork(nn.Module, ABC):
    """Both kinds of network, as training and the matchers see them.

    Parameters that must not be trained have `requires_grad=False` and are not saved: they must come out the same
    whenever the network is built from its config.
    """

    config: Any  # a frozen dataclass of plain values
    kind: ClassVar[type[ModelInput]] = ModelInput  # what `prepare` returns
    sentences: ClassVar[bool] = True  # False: `prepare` looks at no sentences, and they need not be split
    cache_name: ClassVar[str] = (
        ""  # networks of one name whose `input_settings` are equal share the documents that are kept
    )

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def input_settings(self) -> dict[str, Any]:
        """The settings that `prepare` depends on: prepared documents are kept under them."""
        return asdict(self.config)

    @classmethod
    def translate_names(cls, tensors: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
        """Tensors of the model it begins from under its own names; by default they are the same."""
        return tensors

    @abstractmethod
    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        """Turn a document into what the network reads: int32 arrays; the same for the same text.

        Args:
            tokens: `document_tokens(document)`, where they are known already.
        """


class BiEncoder(BaselineNetwork, Generic[V]):
    """A network with vectors for each document alone, and a score from the vectors of two.

    `BiEncoder[Tensor]` has one vector a document, `BiEncoder[MultiVectors]` several.
    """

    @abstractmethod
    def vectors(self, documents: Sequence[ModelInput]) -> V:
        """[documents, d], or `MultiVectors`, on the network's device; padding changes nothing."""

    @abstractmethod
    def pair_logits(self, a: V, b: V) -> Tensor:
        """Compare row by row → logits [pairs], for training; padding changes nothing."""

    @abstractmethod
    def score(self, a: V, b: V) -> Tensor:
        """Compare row by row → [pairs], on the scale of `Card.score_kind`."""

    @abstractmethod
    def init_from_data(self, vectors: V, pairs: Tensor) -> None:
        """Set what compares two documents so that logits of untrained ones have mean 0 and deviation 1.

        Args:
            vectors: of some documents; pairs: [pairs, 2], positions among them.
        """


class ScaledBiEncoder(BiEncoder[V]):
    """The logit is e^a · score + b, a and b learned: a raw cosine in a cross-entropy needs a scale."""

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(2.0))
        self.offset = nn.Parameter(torch.tensor(-2.0))

    def pair_logits(self, a: V, b: V) -> Tensor:
        return self.log_scale.exp() * self.score(a, b) + self.offset

    @torch.no_grad()
    def init_from_data(self, vectors: V, pairs: Tensor) -> None:
        """Scale (e^5 at most) and offset.

        Untrained networks give cosines of .9 and more; Adam moves an offset by no more than the learning rate a step,
        so that hundreds of steps would pass before the vectors learn.
        """
        scores = self.score(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        self.log_scale.copy_((1 / scores.std().clamp(min=1e-6)).log().clamp(max=MAX_LOG_SCALE))
        self.offset.copy_(-self.log_scale.exp() * scores.mean())


class CosineBiEncoder(ScaledBiEncoder[Tensor]):
    """One vector a document; the score is the cosine."""

    def score(self, a: Tensor, b: Tensor) -> Tensor:
        return cosine_similarity(a, b, dim=-1).clamp(-1.0, 1.0)


class CrossEncoder(BaselineNetwork):
    """A network with a logit for two documents that are read together."""

    @abstractmethod
    def join(self, a: ModelInput, b: ModelInput) -> ModelInput:
        """Put two documents into one input, a first."""

    @abstractmethod
    def logits(self, pairs: Sequence[ModelInput]) -> Tensor:
        """[pairs]; padding changes nothing."""


class ProjectedWords(nn.Module):
    """The packaged encoder's 30,522 × 384 word vectors, frozen, behind a learned projection to `size`."""

    table: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("table", word_table(), persistent=False)
        self.project = nn.Linear(self.table.shape[1], size)

    @torch.no_grad()
    def centre(self) -> None:
        """Begin with projections of mean 0 and deviation 1: the table's numbers are small and have much in common."""
        scale = float((self.table - self.table.mean(0)).std())
        self.project.weight.normal_(std=1 / (scale * self.table.shape[1] ** 0.5))
        self.project.bias.copy_(-(self.project.weight @ self.table.mean(0)))

    def forward(self, ids: Tensor) -> Tensor:
        """[...] → [..., size]."""
        return cast(Tensor, self.project(embedding(ids, self.table)))


@lru_cache(maxsize=1)
def word_table() -> Tensor:
    """Word vectors of the packaged encoder, one tensor for all networks: [30,522, 384]."""
    from safetensors import safe_open

    from colde.assets import WEIGHTS

    with safe_open(packaged_encoder() / WEIGHTS, framework="pt") as weights:
        return cast(Tensor, weights.get_tensor("embeddings.word_embeddings.weight").float())


def pad_token_ids(rows: Sequence[np.ndarray], device: torch.device, value: int = 0) -> tuple[Tensor, Tensor]:
    """int arrays [items_i] → ids [batch, items] (int64) and mask [batch, items] (bool)."""
    ids = nn.utils.rnn.pad_sequence(
        [torch.from_numpy(r).long() for r in rows], batch_first=True, padding_value=value
    )
    lengths = torch.tensor([len(r) for r in rows])
    return ids.to(device), (torch.arange(ids.shape[1]) < lengths.unsqueeze(1)).to(device)


def checkpoint_tensors(network: nn.Module) -> dict[str, Tensor]:
    """Tensors of a checkpoint: parameters that are trained, and kept buffers of numbers."""
    frozen = {name for name, p in network.named_parameters() if not p.requires_grad}
    return {
        name: value.detach()
        for name, value in network.state_dict().items()
        if name not in frozen and value.is_floating_point()
    }


def load_checkpoint_tensors(network: nn.Module, tensors: Mapping[str, Tensor], folder: Path) -> None:
    """Fill a network made from its config; raises CheckpointError where the tensors are not all of it."""
    expected = checkpoint_tensors(network)
    shapes = {k: v.shape for k, v in expected.items()}
    if {k: v.shape for k, v in tensors.items()} != shapes:
        raise CheckpointError(f"{folder}: the weights are not those of this network; train again")
    network.load_state_dict(dict(tensors), strict=False)


N = TypeVar("N", bound=BaselineNetwork)


class BaselineMatcher(ABC, Generic[N]):
    """Loading, saving and counting; a subclass encodes documents and matches encodings."""

    def __init__(
        self,
        network: N,
        *,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.network = interruptible(network.eval())
        self.card = card
        self.profiles: Mapping[str, Profile] = profiles or {}
        self.training: Mapping[str, Any] = training or {}

    @classmethod
    @abstractmethod
    def build(cls, settings: Mapping[str, Any]) -> N:
        """The network from the fields of its config."""

    @classmethod
    def load(cls, folder: Path, card: Card) -> Self:
        stored = read_config(folder)
        try:
            network = cls.build(stored.settings)
        except TypeError as error:
            raise CheckpointError(f"{folder}: not a config of {card.name} ({error}); train again") from None
        load_checkpoint_tensors(network, read_tensors(folder), folder)
        return cls(network, card=card, profiles=stored.profiles, training=stored.training)

    def save(self, folder: Path) -> None:
        write_checkpoint(
            folder,
            name=self.card.name,
            settings=asdict(self.network.config),
            tensors=checkpoint_tensors(self.network),
            profiles=self.profiles,
            parameters=self.parameters,
            training=self.training,
        )

    @property
    def parameters(self) -> int:
        """Parameters, and the frozen word table where there is one."""
        tables = sum(m.table.numel() for m in self.network.modules() if isinstance(m, ProjectedWords))
        return sum(p.numel() for p in self.network.parameters()) + tables

    @torch.inference_mode()
    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """One document at a time, so that none depends on another."""
        found: list[Encoding] = []
        for done, document in enumerate(documents, 1):
            found.append(self.encoding(document, explain))
            if on_progress is not None:
                on_progress(Progress(Stage.DOCUMENTS, done, len(documents)))
        return found

    @abstractmethod
    def encoding(self, document: Document, explain: bool) -> Encoding:
        """Encode one document: read it once, run the network over it once."""

    @abstractmethod
    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score a pair, and with `explain` give the model's maps and the passages that carry the score."""


S = TypeVar("S", bound=BiEncoder[Tensor])
C = TypeVar("C", bound=CrossEncoder)
P = TypeVar("P")
"""Results of a cross-encoder's pass over a pair, kept for its explanation."""
Explanation = tuple[dict[str, SimilarityMap], list[Match]]
"""Every map a model declares, and its evidence, best first."""


class BiEncoderMatcher(BaselineMatcher[S]):
    """A matcher around a bi-encoder with one vector a document."""

    @torch.inference_mode()
    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        left, right = (torch.from_numpy(raw_vector(e)).to(self.network.device)[None] for e in (a, b))
        score = float(self.network.score(left, right)[0])
        maps, evidence = self.explanation(a, b, score) if explain else ({}, [])
        return PairResult(score, a.coverage, b.coverage, maps, tuple(evidence))

    @abstractmethod
    def explanation(self, a: Encoding, b: Encoding, score: float) -> Explanation:
        """Maps and evidence from two encodings made with `explain`, and the score of the pair."""


class CrossEncoderMatcher(BaselineMatcher[C], Generic[C, P]):
    """A matcher around a cross-encoder: encoding only prepares, matching does the work.

    A cross-encoder's logit depends on which document comes first. The score is the mean probability of both orders,
    which go through the network together.
    """

    @torch.inference_mode()
    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        logits, run = self.run(a, b, explain)
        score = float(np.mean(as_float(logits.sigmoid()), dtype=np.float64))
        if run is None:
            return PairResult(score, a.coverage, b.coverage)
        maps, evidence = self.explanation(a, b, run, score) if explain else ({}, [])
        return PairResult(score, *self.coverage(a, b, run), maps, tuple(evidence))

    def coverage(self, a: Encoding, b: Encoding, run: P) -> tuple[Coverage, Coverage]:
        """Coverage of both documents; the encodings' own, unless it depends on the pair."""
        return a.coverage, b.coverage

    @abstractmethod
    def run(self, a: Encoding, b: Encoding, explain: bool) -> tuple[Tensor, P | None]:
        """Run the network once over both orders: logits [2], and with `explain` what the explanation needs."""

    @abstractmethod
    def explanation(self, a: Encoding, b: Encoding, run: P, score: float) -> Explanation:
        """Maps and evidence from that pass, and the score of the pair."""


def raw_vector(encoding: Encoding) -> Array:
    """A document's vector as the network gave it, not normalised: [d]."""
    return require_encoding(encoding, VectorEncoding).raw


def input_of(encoding: Encoding) -> ModelInput:
    """The network's input for an encoded document."""
    return require_encoding(encoding, InputEncoding).prepared
