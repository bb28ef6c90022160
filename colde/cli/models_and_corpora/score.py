"""`colde score`: a column of scores for a table of pairs."""

from __future__ import annotations

import math
from pathlib import Path

import click

from colde.cli import options
from colde.cli.output_files import check_outputs
from colde.cli.progress_bar import ProgressBar
from colde.errors import CorpusError, ReadError

RECHECKED_ROWS = 3  # rows of an earlier run that are scored again, to check that they are of the same model
TOLERANCE = 2e-3  # above the effect of another order of encoding, far below the difference of two models


@click.command()
@options.path_option("--corpus", "DIR", "A folder with documents.jsonl.gz.", required=True)
@options.path_option("--pairs", "TSV", "Columns source and target, and any others.", required=True)
@click.option(
    "--model",
    "name",
    metavar="NAME",
    required=True,
    callback=options.registered_model,
    help="One model; see colde models.",
)
@options.path_option("--checkpoint", "DIR", "Weights from colde train instead of the model's own.")
@options.profile_option
@options.reference_option
@options.prior_option
@options.encoder_option
@options.path_option("--output", "TSV", "The pairs with three more columns.", required=True)
@options.common_options
def score(
    settings: options.Settings,
    corpus: Path,
    pairs: Path,
    name: str,
    checkpoint: Path | None,
    profile: str,
    reference: Path | None,
    prior: float,
    encoder: str,
    output: Path,
) -> None:
    """Add the columns score, probability and predicted to a table of pairs.

    If the command is stopped, run it again: it keeps the rows that are there and continues after them. Each
    document is encoded once. A document that cannot be processed is named, and its pairs get empty cells.

    \b
    Example:
      colde score --corpus corpora/papers --pairs pairs.tsv --model colde --output scores.tsv
    """
    check_outputs((corpus / "documents.jsonl.gz", pairs, reference), output)

    from colde import models
    from colde.comparison.fitted_model import JudgedDocument, PairJudge, over_encoder
    from colde.corpus.corpus_folder import record_to_document
    from colde.encoders.encoder_names import choose_encoder
    from colde.evaluation.pair_scores import match_pairs, records_of
    from colde.evaluation.score_table import ScoredTable, read_table
    from colde.judge.calibration import Judgement
    from colde.judge.profiles import DETECT
    from colde.judge.reference import read_reference
    from colde.models.base import Matcher
    from colde.results.pair_result import PairResult
    from colde.text.document import Document

    with ProgressBar(settings) as bar:
        bar.stage(f"reading {corpus}")
        table = read_table(pairs)
        result = ScoredTable(output, table)
        first = max(len(result.kept) - RECHECKED_ROWS, 0)
        todo = table.pairs()[first:]
        records = records_of(corpus, todo)
        bar.stage(f"loading {name}")
        matcher = models.load(name if checkpoint is None else str(checkpoint))
        if models.spec_of(matcher.card.name).base != models.spec_of(name).base:
            raise click.UsageError(f"{checkpoint} holds {matcher.card.name}, not {name}")
        matcher = over_encoder(matcher, choose_encoder(encoder, ()))
        reference_set = read_reference(reference, bar) if reference is not None else None
        judge = PairJudge(matcher, profile, reference_set, on_progress=bar)
        options.checked_profile(profile, [name if checkpoint is None else str(checkpoint)])
        if profile not in (DETECT, *matcher.profiles):
            settings.note(f"note: {matcher.card.title} has no profile {profile}, so it gives no probability")
        known: dict[str, JudgedDocument] = {}

        def document(name: str) -> Document:
            made = record_to_document(records.pop(name))
            known[name] = judge.document(made)
            return made

        def judged_pair(result: PairResult | None, a: str, b: str) -> tuple[float, Judgement | None]:
            if result is None:
                return math.nan, None
            judged = judge.judge(result.score, known[a], known[b], self_similarity=result.self_similarity)
            return result.score, judged.at_prior(prior)

        def matcher_for(pair: tuple[str, str]) -> Matcher:
            return judge.matcher(judge.profile(known[pair[0]], known[pair[1]]))

        skipped: list[ReadError] = []
        results = match_pairs(matcher_for, document, todo, on_progress=bar, skipped=skipped)
        scored = (judged_pair(one, a, b) for one, (a, b) in zip(results, todo, strict=True))
        for kept in result.kept[first:]:
            value, judged = next(scored)
            if not _same((value, None if judged is None else judged.probability), kept):
                raise CorpusError(
                    f"{output} holds scores of another model, checkpoint, profile, reference or prior: "
                    "remove it or name another file"
                )
        result.append(scored)
    from colde.report.formatting import counted

    for error in skipped:
        settings.note(f"no score for the pairs of {error}")
    settings.note(
        f"wrote {output}: {counted(len(table.rows), 'pair')}, {len(result.kept):,} of them from an earlier run"
    )


def _same(one: tuple[float, float | None], other: tuple[float, float | None]) -> bool:
    if math.isnan(one[0]) or math.isnan(other[0]):
        return math.isnan(one[0]) and math.isnan(other[0])
    return all(
        y is None if x is None else y is not None and math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        for x, y in zip(one, other, strict=True)
    )
