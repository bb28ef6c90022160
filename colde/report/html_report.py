"""The HTML report: one file that asks for nothing, neither from the network nor from the disk.

Text of the documents stands in it as escaped text, or as JSON in a block that no browser runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from colde import models as registry
from colde.report.changes_report import changes_html
from colde.report.disagreement import disagreement
from colde.report.formatting import clean, format_weight, share_percent, shorten
from colde.report.html_page import html_table, json_in_html, number_cell, page_head, page_script, page_style
from colde.report.map_names import map_title
from colde.report.map_tiles import tiles
from colde.report.not_compared import not_compared_html, warnings_html
from colde.report.profile_corpora import describe_corpora
from colde.report.review_export import excluded_passages, format_excluded, mark_to_dict, matches
from colde.report.score_position import score_position
from colde.report.shared_kinds_html import kinds_html
from colde.report.verdict import percent, probability_title, stance, verdict
from colde.report.view_payload import view_payload
from colde.results.comparison import Comparison
from colde.results.match import Match, Passage
from colde.results.model_score import Score
from colde.serialise import json_pieces

MAX_MATCHES = 25
MAX_PASSAGE = 600

READING_GUIDE = (
    (
        "The verdict",
        "What the first model's score means, measured on labelled pairs of documents of the chosen kind, as "
        "many of them related as unrelated. It is a measurement, not a proof.",
    ),
    (
        "Score and threshold",
        "Each model has its own scale and its own threshold, chosen on validation pairs; the tick on a bar "
        "is the threshold, in the middle of every bar: right of it the model says related. Scores of two models do "
        "not compare. Near its threshold a score says little.",
    ),
    (
        "Probability",
        "Of labelled pairs scored like this one, the share that was related, where half of all pairs are; or, with a "
        "prior, where that share of them is (Bayes’ rule; thresholds and what a model says stay as they are). It is "
        "not the probability that one text was taken from the other, and a cosine is not a probability.",
    ),
    ("Percentile", "The share of unrelated pairs that score lower than this pair."),
    (
        "The map",
        "Rows are parts of A, columns are parts of B. Click a cell, or move with the arrow keys and press "
        "Enter: both texts scroll to its passages, and the matrix opens the next finer one. Escape goes "
        "back. What a map shows is said above it; each kind of number has its own colour and its own scale. “Side "
        "by side” draws the matrices of all models with one cursor: the same place in all of them and in both texts.",
    ),
    (
        "What a map shows",
        "“What is about the same” compares subjects and is high between all texts of one field; “which words are "
        "shared” compares words; “what is shared” finds the strongest passage that two parts have in common, word "
        "for word or reworded; “what made the score” adds up to the score, with zero in the middle of its colours: "
        "parts that raise it on one side, parts that lower it on the other; “where the model looked” is attention, "
        "which need not have changed the score; 1.0× is what every cell would have if the model looked everywhere "
        "alike.",
    ),
    (
        "Hatched cells and hatched text",
        "A value that does not exist, which is not zero; and text that a model did not read. References, "
        "captions and tables are set aside, shown in grey, and not compared.",
    ),
    (
        "The texts",
        "The darker a sentence, the better its best counterpart in the other text; half of all sentences "
        "have no shade. “Shade by”, where a model offers it, shows what the model looked at or kept instead. Click "
        "a sentence to see its counterpart; press n or p in the view for the next or "
        "previous match.",
    ),
)


def to_html(comparison: Comparison, *, what_if: Mapping[str, Any] | None = None) -> str:
    """The comparison as one self-contained HTML page, for a browser of 2023 or later; works offline.

    Arguments and errors as in `html_pieces`.
    """
    return "".join(html_pieces(comparison, what_if=what_if))


def html_pieces(comparison: Comparison, *, what_if: Mapping[str, Any] | None = None) -> Iterator[str]:
    """`to_html` in pieces: with the maps of two long documents the page takes hundreds of megabytes as one text.

    Where the comparison has a review, a summary of it stands below the verdict.

    Args:
        what_if: what the models say without the passages left out, as the explorer's tab *Why* has it.

    Raises:
        ValueError: the comparison has no score yet.
    """
    said = verdict(comparison)
    content = view_payload(comparison, boxes=False)
    if comparison.review:
        content["review"] = {
            "id": "report",
            "marks": [mark_to_dict(mark) for mark in comparison.review.marks],
        }
        content["settings"] = {"out": format_excluded(comparison)}
    if what_if is not None:
        content |= {"what_if": dict(what_if), "settings": {"out": what_if["out"]}}
    a, b = (escape(clean(d.title) or clean(d.source) or "Untitled") for d in (comparison.a, comparison.b))
    first = comparison.results[0]
    yield f"""{page_head(f"{a} ↔ {b}", page_style())}
