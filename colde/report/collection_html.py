"""The report of a collection: one file that asks for nothing, as that of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from colde import models as registry
from colde.report.formatting import clean, counted, listed, shorten
from colde.report.html_page import html_table, number_cell, page_head, page_style
from colde.report.html_report import to_html
from colde.report.matrix_image import matrix_png, tree_lines
from colde.report.profile_corpora import fitted_on
from colde.report.verdict import percent
from colde.results.collection import Collection
from colde.results.comparison import Comparison
from colde.text.language_names import language_name

MOST_NAMED = 60
"""Documents up to which each row of the matrix has its name beside it."""

STYLE = """
.matrix { width: 100%; max-width: 960px; height: auto; display: block; }
.matrix image { image-rendering: pixelated; }
.matrix path { stroke: var(--muted); stroke-width: 1; fill: none; vector-effect: non-scaling-stroke; }
.matrix text { font-size: 11px; fill: var(--st-text-color); }
iframe.pair { width: 100%; height: 85vh; border: 1px solid var(--line); }
"""


def collection_html(found: Collection, drilled: Sequence[tuple[int, int, Comparison]] = ()) -> str:
    """The collection as one self-contained HTML page.

    Args:
        drilled: pairs whose whole comparison shall stand in the page, by the numbers of their documents.
    """
    title = f"{len(found.documents)} documents"
    return f"""{page_head(f"{title}, compared", page_style() + STYLE, framed=True)}
<main>
<header class="top"><h1>{title}, each compared with each</h1></header>
<p class="verdict">{escape(summary(found))}</p>
<p class="muted">{escape(_basis(found))}</p>
<h2>Who is like whom</h2>
{_matrix(found)}
<h2>Clusters</h2>
{_clusters(found)}
<h2>Strongest pairs</h2>
{_pairs(found, {(a, b) for a, b, _ in drilled})}
{_drilled(found, drilled)}
{_unread(found)}
</main>
</body>
</html>
"""


def summary(found: Collection) -> str:
    """Summarise clusters and duplicates in two sentences."""
    groups = found.groups
    alone = sum(len(g) == 1 for g in found.clusters)
    own = f"{alone} document that stands alone." if alone == 1 else f"{alone} documents that stand alone."
    said = f"{len(groups)} cluster{'' if len(groups) == 1 else 's'}, {own}"
    if found.duplicates:
        many = sum(map(len, found.duplicates))
        said += f" {many} documents are nearly the same as another."
    return said + _languages(found)


def _languages(found: Collection) -> str:
    """Sentence on the documents that the threshold does not hold for; empty without any."""
    unread = [found.documents[i].language for i in found.unread_languages]
    if not unread or found.threshold is None:
        return ""
    names = listed([language_name(code) for code in dict.fromkeys(unread) if code])
    one = len(unread) == 1
    return (
        f" {counted(len(unread), 'document')} {'is' if one else 'are'} in {names}: {'its' if one else 'their'} pairs "
        "have no probability, and only nearly the same text joins them in a cluster."
    )


def _basis(found: Collection) -> str:
    title = registry.card(found.models[0]).title
    if found.threshold is None:
        cut = f"No threshold, so no clusters and no probabilities: {found.no_verdict}."
    else:
        corpora = fitted_on(found.models[0], found.corpora) or "corpora that its checkpoint does not record"
        cut = (
            f"Clusters join where the mean score reaches {found.threshold:.2f}, which was chosen on validation pairs "
            f"of {corpora} (profile {found.profile})."
        )
    return (
        f"By {title}; a score is computed from two texts alone. {cut} What is alike need not be taken from one "
        "another: a person decides."
    )


def _matrix(found: Collection) -> str:
    """Tree, picture and names in one drawing; rows and columns in the order of the tree."""
    order = found.order
    scores = found.scores[found.models[0]][np.ix_(order, order)]
    count, side, tree = len(order), 600, 120
    lines = " ".join(
        f"M{tree - x0 * (tree - 4):.1f} {y0 * side:.1f}L{tree - x1 * (tree - 4):.1f} {y1 * side:.1f}"
        for x0, y0, x1, y1 in tree_lines(found.merges, order)
    )
    named = count <= MOST_NAMED
    names = "".join(
        f'<text x="{tree + side + 6}" y="{(at + 0.5) * side / count + 4:.1f}">'
        f"{escape(shorten(clean(found.names[i]), 48))}</text>"
        for at, i in enumerate(order if named else ())
    )
    width = tree + side + (300 if named else 0)
    label = (
        f"Scores of {count} documents with each other, in the order of the tree; the darker, the more alike"
    )
    return (
        f'<svg class="matrix" viewBox="0 0 {width} {side}" role="img" aria-label="{label}"><path d="{lines}"/>'
        f'<image x="{tree}" y="0" width="{side}" height="{side}" href="{matrix_png(scores)}"/>{names}</svg>'
        f'<p class="muted">{label}.</p>'
    )


def _clusters(found: Collection) -> str:
    rows = []
    for number, group in enumerate(found.groups, 1):
        names = "<br>".join(escape(clean(found.names[i])) for i in group)
        rows.append([number_cell(str(number)), number_cell(str(len(group))), f'<td dir="auto">{names}</td>'])
    text = (
        html_table(("#Cluster", "#Documents", "Names"), rows) if rows else "<p>No two documents cluster.</p>"
    )
    for group in found.duplicates:
        names = "; ".join(clean(found.names[i]) for i in group)
        text += f"<p>Nearly the same text: {escape(names)}.</p>"
    return text


def _pairs(found: Collection, drilled: set[tuple[int, int]]) -> str:
    rows = []
    for number, pair in enumerate(found.pairs, 1):
        names = [escape(clean(found.names[i])) for i in (pair.a, pair.b)]
        if (pair.a, pair.b) in drilled:
            names[0] = f'<a href="#pair-{pair.a}-{pair.b}">{names[0]}</a>'
        likely = "–" if pair.probability is None else f"{percent(pair.probability)} %"
        rows.append(
            [
                number_cell(str(number)),
                *(f'<td dir="auto">{name}</td>' for name in names),
                number_cell(f"{pair.score:.2f}"),
                number_cell(likely),
                f'<td dir="auto">{escape(clean(pair.why))}</td>',
            ]
        )
    return html_table(("#No.", "One", "Other", "#Score", "#Probability", "Why"), rows)


def _drilled(found: Collection, drilled: Sequence[tuple[int, int, Comparison]]) -> str:
    """The reports of single pairs, each in a frame of its own, under the same policy."""
    parts = []
    for a, b, comparison in drilled:
        name = escape(f"{clean(found.names[a])} ↔ {clean(found.names[b])}")
        page = escape(to_html(comparison), quote=True)
        parts.append(
            f'<details id="pair-{a}-{b}" open><summary>{name}</summary>'
            f'<iframe class="pair" title="{name}" loading="lazy" srcdoc="{page}"></iframe></details>'
        )
    return f"<h2>Pairs in full</h2>{''.join(parts)}" if parts else ""


def _unread(found: Collection) -> str:
    if not found.unread:
        return ""
    items = "".join(f"<li>{escape(clean(str(e)))}</li>" for e in found.unread)
    return f"<h2>Left out</h2><ul>{items}</ul>"
