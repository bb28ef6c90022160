"""The channels of CoLDE + words, and the features of both documents, for pairs of many kinds.

    python -m studies.verdicts.pair_channels DOCUMENTS PAIRS runs/verdicts/channels.jsonl

The first two files come from `collect_pairs`. Each document is prepared alone, as for an index, and encoded once. The
output has a line for each pair; a run that was stopped goes on. `vectors` is the cosine of document vectors.
`attention` and `trained` are CoLDE's attention score with the identity and with the trained projection. `nearness` is
the sum of both documents' log-odds of their most likely trained kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from colde import ingest, models
from colde.judge.kind_detector import DocumentKindDetector, compared_text
from colde.models.colde.document_encoding import ColdeEncoding, encoding_of_segments
from colde.models.colde.out_of_domain import untrained_view
from colde.models.colde.pair_attention import attend_pair
from colde.models.colde_words import ColdeWords
from colde.models.colde_words.mixture_matcher import ColdeWordsEncoding
from colde.models.colde_words.tfidf_centre import NO_CENTRE
from colde.results.encoding import require_encoding
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.sections.parts_without_headings import split_into_parts
from studies.arguments import command_line
from studies.tables import append_line, read_json, read_lines

FARTHEST = 8.0
"""Log-odds to which those of a kind are clipped."""
IN_MEMORY = 2_000


class PairChannels:
    """Computes the channels of pairs of texts.

    Args:
        texts: by id.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        model = models.load("colde_words")
        assert isinstance(model, ColdeWords)
        self._texts, self._model = texts, model
        self._view = untrained_view(model.colde.network, vector_share=0.0)
        self._detector = DocumentKindDetector.load()
        self._encoded = lru_cache(IN_MEMORY)(self._encode)

    def _encode(self, name: str) -> tuple[ColdeWordsEncoding, ColdeEncoding, int, float]:
        """The encoding by the trained network and by the identity, the words, and the nearness to a trained kind."""
        document = split_into_parts(prepare_for_comparison(ingest.read_text(self._texts[name])))
        (encoding,) = self._model.encode([document], explain=False)
        trained = require_encoding(encoding, ColdeWordsEncoding)
        untrained = encoding_of_segments(self._view, trained.states, trained.mass)
        detector = self._detector
        scores = detector.weights @ detector.features(compared_text(document)) + detector.bias
        nearness = float((detector.slope * scores + detector.offset).max())
        return trained, untrained, document.words(), float(np.clip(nearness, -FARTHEST, FARTHEST))

    def channels(self, a: str, b: str) -> dict[str, Any]:
        """All channels and features of a pair."""
        one, other = self._encoded(a), self._encoded(b)
        means = [e[1].mass @ e[1].segment_values for e in (one, other)]
        vectors = [mean / max(float(np.linalg.norm(mean)), 1e-12) for mean in means]
        return {
            "attention": attend_pair(self._view, one[1], other[1]).score,
            "trained": attend_pair(self._model.colde.network, one[0], other[0]).score,
            "vectors": float(vectors[0] @ vectors[1]),
            "tfidf": NO_CENTRE.score(one[0].words, other[0].words) or 0.0,
            "words": [one[2], other[2]],
            "self_similarity": [one[1].self_similarity, other[1].self_similarity],
            "nearness": one[3] + other[3],
        }


def main() -> None:
    parser = command_line(__doc__)
    for name in ("documents", "pairs", "channels"):
        parser.add_argument(name, type=Path)
    options = parser.parse_args()
    known = {(line["a"], line["b"]) for line in read_lines(options.channels)}
    computed = PairChannels(read_json(options.documents, {}))
    for pair in json.loads(options.pairs.read_text(encoding="utf-8")):
        if (pair["a"], pair["b"]) not in known:
            append_line(options.channels, {**pair, **computed.channels(pair["a"], pair["b"])})


if __name__ == "__main__":
    main()
