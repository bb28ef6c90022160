"""TF-IDF: the cosine of weighted word counts (Salton and Buckley 1988). The yardstick every model has to beat."""

from __future__ import annotations

from collections.abc import Sequence

from colde.explain.level_maps import level_map
from colde.explain.match_selection import cell_matches
from colde.explain.match_types import match_by_words
from colde.explain.passage_matching import few_sentences
from colde.explain.shared_words import word_parts
from colde.models.lexical.word_products import WordProducts, lexical_encoding
from colde.results.encoding import Encoding
from colde.results.match import Match
from colde.results.pair_result import PairResult
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span
from colde.text.term_weights import Counts, product_by_rows, tfidf, word_cosines

MOST_EVIDENCE = 30
SHORTEST = 5  # words of a sentence that may stand as evidence

SECTION_MEANING = (
    "Words of sections: the cosine of their TF-IDF weights. High where two sections use the same rare words; the same "
    "matter in other words stays dark."
)
CONTRIBUTION_MEANING = (
    "the weights of the words that both use, each spread evenly over the places where it stands. Exact: all cells add "
    "up to the score; an empty document has 0."
)
SENTENCE_MEANING = "Words of sentences: the cosine of their TF-IDF weights. 1 means the same telling words."


class TfIdf(WordProducts):
    """Cosine of (1 + ln count) · idf."""

    meaning = CONTRIBUTION_MEANING

    def weigh(self, texts: Sequence[str]) -> Counts:
        return tfidf(texts, self.statistics)

    def score(self, a: Encoding, b: Encoding) -> float:
        return float(word_cosines(lexical_encoding(a).words, lexical_encoding(b).words)[0, 0])

    def match(self, a: Encoding, b: Encoding, *, explain: bool = True) -> PairResult:
        """Score from 0 to 1, symmetric; `section`, `sentence` up to 2,000 sentences a side, what made the score."""
        own, other = lexical_encoding(a), lexical_encoding(b)
        score = self.score(a, b)
        if not explain:
            return PairResult(score, a.coverage, b.coverage)
        found = word_cosines(own.section_words, other.section_words)
        maps = {
            "section": level_map(
                "section", a, b, SECTION_MEANING, values=found, role="words", limits=(0.0, 1.0)
            )
        }
        left, right = (tuple(s for _, s in e.document.sentences()) for e in (a, b))
        if left and right and few_sentences(len(left), len(right)):
            maps["sentence"] = SimilarityMap(
                word_cosines(own.sentence_words, other.sentence_words),
                left,
                right,
                "cosine",
                SENTENCE_MEANING,
                role="words",
                level="sentence",
                limits=(0.0, 1.0),
            )
        maps |= self.contributions(a, b, score)
        words = word_parts(Counts(own.words.multiply(other.words)), a.document, b.document)
        return PairResult(score, a.coverage, b.coverage, maps, tuple(self._evidence(a, b)), words=words)

    def word_parts(self, a: Encoding, b: Encoding, score: float) -> tuple[Counts, Counts]:
        return lexical_encoding(a).words, lexical_encoding(b).words

    def _evidence(self, a: Encoding, b: Encoding) -> list[Match]:
        """The pairs of sentences with most weight in common, each sentence once."""
        (left, of_left), (right, of_right) = (_long_enough(e) for e in (a, b))
        kind = match_by_words(a.document, b.document)
        products = product_by_rows(of_left, of_right)
        return cell_matches(a, b, products, left, right, model=self.card.name, kind=kind, most=MOST_EVIDENCE)


def _long_enough(encoding: Encoding) -> tuple[list[Span], Counts]:
    """The sentences of at least `SHORTEST` words, and their weighted words."""
    sentences: list[Span] = [s for _, s in encoding.document.sentences()]
    text = encoding.document.text
    kept = [i for i, s in enumerate(sentences) if len(text[s.start : s.end].split()) >= SHORTEST]
    return [sentences[i] for i in kept], lexical_encoding(encoding).sentence_words[kept]
