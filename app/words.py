"""The sentences that explain the numbers on the page."""

STAGES = {
    "loading": "being loaded",
    "words": "counting words",
    "chunks": "reading chunks",
    "sentences": "reading sentences",
    "done": "done",
}
"""A model's steps (`Progress.stage`) in plain words."""

WHY = (
    "Which passages carry the likeness stands in the list of top matches beside the matrix; "
    "the matrix shows where in the two documents they lie."
)

READING = """
**Score** – what one method computed, on its own scale. Scores of two methods do not compare; each is read
against its own threshold.

**Threshold** – chosen on labelled validation pairs. From there on a pair is called similar. Near it, a score
says little.

**Probability** – of labelled pairs scored like this one, the share that was similar. It holds for documents
of the chosen kind, in a collection where similar and unrelated pairs are equally frequent. It is not the
probability that one text was taken from the other.

**Percentile** – the share of unrelated pairs that score lower. At 97 %, only 3 in 100 unrelated pairs look
more alike.

**Topic map** – how near two sections or chunks are in what they are about. High values all over are normal
between documents of one field, and no sign of copying.

**Passages map** – the strongest passage that two chunks share, word for word or in other words.

**Attention map** – where the model looked while reading. Attention is not importance: what was looked at need
not have changed the score.

**Side by side** – the matrices of all models with one cursor, each on its own scale. *Up to* stands where a place
holds several cells of a matrix, a dash where a model has no value, mostly because it did not read so far.

**Shading** – the darker a sentence, the better its best counterpart in the other text. Where *Shade by* is offered,
the texts can be shaded by what the model looked at or kept instead, each text on its own scale.

**Weight of a match** – how much the match stands out, on the scale of its method.

**Hatched cells** are not computed yet, **empty cells** do not exist; neither means zero. Grey text
(references, captions, tables) was set aside and not compared. Where a method did not read a text to its end,
a sentence under the scores says so.

A number here is a measurement, not a proof. Read the passages, and decide yourself.
"""
