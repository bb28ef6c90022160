"""What the trained rivals have in common: two kinds of network, and the matcher around each.

A siamese network gives each document one vector and judges two vectors; a cross-encoder reads both documents at once.
A rival's file holds its config, its network and a small subclass of `SiameseMatcher` or `CrossMatcher`; training is
`colde.training.pairwise` for all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity, embedding

from colde.document import Document
from colde.errors import CheckpointError
from colde.models.base import Card, OnProgress, Profile, Progress
from colde.models.checkpoint import read_config, read_tensors, write_checkpoint
from colde.models.reading import Prepared, ReadEncoding, as_float
from colde.similarity import Encoding, Evidence, Reading, SimilarityMap
from colde.tokens import packaged_encoder
from colde.vectors import normalised

MOST_LOG_SCALE = 5.0  # of a cosine in a logit, at the start


class Rival(nn.Module, ABC):
    """What training and the matchers ask of both kinds of network.

    What must not be trained has `requires_grad=False` and is not saved: it must come out the same whenever the network
    is built from its config.
    """

    config: Any  # a frozen dataclass of plain values
    kind: ClassVar[type[Prepared]] = Prepared  # what `prepare` returns
    sentences: ClassVar[bool] = True  # False: `prepare` looks at no sentences, and they need not be split

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def reads(self) -> dict[str, Any]:
        """The settings that `prepare` depends on: prepared documents are kept under them."""
        return asdict(self.config)

    @abstractmethod
    def prepare(self, document: Document) -> Prepared:
        """What the network reads of a document: int32 arrays; the same for the same text."""


class Siamese(Rival):
    """A vector for each document, and a verdict on two vectors."""

    @abstractmethod
    def vectors(self, documents: Sequence[Prepared]) -> Tensor:
        """[documents, d], on the network's device; padding changes nothing."""

    @abstractmethod
    def judge(self, a: Tensor, b: Tensor) -> Tensor:
        """[pairs, d], [pairs, d] → logits [pairs]: what training works on."""

    @abstractmethod
    def score(self, a: Tensor, b: Tensor) -> Tensor:
        """[pairs, d], [pairs, d] → [pairs], on the scale of `Card.score_kind`."""

    @abstractmethod
    def begin(self, vectors: Tensor, pairs: Tensor) -> None:
        """Set what judges two vectors so that logits of untrained ones have mean 0 and deviation 1.

        Args:
            vectors: [documents, d]; pairs: [pairs, 2], positions among them.
        """


class CosineSiamese(Siamese):
    """The score is the cosine; the logit e^a · cosine + b, a and b learned (a raw cosine in a cross-entropy needs a
    scale)."""

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(2.0))
        self.offset = nn.Parameter(torch.tensor(-2.0))

    def judge(self, a: Tensor, b: Tensor) -> Tensor:
        return self.log_scale.exp() * self.score(a, b) + self.offset

    @torch.no_grad()
    def begin(self, vectors: Tensor, pairs: Tensor) -> None:
        """Scale (e^5 at most) and offset.

        Untrained networks give cosines of .9 and more; Adam moves an offset by no more than the learning rate a step,
        so that hundreds of steps would pass before the vectors learn.
        """
        cosines = self.score(vectors[pairs[:, 0]], vectors[pairs[:, 1]])
        self.log_scale.copy_((1 / cosines.std().clamp(min=1e-6)).log().clamp(max=MOST_LOG_SCALE))
        self.offset.copy_(-self.log_scale.exp() * cosines.mean())

    def score(self, a: Tensor, b: Tensor) -> Tensor:
        return cosine_similarity(a, b, dim=-1).clamp(-1.0, 1.0)


class Cross(Rival):
    """A logit for two documents that are read together."""

    @abstractmethod
    def join(self, a: Prepared, b: Prepared) -> Prepared:
        """What is read of a pair."""

    @abstractmethod
    def logits(self, pairs: Sequence[Prepared]) -> Tensor:
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
    """Word vectors of the packaged encoder, the same tensor for all: [30,522, 384]."""
    from safetensors import safe_open

    from colde.assets import WEIGHTS

    with safe_open(packaged_encoder() / WEIGHTS, framework="pt") as weights:
        return cast(Tensor, weights.get_tensor("embeddings.word_embeddings.weight").float())


