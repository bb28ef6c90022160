"""The few arrays that a score needs of an encoding, and an encoding made of them again: a sentence for each segment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from colde.encoders.sentence_layout import Sentences
from colde.models.colde.document_encoding import ColdeEncoding
from colde.models.colde.network import ColdeNetwork
from colde.models.stored_arrays import checked_numbers
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Chunk, Document, Span


def condense(encoding: ColdeEncoding) -> dict[str, Array]:
    """The document's vector, states of its segments in half precision, and their shares.

    Keys and values are made of the states again: a collection holds .8 kB a segment instead of 3.
    """
    assert encoding.vector is not None
    states: Any = encoding.states.astype(np.float16)
    return {"vector": encoding.vector, "states": states, "mass": encoding.mass}


@torch.inference_mode()
def restore(network: ColdeNetwork, arrays: Mapping[str, Array]) -> ColdeEncoding:
    """An encoding for `match(…, explain=False)`, from what `condense` gave.

    Raises:
        ValueError: an array is missing or damaged.
    """
    vector = checked_numbers(arrays, "vector", network.config.projection)
    mass = checked_numbers(arrays, "mass", None)
    count = len(mass)
    states = checked_numbers(arrays, "states", count, network.config.width)
    if mass.min(initial=0) < 0:
        raise ValueError("mass holds a negative share")
    numbers = np.arange(count)
    none = np.zeros(count, dtype=np.int64)
    x = network.center_and_scale(torch.from_numpy(states)).unsqueeze(0)
    side = network.attention_input(x, torch.from_numpy(mass).unsqueeze(0))
    self_similarity_root = network.attention.self_similarity_root(side)[0] if count else torch.ones(())
    return ColdeEncoding(
        document=Document("", ()),
        coverage=Coverage(0, 0),
        vector=vector,
        chunk_spans=tuple(Chunk(0, 0, 0, 0) for _ in range(count)),
        found=Sentences(
            spans=tuple(Span(0, 0) for _ in range(count)),
            ids=(),
            tokens=none,
            section=none,
            chunk=numbers,
            part=none,
            place=numbers,
            source=none,
            segment=numbers,
            segment_chunk=numbers,
        ),
        parts=np.zeros((0, len(vector)), dtype=np.float32),
        values=np.asarray((side.values[0] / self_similarity_root).numpy(), dtype=np.float32),
        keys=np.asarray(side.keys[0].numpy(), dtype=np.float32),
        mass=mass,
        states=states,
    )
