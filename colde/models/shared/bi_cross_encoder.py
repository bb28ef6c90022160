"""Baselines that are trained on pairs: two kinds of network, and the matcher around each.

A bi-encoder gives each document a vector and compares two documents by these; a cross-encoder reads both documents at
once. A baseline's file holds its config, its network and a small subclass of `BiEncoderMatcher` or
`CrossEncoderMatcher`; `colde.training.pair_networks.pair_training` trains all of them.
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

from colde.assets import packaged_encoder
from colde.encoders.cancellation import interruptible
from colde.errors import CheckpointError
from colde.judge.calibration import Profile
from colde.models.base import Card
from colde.models.checkpoint import build_config, read_config, read_tensors
from colde.models.shared.network_input import (
    DocumentTokens,
    InputEncoding,
    ModelInput,
    VectorEncoding,
    as_float,
)
from colde.models.stored_matcher import StoredMatcher
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document

MAX_LOG_SCALE = 5.0  # of a cosine in a logit, at the start


class BaselineNetwork(nn.Module, ABC):
    """Base of both kinds of network.

    Parameters that must not be trained have `requires_grad=False` and are not saved: they must be the same whenever the
    network is built from its config.

    Attributes:
        config: a frozen dataclass of plain values.
        input_type: that `prepare` returns.
        sentences: whether `prepare` needs the document's sentences; False saves splitting them.
        cache_name: networks of one name whose `input_settings` are equal share their cached documents.
    """

    config: Any
    input_type: ClassVar[type[ModelInput]] = ModelInput
    sentences: ClassVar[bool] = True
    cache_name: ClassVar[str] = ""

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def input_settings(self) -> dict[str, Any]:
        """The settings that `prepare` depends on; they are part of the key of cached documents."""
        return asdict(self.config)

    @classmethod
    def translate_names(cls, tensors: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
        """Tensors of the model that training starts from, under the names of this network; by default unchanged."""
        return tensors

    @abstractmethod
    def prepare(self, document: Document, tokens: DocumentTokens | None = None) -> ModelInput:
        """Turn a document into the network's input, int32 arrays that depend on the text alone.

        Args:
            tokens: `document_tokens(document)`, where they are known already.
        """


class BiEncoder(BaselineNetwork):
    """A network that gives each document a vector of its own, and a score from the vectors of two."""

    @abstractmethod
    def vectors(self, documents: Sequence[ModelInput]) -> Tensor:
        """[documents, d], on the network's device; padding changes nothing."""

    @abstractmethod
    def pair_logits(self, a: Tensor, b: Tensor) -> Tensor:
        """Compare row by row → logits [pairs], for training; padding changes nothing."""

    @abstractmethod
    def score(self, a: Tensor, b: Tensor) -> Tensor:
        """Compare row by row → [pairs], on the scale of `Card.score_kind`."""

    @abstractmethod
    def init_from_data(self, vectors: Tensor, pairs: Tensor) -> None:
        """Initialise what compares two vectors, so that untrained logits have mean 0 and standard deviation 1.

        Args:
            vectors: [documents, d].
            pairs: [pairs, 2], rows of `vectors`.
        """