<main>
<header class="top">
<h1>{a} <i>↔</i> {b}</h1>
<button id="theme" type="button" hidden>Light or dark</button>
</header>
<p class="verdict" data-testid="verdict">{escape(str(said))}</p>
<p class="muted">{escape(said.basis)} {escape(said.caution)}</p>
{warnings_html(comparison)}{_review(comparison)}<h2>Scores</h2>
{_scores(comparison.results, comparison.prior)}
{_disagreement(comparison)}
{_score_parts_tables(comparison.results)}
{kinds_html(comparison)}
{changes_html(comparison)}
<h2>What answers what</h2>
<div id="view"></div>
<noscript><p>The map and the texts need JavaScript; the scores and the top matches are in the
tables.</p></noscript> <h2>Top matches</h2>
{_matches_table(comparison, [e for e in comparison.evidence if e.model == first.name], first)}
{not_compared_html(comparison)}
<h2>How to read this</h2>
<dl>{"".join(f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in READING_GUIDE)}</dl>
<h2>How each number was made</h2>
{_methods_section(comparison)}
</main>
<script type="application/json" id="payload">"""
    yield from map(json_in_html, json_pieces(content))
    yield f'</script>\n<script type="module" async>{page_script()}</script>\n'
    yield from _tiles(comparison, content["models"])
    yield "</body>\n</html>\n"


def _disagreement(comparison: Comparison) -> str:
    """Disagreement of the models, a paragraph a sentence."""
    return "".join(f"<p>{escape(clean(sentence))}</p>" for sentence in disagreement(comparison))


def _review(comparison: Comparison) -> str:
    """Review of the matches: how many were accepted and rejected, each with its note, and what was left out."""
    if not comparison.review:
        return ""
    found = matches(comparison)
    counts = Counter(match.decision or "open" for match in found)
    said = (
        f"Of {len(found)} matches {counts['accepted']} were accepted and {counts['rejected']} rejected; "
        f"{counts['open']} are open."
    )
    rows = [
        [
            number_cell(str(match.number)),
            f"<td>{escape(match.decision or 'open')}</td>",
            f"<td>{escape(clean(match.note))}</td>",
            _passage(match.evidence.a, comparison.a.text),
            _passage(match.evidence.b, comparison.b.text),
        ]
        for match in found
        if match.decision or match.note
    ]
    table = html_table(("#No.", "Decision", "Note", "Passage in A", "Passage in B"), rows) if rows else ""
    return f'<h2>Review</h2><p data-testid="review">{said}</p>{table}{_left_out(comparison)}'


def _left_out(comparison: Comparison) -> str:
    """Passages that the reviewer left out with What if."""
    rows = [
        [f"<td>{side.upper()}</td>", _passage(passage, document.text)]
        for side, document, passage in excluded_passages(comparison)
    ]
    return html_table(("Text", "Left out with What if"), rows) if rows else ""


def _scores(results: Iterable[Score], prior: float) -> str:
    rows = [
        [
            f"<td>{escape(s.title)}</td>",
            f'<td class="bar">{_bar(s)}</td>',
            number_cell(f"{s.score:.2f}"),
            number_cell(_number(s.threshold)),
            f"<td>{stance(s) or '–'}</td>",
            number_cell(_percent(s.probability)),
            number_cell("–" if s.percentile is None else share_percent(s.percentile)),
            f"<td>{_tokens_read(s)}</td>",
        ]
        for s in results
    ]
    head = (
        "Model",
        "Score and threshold",
        "#Score",
        "#Threshold",
        "Says",
        f"#{probability_title(prior).capitalize()}",
        "#Percentile",
        "Read",
    )
    return html_table(head, rows)


def _score_parts_tables(results: Iterable[Score]) -> str:
    """A small table for each score that is a weighted sum: its parts and what each adds."""
    tables = []
    for score in results:
        if not score.parts:
            continue
        rows = [
            [
                f"<td>{escape(part.name)}</td>",
                number_cell(f"{part.weight:.2f}"),
                number_cell(f"{part.value:.2f}"),
                number_cell(f"{part.weight * part.value:.2f}"),
            ]
            for part in score.parts
        ]
        table = html_table((f"The score of {escape(score.title)}", "#Weight", "#Value", "#Adds"), rows)
        tables.append(f'<div class="parts">{table}</div>')
    return "".join(tables)


def _bar(score: Score) -> str:
    """From the threshold, which all models have in the middle, to the score; without a threshold nothing is drawn.

    SVG, since the policy forbids style attributes.
    """
    at = score_position(score)
    if at is None:
        return "–"
    start, width = 100 * min(at, 0.5), 100 * abs(at - 0.5)
    label = f"score {score.score:.2f}, threshold {_number(score.threshold)}"
    look = "under" if score.similar is False else "reached"
    return (
        f'<svg viewBox="0 0 100 18" preserveAspectRatio="none" role="img" aria-label="{label}">'
        '<rect class="track" y="3" width="100" height="12"/>'
        f'<rect class="{look}" x="{start:.2f}" y="3" width="{width:.2f}" height="12"/>'
        '<line class="tick" x1="50" x2="50" y1="0" y2="18"/></svg>'
    )


def _matches_table(comparison: Comparison, evidence: list[Match], score: Score) -> str:
    if not evidence:
        return f'<p class="muted">{escape(score.title)} names no passages for this pair.</p>'

    shown = evidence[:MAX_MATCHES]
    rows = [
        [
            number_cell(str(i)),
            _passage(e.a, comparison.a.text),
            _passage(e.b, comparison.b.text),
            f"<td>{escape(e.kind)}</td>",
            number_cell(format_weight(e.weight)),
        ]
        for i, e in enumerate(shown, 1)
    ]
    table = html_table(("#No.", "Passage in A", "Passage in B", "Kind", "#Weight"), rows)
    return (
        f'{table}<p class="muted">By {escape(score.title)}, best first, {len(shown)} of {len(evidence)}.</p>'
    )


def _passage(p: Passage, text: str) -> str:
    score_position = (p.section or "(no heading)") + (f", p. {p.page}" if p.page is not None else "")
    words = shorten(" ".join(text[p.start : p.end].split()), MAX_PASSAGE)
    return (
        f'<td class="passage" dir="auto"><small>{escape(clean(score_position))}</small>{escape(words)}</td>'
    )


def _methods_section(comparison: Comparison) -> str:
    cards = registry.cards()
    parts = [
        f"<p>Profile {escape(comparison.profile)}. A score is computed from the two texts alone; its threshold, "
        "probability and percentile come from the profile.</p>"
    ]
    for score in comparison.results:
        card = cards.get(score.name)
        about = [card.score_means, f"Source: {card.source}.", card.explains] if card else []
        if score.no_verdict:
            about.append(f"No threshold and no probability: {score.no_verdict}.")
        elif score.profile is not None:
            corpora = (
                describe_corpora(score.name, score.corpora) or "corpora that its checkpoint does not record"
            )
            about.append(f"Its profile {score.profile} was fitted on validation pairs of {corpora}.")
        about.append(f"{score.seconds:.1f} s for this pair.")
        maps = "".join(
            f"<li>{escape(_sentence_case(map_title(m)))}, {len(m.rows)} × {len(m.columns)}, {escape(m.unit)}. "
            f"{escape(m.meaning)}</li>"
            for m in comparison.maps.get(score.name, {}).values()
        )
        parts.append(f"<h3>{escape(score.title)}</h3><p>{escape(' '.join(about))}</p>")
        parts.append(f"<ul>{maps}</ul>" if maps else "")
    return "".join(parts)


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tokens_read(score: Score) -> str:
    def one(read: int, tokens: int) -> str:
        return "all" if read >= tokens else f"{read:,} of {tokens:,} tokens"

    a, b = score.read_a, score.read_b
    both = one(a.tokens_read, a.tokens), one(b.tokens_read, b.tokens)
    return both[0] if both[0] == both[1] else f"{both[0]}; {both[1]}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _percent(probability: float | None) -> str:
    return "–" if probability is None else f"{percent(probability)} %"


def _tiles(comparison: Comparison, shown: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The tiles of large maps, a line each, in a block for each map, read when the map is; equal maps share one.

    They stand behind the script, which runs while a browser still reads them.
    """
    written: set[str] = set()
    for model in shown:
        for name, sent in model["maps"].items():
            if sent["overview"] is None or (key := sent["overview"]["digest"]) in written:
                continue
            written.add(key)
            lines = "\n".join(tiles(comparison.maps[model["name"]][name]))
            yield f'<script type="text/plain" id="tiles-{key}">{lines}</script>\n'
