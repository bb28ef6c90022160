"""Are translated paragraphs found in a text about something else, and is nothing else called a translation?

python -m studies.languages.planted_translations FOLDER… --json FILE

Paragraphs of the translation of a chapter stand between two sentences of the next chapter in that language, which is
compared with the first chapter in English. Folders as in `studies.languages.translated_books`.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from colde import ingest
from colde.alignment.sentence_matches import sentence_matches
from colde.encoders.encoder_names import MULTILINGUAL
from colde.results.progress import ignore_progress
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import prepare_for_comparison
from studies.arguments import command_line
from studies.explanations.planting import plant
from studies.languages.books import measure_books
from studies.languages.translated_books import ENGLISH, Section, read_truth

PASSAGES = 3
"""Paragraphs that are planted in one text."""
SENTENCES = range(2, 7)
"""Numbers of sentences of a paragraph that is planted."""

COLUMNS = (
    "language",
    "texts",
    "planted paragraphs",
    "found",
    "planted sentences",
    "found",
    "other sentences",
    "called translations",
)


@dataclass(slots=True)
class PlantedFigures:
    """Counts of a language; found is what is matched with the right English section."""

    language: str
    texts: int = 0
    paragraphs: int = 0
    paragraphs_found: int = 0
    sentences: int = 0
    sentences_found: int = 0
    others: int = 0
    others_matched: int = 0

    def add_paragraph(self, sentences: int, hits: int) -> None:
        """Count a planted paragraph: its sentences, and those that are found."""
        self.paragraphs += 1
        self.paragraphs_found += hits > 0
        self.sentences += sentences
        self.sentences_found += hits

    def row(self) -> tuple[object, ...]:
        """The cells of `COLUMNS`."""
        return (
            self.language,
            self.texts,
            self.paragraphs,
            f"{self.paragraphs_found / max(self.paragraphs, 1):.3f}",
            self.sentences,
            f"{self.sentences_found / max(self.sentences, 1):.3f}",
            self.others,
            f"{self.others_matched / max(self.others, 1):.4f}",
        )


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A translated paragraph, and the English section that it belongs to."""

    text: str
    section: Span


def paragraphs(
    english: Document, translated: Document, truth: Sequence[Section], titles: Sequence[Section]
) -> Iterator[Paragraph]:
    """Paragraphs of the translation with a few sentences, one of each section that both texts have.

    Args:
        truth, titles: the sections of the translation and of the English text.
    """
    heading_of = {s.id: s.heading for s in titles if s.id is not None}
    spans = {(s.heading or "").strip(): Span(s.start, s.end) for s in english.sections}
    ids = {s.heading: s.id for s in truth}
    for section in translated.sections:
        span = spans.get(heading_of.get(ids.get((section.heading or "").strip()), ""))
        if span is None:
            continue
        for paragraph in section.paragraphs:
            inside = [s for s in section.sentences if paragraph.start <= s.start < paragraph.end]
            if len(inside) in SENTENCES:
                yield Paragraph(translated.text[paragraph.start : paragraph.end], span)
                break


def measure_text(
    figures: PlantedFigures,
    english: Document,
    translated: Document,
    host: Document,
    chosen: Sequence[Paragraph],
) -> None:
    """Plant paragraphs of the translation in another text, compare it with the English one, and add the counts.

    Sentences that the other text has in common with the translation are not counted.
    """
    known = {translated.text[s.start : s.end] for _, s in translated.sentences()}
    draw = random.Random(host.text[:200])
    for paragraph in chosen:
        host = replace(plant(host, paragraph.text, draw).document, language=host.language)
    host = prepare_for_comparison(host)
    pairs = sentence_matches(english, host, ignore_progress, MULTILINGUAL).matches
    matched = {m.b.start: m.a for m in pairs}
    places = [(p, Span(at, at + len(p.text))) for p in chosen if (at := host.text.find(p.text)) >= 0]
    figures.texts += 1
    for paragraph, place in places:
        inside = [s for _, s in host.sentences() if place.overlaps(s)]
        hits = sum(s.start in matched and matched[s.start].overlaps(paragraph.section) for s in inside)
        figures.add_paragraph(len(inside), hits)
    others = _unrelated(host, known, [place for _, place in places])
    figures.others += len(others)
    figures.others_matched += sum(s.start in matched for s in others)


def _unrelated(host: Document, known: Collection[str], places: Sequence[Span]) -> list[Span]:
    """The sentences of a text that are not known, and not in these places."""
    spans = [s for _, s in host.sentences() if host.text[s.start : s.end] not in known]
    return [s for s in spans if not any(place.overlaps(s) for place in places)]


def measure(folder: Path) -> list[PlantedFigures]:
    """The figures of each language but English."""
    truth = read_truth(folder)
    texts = {
        (name, language): ingest.read(folder / f"{name}.{language}.md")
        for name, languages in truth.items()
        for language in languages
    }
    figures: dict[str, PlantedFigures] = {}
    for name, languages in truth.items():
        english = prepare_for_comparison(texts[name, ENGLISH])
        for language, sections in languages.items():
            others = [n for n in truth if n != name and language in truth[n]]
            if language == ENGLISH or not others:
                continue
            following = next((n for n in others if n > name), others[0])
            candidates = list(paragraphs(english, texts[name, language], sections, languages[ENGLISH]))
            chosen = random.Random(name).sample(candidates, min(PASSAGES, len(candidates)))
            of_language = figures.setdefault(language, PlantedFigures(language))
            translated, host = texts[name, language], texts[following, language]
            measure_text(of_language, english, translated, host, chosen)
    return list(figures.values())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("folders", nargs="+", type=Path)
    chosen = parser.parse_args(arguments)
    measure_books(chosen.folders, COLUMNS, measure, chosen.json)


if __name__ == "__main__":
    main()
