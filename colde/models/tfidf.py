"""TF-IDF: the cosine of weighted word counts (Salton and Buckley 1988). The yardstick every model has to beat."""

from __future__ import annotations

from collections.abc import Sequence

from colde.models.lexical import Lexical, rows
from colde.models.strongest import greatest_of, pair_evidence
from colde.passages import MOST_SENTENCES, likeness
from colde.similarity import Encoding, Evidence, SimilarityMap
from colde.words import Counts, tfidf, word_cosines

MOST_EVIDENCE = 30
SHORTEST = 5  # words of a sentence that may stand as evidence

SECTION_MEANING = (
    "Words of sections: the cosine of their TF-IDF weights. High where two sections use the same rare words; the same "
    "matter in other words stays dark."
)
SENTENCE_MEANING = "Words of sentences: the cosine of their TF-IDF weights. 1 means the same telling words."


class TfIdf(Lexical):
    """Cosine of (1 + ln count) · idf."""

    def weigh(self, texts: Sequence[str]) -> Counts:
        return tfidf(texts, self.statistics)

    def compare(self, a: Encoding, b: Encoding) -> float:
        """From 0 to 1; symmetric."""
        return float(word_cosines(rows(a, "document"), rows(b, "document"))[0, 0])

    def maps(self, a: Encoding, b: Encoding) -> dict[str, SimilarityMap]:
        """`section`, and `sentence` up to 2,000 sentences a side."""
        found = {
            "section": SimilarityMap(
                word_cosines(rows(a, "section"), rows(b, "section")),
                a.section_spans,
                b.section_spans,
                "cosine",
                SECTION_MEANING,
            )
        }
        left, right = ([s for _, s in e.document.sentences()] for e in (a, b))
        if 0 < len(left) <= MOST_SENTENCES and 0 < len(right) <= MOST_SENTENCES:
            values = word_cosines(rows(a, "sentence"), rows(b, "sentence"))
            found["sentence"] = SimilarityMap(values, tuple(left), tuple(right), "cosine", SENTENCE_MEANING)
        return found

    def explain(self, a: Encoding, b: Encoding) -> list[Evidence]:
        """The pairs of sentences with most weight in common, each sentence once."""
        left, right = ([s for _, s in e.document.sentences()] for e in (a, b))
        product = (rows(a, "sentence") @ rows(b, "sentence").T).tocoo()
        texts = [[e.document.text[s.start : s.end] for s in side] for e, side in ((a, left), (b, right))]

        def long_enough(i: int, j: int) -> bool:
            return min(len(texts[0][i].split()), len(texts[1][j].split())) >= SHORTEST

        found = []
        weights = product.tocsr()
        for i, j in greatest_of(product.row, product.col, product.data, MOST_EVIDENCE, long_enough):
            weight = float(weights[i, j])
            kind = likeness(texts[0][i], texts[1][j], weight)
            found.append(pair_evidence(a, b, left[i], right[j], self.card.name, min(weight, 1.0), kind))
        return found
