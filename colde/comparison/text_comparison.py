"""What two texts share and what changed between them, whatever models are chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from colde.alignment.sentence_matches import sentence_matches
from colde.changes.text_changes import find_changes
from colde.encoders.cancellation import reported_again
from colde.passages.find_passages import find_passages
from colde.passages.word_alignment import with_aligned_words
from colde.results.change import Change
from colde.results.progress import OnProgress, Progress, Stage
from colde.results.shared_text import SentenceMatches, SharedText
from colde.text.chunks import default_tokenizer
from colde.text.document import Document


@dataclass(frozen=True, slots=True)
class TextComparison:
    """What two texts share and what changed, as in `Comparison`."""

    sentences: SentenceMatches
    shared: SharedText | None
    changes: tuple[Change, ...]


def compare_texts(
    a: Document, b: Document, encoder: str, report: OnProgress, *, align_words: bool
) -> TextComparison:
    """Find matching sentences, then the passages and the changes they are part of.

    Args:
        encoder: name of the encoder that the comparison takes.
        align_words: whether passages in other words get their matching words, by the packaged encoder.
    """
    with reported_again(report, Progress(Stage.COMPARING, 1, 1)) as on_progress:
        sentences = sentence_matches(a, b, on_progress, encoder)
        shared = find_passages(a, b, sentences)
        changes = find_changes(a, b, sentences, shared)
        if shared is not None and align_words:
            from colde.encoders.encoder import shared_encoder

            states = shared_encoder().token_states
            passages = with_aligned_words(shared.passages, a, b, default_tokenizer(), states)
            shared = replace(shared, passages=passages)
    return TextComparison(sentences, shared, changes)
