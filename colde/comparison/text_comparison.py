"""What two texts share and what changed between them, whatever models are chosen."""

from __future__ import annotations

import time
from dataclasses import replace

from colde.alignment.document_alignment import align
from colde.alignment.sentence_matches import sentence_matches
from colde.changes.text_changes import find_changes
from colde.encoders.cancellation import reported_again
from colde.passages.find_passages import find_passages
from colde.passages.word_alignment import with_aligned_words
from colde.results.comparison import Comparison
from colde.results.progress import OnProgress, Progress, Stage
from colde.text.chunks import default_tokenizer


def with_shared_text(comparison: Comparison, report: OnProgress, *, align_words: bool) -> Comparison:
    """The comparison with its matching sentences, and the passages and the changes that they are part of.

    Args:
        align_words: whether passages in other words get their matching words, by the packaged encoder.
    """
    begun = time.perf_counter()
    a, b = comparison.a, comparison.b
    with reported_again(report, Progress(Stage.COMPARING, 1, 1)) as on_progress:
        sentences = sentence_matches(a, b, on_progress, comparison.encoder)
        alignment = align(a, b, sentences.corresponding)
        sentences = replace(sentences, unequal=alignment.unequal_words())
        shared = find_passages(a, b, sentences)
        changes = find_changes(alignment, sentences.corresponding, shared)
        if shared is not None and align_words:
            from colde.encoders.encoders_by_name import shared_encoder

            states = shared_encoder().token_states
            passages = with_aligned_words(shared.passages, a, b, default_tokenizer(), states)
            shared = replace(shared, passages=passages)
    total = round(comparison.timing["total"] + time.perf_counter() - begun, 4)
    timing = {**comparison.timing, "total": total}
    return replace(comparison, sentences=sentences, shared=shared, changes=changes, timing=timing)
