"""Few arrays that a score needs of an encoding, and an encoding made of them again: a sentence for each segment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from colde.models.colde.encoding import WholeEncoding
from colde.models.colde.sentences import Sentences
from colde.results.maps import Array
from colde.results.score import Coverage
from colde.text.document import Chunk, Document, Span


def condense(encoding: WholeEncoding) -> dict[str, Array]:
    """The document's vector, and keys, values and share of its segments; values are summed over their sentences."""
    assert encoding.vector is not None
    values = np.zeros((len(encoding.mass), *encoding.values.shape[1:]), dtype=np.float32)
    np.add.at(values, encoding.found.segment, encoding.values)
    return {"vector": encoding.vector, "keys": encoding.keys, "values": values, "mass": encoding.mass}


def restore(arrays: Mapping[str, Array]) -> WholeEncoding:
    """An encoding for `match(…, explain=False)`, from what `condense` gave."""
    count = len(arrays["mass"])
    numbers = np.arange(count)
    none = np.zeros(count, dtype=np.int64)
    return WholeEncoding(
        document=Document("", ()),
        coverage=Coverage(0, 0),
        vector=arrays["vector"],
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
        parts=np.zeros((0, len(arrays["vector"])), dtype=np.float32),
        values=arrays["values"],
        keys=arrays["keys"],
        mass=arrays["mass"],
        states=np.zeros((0, 0), dtype=np.float32),
    )
