"""How well chapters of a book are compared with their translations, and with other chapters, by language:

python -m studies.languages.translated_books FOLDER… --json FILE

A folder holds `CHAPTER.LANGUAGE.md` in English and other languages, and `CHAPTER.truth.json` with the sections of each
language in order: `id`, the same in all of them, `heading` and `characters`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from colde import ingest, models
from colde.comparison.fitted_model import over_encoder
from colde.comparison.language_coverage import judge_pair
from colde.encoders.encoder_names import MULTILINGUAL
from colde.explain.level_maps import level_map
from colde.judge.profiles import GENERAL
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.text.document import Document, Span
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.sections.parts_without_headings import split_into_parts
from studies.arguments import command_line
from studies.languages.books import measure_books

ENGLISH = "en"
SECTION_CHARACTERS = 300
"""Least characters of an English section that is looked up."""
TRANSLATED_CHARACTERS = 100
"""Least characters of its translation."""

COLUMNS = (
    "language",
    "sections",
    "section hit@1",
    "translations",
    "called related",
    "other chapters",
    "called related",
    "AUC",
    "chapters of this language with each other",
    "called related",
    "mean score",
    "mean of the same chapters in English",
)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a chapter: `id`, the same in all languages, its heading, and its length in characters."""

    id: str | None
    heading: str
    characters: int


@dataclass(frozen=True, slots=True, eq=False)
class Chapter:
    """A chapter in a language, and its encoding."""

    name: str
    language: str
    document: Document
    sections: Sequence[Section]
    encoding: Encoding

    def headings(self, spans: Iterable[Span]) -> list[str]:
        """The heading of the section in which each span begins."""
        inside = (self.document.section_at(s.start) for s in spans)
        return ["" if k is None else (self.document.sections[k].heading or "").strip() for k in inside]


@dataclass(slots=True)
class LanguageFigures:
    """What was measured in one language: counts of sections, and scores of pairs with their verdicts.

    Attributes:
        same_language: pairs of chapters in this language; same_in_english: the same chapters in English.
    """

    language: str
    sections: int = 0
    hits: int = 0
    translations: list[tuple[float, bool]] = field(default_factory=list)
    others: list[tuple[float, bool]] = field(default_factory=list)
    same_language: list[tuple[float, bool]] = field(default_factory=list)
    same_in_english: list[tuple[float, bool]] = field(default_factory=list)

    def row(self) -> tuple[object, ...]:
        """The cells of `COLUMNS`."""
        related, unrelated = ([score for score, _ in pairs] for pairs in (self.translations, self.others))
        return (
            self.language,
            self.sections,
            f"{self.hits / max(self.sections, 1):.3f}",
            len(related),
            sum(similar for _, similar in self.translations),
            len(unrelated),
            sum(similar for _, similar in self.others),
            f"{auc(related, unrelated):.3f}",
            len(self.same_language),
            sum(similar for _, similar in self.same_language),
            f"{_mean(self.same_language):.3f}",
            f"{_mean(self.same_in_english):.3f}",
        )


def _mean(pairs: Sequence[tuple[float, bool]]) -> float:
    return float(np.mean([score for score, _ in pairs])) if pairs else float("nan")


def auc(related: Sequence[float], unrelated: Sequence[float]) -> float:
    """Area under the ROC curve; NaN where one of the two is empty."""
    if not (related and unrelated):
        return float("nan")
    return float(roc_auc_score([1] * len(related) + [0] * len(unrelated), [*related, *unrelated]))


def read_truth(folder: Path) -> dict[str, dict[str, list[Section]]]:
    """The sections of each chapter by language, by the chapter's name."""
    return {
        path.name.removesuffix(".truth.json"): {
            language: [Section(**section) for section in sections]
            for language, sections in json.loads(path.read_text(encoding="utf-8")).items()
        }
        for path in sorted(folder.glob("*.truth.json"))
    }


def read_chapters(folder: Path, model: Matcher) -> list[Chapter]:
    """The chapters of a folder in all languages of their truth files, encoded."""
    chapters = []
    for name, languages in read_truth(folder).items():
        for language, sections in languages.items():
            path = folder / f"{name}.{language}.md"
            document = split_into_parts(prepare_for_comparison(ingest.read(path)))
            (encoding,) = model.encode([document])
            chapters.append(Chapter(name, language, document, sections, encoding))
    return chapters


def section_hits(english: Chapter, translated: Chapter) -> tuple[int, int]:
    """How many English sections are looked up, and for how many the translation has the greatest cell of the map."""
    cells = level_map("section", english.encoding, translated.encoding, "")
    left, right = english.headings(cells.rows), translated.headings(cells.columns)
    translation = {s.id: s for s in translated.sections if s.id is not None}
    looked_up = hits = 0
    for section in {s.id: s for s in english.sections}.values():  # an id may come twice
        target = translation.get(section.id)
        if target is None or section.heading not in left:
            continue
        if section.characters < SECTION_CHARACTERS or target.characters < TRANSLATED_CHARACTERS:
            continue
        looked_up += 1
        best = int(np.nanargmax(cells.values[left.index(section.heading)]))
        hits += right[best] == target.heading
    return looked_up, hits


def measure(chapters: Sequence[Chapter], model: Matcher) -> list[LanguageFigures]:
    """The figures of each language but English, in the order of the chapters."""
    english = {c.name: c for c in chapters if c.language == ENGLISH}
    figures: dict[str, LanguageFigures] = {}
    for chapter in chapters:
        if chapter.language == ENGLISH:
            continue
        of_language = figures.setdefault(chapter.language, LanguageFigures(chapter.language))
        for name, original in english.items():
            judged = _judged(original, chapter, model)
            (of_language.translations if name == chapter.name else of_language.others).append(judged)
        looked_up, hits = section_hits(english[chapter.name], chapter)
        of_language.sections += looked_up
        of_language.hits += hits
        for other in chapters:
            if other.language == chapter.language and other.name > chapter.name:
                of_language.same_language.append(_judged(chapter, other, model))
                of_language.same_in_english.append(_judged(english[chapter.name], english[other.name], model))
    return list(figures.values())


def _judged(a: Chapter, b: Chapter, model: Matcher) -> tuple[float, bool]:
    score = model.match(a.encoding, b.encoding, explain=False).score
    judged = judge_pair(score, model, GENERAL, (a.document.language, b.document.language))
    return round(float(score), 4), bool(judged.similar)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--model", default="colde")
    chosen = parser.parse_args(arguments)
    model = over_encoder(models.load(chosen.model), MULTILINGUAL)
    measure_books(
        chosen.folders, COLUMNS, lambda folder: measure(read_chapters(folder, model), model), chosen.json
    )


if __name__ == "__main__":
    main()
