"""Two little documents and their comparison, with numbers that scikit-learn computes: cosines of TF-IDF.

The texts hold what goes wrong easily: markup, the end of a script element, characters outside the basic
plane, a section without a heading, references that are set aside.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from colde.ingest.shared.blocks import Block, assemble
from colde.report.formatting import quote
from colde.report.maps.packed_values import MISSING
from colde.results.comparison import Comparison
from colde.results.model_score import Coverage, Score
from colde.results.shared_text import (
    LABELS,
    ClosestPair,
    Label,
    Part,
    PassageKind,
    SentenceMatches,
    SharedPassage,
    SharedText,
    Stretch,
)
from colde.results.similarity_map import Array, Letter, Level, MapKind, Role, SimilarityMap
from colde.text.document import Chunk, Document, Span

MARKUP = '<img src=x onerror="document.title=1">'
SCRIPT_END = "</script><script>document.title=2</script>"

TIDES = (
    ("Why the sea rises twice a day", [
        "Along most coasts the sea rises and falls twice a day. The Moon pulls the near side of the Earth "
        "harder than its centre, and the centre harder than the far side. What is left over stretches the "
        "oceans along the line to the Moon, so that there are two bulges of water, one below the Moon and "
        "one opposite.",
        "The Earth turns below the bulges. A harbour passes through both of them in a little less than "
        "twenty-five hours, because the Moon moves on while the Earth turns.",
    ]),
    ("Spring and neap tides", [
        "The Sun raises tides as well, a little less than half as high. At new and at full moon Sun and "
        "Moon pull along the same line and their tides add up to spring tides. At half moon they pull at "
        "right angles, and the tides are small: sailors call them neap tides.",
    ]),
    ("Shelves, bays and funnels", [
        "In the open ocean the tide is less than a metre high. It grows where the water becomes shallow and "
        "the coast narrows. In a bay whose water swings at nearly the rhythm of the tide, the range can "
        "pass fifteen metres.",
        f"A tide table that says {MARKUP} is not a tide table. Nor is one that ends with {SCRIPT_END} in "
        "the middle.",
    ]),
    ("Machines that foretold the tide", [
        "Harmonic analysis writes the tide at a port as a sum of waves, each with the period of a motion of "
        "Sun or Moon. From the eighteen-seventies brass machines of pulleys and wheels added these waves. A "
        "clerk turned a crank, and a pen drew the heights of a whole year in a few hours.",
        "The constants of each port came from years of readings of a gauge. 🌊🌙 The longer the record, the "
        "better neighbouring periods could be told apart.",
    ]),
    ("Work from the tide", [
        "A tidal mill keeps the water of the flood behind a dam and lets it out over a wheel at ebb. Power "
        "stations in river mouths do the same with turbines. They deliver little at neap tides, but they "
        "can be planned years ahead.",
    ]),
)  # fmt: skip

CALENDARS = (
    (None, [
        "People counted days by the Moon long before they counted years by the Sun. This text tells what "
        "followed from it.",
    ]),
    ("Months by the Moon", [
        "From one new moon to the next there are twenty-nine and a half days. A month of the Moon therefore "
        "has twenty-nine or thirty days, in turn. Twelve such months are eleven days shorter than the year "
        "of the Sun.",
    ]),
    ("A thirteenth month", [
        "To keep the months in step with the seasons, priests and clerks put in a thirteenth month every "
        "two or three years. Seven such months in nineteen years bring Sun and Moon together again to "
        "within hours.",
        "The rule was found from long records of new moons. The longer the record, the better neighbouring "
        "periods could be told apart.",
    ]),
    ("The Moon and the harbour", [
        "Fishermen read the tide from the calendar. At new and full moon, when Sun and Moon pull along one "
        "line, spring tides run high; at half moon the neap tides are small. The harbour master therefore "
        "kept an almanac beside the tide table.",
        "Along most coasts the sea rises and falls twice a day.",
    ]),
    ("Wheels that count", [
        "Clockmakers built the months into brass. A train of wheels with two hundred and thirty-five teeth "
        "turns once in nineteen years, and a pointer shows the age of the Moon. A crank sets it for any "
        "date of a whole year.",
    ]),
    ("Festivals that wander", [
        "Where months follow the Moon alone, festivals wander through the seasons in thirty-three years. "
        "Where they are tied to the Sun, they stay, and the Moon is free.",
    ]),
)  # fmt: skip

REFERENCES = "Doodson, A. T. (1921). The harmonic development of the tide-generating potential."


def document(title: str, sections: Sequence[tuple[str | None, Sequence[str]]]) -> Document:
    """A Document as a reader of files would build it, with one reference set aside."""
    blocks = []
    for heading, paragraphs in sections:
        if heading:
            blocks.append(Block(heading, level=1))
        blocks += [Block(text) for text in paragraphs]
    blocks += [Block("References", level=1, role="references"), Block(REFERENCES, role="references")]
    return assemble(blocks, source=f"{title}.txt", format="text", title=title, language="en")


def example() -> Comparison:
    """Both documents compared by TF-IDF under the name of CoLDE, and by a model that read half of A."""
    a, b = document("Tides", TIDES), document(f"Moon and calendar {MARKUP}", CALENDARS)
    chunks_a, chunks_b = chunks(a), chunks(b)
    sentences = [[s for _, s in d.sentences()] for d in (a, b)]
    sections = [[Span(s.start, s.end) for _, s in d.compared()] for d in (a, b)]
    heads_a, heads_b = sections
    lines_a, lines_b = sentences
    section = cosines(a, heads_a, b, heads_b)
    sentence = cosines(a, lines_a, b, lines_b)
    chunk = cosines(a, chunks_a, b, chunks_b)
    passages = strongest_sentence(sentence, sentences, (chunks_a, chunks_b))
    attention = chunk / np.maximum(chunk.sum(1, keepdims=True), 1e-6)
    within = cosines(a, heads_a, a, heads_a)

    likeness = float(cosines(a, [whole(a)], b, [whole(b)])[0, 0])
    of_chunks, of_sections = (chunks_a, chunks_b), (heads_a, heads_b)
    shares = "Each row's cosines as shares of their sum."
    maps = {
        "section": drawn(section, *of_sections, "topic", "Words of whole sections: cosine of TF-IDF."),
        "contribution_section": contribution(section, *of_sections, likeness),
        "chunk": drawn(chunk, *of_chunks, "topic", "Words of paragraphs: cosine of TF-IDF.", level="chunk"),
        "passages": drawn(
            passages, *of_chunks, "passages", "The strongest pair of sentences.", level="chunk"
        ),
        "chunk_attention": drawn(attention, *of_chunks, "attention", shares, level="chunk", kind="attention"),
        "sentence": drawn(sentence, lines_a, lines_b, "passages", "Words of sentences.", level="sentence"),
        "within_a_section": drawn(within, heads_a, heads_a, "topic", "Sections of A.", side="within_a"),
    }
    half = Span(len(a.text) // 2, len(a.text))
    results = (
        score("colde", "CoLDE", likeness, 0.2, Coverage(900, 900)),
        score("half", "First half", float(section[0].max()), 0.5, Coverage(450, 900, (half,))),
    )
    return Comparison(
        a=a,
        b=b,
        chunks_a=chunks_a,
        chunks_b=chunks_b,
        models=results,
        maps={"colde": maps, "half": {"section": maps["section"]}},
        sentences=SentenceMatches(()),
        shared=shared_text(a, b, sentence, sentences),
        timing={"read": 0.0, "load": 0.0, "encode": 0.01, "compare": 0.01, "total": 0.02},
    )


def drawn(
    values: object,
    rows: Sequence[Span],
    columns: Sequence[Span],
    role: Role,
    meaning: str = "Anything.",
    *,
    level: Level = "section",
    kind: MapKind = "cosine",
    **more: Any,
) -> SimilarityMap:
    """A map of sections with cosines, unless something else is said."""
    cells = np.asarray(values, np.float32)
    left, right = (tuple(Span(s.start, s.end) for s in spans) for spans in (rows, columns))
    return SimilarityMap(cells, left, right, kind, meaning, role=role, level=level, **more)


def contribution(
    section: Array, rows: Sequence[Span], columns: Sequence[Span], score: float
) -> SimilarityMap:
    """Pairs of sections that raise or lower the score, by as much in sum; the rest of it is the reference."""
    values = (section - np.float32(section.mean())) / np.float32(10 * section.size)
    return drawn(
        values, rows, columns, "contribution", "Parts of the score: they add up to it.", kind="attribution",
        scale="diverging", unit="part of the score", reference=score, residual=-float(values.sum()),
    )  # fmt: skip


def score(name: str, title: str, value: float, threshold: float, read_a: Coverage) -> Score:
    """A score without calibration: nothing was fitted for this example."""
    return Score(
        name=name, title=title, score=value, score_kind="cosine", probability=None, percentile=None,
        threshold=threshold, similar=value >= threshold, profile="general", levels=("document", "section"),
        seconds=0.01, read_a=read_a, read_b=Coverage(800, 800),
    )  # fmt: skip


def whole(d: Document) -> Span:
    return Span(0, len(d.text))


def chunks(d: Document) -> tuple[Chunk, ...]:
    """Paragraphs stand in for chunks, so that sections of this size have several."""
    return tuple(
        Chunk(p.start, p.end, i, len(d.text[p.start : p.end].split()))
        for i, s in d.compared()
        for p in s.paragraphs
    )


def cosines(a: Document, rows: Sequence[Span], b: Document, columns: Sequence[Span]) -> Array:
    """[rows, columns]; idf from the sentences of both documents."""
    texts = [d.text[s.start : s.end] for d in (a, b) for _, s in d.sentences()]
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit(texts)
    left, right = (
        vectors.transform([d.text[s.start : s.end] for s in spans]) for d, spans in ((a, rows), (b, columns))
    )
    return np.asarray((left @ right.T).toarray(), dtype=np.float32)


def numbers_of(packed: str) -> NDArray[np.int16]:
    """The integers that were packed for the linked view."""
    planes = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype=np.uint8)
    signs_last = np.ascontiguousarray(planes.reshape(2, -1).T).view("<u2").ravel()
    return (signs_last >> 1).astype(np.int16) ^ -(signs_last & 1).astype(np.int16)


def unpacked(packed: str, steps: float = 1.0) -> NDArray[np.float64]:
    """Packed values of the payload; NaN where there is none."""
    numbers = numbers_of(packed).astype(np.float64)
    numbers[numbers == MISSING] = np.nan
    return numbers / steps


def map_values(payload: Mapping[str, Any], name: str, model: int = 0) -> NDArray[np.float64]:
    """The values of a map of a payload, as the view has them."""
    sent = payload["models"][model]["maps"][name]
    return unpacked(payload["values"][sent["values"]], sent["steps"]).reshape(sent["shape"])


def strongest_sentence(
    values: Array, sentences: Sequence[Sequence[Span]], passages: Sequence[Sequence[Span]]
) -> Array:
    """[chunks of a, chunks of b]: the greatest value of any two sentences inside."""
    inside = [
        [[i for i, s in enumerate(ss) if s.overlaps(p)] for p in ps]
        for ss, ps in zip(sentences, passages, strict=True)
    ]
    found = [[values[np.ix_(r, c)].max() for c in inside[1]] for r in inside[0]]
    return np.asarray(found, dtype=np.float32)


def shared_text(a: Document, b: Document, values: Array, sentences: Sequence[Sequence[Span]]) -> SharedText:
    """The ten strongest pairs of sentences as passages, and the next one as the closest other sentences."""
    best = np.argsort(-values, axis=None, kind="stable")[:11]
    pairs = [(sentences[0][i], sentences[1][j], float(values[i, j])) for i, j in _cells(best, values.shape)]
    passages = tuple(
        SharedPassage(
            kind := "identical" if quote(a, one) == quote(b, other) else "paraphrased",
            *(spans := (Span(one.start, one.end), Span(other.start, other.end))),
            {"a": _words(a, one), "b": _words(b, other)},
            min(value, 1.0),
            parts=(Part(kind, *spans),),
        )
        for one, other, value in pairs[:10]
    )
    closest = tuple(ClosestPair(Span(x.start, x.end), Span(y.start, y.end), v) for x, y, v in pairs[10:])
    stretches: dict[Letter, tuple[Stretch, ...]] = {
        "a": _stretches(a, [(p.a, p.kind) for p in passages]),
        "b": _stretches(b, [(p.b, p.kind) for p in passages]),
    }
    return SharedText(
        a=_shares(stretches["a"]), b=_shares(stretches["b"]), words_a=a.words(), words_b=b.words(),
        passages=passages, closest=closest, stretches=stretches,
    )  # fmt: skip


def _cells(best: NDArray[np.int64], shape: tuple[int, ...]) -> list[tuple[int, int]]:
    rows, columns = np.unravel_index(best, shape)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _words(d: Document, span: Span) -> int:
    return len(d.text[span.start : span.end].split())


def _stretches(d: Document, passages: Sequence[tuple[Span, PassageKind]]) -> tuple[Stretch, ...]:
    """A stretch for each sentence, of the kind of its first passage."""
    kinds: dict[int, PassageKind] = {}
    for span, kind in passages:
        kinds.setdefault(span.start, kind)
    return tuple(
        Stretch(s.start, s.end, kinds.get(s.start), float(_words(d, s)), False) for _, s in d.sentences()
    )


def _shares(stretches: Sequence[Stretch]) -> dict[Label, float]:
    total = sum(s.words for s in stretches)
    return {label: sum(s.words for s in stretches if s.kind == label) / total for label in LABELS}
