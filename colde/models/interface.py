"""Everything that the file of a new model imports; these names stay when modules move.

`colde new-model` writes a model that uses them. A model is a `Matcher`: subclass `Lexical` for a score over words, or
`WordProducts` where the score is a sum over words; `Untrained` for a model without weights, or `StoredMatcher` for one
with weights. Networks that are trained on pairs subclass `BiEncoderMatcher` or `CrossEncoderMatcher` of
`colde.models.shared.bi_cross_encoder`, which imports torch.
"""

from __future__ import annotations

from colde.explain.contribution import (
    Units,
    contribution_maps,
    default_units,
    distribute_weights,
    units_of,
    word_shares,
)
from colde.explain.level_maps import level_map
from colde.judge.calibration import Profile
from colde.models.base import Card, Matcher
from colde.models.checkpoint import read_config, read_tensors
from colde.models.lexical.word_products import Lexical, LexicalEncoding, WordProducts, lexical_encoding
from colde.models.stored_matcher import StoredMatcher, Untrained
from colde.results.encoding import Encoding, require_encoding
from colde.results.model_score import Coverage
from colde.results.pair_result import PairResult
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.similarity_map import Array, SimilarityMap
from colde.text.document import Document, Span
from colde.text.word_weights.term_weights import Counts, counts, hashed, words_of

__all__ = [
    "Array",
    "Card",
    "Counts",
    "Coverage",
    "Document",
    "Encoding",
    "Lexical",
    "LexicalEncoding",
    "Matcher",
    "OnProgress",
    "PairResult",
    "Profile",
    "Progress",
    "SimilarityMap",
    "Span",
    "Stage",
    "StoredMatcher",
    "Units",
    "Untrained",
    "WordProducts",
    "contribution_maps",
    "counts",
    "default_units",
    "distribute_weights",
    "hashed",
    "level_map",
    "lexical_encoding",
    "read_config",
    "read_tensors",
    "require_encoding",
    "units_of",
    "word_shares",
    "words_of",
]