def pad_ids(rows: Sequence[np.ndarray], device: torch.device, value: int = 0) -> tuple[Tensor, Tensor]:
    """int arrays [items_i] → ids [batch, items] (int64) and mask [batch, items] (bool)."""
    ids = nn.utils.rnn.pad_sequence(
        [torch.from_numpy(r).long() for r in rows], batch_first=True, padding_value=value
    )
    lengths = torch.tensor([len(r) for r in rows])
    return ids.to(device), (torch.arange(ids.shape[1]) < lengths.unsqueeze(1)).to(device)


def stored_tensors(network: nn.Module) -> dict[str, Tensor]:
    """What a checkpoint holds: parameters that are trained, and kept buffers of numbers."""
    frozen = {name for name, p in network.named_parameters() if not p.requires_grad}
    return {
        name: value.detach()
        for name, value in network.state_dict().items()
        if name not in frozen and value.is_floating_point()
    }


def load_stored(network: nn.Module, tensors: Mapping[str, Tensor], folder: Path) -> None:
    """Fill a network made from its config; raises CheckpointError where the tensors are not all of it."""
    expected = stored_tensors(network)
    shapes = {k: v.shape for k, v in expected.items()}
    if {k: v.shape for k, v in tensors.items()} != shapes:
        raise CheckpointError(f"{folder}: the weights are not those of this network; train again")
    network.load_state_dict(dict(tensors), strict=False)


N = TypeVar("N", bound=Rival)


class RivalMatcher(ABC, Generic[N]):
    """Loading, saving and counting, the same for all; what is left is what a model shows."""

    def __init__(
        self,
        network: N,
        *,
        card: Card,
        profiles: Mapping[str, Profile] | None = None,
        training: Mapping[str, Any] | None = None,
    ) -> None:
        self.network = network.eval()
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
        load_stored(network, read_tensors(folder), folder)
        return cls(network, card=card, profiles=stored.profiles, training=stored.training)

    def save(self, folder: Path) -> None:
        write_checkpoint(
            folder,
            name=self.card.name,
            settings=asdict(self.network.config),
            tensors=stored_tensors(self.network),
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
            prepared = self.network.prepare(document)
            found.append(self.encoding(document, prepared, explain))
            if on_progress is not None:
                on_progress(Progress("documents", done, len(documents)))
        return found

    @abstractmethod
    def reading(self, document: Document, prepared: Prepared) -> Reading:
        """How much of the text went in (`colde.models.reading.reading_of`)."""

    @abstractmethod
    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        """What is known of a document; a subclass adds what its maps need."""

    @abstractmethod
    def compare(self, a: Encoding, b: Encoding) -> float:
        """The score of a pair."""

    @abstractmethod
    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """What the model itself knows of the pair."""

    @abstractmethod
    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """Passages that carry the score, best first."""


S = TypeVar("S", bound=Siamese)
C = TypeVar("C", bound=Cross)


class SiameseMatcher(RivalMatcher[S]):
    """A matcher around a siamese network."""

    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        vector = as_float(self.network.vectors([prepared])[0])
        return ReadEncoding(
            document=document,
            reading=self.reading(document, prepared),
            vector=normalised(vector),
            arrays={"vector": vector},
            prepared=prepared,
        )

    @torch.inference_mode()
    def compare(self, a: Encoding, b: Encoding) -> float:
        left, right = (torch.from_numpy(e.arrays["vector"]).to(self.network.device)[None] for e in (a, b))
        return float(self.network.score(left, right)[0])


class CrossMatcher(RivalMatcher[C]):
    """A matcher around a cross-encoder: encoding only prepares, comparing does the work."""

    def encoding(self, document: Document, prepared: Prepared, explain: bool) -> Encoding:
        return ReadEncoding(document=document, reading=self.reading(document, prepared), prepared=prepared)

    @torch.inference_mode()
    def compare(self, a: Encoding, b: Encoding) -> float:
        """The probability; where the card says symmetric, the mean of both orders."""
        first, second = prepared_of(a), prepared_of(b)
        pairs = [self.network.join(first, second)]
        if self.card.symmetric:
            pairs.append(self.network.join(second, first))
        return float(np.mean([float(self.network.logits([p]).sigmoid()[0]) for p in pairs]))


def prepared_of(encoding: Encoding) -> Prepared:
    """What the network read of an encoded document."""
    assert isinstance(encoding, ReadEncoding) and encoding.prepared is not None
    return encoding.prepared


def with_arrays(encoding: Encoding, **arrays: Any) -> Encoding:
    """The same encoding with further arrays."""
    return replace(encoding, arrays={**encoding.arrays, **arrays})
