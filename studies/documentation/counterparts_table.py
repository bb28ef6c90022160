"""The table of planted sentences in the guide of the claim chart, from docs/results/counterparts.json."""

from __future__ import annotations

from studies import ROOT
from studies.tables import markdown_table, read_json

FIGURES = ROOT / "docs" / "results" / "counterparts.json"


def counterparts_table() -> str:
    """Miss rates by form, with numbers of sentences and the command."""
    figures = read_json(FIGURES, {})
    test, pan, clauses = figures["test"], figures["pan"], figures["clauses"]
    counts = test["requirements"]
    rows = [(form, str(counts[form]), f"{rate:.1%}") for form, rate in test["miss_rate"].items()]
    rows.append(
        (
            "paraphrased: translated there and back (PAN)",
            str(pan["sentences"]["paraphrased"]),
            f"{pan['miss_rate']:.1%}",
        )
    )
    (first, three), (word_first, word_three) = clauses["counterparts"], clauses["TF-IDF"]
    absent = f"{test['false_found']:.1%} of {counts['absent']} absent sentences"
    absent_pan = (
        f"{pan['false_found']:.1%} of {pan['sentences']['absent']} sentences of PAN's pairs without reuse"
    )
    return "\n".join(
        [
            markdown_table(("planted sentence", "number", "missed"), rows),
            f"False found: {absent}, {absent_pan}. Mean difference of the probability of “not found” and the",
            f"share that is right: {test['not_found_calibration_error']:.3f}.",
            "Measured on texts that were not in the fit; its form was changed after a look at these figures,",
            "so expect somewhat more misses.",
            "Command: `python -m studies.passages.fit_counterparts CORPORA --pan FOLDER`.",
            "",
            f"Of {clauses['clauses']} clauses of agreements that answer the same question in other words",
            f"(ContractNLI), the first counterpart is right for {first:.2f}, one of three for {three:.2f} "
            f"(TF-IDF {word_first:.2f} and {word_three:.2f}, chance {clauses['chance']:.2f});",
            "the form of the order was chosen on these clauses. `python -m studies.passages.clause_answers FOLDER`.",
        ]
    )
