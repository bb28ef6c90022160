"""The passages that two texts share: one list, from the two texts alone, mirrored when they are swapped.

Seeds are pairs of sentences that may say the same and identical runs of words. Seeds that continue each other become
blocks (`joining`), and the blocks that weigh enough, or have an identical run or sentence, are shared passages. Numbers
are fitted on pairs of PAN's text alignment task (Potthast et al. 2013) by studies/passages/fit_passages.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from colde.alignment.paraphrase_classifier import is_edited
from colde.alignment.shared_runs import MAX_WORDS, ComparedWords, compared_words
from colde.meaning.differences import contradict
from colde.passages.fitted_limits import FittedLimits, fitted_limits
from colde.passages.joining import Block, JoiningLimits, ordered_blocks, without_held
from colde.passages.passage_text import PassageText
from colde.passages.run_seeds import RunsOfTexts, with_runs
from colde.passages.sentence_words import SentenceWords
from colde.passages.standard_text import standard_seeds
from colde.passages.summaries import summary_blocks
from colde.passages.word_ends import passage_spans, with_headings
from colde.passages.word_kinds import WordKinds
from colde.results.seeds import Seeds
from colde.results.shared_text import (
    EXCLUSIONS,
    KINDS,
    SAME_MEANING,
    ClosestPair,
    Exclusion,
    Part,
    PassageKind,
    SentenceMatches,
    SharedPassage,
    SharedText,
)
from colde.results.similarity_map import Letter
from colde.text.document import Document, Span
from colde.text.not_compared.set_aside import excluded_spans

SMALL = 12
"""Words of a passage from which it is not small; small ones can be left out."""
LONG_RUN = 12
"""Words in a row that are a passage wherever they stand: of 160 pairs of PAN without reuse none has such a run."""
SAME_SENTENCE = 0.9
"""Share of the words of two sentences in the same order, from which the sentences are the same."""
FEWEST_SAME = 8
"""Words of such a sentence that is a passage wherever it stands."""
MOST_CLOSEST = 20
"""Closest pairs of sentences that are listed."""


def find_passages(
    a: Document, b: Document, sentences: SentenceMatches, leave_out: Collection[Exclusion] = ()
) -> SharedText | None:
    """Passages of two texts, and shares by kind; None where a text has no words, or too many for a search.

    Args:
        a, b: as they are compared.
        sentences: the matching sentences of the two.
        leave_out: what is neither counted nor listed.
    """
    return passages_of_texts(PassageText.of(a), PassageText.of(b), sentences, leave_out)


def passages_of_texts(
    one: PassageText,
    two: PassageText,
    sentences: SentenceMatches,
    leave_out: Collection[Exclusion] = (),
    *,
    summaries_in_b: bool = True,
) -> SharedText | None:
    """The same as `find_passages`, of texts whose words are known.

    Args:
        summaries_in_b: whether the second text may sum up the first. A source does not sum up what was taken from it.
    """
    standard = (one.standard, two.standard)
    a, b = one.document, two.document
    all_words = (one.words, two.words)
    if sum(w.count for w in all_words) > MAX_WORDS or not all(w.count for w in all_words):
        return None
    words = (_counted_words(one, leave_out), _counted_words(two, leave_out))
    fewest = SMALL if "small" in leave_out else 0
    kinds = (WordKinds(words[0], all_words[0], fewest), WordKinds(words[1], all_words[1], fewest))
    runs = RunsOfTexts.of(*all_words)
    texts = (one.sentences, two.sentences)
    seeds = with_runs(sentences.seeds, runs.lengths(*texts), *texts)
    in_standard = standard_seeds(seeds, texts, standard)
    every = "translated" in sentences.searched
    apart = [
        shared_blocks(seeds.take(some), texts, every=every, summaries_in_b=summaries_in_b)
        for some in (~in_standard, in_standard)
    ]
    blocks = [*apart[0], *apart[1]]  # a passage ends where standard text begins
    blocks = [blocks[k] for k in without_held(blocks)]
    ends = fitted_limits().ends
    spans = [with_headings(*passage_spans(block, *texts, ends), all_words, texts) for block in blocks]
    passages = [
        SharedPassage(
            "identical",
            *span,
            {"a": _count(kinds[0], span[0]), "b": _count(kinds[1], span[1])},
            _certainty(block.seeds),
            standard=bool(standard_seeds(block.seeds, texts, standard).any()),
            parts=tuple(_parts(block, *span, a, b, texts, runs, kinds, sentences)),
        )
        for block, span in zip(blocks, spans, strict=True)
    ]
    listed = [
        *_marked((p for p in passages if p.parts), kinds, sentences.unequal),
        *_other_matches(sentences, kinds),
    ]
    listed.sort(key=lambda p: (p.standard, p.kind not in SAME_MEANING, _order(p), p.a.start, p.b.start))
    return SharedText(
        a=kinds[0].shares(),
        b=kinds[1].shares(),
        words_a=int(words[0].count),
        words_b=int(words[1].count),
        passages=tuple(listed),
        closest=tuple(_closest(seeds, texts, listed)),
        left_out=tuple(x for x in EXCLUSIONS if x in leave_out),
        searched=("identical", *sentences.searched),
        not_searched=sentences.reason or None,
        stretches={
            "a": kinds[0].stretches(_counted_apart(listed, "a"), one.quoted),
            "b": kinds[1].stretches(_counted_apart(listed, "b"), two.quoted),
        },
    )


def _counted_words(text: PassageText, leave_out: Collection[Exclusion]) -> ComparedWords:
    hidden = excluded_spans(text.document, leave_out)
    return compared_words(text.document, hidden) if hidden else text.words


def _counted_apart(listed: Iterable[SharedPassage], side: Letter) -> list[Span]:
    """The passages on one side, and the parts of standard ones: these can be counted by their kinds."""
    return [getattr(x, side) for p in listed for x in (p, *(p.parts if p.standard else ()))]


def shared_blocks(
    seeds: Seeds,
    texts: tuple[SentenceWords, SentenceWords],
    *,
    every: bool = False,
    summaries_in_b: bool = True,
    limits: FittedLimits | None = None,
) -> list[Block]:
    """The blocks of two texts that are shared passages.

    Args:
        every: whether each seed is certain, so that no block is too light.
        summaries_in_b: whether the second text may sum up the first.
        limits: those that ship if none are given.
    """
    if not len(seeds):
        return []
    limits = limits or fitted_limits()
    counts = texts[0].counts, texts[1].counts
    ordered = ordered_blocks(seeds, *counts, limits.joining)
    kept = [block for block in ordered if every or _is_shared(block, limits.joining)]
    kept += summary_blocks(seeds, *counts, limits.summaries, limits.joining, of_b=summaries_in_b)
    return [kept[k] for k in without_held(kept)]


def _is_shared(block: Block, limits: JoiningLimits) -> bool:
    seeds = block.seeds
    same = (seeds.order >= SAME_SENTENCE) & (seeds.common >= FEWEST_SAME)
    heavy = block.weight >= limits.least and seeds.log_odds.max() >= limits.strongest
    return bool(heavy or (same | (seeds.run >= LONG_RUN)).any())


def _certainty(seeds: Seeds) -> float:
    """Mean probability of the best pair of each sentence of both texts."""
    best = np.r_[seeds.best_by_row().log_odds, seeds.swapped().best_by_row().log_odds]
    return float((1 / (1 + np.exp(-best))).mean())


def _marked(
    passages: Iterable[SharedPassage],
    kinds: tuple[WordKinds, WordKinds],
    unequal: tuple[Sequence[Span], Sequence[Span]],
) -> Iterator[SharedPassage]:
    """Mark the words of the passages, those of standard text last; yield them with the kind of most of their words.

    A passage is identical where all of its words and signs are the same; else its identical words count as edited.

    Args:
        unequal: identical words that count as edited, as `SentenceMatches` has them.
    """
    ordered = sorted(passages, key=lambda p: p.standard)
    for passage in ordered:
        for part in passage.parts:
            kinds[0].mark(part.a, "standard" if passage.standard else part.kind)
            kinds[1].mark(part.b, "standard" if passage.standard else part.kind)
    for one, spans in zip(kinds, unequal, strict=True):
        one.mark_unequal(spans)
    for passage in ordered:
        sides = kinds[0].sizes(passage.a), kinds[1].sizes(passage.b)
        sizes = {kind: sides[0][kind] + sides[1][kind] for kind in KINDS}
        if passage.standard or not any(
            sizes.values()
        ):  # its words count as standard text, or in other passages
            sizes = dict.fromkeys(KINDS, 0.0)
            for part in passage.parts:
                sizes[part.kind] += kinds[0].words.size(part.a) + kinds[1].words.size(part.b)
        if _differ(passage, kinds, unequal):
            sizes["edited"] += sizes.pop("identical")
        yield replace(passage, kind=max(sizes, key=lambda kind: (sizes[kind], -KINDS.index(kind))))


def _differ(
    passage: SharedPassage,
    kinds: tuple[WordKinds, WordKinds],
    unequal: tuple[Sequence[Span], Sequence[Span]],
) -> bool:
    """Whether the two sides of a passage differ in a word, a sign or a capital."""
    if kinds[0].words.names_inside(passage.a) != kinds[1].words.names_inside(passage.b):
        return True
    return any(
        span.overlaps(side)
        for side, spans in zip((passage.a, passage.b), unequal, strict=True)
        for span in spans
    )


def _parts(
    block: Block,
    span_a: Span,
    span_b: Span,
    a: Document,
    b: Document,
    texts: tuple[SentenceWords, SentenceWords],
    runs: RunsOfTexts,
    kinds: tuple[WordKinds, WordKinds],
    sentences: SentenceMatches,
) -> list[Part]:
    """The runs and pairs of sentences of a passage that are counted, cut at its ends, in reading order of a.

    Of those that begin at the same places, the longest comes first.
    """
    runs_within = (
        Part("identical", *pair) for pair in runs.within(span_a, span_b, (kinds[0].counted, kinds[1].counted))
    )
    pairs = (
        Part(p.kind, _within(p.a, span_a), _within(p.b, span_b))
        for p in _sentence_parts(block, a, b, texts, sentences)
    )
    counted = (p for p in {*runs_within, *pairs} if kinds[0].counts(p.a) and kinds[1].counts(p.b))
    return sorted(counted, key=lambda p: (p.a.start, p.b.start, KINDS.index(p.kind), -p.a.end, -p.b.end))


def _count(kinds: WordKinds, span: Span) -> int:
    return max(1, round(kinds.words.size(span)))


def _sentence_parts(
    block: Block,
    a: Document,
    b: Document,
    texts: tuple[SentenceWords, SentenceWords],
    sentences: SentenceMatches,
) -> Iterator[Part]:
    """The best pair of each sentence of a block, with its kind."""
    by_row, by_column = block.seeds.best_by_row(), block.seeds.swapped().best_by_row().swapped()
    for seeds in (by_row, by_column):
        for k in range(len(seeds)):
            one = texts[0].sentences[int(seeds.rows[k])]
            two = texts[1].sentences[int(seeds.columns[k])]
            kind: PassageKind = _kind(seeds, k, a.text[one.start : one.end], b.text[two.start : two.end])
            if "translated" in sentences.searched:
                kind = "translated"
            yield Part(kind, Span(one.start, one.end), Span(two.start, two.end))


def _kind(seeds: Seeds, k: int, a: str, b: str) -> PassageKind:
    if seeds.order[k] >= 1:
        return "identical"
    if is_edited(seeds.order[k], seeds.common[k]):
        return "edited"
    return "opposite" if contradict(a, b) else "paraphrased"


def _within(span: Span, limits: Span) -> Span:
    return Span(max(span.start, limits.start), max(span.start, min(span.end, limits.end)))


def _other_matches(sentences: SentenceMatches, kinds: tuple[WordKinds, WordKinds]) -> Iterator[SharedPassage]:
    """Yield the pairs of sentences about the same topic, and those that disagree, outside the other passages."""
    for match in sorted(sentences.matches, key=lambda m: KINDS.index(m.kind)):
        if match.kind in SAME_MEANING and match.kind != "paraphrased":
            continue
        kind: PassageKind = "opposite" if match.kind == "opposite" else "same topic"
        if kinds[0].counts(match.a) and kinds[1].counts(match.b):
            new = (kinds[0].mark(match.a, kind), kinds[1].mark(match.b, kind))
            if any(new):
                words: dict[Letter, int] = {"a": _count(kinds[0], match.a), "b": _count(kinds[1], match.b)}
                a, b = Span(match.a.start, match.a.end), Span(match.b.start, match.b.end)
                yield SharedPassage(kind, a, b, words, match.certainty, parts=(Part(kind, a, b),))


def _order(passage: SharedPassage) -> tuple[int, int]:
    """The longest first of those that say the same; the others by kind."""
    kind = 0 if passage.kind in SAME_MEANING else KINDS.index(passage.kind)
    return kind, -sum(passage.words.values())


def _closest(
    seeds: Seeds, texts: tuple[SentenceWords, SentenceWords], listed: Sequence[SharedPassage]
) -> Iterator[ClosestPair]:
    """Yield the most certain pairs of sentences outside the passages, each sentence at most once."""
    taken = [texts[0].overlapping([p.a for p in listed]), texts[1].overlapping([p.b for p in listed])]
    free = seeds.take(~taken[0][seeds.rows] & ~taken[1][seeds.columns])
    count = 0
    for k in np.lexsort((free.columns, free.rows, -free.log_odds)).tolist():
        row, column = int(free.rows[k]), int(free.columns[k])
        if taken[0][row] or taken[1][column]:
            continue
        taken[0][row] = taken[1][column] = True
        one, two = texts[0].sentences[row], texts[1].sentences[column]
        probability = float(1 / (1 + np.exp(-free.log_odds[k])))
        yield ClosestPair(Span(one.start, one.end), Span(two.start, two.end), probability)
        count += 1
        if count == MOST_CLOSEST:
            return
