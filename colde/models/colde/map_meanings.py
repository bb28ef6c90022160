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
    "Where CoLDE's attention looks: how that of each chunk of A spreads over the chunks of B (each row sums to 1), "
    "from segment to segment of about 64 tokens. It takes part in the score: what is found counts as far as it is "
    "looked at."
)
WITHIN_MEANING = (
    "The document compared with itself: which of its own parts are about the same matter (cosine of CoLDE's vectors; "
    "1 on the diagonal)."
)
TOPIC_MEANINGS = (SECTION_MEANING, CHUNK_MEANING, WITHIN_MEANING)
"""As `colde.explain.level_maps.topic_maps` takes them."""
CONTRIBUTION_MEANING = (
    "what each pair of passages adds to what attention finds. All cells together "
    "are the score; long passages add more than short ones, and a passage can be alike and add little."
)
