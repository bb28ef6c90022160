"""Matching sentences of two documents, from sentence vectors, whatever model is chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from colde.alignment.paraphrase_classifier import classify_pairs, pair_seeds
from colde.alignment.sentence_pair_features import candidate_pairs
from colde.alignment.sentence_similarity import MOST_PAIRS, few_sentences, sentence_similarities
from colde.alignment.translations import centred_alone, in_two_languages, translated_sentences
from colde.encoders.encoder_names import PACKAGED
from colde.encoders.vector_math import centred
from colde.meaning.differences import contradict
from colde.results.comparison import NOT_SEARCHED
from colde.results.piece_similarity import Pieces
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.seeds import certain_seeds
from colde.results.shared_text import ONE_LANGUAGE, PassageKind, SentenceMatch, SentenceMatches
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.not_compared.boilerplate import searched_text
from colde.text.word_lists.language_names import language_name

LANGUAGES = frozenset({"en", None})
"""Languages that the encoder was trained on; None is an unknown language."""


TRANSLATION_CERTAINTY = 0.99
"""Certainty of a translation: those of chapters 3 to 5 of the Debian Reference lie in the right section, 99.9 % of them
(docs/languages.md)."""


def sentence_matches(
    a: Document,
    b: Document,
    on_progress: OnProgress,
    encoder: str = PACKAGED,
    vectors: Sequence[Array] | None = None,
    *,
    only_seeds: bool = False,
) -> SentenceMatches:
    """The matching sentences of two documents, with their standard text.

    Documents with more than 4,000,000 pairs of sentences are not searched. In two languages, another encoder than the
    packaged one finds translations. In a language that the packaged encoder does not read, only edited sentences are
    searched.

    Args:
        encoder: name of the encoder that the comparison takes.
        vectors: those of the searched sentences of a and b by the packaged encoder, where they are known.
        only_seeds: the seeds of passages are wanted, but no matches of single sentences in one language.
    """
    a, b = searched_text(a), searched_text(b)
    counts = [sum(1 for _ in document.sentences()) for document in (a, b)]
    if not few_sentences(*counts):
        clause = f"A has {counts[0]:,} sentences and B {counts[1]:,}, more than {MOST_PAIRS:,} pairs"
        return SentenceMatches(
            (), (), f"{NOT_SEARCHED[:1].upper()}{NOT_SEARCHED[1:]}: {clause}.", too_long=True
        )
    if encoder != PACKAGED and in_two_languages(a, b):
        return _translations(a, b, on_progress, encoder)
    kinds, reason = _searched_kinds(a, b)
    texts = [[d.text[s.start : s.end] for _, s in d.sentences()] for d in (a, b)]
    if not all(texts):
        return SentenceMatches((), kinds, reason)
    one, two = vectors or _vectors((a, b), on_progress)
    similarity = sentence_similarities(*centred(one, two), *texts)
    cosine = np.asarray(one @ two.T, dtype=np.float32)
    pairs = candidate_pairs(similarity, cosine, *texts)
    rows, columns = ([s for _, s in d.sentences()] for d in (a, b))
    matches = tuple(
        SentenceMatch(
            _kind(match.kind, texts[0][match.row], texts[1][match.column]),
            rows[match.row],
            columns[match.column],
            match.certainty,
        )
        for match in (() if only_seeds else classify_pairs(pairs))
        if match.kind in kinds
    )
    return SentenceMatches(
        matches,
        kinds,
        reason,
        similarity.size,
        seeds=pair_seeds(pairs, kinds),
        similarity=similarity.astype(np.float16),
        cosine=cosine.astype(np.float16),
        read_pieces=_read_pieces,
    )


def _translations(a: Document, b: Document, on_progress: OnProgress, encoder: str) -> SentenceMatches:
    from colde.encoders.background_centre import background_centre

    rows, columns = ([s for _, s in d.sentences()] for d in (a, b))
    if not rows or not columns:
        return SentenceMatches((), ("translated",))
    background = background_centre(encoder)
    one, two = (centred_alone(v, background) for v in _vectors((a, b), on_progress, encoder))
    pairs = translated_sentences(a, b, one, two)
    matches = tuple(
        SentenceMatch("translated", rows[i], columns[j], TRANSLATION_CERTAINTY)
        for i, j in zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True)
    )
    languages = " and ".join(language_name(d.language) for d in (a, b) if d.language)
    reason = (
        f"Edited and paraphrased text was not looked for: words of {languages} cannot be compared. "
        "Translated sentences were found by meaning alone."
    )
    return SentenceMatches(
        matches, ("translated",), reason, len(one) * len(two), seeds=certain_seeds(pairs.rows, pairs.columns)
    )


def _kind(kind: PassageKind, a: str, b: str) -> PassageKind:
    """The kind of match of two sentences: of paraphrases that contradict each other it is opposite."""
    return "opposite" if kind == "paraphrased" and contradict(a, b) else kind


def _searched_kinds(a: Document, b: Document) -> tuple[tuple[PassageKind, ...], str]:
    """The kinds that are searched in two short documents, and why the others are not; empty where all are."""
    unread = sorted({language_name(d.language) for d in (a, b) if d.language and d.language not in LANGUAGES})
    if unread:
        languages = " or ".join(unread)
        return ("edited",), (
            f"Paraphrased text was not looked for: the sentence encoder does not read {languages}."
        )
    return ONE_LANGUAGE[1:], ""


def _read_pieces(texts: Sequence[str]) -> list[Pieces]:
    from colde.encoders.piece_states import read_pieces

    return read_pieces(texts)


def _vectors(documents: Sequence[Document], on_progress: OnProgress, encoder: str = PACKAGED) -> list[Array]:
    """Unit vectors of the sentences of each document: [sentences, dimension] each."""
    from colde.encoders.sentence_encoder import sentence_vectors_of

    def on_batch(done: int, total: int, read: Sequence[Array]) -> None:
        on_progress(Progress(Stage.SENTENCES, done, total))

    return sentence_vectors_of(documents, on_batch, encoder)
