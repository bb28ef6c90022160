"""Contributions to the score of a hierarchical network: its document vector over sentences.

The vector is taken apart over the sentences' own vectors by integrated Jacobians
(`colde.models.shared.integrated_gradients`), from sentences without words, whose vectors the network takes for zeros.
The word hierarchy, which knows no sentences, is taken apart over its word vectors, from zeros, those of a sentence
sharing one derivative.
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
from colde.text.term_weights import Counts

TOLERANCE = 2e-3
"""Tolerance of the sums of parts; the score's residual is far below."""


def sentence_contributions(
    network: HierarchicalNetwork, text: HierarchyText, levels: dict[str, list[LevelOutput]]
) -> VectorParts:
    """The document's vector over its sentences: [sentences read, dimension].

    Args:
        levels: of this document alone, as `HierarchicalNetwork.levels` gives them.
    """
    found = [_parts(network, name, text, outputs) for name, outputs in levels.items()]
    return VectorParts(
        np.concatenate([p.parts for p in found], axis=1),
        np.concatenate([p.start for p in found]),
        np.concatenate([p.vector for p in found]),
    )


def sentence_token_shares(units: Units, tokens: DocumentTokens, text: HierarchyText) -> Counts:
    """Spread of sentences, as the network cuts them, over the units of the document: [units, sentences read]."""
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
    found = integrated_parts(
        _upper(levels, [[len(sentence)]]),
        words,
        together=sentence.tolist(),
        attends=False,
        tolerance=TOLERANCE,
    )
    summed = group_sums(found.parts, sentence, len(text.sentences))
    return VectorParts(summed, found.start, found.vector)


def _upper(levels: Sequence[Level], lengths: Sequence[Sequence[int]]) -> Network:
    """Levels from the items of the lowest up to the document, for several documents of the same shape at once."""

    def network(items: Tensor) -> Tensor:
        copies = len(items)
        found = items.flatten(0, 1)
        for level, own in zip(levels, lengths, strict=True):
            found = cast(Tensor, level(found, torch.tensor(own).repeat(copies)).vectors)
        return found

    return network
