"""`colde mistakes`: where a model is wrong on labelled pairs of a corpus."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from colde.cli.options import (
    Settings,
    checked_profile,
    common_options,
    console,
    model_option,
    path_parameter,
    profile_option,
)
from colde.cli.output_files import check_outputs, escape_control_characters, write_text
from colde.cli.progress_bar import ProgressBar
from colde.errors import CorpusError, ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command()
@click.argument("corpus", type=path_parameter)
@click.option(
    "--pairs", type=path_parameter, metavar="TSV", help="Labelled pairs; default: valid.tsv of the corpus."
)
@click.option(
    "--trained", type=path_parameter, metavar="TSV", help="Pairs trained on; default: train.tsv, if there."
)
@model_option()
@profile_option
@click.option(
    "--json", "json_path", type=path_parameter, metavar="FILE", help="For the page Where it is wrong."
)
@common_options
def mistakes(
    settings: Settings,
    corpus: Path,
    pairs: Path | None,
    trained: Path | None,
    names: tuple[str, ...],
    profile: str,
    json_path: Path | None,
) -> None:
    """Show where a model is wrong: its most confident mistakes, and what mistakes have in common.

    CORPUS is a folder with documents.jsonl.gz and valid.tsv. Of several models the first is asked. The file holds
    figures, titles and small maps, no text; the explorer shows it on the page "Where it is wrong".

    \b
    Example:
      colde mistakes corpora/papers --model colde --profile papers --json mistakes.json
    """
    check_outputs((corpus / "documents.jsonl.gz",), json_path)

    from colde import models
    from colde.comparison.apply_reference import apply_reference
    from colde.corpus.corpus_folder import read_pairs, record_to_document
    from colde.evaluation.known_errors import JudgedPairs, draw_maps_with, traits_of
    from colde.evaluation.known_errors import mistakes as found_by
    from colde.evaluation.pair_scores import records_of, score_pairs
    from colde.judge.calibration import judge

    checked_profile(profile, names)
    labelled = [p for p in read_pairs(pairs or corpus / "valid.tsv") if p.label is not None]
    if not labelled:
        raise CorpusError(f"{corpus}: no pair has a label, so nothing can be wrong")
    known = trained or corpus / "train.tsv"
    seen = frozenset(n for p in read_pairs(known) for n in (p.source, p.target)) if known.is_file() else None
    name = names[0]
    with ProgressBar(settings) as bar:
        bar.stage(f"reading {corpus}")
        records = records_of(corpus, ((p.source, p.target) for p in labelled))
        document = cache(lambda key: record_to_document(records[key]))
        bar.stage(f"loading {name}")
        matcher, _ = apply_reference(models.load(name), profile, None, on_progress=bar)
        ids = [(p.source, p.target) for p in labelled]
        scores = list(score_pairs(matcher, document, ids, on_progress=bar))
        try:
            judged = JudgedPairs.of(labelled, scores, [judge(s, matcher.profiles, profile) for s in scores])
        except ValueError as error:
            raise ModelError(f"{name}: {error}") from None
        bar.stage("looking at the mistakes")
        result = found_by(
            judged, traits_of(labelled, document, seen), draw_maps_with(matcher, document), document
        )
    figures = {"models": {name: {"title": matcher.card.title, "profiles": {profile: result}}}}
    _print(result)
    if json_path is not None:
        write_text(
            json_path,
            escape_control_characters(json.dumps(figures, ensure_ascii=False, indent=1, allow_nan=False))
            + "\n",
        )
        settings.note(f"wrote {json_path}")


def _print(result: Mapping[str, Any]) -> None:
    """Counts, the most confident mistakes, and shares of wrong pairs by what they have in common."""
    from rich.text import Text

    from colde.evaluation.known_errors import TRAITS
    from colde.report.formatting import clean, plain_table, shorten

    out = console()
    related, pairs = result["related"], result["pairs"]
    out.print(
        f"{result['missed']} of {related:,} related pairs missed, {result['called']} of {pairs - related:,} unrelated "
        "pairs called related."
    )
    out.print()
    table = plain_table()
    for title in ("labelled", "probability", "A", "B"):
        table.add_column(title, justify="right" if title == "probability" else "left")
    for one in result["shown"]:
        titles = (Text(shorten(clean(t), 44)) for t in one["titles"])
        table.add_row(one["label"], f"{one['probability']:.2f}", *titles)
    out.print(table)
    out.print()
    table = plain_table()
    for title in ("", "from", "to", "missed", "called"):
        table.add_column(title, justify="left" if not title else "right")
    for name, groups in result["common"].items():
        for k, group in enumerate(groups):
            shares = (_share(group[sort]) for sort in ("missed", "called"))
            table.add_row("" if k else TRAITS[name], f"{group['from']:g}", f"{group['to']:g}", *shares)
    out.print(table)


def _share(found: Mapping[str, Any]) -> str:
    return f"{found['wrong']} of {found['of']}"
