"""What the vectors of an index depend on: the weights of its model and encoder, and their lengths."""

from __future__ import annotations

from colde import models as registry
from colde.assets import asset, file_hash
from colde.encoders.encoder_names import MULTILINGUAL, PACKAGED
from colde.errors import ModelError
from colde.index.index_rows import match_row, rows_of
from colde.index.index_schema import DOCUMENTS
from colde.ingest.shared.blocks import Block, assemble
from colde.models.base import Matcher

DEFAULT_MODEL = "colde_words"
SCORE_TOLERANCE = 1e-3  # between a score of two documents and the score from the stored arrays


def weights_of(name: str, encoder: str = PACKAGED) -> str:
    """SHA-256 of a model's weights, or of its encoder's if it has none, or where another encoder replaces its own.

    Of the multilingual encoder, whose weights never change, that of the network over it.
    """
    if encoder == MULTILINGUAL:
        from colde.models.colde.out_of_domain import NETWORK

        return file_hash(asset("models", MULTILINGUAL, NETWORK))
    if encoder != PACKAGED:
        from colde.encoders.encoders_by_name import encoder_weights

        return encoder_weights(encoder)
    stored = registry.stored(name)
    return stored.weights or stored.base or "none"


def dimension_of(model: Matcher) -> int:
    """Length of a model's vectors; raises `ModelError` if an index cannot keep what the score needs."""
    text = "The keeper trimmed the wick and lit the lamp. " * 4
    texts = (text, text + "Ships keep away from the rocks by its light.")
    a, b = model.encode([assemble([Block(text)], source="", format="text") for text in texts])
    if a.vector is not None and b.vector is not None and a.sections is not None and a.chunks is not None:
        score = model.match(a, b, explain=False).score
        kept = rows_of(b, model, "", "", None)[DOCUMENTS][0]
        if abs(score - match_row(a, kept, model).score) < SCORE_TOLERANCE:
            return len(a.vector)
    raise ModelError(
        f"{model.card.name} cannot be used for an index, because its score needs more than the vectors of two "
        f"documents; use {DEFAULT_MODEL}"
    )
