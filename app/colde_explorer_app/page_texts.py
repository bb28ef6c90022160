"""The sentences that explain the numbers on the page."""

from colde.results.progress import Stage

STAGES = {
    Stage.LOADING: "being loaded",
    Stage.COMPARING: "comparing the two",
}
"""A model's steps in plain words, where the stage's own are not those of a row of the table."""

WHY = (
    "Which passages carry the likeness stands in the list of top matches beside the matrix; "
    "the matrix shows where in the two documents they lie."
)

READING = """
**Score** – what one model computed, on its own scale. Scores of two models do not compare; each is read
against its own threshold.

**Threshold** – chosen on labelled validation pairs. From there on a pair is called related. Near it, a score
says little.

**Probability** – of labelled pairs scored like this one, the share that was related. It was measured on pairs of
the chosen kind, half of which were related. Under *How sure?* you can say how many of your pairs you expect to be; the
probability is then for such a pile. It is not the probability that one text was taken from the other.

**Percentile** – the share of unrelated pairs alone that score lower. At 97 %, only 3 in 100 unrelated pairs look
more alike.

**What is about the same** – how near two sections or chunks are in subject. High values all over are normal
between documents of one field, and no sign of copying.

**Which words are shared** – how much of their wording two passages have in common, rare words counting more.

**What is shared** – the strongest passage that two chunks share, word for word or in other words.

**What made the score** – how much a pair of passages raises the score (orange) or lowers it (blue); all cells together,
with what every pair of documents has, are the score.

**Where the model looked** – its attention while reading. Attention is not importance: what was looked at need
not have changed the score. *1.0×* is what every cell would have if the model looked everywhere alike.

**Side by side** – the matrices of all models with one cursor, each on its own scale. *Up to* stands where a place
holds several cells of a matrix, a dash where a model has no value, mostly because it did not read so far.

**Shading** – the stronger the shade of a sentence, the better its best counterpart in the other text. Where
*Shade by* is offered, the texts can be shaded by what the model looked at or kept instead, each text on its own scale.

**Matched** – the share of a text that lies in matches which few unrelated texts have. Weaker ones are folded away in
the list.

**Weight of a match** – how much the match stands out, on the scale of its model.

**Hatched cells** have no value (yet), which is not zero; hatched text was not read by the model. Grey text
(references, captions, tables) was set aside and not compared. Where a model did not read a text to its end,
a sentence under the scores says so.

A number here is a measurement, not a proof. Read the passages, and decide yourself.
"""
