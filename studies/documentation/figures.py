"""The figures of the documentation as SVG files in docs/figures: drawn from the code and from measured seconds.

python -m studies.documentation.figures [--measure]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from colde import models
from colde.corpus.samples import samples
from colde.judge.profiles import GENERAL, profile_table
from colde.models.validation_figures import ONE_NEW
from studies import ROOT
from studies.accuracy.result_rows import OWN, read_results
from studies.arguments import command_line
from studies.tables import read_json, write_json

FOLDER = ROOT / "docs" / "figures"
TIMING = ROOT / "docs" / "results" / "timing.json"
"""Seconds of one comparison by stage, with what was compared and how."""
PASSAGES = ROOT / "docs" / "results" / "passages.json"
"""Measures of shared passages (studies/passages/fit_passages.py)."""
WINNER = {"all": 0.878, "translation-obfuscation": 0.91, "summary-obfuscation": 0.50}
"""Plagdet of the winner of PAN's text alignment task of 2014 (Sanchez-Perez et al.): all kinds on the test corpus of
the task; two kinds by its stored output on the training corpus."""
REUSE = {
    "no-obfuscation": "word for word",
    "random-obfuscation": "words exchanged",
    "translation-obfuscation": "translated and back",
    "summary-obfuscation": "summaries",
    "all": "all kinds",
}

INK, SOFT, FILL, ACCENT = "#1f2933", "#6b7785", "#eef2f6", "#2b6cb0"

Shape = str


def figures() -> dict[str, str]:
    """The text of every figure, by its file name."""
    return {name: draw() for name, draw in DRAWN.items()}


def write(folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in figures().items():
        (folder / name).write_text(text, encoding="utf-8")


def path_figure() -> str:
    """From two files to a verdict and passages."""
    steps = [
        ("Read", "sections, sentences"),
        ("Set aside", "references, tables …"),
        ("Encode", "vectors of sentences"),
        ("Compare", "score, maps"),
        ("Judge", "threshold, probability"),
        ("Explain", "passages, changes"),
    ]
    shapes, width = [], 146
    for number, (title, detail) in enumerate(steps):
        x = 10 + number * (width + 26)
        shapes += [_box(x, 20, width, 62), _text(x + width / 2, 46, title, weight="bold")]
        shapes.append(_text(x + width / 2, 67, detail, size=12, colour=SOFT))
        if number:
            shapes.append(_arrow(x - 24, 51, x - 3, 51))
    return _picture(len(steps) * (width + 26), 102, shapes, "Six steps from two files to a verdict")


def levels_figure() -> str:
    """How a document is divided: document, section, chunk, segment, sentence."""
    rows = [
        ("document", 1, "the file"),
        ("sections", 3, "a heading and the text below it"),
        ("chunks", 6, "at most 512 tokens, about a page"),
        ("segments", 18, "about 64 tokens; CoLDE compares these"),
        ("sentences", 54, "one vector each, from the encoder"),
    ]
    shapes = []
    for row, (name, parts, about) in enumerate(rows):
        y = 14 + row * 42
        shapes.append(_text(88, y + 20, name, anchor="end", weight="bold"))
        step = 480 / parts
        shapes += [_box(100 + part * step, y, step - (3 if parts < 20 else 2), 28) for part in range(parts)]
        shapes.append(_text(594, y + 19, about, anchor="start", size=12, colour=SOFT))
    return _picture(860, 228, shapes, "The levels of a document, from the file to its sentences")


def verdict_figure() -> str:
    """A score of the default model against its threshold."""
    name = models.DEFAULTS[0]
    threshold = models.stored(name).profiles[GENERAL].threshold
    score = 0.5
    left, width = 30, 600

    def at(value: float) -> float:
        return left + width * value

    shapes = [
        f'<rect x="{left}" y="52" width="{width * threshold:.1f}" height="14" fill="#cbd2d9"/>',
        f'<rect x="{at(threshold):.1f}" y="52" width="{width * (1 - threshold):.1f}" height="14" fill="#90b4d8"/>',
        _line(at(threshold), 44, at(threshold), 74),
        _text(at(threshold), 94, f"threshold {threshold:.2f}", size=13),
        f'<circle cx="{at(score):.1f}" cy="59" r="8" fill="{ACCENT}"/>',
        _text(at(score), 36, f"score {score:.2f}: related", weight="bold"),
        _text(left, 94, "0: unrelated", anchor="start", size=13, colour=SOFT),
        _text(left + width, 94, "1: the same document", anchor="end", size=13, colour=SOFT),
    ]
    return _picture(
        660, 108, shapes, f"A score of {score} against the threshold of {models.card(name).title}"
    )


def layers_figure() -> str:
    """The packages of the program, from the first two contracts of import-linter: the page, and the library."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    page, library = settings["contracts"][:2]
    layers = [[page["layers"][0]]]
    layers += [
        [f"{library['containers'][0]}.{name.strip()}" for name in row.split("|")] for row in library["layers"]
    ]
    shapes = []
    for row, names in enumerate(layers):
        width = 520 / len(names)
        for column, name in enumerate(names):
            x = 10 + column * width
            shapes.append(_box(x, 10 + row * 27, width - 4, 23))
            shapes.append(_text(x + width / 2 - 2, 26 + row * 27, name, size=12))
    height = len(layers) * 27
    shapes += [
        _arrow(552, 14, 552, height),
        _text(566, height / 2, "imports", anchor="start", size=13, colour=SOFT),
    ]
    return _picture(640, height + 14, shapes, "Packages in layers; a package imports only those below it")