class CosineBiEncoder(BiEncoder):
    """A bi-encoder that scores by cosine. The logit is e^a · cosine + b; a and b are learned."""

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(2.0))
        self.offset = nn.Parameter(torch.tensor(-2.0))

    def score(self, a: Tensor, b: Tensor) -> Tensor:
        return cosine_similarity(a, b, dim=-1).clamp(-1.0, 1.0)

    def pair_logits(self, a: Tensor, b: Tensor) -> Tensor:
        return self.log_scale.exp() * self.score(a, b) + self.offset

    @torch.no_grad()
    def init_from_data(self, vectors: Tensor, pairs: Tensor) -> None:
        """Initialise scale (e^5 at most) and offset.

        Untrained networks give cosines above 0.9, and Adam moves an offset by at most the learning rate per step:
        without this, hundreds of steps would pass before the vectors learn.
        """
        scores = self.score(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        self.log_scale.copy_((1 / scores.std().clamp(min=1e-6)).log().clamp(max=MAX_LOG_SCALE))
        self.offset.copy_(-self.log_scale.exp() * scores.mean())


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
        """Initialise so that projections have mean 0 and standard deviation 1: the table has a large common part."""
        mean, scale = word_statistics()
        self.project.weight.normal_(std=1 / (scale * self.table.shape[1] ** 0.5))
        self.project.bias.copy_(-(self.project.weight @ mean))

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


@lru_cache(maxsize=1)
def word_statistics() -> tuple[Tensor, float]:
    """The mean of the word table, [384], and the standard deviation around it."""
    table = word_table()
    mean = table.mean(0)
    return mean, float((table - mean).std())


def pad_token_ids(rows: Sequence[np.ndarray], device: torch.device, value: int = 0) -> tuple[Tensor, Tensor]:
    """int arrays [items_i] → ids [batch, items] (int64) and mask [batch, items] (bool)."""
    ids = nn.utils.rnn.pad_sequence(
        [torch.from_numpy(r).long() for r in rows], batch_first=True, padding_value=value
    )
    lengths = torch.tensor([len(r) for r in rows])
    return ids.to(device), (torch.arange(ids.shape[1]) < lengths.unsqueeze(1)).to(device)


def checkpoint_tensors(network: nn.Module) -> dict[str, Tensor]:
    """Tensors of a checkpoint: parameters that are trained, and persistent buffers."""
    frozen = {name for name, p in network.named_parameters() if not p.requires_grad}
    return {
        name: value.detach()
        for name, value in network.state_dict().items()
        if name not in frozen and value.is_floating_point()
    }


def load_checkpoint_tensors(network: nn.Module, tensors: Mapping[str, Tensor], folder: Path) -> None:
    """Fill a network made from its config.

    Raises:
        CheckpointError: names or shapes of the tensors are not those of the network.
    """
    expected = checkpoint_tensors(network)
    shapes = {k: v.shape for k, v in expected.items()}
    if {k: v.shape for k, v in tensors.items()} != shapes:
        raise CheckpointError(f"{folder}: the weights are not those of this network; train again")
    network.load_state_dict(dict(tensors), strict=False)


N = TypeVar("N", bound=BaselineNetwork)
S = TypeVar("S", bound=BiEncoder)
C = TypeVar("C", bound=CrossEncoder)
P = TypeVar("P")
"""Results of a cross-encoder's pass over a pair, kept for its explanation."""


class BaselineMatcher(StoredMatcher, Generic[N]):
    """Building, loading and saving a network; a subclass encodes documents and matches encodings.

    Attributes:
        network_class, config_class: of the network, which is made from its config.
    """

    network_class: ClassVar[type[Any]]
    config_class: ClassVar[type[Any]]

    def __init__(
        self,
        network: N,
        *,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(card, profiles, training)
        self.network = interruptible(network.eval())

    @classmethod
    def build(cls, settings: Mapping[str, Any]) -> N:
        """The untrained network from the fields of its config; lists become tuples."""
        return cast(N, cls.network_class(build_config(cls.config_class, settings, "settings")))

    @classmethod
    def load(cls, folder: Path, card: Card) -> Self:
        stored = read_config(folder)
        network: N = cls.build(stored.settings)
        load_checkpoint_tensors(network, read_tensors(folder), folder)
        return cls(network, card=card, profiles=stored.profiles, training=stored.training)

    def settings(self) -> Mapping[str, Any]:
        return asdict(self.network.config)

    def tensors(self) -> Mapping[str, Tensor]:
        return checkpoint_tensors(self.network)

    @property
    def parameters(self) -> int:
        """Number of parameters, and of the numbers in the frozen word table where there is one."""
        tables = sum(m.table.numel() for m in self.network.modules() if isinstance(m, ProjectedWords))
        return sum(p.numel() for p in self.network.parameters()) + tables

    @torch.inference_mode()
    def encode(
        self, documents: Sequence[Document], *, explain: bool = True, on_progress: OnProgress | None = None
    ) -> list[Encoding]:
        """Encode one document at a time, so that none depends on another."""
        encodings: list[Encoding] = []
        for done, document in enumerate(documents, 1):
            encodings.append(self.encoding(document, explain))
            if on_progress is not None:
                on_progress(Progress(Stage.DOCUMENTS, done, len(documents)))
        return encodings

    @abstractmethod
    def encoding(self, document: Document, explain: bool) -> Encoding:
        """Encode one document, in one pass of the network."""

    @abstractmethod
    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score a pair; with `explain` also the model's maps."""


class BiEncoderMatcher(BaselineMatcher[S]):
    """A matcher around a bi-encoder."""

    @torch.inference_mode()
    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        left, right = (torch.from_numpy(raw_vector(e)).to(self.network.device)[None] for e in (a, b))
        score = float(self.network.score(left, right)[0])
        return PairResult(score, a.coverage, b.coverage, self.explanation(a, b, score) if explain else {})

    @abstractmethod
    def explanation(self, a: Encoding, b: Encoding, score: float) -> dict[str, SimilarityMap]:
        """Every map that the model declares, from two encodings made with `explain`, and the score of the pair."""


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
        maps = self.explanation(a, b, run, score) if explain else {}
        return PairResult(score, *self.coverage(a, b, run), maps)

    def coverage(self, a: Encoding, b: Encoding, run: P) -> tuple[Coverage, Coverage]:
        """Coverage of both documents: that of their encodings, unless it depends on the pair."""
        return a.coverage, b.coverage

    @abstractmethod
    def run(self, a: Encoding, b: Encoding, explain: bool) -> tuple[Tensor, P | None]:
        """Run the network once over both orders: logits [2], and with `explain` the results that it needs."""

    @abstractmethod
    def explanation(self, a: Encoding, b: Encoding, run: P, score: float) -> dict[str, SimilarityMap]:
        """Every map that the model declares, from the results of that pass, and the score of the pair."""


def raw_vector(encoding: Encoding) -> Array:
    """A document's vector as the network computes it, not normalised: [d]."""
    return require_encoding(encoding, VectorEncoding).raw


def input_of(encoding: Encoding) -> ModelInput:
    """The network's input for an encoded document."""
    return require_encoding(encoding, InputEncoding).prepared
