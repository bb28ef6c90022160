"""TF-IDF: the cosine of weighted word counts (Salton and Buckley 1988). The baseline that every model has to beat."""

from __future__ import annotations

from collections.abc import Sequence

from colde.alignment.sentence_similarity import few_sentences
from colde.explain.level_maps import level_map
from colde.models.lexical.word_products import LexicalEncoding, WordProducts
from colde.results.similarity_map import SimilarityMap
from colde.text.word_weights.term_weights import Counts, tfidf, word_cosines

SECTION_MEANING = (
    "Words of sections: the cosine of their TF-IDF weights. High where two sections use the same rare words; the "
    "same matter in other words does not count."
)
CONTRIBUTION_MEANING = (
    "the weights of the words that both texts use, divided evenly over the places where they stand. All cells add up "
    "to the score. An empty document has the score 0."
)
SENTENCE_MEANING = (
    "Words of sentences: the cosine of their TF-IDF weights. 1 means the same distinctive words."
)


class TfIdf(WordProducts):
    """Cosine of (1 + ln count) · idf."""

    meaning = CONTRIBUTION_MEANING

    def weigh(self, texts: Sequence[str]) -> Counts:
        return tfidf(texts, self.statistics)

    def score(self, a: Counts, b: Counts) -> float:
        return float(word_cosines(a, b)[0, 0])

    def factors(self, a: Counts, b: Counts, score: float) -> tuple[Counts, Counts]:
        return a, b

    def maps(self, a: LexicalEncoding, b: LexicalEncoding) -> dict[str, SimilarityMap]:
        """`section`, and `sentence` up to 4,000,000 pairs."""
        values, limits = word_cosines(a.section_words, b.section_words), (0.0, 1.0)
        maps = {
            "section": level_map("section", a, b, SECTION_MEANING, values=values, role="words", limits=limits)
        }
        left, right = (tuple(s for _, s in e.document.sentences()) for e in (a, b))
        if left and right and few_sentences(len(left), len(right)):
            maps["sentence"] = SimilarityMap(
                word_cosines(a.sentence_words, b.sentence_words),
                left,
                right,
                "cosine",
                SENTENCE_MEANING,
                role="words",
                level="sentence",
                limits=limits,
            )
        return maps