def time_figure() -> str:
    """Where the time of one comparison goes, as `--measure` kept it."""
    kept = read_json(TIMING, {})
    stages = {name: seconds for name, seconds in kept["seconds"].items() if name != "total"}
    known = sum(stages.values())
    stages["start and report"] = max(kept["seconds"]["total"] - known, 0.0)
    most = max(stages.values())
    shapes = []
    for row, (name, seconds) in enumerate(stages.items()):
        y, width = 12 + row * 28, 420 * seconds / most
        shapes.append(_text(150, y + 15, name, anchor="end", size=13))
        shapes.append(f'<rect x="160" y="{y}" width="{width:.1f}" height="20" fill="{ACCENT}"/>')
        shapes.append(_text(168 + width, y + 15, f"{seconds:.1f} s", anchor="start", size=13, colour=SOFT))
    y = 30 + len(stages) * 28
    shapes.append(_text(20, y, f"{kept['pair']}; {kept['runtime']}", anchor="start", size=12, colour=SOFT))
    return _picture(660, y + 16, shapes, "Seconds of each stage of one comparison")


def accuracy_figure() -> str:
    """Accuracy of five models by kind of documents, with 95 % intervals."""
    results = read_results()
    names = ("colde_words", "colde", "tfidf", "bm25", "minilm")
    kinds = [kind for kind in profile_table() if kind != GENERAL]
    left, width, low, high = 150.0, 540.0, 0.5, 1.0
    shapes = []

    def at(value: float) -> float:
        return left + width * (value - low) / (high - low)

    for tick in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        shapes.append(_line(at(tick), 14, at(tick), 24 + len(kinds) * 118, ' opacity="0.15"'))
        shapes.append(_text(at(tick), 44 + len(kinds) * 118, f"{tick:.1f}", size=12, colour=SOFT))
    for group, kind in enumerate(kinds):
        shapes.append(_text(20, 28 + group * 118, kind, anchor="start", weight="bold"))
        for row, name in enumerate(names):
            y = 40 + group * 118 + row * 17
            known = results.row(name, "accuracy", ONE_NEW, kind, OWN)
            if known is None:
                continue
            shapes.append(_text(left - 10, y + 4, results.models[name]["title"], anchor="end", size=12))
            shapes.append(_line(at(known["low"]), y, at(min(known["high"], high)), y))
            shapes.append(f'<circle cx="{at(known["value"]):.1f}" cy="{y}" r="5" fill="{ACCENT}"/>')
            end, value = at(min(known["high"], high)) + 8, f"{known['value']:.3f}"
            shapes.append(_text(end, y + 4, value, anchor="start", size=11, colour=SOFT))
    title = "Accuracy on pairs of which one document is new, by kind of documents, with 95 % intervals"
    return _picture(740, 56 + len(kinds) * 118, shapes, title)


