"""Documents as large as reading allows: maps and evidence stay within 48 megabytes, or the text is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from colde import models
from colde.alignment import sentence_similarity
from colde.comparison import checks
from colde.comparison.checks import MAX_CHUNKS, MAX_SECTIONS, check_comparable
from colde.comparison.pipeline import compare
from colde.errors import ReadError
from colde.evaluation.model_contract import long_document
from colde.models.colde_paper import paper_network
from colde.models.colde_paper.paper_network import PaperConfig, PaperNetwork
from colde.row_blocks import CELLS_PER_BLOCK, limit_cells_per_block
from colde.text.document import Document, Section, Sentence
from colde.text.word_weights import character_ngrams
from tests.forks import fork_python

MEGABYTE = 2**20

PROGRAM = """
import os, random, resource, sys, traceback
import numpy as np, scipy.sparse, sklearn.feature_extraction.text, torch
from colde import models
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.text.document import Chunk, Document, Section, Sentence
from colde.explain import passage_maps

def document(seed, sentences):
    chance = random.Random(seed)
    words = ["lamp", "keeper", "fog", "harbour", "bread", "oven", "river", "money", "clock", "window"]
    text, spans = "", []
    lines = ["lighthouse " + " ".join(chance.choices(words, k=6)) + "." for _ in range(sentences)]
    at = 0
    for line in lines:
        spans.append(Sentence(at, at + len(line)))
        at += len(line) + 1
    text = "\\n".join(lines)
    return Document(text, (Section(0, len(text), sentences=tuple(spans)),))

def encoding(d):
    spans = [s for _, s in d.sentences()]
    chunks = tuple(Chunk(x.start, y.end, 0, 512) for x, y in zip(spans[::40], spans[39::40]))
    vectors = np.random.default_rng(0).normal(size=(len(spans), 384)).astype(np.float32)
    return Encoding(d, Coverage(1, 1), chunk_spans=chunks, sentences=vectors)

def explained(name, model, a, b):
    if name == "passages":
        return passage_maps.passage_maps(encoding(a), encoding(b))
    return model.match(*model.encode([a, b])).maps

def limited(name):
    model = None if name == "passages" else models.load(name)
    explained(name, model, document(0, 80), document(1, 80))
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]), resource.RLIM_INFINITY))
    maps = explained(name, model, a, b)
    assert maps and "sentence" not in maps

torch.set_num_threads(1)
a, b = document(0, 4_000), document(1, 4_000)
for name in sys.argv[2:]:  # each in a process of its own, which the limit ends with
    child = os.fork()
    if child == 0:
        try:
            limited(name)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="counts address space as Linux does")
def test_4_000_sentences_a_side_fit_into_48_megabytes(tmp_path: Path) -> None:
    names = ("tfidf", "bm25", "dssm", "passages")
    fork_python("-c", PROGRAM, str(48 * MEGABYTE), *names, cwd=tmp_path)


@pytest.mark.slow
def test_contributions_of_many_blocks_add_up() -> None:
    """More sentences than one block holds, as two texts of 60,000 words have in larger blocks."""
    a, b = long_document(5), long_document(4)
    with limit_cells_per_block(CELLS_PER_BLOCK // 3_000):
        comparison = compare(a, b)
    assert [s.name for s in comparison.models] == list(models.DEFAULTS)
    for score in comparison.models:
        part = comparison.maps[score.name]["contribution_chunk"]
        total = float(part.values.sum(dtype=np.float64)) + (part.reference or 0.0) + (part.residual or 0.0)
        assert min(part.values.shape) > 3 and total == pytest.approx(score.score, abs=1e-4)


def many_sections(count: int) -> Document:
    line = "A short text.\n"
    sections = (
        Section(
            i * len(line),
            (i + 1) * len(line) - 1,
            sentences=(Sentence(i * len(line), (i + 1) * len(line) - 1),),
        )
        for i in range(count)
    )
    return Document(line * count, tuple(sections), source="many.md")


def test_more_sections_than_a_map_can_show_are_refused() -> None:
    check_comparable(many_sections(MAX_SECTIONS))
    with pytest.raises(ReadError, match=r"many\.md: 20,000 sections; at most 2,000 can be compared") as error:
        compare(many_sections(20_000), many_sections(3), ["tfidf"])
    assert error.value.reason == "too_large"


def test_more_chunks_than_a_map_can_show_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_CHUNKS == 2_500
    monkeypatch.setattr(checks, "MAX_CHUNKS", 250)
    text = "灯" * (510 * 251)
    long = Document(text + " word" * 20, (Section(0, len(text) + 100),), source="long.txt")
    with pytest.raises(ReadError, match=r"long\.txt: 25. chunks of at most 512 word pieces") as error:
        compare(long, many_sections(20), ["tfidf"])
    assert error.value.reason == "too_large"


def test_one_long_section_does_not_pad_all_the_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    network = PaperNetwork(PaperConfig()).eval()
    states = torch.randn(1, 40, network.config.width)
    part = torch.tensor([*range(10), *([10] * 20), *range(11, 21)]).unsqueeze(0)
    seen: list[tuple[int, int]] = []
    read = network.read

    def watched(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        seen.append((x.shape[0], x.shape[1]))
        return read(x, mask)

    monkeypatch.setattr(network, "read", watched)
    with torch.inference_mode():
        at_once = network.parts(states, part)
        assert seen == [(21, 20)]
        monkeypatch.setattr(paper_network, "MOST_PADDED", 24)
        some = network.parts(states, part)
    assert seen[1:] == [(1, 20), (20, 1)]
    torch.testing.assert_close(some, at_once, atol=1e-6, rtol=1e-5)


def test_long_texts_of_chance_letters_are_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = ["The keeper wound the clock.", "Fog came in."], ["The keepers wind clocks.", "Bread was baked."]
    exact = sentence_similarity.character_ngram_cosines(a, b)
    monkeypatch.setattr(character_ngrams, "MAX_EXACT_CHARACTERS", 10)
    np.testing.assert_allclose(sentence_similarity.character_ngram_cosines(a, b), exact, atol=1e-5)
    assert sentence_similarity.character_ngram_cosines([""], ["", " "]).tolist() == [[0.0, 0.0]]
