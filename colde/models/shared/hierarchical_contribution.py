"""Parts of a hierarchical network's document vector, by sentence.

The vector is a sum over the vectors of sentences by integrated Jacobians
(`colde.models.shared.integrated_gradients`), from sentences without words, whose vectors are zeros. The word hierarchy,
which has no sentences, is a sum over its word vectors, from zeros; those of a sentence share one derivative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from torch import Tensor

from colde.encoders.vector_math import group_sums
from colde.explain.contribution import Units
from colde.models.shared.gru_attention import Hierarchy, Level, LevelOutput
from colde.models.shared.hierarchical_network import HierarchicalNetwork, HierarchyText
from colde.models.shared.integrated_gradients import Network, VectorParts, integrated_parts
from colde.models.shared.network_input import DocumentTokens
from colde.text.word_weights.term_weights import Counts

TOLERANCE = 2e-3
"""Of the sums of parts; the score's residual is far below."""


def sentence_contributions(
    network: HierarchicalNetwork, text: HierarchyText, levels: dict[str, list[LevelOutput]]
) -> VectorParts:
    """The document's vector over its sentences: [sentences read, dimension].

    Args:
        levels: the outputs of `HierarchicalNetwork.levels` for this document alone.
    """
    parts = [_parts(network, name, text, outputs) for name, outputs in levels.items()]
    return VectorParts(
        np.concatenate([p.parts for p in parts], axis=1),
        np.concatenate([p.start for p in parts]),
        np.concatenate([p.vector for p in parts]),
    )


def sentence_token_shares(units: Units, tokens: DocumentTokens, text: HierarchyText) -> Counts:
    """How each sentence, as the network cuts them, is spread over the units: [units, sentences read]."""
    sentence = np.repeat(np.arange(len(text.sentences)), text.sentences)
    return units.share_tokens(tokens.starts[: len(text.ids)], sentence, len(text.sentences))


def _parts(
    network: HierarchicalNetwork, name: str, text: HierarchyText, outputs: Sequence[LevelOutput]
) -> VectorParts:
    hierarchy = cast(Hierarchy, network.hierarchies[name])
    levels = [cast(Level, level) for level in hierarchy.levels]
    if not len(text.sentences):
        vector = outputs[-1].vectors[0].detach().double().cpu().numpy()
        return VectorParts(np.zeros((0, len(vector))), vector, vector)
    if name != "w":
        lengths = (
            [[len(text.sentences)]] if name == "s" else [text.paragraphs.tolist(), [len(text.paragraphs)]]
        )
        upper = _upper(levels[1:], lengths)
        return integrated_parts(upper, outputs[0].vectors, attends=False, tolerance=TOLERANCE)
    sentence = np.repeat(np.arange(len(text.sentences)), text.sentences)[: network.limits.words]
    words = network.words(torch.from_numpy(text.ids[: len(sentence)]).long().to(network.device))
    upper = _upper(levels, [[len(sentence)]])
    by_word = integrated_parts(upper, words, together=sentence.tolist(), attends=False, tolerance=TOLERANCE)
    by_sentence = group_sums(by_word.parts, sentence, len(text.sentences))
    return VectorParts(by_sentence, by_word.start, by_word.vector)


def _upper(levels: Sequence[Level], lengths: Sequence[Sequence[int]]) -> Network:
    """Levels from the items of the lowest up to the document, for several documents of the same shape at once."""

    def network(items: Tensor) -> Tensor:
        vectors = items.flatten(0, 1)
        for level, of_level in zip(levels, lengths, strict=True):
            vectors = cast(Tensor, level(vectors, torch.tensor(of_level).repeat(len(items))).vectors)
        return vectors

    return network