def passages_figure() -> str:
    """Plagdet of shared passages by kind of reuse, with what was published for the winner of 2014."""
    kinds = read_json(PASSAGES, {})["halves"]["test"]["kinds"]
    left, width = 170.0, 400.0
    shapes = []
    for row, (kind, measures) in enumerate(kinds.items()):
        y = 14 + row * 46
        shapes.append(_text(left - 10, y + 20, REUSE.get(kind, kind), anchor="end", size=13))
        bars = [("CoLDE Explorer", measures["plagdet"], ACCENT)]
        if kind in WINNER:
            bars.append(("Sanchez-Perez et al. 2014", WINNER[kind], SOFT))
        for number, (name, value, colour) in enumerate(bars):
            top = y + number * 19
            shapes.append(
                f'<rect x="{left:g}" y="{top}" width="{width * value:.1f}" height="16" fill="{colour}"/>'
            )
            label = f"{value:.3f}".removesuffix("0") + f" {name}"
            shapes.append(_text(left + width * value + 8, top + 13, label, anchor="start", size=12))
    title = "Plagdet of shared passages by kind of reuse, beside figures that were published"
    return _picture(790, 20 + len(kinds) * 46, shapes, title)


def measure_time() -> None:
    """Compare the first bundled pair in a new process without a cache, and keep the seconds of each stage."""
    pair = samples()[0]
    with TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = [
            sys.executable,
            "-m",
            "colde",
            "compare",
            pair.a_pdf,
            pair.b_pdf,
            "--json",
            result,
            "--quiet",
        ]
        subprocess.run(list(map(str, command)), check=True, env={**os.environ, "COLDE_CACHE": "off"})
        known = read_json(result, {})
    seconds = {name: round(value, 1) for name, value in known["timing"].items()}
    words = sum(len(known["documents"][side]["text"].split()) for side in "ab")
    about = f"Two PDFs of {words:,} words together, five default models, no cache"
    write_json(TIMING, {"pair": about, "runtime": known["runtime"], "seconds": seconds})


DRAWN: dict[str, Callable[[], str]] = {
    "accuracy.svg": accuracy_figure,
    "layers.svg": layers_figure,
    "levels.svg": levels_figure,
    "passages.svg": passages_figure,
    "path.svg": path_figure,
    "time.svg": time_figure,
    "verdict.svg": verdict_figure,
}
"""What draws each figure."""


def _picture(width: float, height: float, shapes: Sequence[Shape], title: str) -> str:
    """An SVG file with its own light ground, so that it can be read on a dark page, too."""
    marker = (
        f'<marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">'
        f'<path d="M0,0 L6,3 L0,6 z" fill="{SOFT}"/></marker>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
            f'font-family="system-ui, sans-serif"><title>{escape(title)}</title><defs>{marker}</defs>',
            f'<rect width="{width:g}" height="{height:g}" rx="6" fill="#ffffff"/>',
            *shapes,
            "</svg>\n",
        ]
    )


def _box(x: float, y: float, width: float, height: float) -> Shape:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:g}"'
    return f'<rect {place} rx="3" fill="{FILL}" stroke="{SOFT}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, more: str = "") -> Shape:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{INK}" stroke-width="1.5"{more}/>'


def _arrow(x1: float, y1: float, x2: float, y2: float) -> Shape:
    return _line(x1, y1, x2, y2, ' marker-end="url(#head)"')


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "middle",
    size: int = 14,
    weight: str = "normal",
    colour: str = INK,
) -> Shape:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--measure", action="store_true", help="measure one comparison anew")
    if parser.parse_args().measure:
        measure_time()
    write()


if __name__ == "__main__":
    main()
