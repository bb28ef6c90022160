"""Meanings of CoLDE's maps, in a sentence each, for the reader."""

SECTION_MEANING = (
    "Topic of whole sections: the cosine of CoLDE's section vectors. High where two sections are about the same "
    "matter; it does not say that they share a passage."
)
CHUNK_MEANING = (
    "Topic of chunks (up to 512 tokens): the cosine of CoLDE's chunk vectors. High where two stretches are about the "
    "same matter; a short shared passage hardly moves it."
)
ATTENTION_MEANING = (
    "Where CoLDE's attention looks: for each chunk of A, how its attention spreads over the chunks of B (each row sums "
    "to 1, mean of four heads). It shows where the model looked, not what made the score."
)
WITHIN_MEANING = (
    "The document compared with itself: which of its own parts are about the same matter (cosine of CoLDE's vectors; "
    "1 on the diagonal)."
)
CONTRIBUTION_MEANING = (
    "What each pair of passages adds to the score, or takes from it: all cells together are the score. Long passages "
    "add more than short ones; a passage can be alike and add little."
)
