"""Lists of works are told by their content, in several styles and languages; other lists and prose are text.

`lists_of_works.txt` has a first half on which the recogniser was developed (“choose”), and a second (“report”).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from colde import read_text
from colde.text.not_compared.list_of_works import names_list_of_works, paragraphs_of_works

LISTS = [
    (title, lines.split("\n"))
    for title, lines in (
        block.strip().split("\n", 1)
        for block in re.split(
            r"^=== ",
            Path(__file__).with_suffix("").parent.joinpath("lists_of_works.txt").read_text(),
            flags=re.M,
        )[1:]
    )
]
WORKS = [pytest.param(lines, id=title) for title, lines in LISTS if title.split()[1] == "list"]
OTHER = [pytest.param(lines, id=title) for title, lines in LISTS if title.split()[1] == "text"]
PROSE = "The tide comes in twice a day, and the keeper writes it down. Nobody has asked him to do so in thirty years."


@pytest.mark.parametrize("lines", WORKS)
@pytest.mark.parametrize("named", [False, True])
def test_a_list_of_works(lines: list[str], named: bool) -> None:
    flags = paragraphs_of_works(lines, named=named)
    assert sum(flags) >= len(flags) - lines[0].startswith("The following")


@pytest.mark.parametrize("lines", OTHER)
def test_another_list_or_prose(lines: list[str]) -> None:
    assert not any(paragraphs_of_works(lines))


@pytest.mark.parametrize(
    "lines", [p for p in OTHER if re.search("prose|command|program|chronology|position|essay", str(p.id))]
)
def test_the_heading_alone_makes_no_list_of_works(lines: list[str]) -> None:
    assert not any(paragraphs_of_works(lines, named=True))


@pytest.mark.parametrize(
    "heading", ["Further reading", "Sources and literature", "References", "Odds and ends", None]
)
@pytest.mark.parametrize("separator", ["\n\n", "\n- ", "\n"])
def test_any_heading_in_markdown(heading: str | None, separator: str) -> None:
    works = separator.join(dict(LISTS)["choose list harvard, English"])
    above = f"## {heading}\n\n" if heading else ""
    document = read_text(
        f"# Tides\n\n## Keeper\n\n{PROSE}\n\n{above}{separator.lstrip()}{works}\n\n## End\n\n{PROSE}\n"
    )
    roles = {s.heading: s.role for s in document.sections}
    assert roles["Keeper"] is None and roles["End"] is None
    aside = "".join(document.text[s.start : s.end] for s in document.sections if s.role == "references")
    assert aside.count("20") >= 3 and "tide" not in aside and (heading is None or heading in aside)


@pytest.mark.parametrize("heading", ["References", "Reference", "Literature"])
def test_chapters_under_such_a_heading_are_text(heading: str) -> None:
    document = read_text(
        f"# Guide\n\n## Start\n\n{PROSE}\n\n## {heading}\n\n{PROSE}\n\n### Commands\n\n{PROSE}\n"
    )
    assert {s.role for s in document.sections} == {None} and names_list_of_works(heading)


def test_the_list_that_ends_a_paper_needs_no_entries() -> None:
    def roles(first: str) -> list[str | None]:
        document = read_text(
            f"# Tides\n\n## {first}\n\n{PROSE}\n\n## Work\n\n{PROSE}\n\n## References\n\n{PROSE}\n"
        )
        return [s.role for s in document.sections]

    assert roles("Abstract") == [None, None, "references"]
    assert roles("Start") == [None, None, None]


LINKS = [
    "For Norland: Norland Data Office, at https://www.office.example/complaints",
    "For Vestria: Vestrian Commissioner, at https://commissioner.example/contact",
    "For Osk, Lund and Tarn: Federal Council, at https://www.council.example",
    "For the Northern Isles: Harbour Office, at https://harbour.example/office/data",
]


@pytest.mark.parametrize(
    "lines",
    [LINKS, [f"{i}. {line};" for i, line in enumerate(LINKS, 1)], ["; ".join(LINKS)],
     [f"{line}, as amended on 4 May 2018" for line in LINKS],
     ["Harbour Press: https://press.example", "Osk Museum: https://museum.example", "Lund, Tarn: www.lund.example"]],
)  # fmt: skip
def test_addresses_alone_make_no_list_of_works(lines: list[str]) -> None:
    assert not any(paragraphs_of_works(lines))
