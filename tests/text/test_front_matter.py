"""What is a block of authors and addresses, and what is text: openings of many kinds of documents and languages.

All openings are written for this test; persons, firms and places are invented.
"""

from __future__ import annotations

import textwrap
import time

import pytest

import colde
from colde.ingest.shared.blocks import Block, assemble
from colde.text.document import Document
from colde.text.not_compared.boilerplate import without_boilerplate
from colde.text.not_compared.front_matter import count_leading_front_matter, is_front_matter, is_sentence

BODY = "The tide turns twice a day along most coasts, and the pilot waits for it before he takes a ship in."

PROSE = [
    # contracts and policies
    ("en", "This Agreement is made on 3 May 2021 between Orrin Freight Ltd of 8 Basin Road, Hale, and the University "
     "of Tarn, Department of Procurement, PO Box 12, 24105 Tarn (together the Parties):"),
    ("en", "THIS LEASE IS MADE BETWEEN ORRIN FREIGHT LTD AND THE COLLEGE OF SAINT BRANNOC, WHO ARE BOUND BY ITS TERMS"),
    ("en", "Orrin Freight Ltd, Basin Road, Hale, hereby lets to Marlow Glass Inc of Tarn Street, Hale, the yard"),
    ("en", "Every employee of Marlow Glass Inc. must report an accident to the department of safety within a day."),
    ("en", "The Institute reimburses travel by train. Claims are sent to travel@institute.example within a month."),
    ("de", "Zwischen der Orrin Fracht GmbH, Hafenweg 3, 24105 Kiel, und der Marlow Glas GmbH, 23552 Lübeck, wird "
     "folgender Vertrag geschlossen"),
    ("fr", "Le présent contrat est conclu entre la société Orrin SARL et l'Université de Valmont, qui accepte les "
     "conditions suivantes :"),
    ("es", "El presente contrato se celebra entre la Universidad de Tarna y la empresa Orrin, que acepta sus términos"),
    ("nl", "Deze overeenkomst wordt gesloten tussen de Universiteit Tarn en Orrin Vracht BV, die de voorwaarden kent"),
    ("pl", "Umowa została zawarta między Uniwersytetem w Tarnie a firmą Orrin, która przyjmuje wszystkie warunki"),
    ("ru", "Настоящий договор заключён между Университетом Тарна и компанией Оррин, которая принимает его условия"),
    ("zh", "本合同由塔恩大学与奥林货运公司于二零二一年五月三日签订，双方同意遵守以下各项条款。"),
    ("ja", "本契約は、ターン大学とオリン運送株式会社との間で締結される。"),
    ("ar", "أبرم هذا العقد بين جامعة تارن وشركة أورين للشحن وقد اتفق الطرفان على الشروط التالية"),
    # news, letters, minutes
    ("en", "HALE, May 3 – The department of harbours will close the old lock for two years, its director said."),
    ("en", "Dear Ms Orrin, thank you for your letter to the laboratory. We have tested both samples again."),
    ("en", "The meeting of the department was opened by Ann Orrin at nine. The minutes of April were approved."),
    # CVs, essays, theses, patents, manuals
    ("en", "Engineer with ten years at Orrin Freight Ltd and a degree from Tarn College, who likes to build cranes"),
    ("en", "I went to college late. My father drove for Orrin Freight Ltd, and I thought I would, too."),
    ("en", "This thesis was written at the Institute of Hydrology. It asks how silt moves through a lock."),
    ("en", "A crane is disclosed that Orrin Freight Inc. has sold since 2019, with a counterweight of two parts."),
    ("en", "Before you start the laboratory centrifuge, close the lid. For help write to help@orrin.example."),
    ("en", "We measured silt in four locks.\nThe samples were dried at the university\nand weighed twice."),
    ("en", "we write at the college of tarn, in small letters"),
    ("de", "Das Institut hat die Proben zweimal gewogen. Sie wurden in der Universität getrocknet."),
    (None, "Laboratorio neve qantur silim torev akhal, dunar iveti solqan merith"),  # a language nobody knows
]  # fmt: skip

BLOCKS = [
    ("en", "Ann Orrin\n\nUniversity of Tarn"),
    ("en", "Ann Orrin, Bo Marlow and Cy Hale Department of Hydrology and Harbour Engineering University of Tarn "
     "{orrin, marlow, hale}@hydro.tarn.example"),
    ("en", "Ann Orrin1,2, Bo Marlow3\n\n1 Institute for Silt Research\n\n2 Orrin Freight Inc., 3 Tarn College"),
    ("en", "ANN ORRIN AND BO MARLOW DEPARTMENT OF HYDROLOGY, UNIVERSITY OF TARN, TARN"),
    ("en", "orrin,marlow@hydro.tarn.example"),
    ("en", "Ann Orrin\nTarn Research Center\n12 Basin Road\nHale, CA 94304"),
    ("de", "Dr. Anna Orrin, Institut für Wasserbau, Universität Tarn, Hafenweg 3, 24105 Tarn"),
    ("fr", "Anne Orrin, Institut de recherche en hydrologie, Université de Valmont, anne@hydro.valmont.example"),
    ("cs", "Jan Orrin Ústav formální a užité hydrologie, Univerzita Tarn, CZ-11800 Praha {orrin|hale}@tarn.example"),
    ("ru", "Анна Оррин, Институт гидрологии, Университет Тарна, Россия"),
    ("zh", "欧林 马洛\n塔恩大学水文研究所 塔恩 100871"),
    ("ko", "김오린 타른대학교 수문학과 orrin@tarn.example"),
]  # fmt: skip

OTHER_OPENINGS = [
    "Orrin Freight Ltd, Basin Road, Hale\n\nand\n\nTarn College, 24105 Tarn",
    "Department of Harbours\n\nMinutes No. 12, 3 May 2021",
    "Tarn College Opens New Laboratory in Hale",
    "Ann Orrin\n12 Basin Road, 24105 Tarn\nann@orrin.example",
    "From: ann@orrin.example\nTo: bo@marlow.example",
    "Marlow Glass Inc.",
    "Welcome to the college!",
    "https://orrin.example",
]
"""Names and addresses in documents that are no papers: a contract's parties, a headline, a CV, a mail."""


def document(opening: str, *rest: tuple[str, str], language: str | None = "en") -> Document:
    blocks = [Block(paragraph) for paragraph in opening.split("\n\n")]
    for heading, text in rest:
        blocks += [Block(heading, level=1), Block(text)]
    return assemble(blocks, source="x.txt", format="text", language=language)


def compared(found: Document) -> str:
    return "\n".join(found.text[s.start : s.end] for _, s in without_boilerplate(found).compared())


@pytest.mark.parametrize(("language", "opening"), PROSE)
def test_prose_is_never_front_matter_even_in_a_paper(language: str | None, opening: str) -> None:
    assert not is_front_matter(opening, language)
    assert opening in compared(document(opening, ("Abstract", BODY), ("Tides", BODY), language=language))
    wrapped = textwrap.fill(opening, 34)
    assert not is_front_matter(wrapped, language)
    assert count_leading_front_matter([opening, BODY], language) == 0


@pytest.mark.parametrize(("language", "opening"), BLOCKS)
def test_authors_of_a_paper_are_set_aside(language: str, opening: str) -> None:
    assert is_front_matter(opening, language)
    found = document(opening, ("Abstract", BODY), ("Tides", BODY), language=language)
    assert opening.split("\n\n")[0] not in compared(found)


@pytest.mark.parametrize("opening", OTHER_OPENINGS)
def test_names_and_addresses_of_other_documents_are_kept(opening: str) -> None:
    assert opening in compared(document(opening, ("1 Harbour dues", BODY), ("2 Notice", BODY)))
    assert opening in compared(document(opening + "\n\n" + BODY))


def test_a_list_of_references_makes_a_paper_as_an_abstract_does() -> None:
    authors = Block("Ann Orrin, University of Tarn")
    text = [Block("Silt", level=1), Block(BODY)]
    listed = [Block("Works", level=1, role="references"), Block("A. Orrin. Silt. 2019.", role="references")]
    for blocks, kept in (([authors, *text], True), ([authors, *text, *listed], False)):
        found = assemble(blocks, source="x.txt", format="text", language="en")
        assert ("Ann Orrin" in compared(found)) is kept
    run_in = assemble(
        [authors, Block(f"Abstract. {BODY}"), *text], source="x.txt", format="text", language="en"
    )
    assert "Ann Orrin" not in compared(run_in)


def test_a_party_changed_in_the_first_paragraph_is_seen() -> None:
    party = "This agreement is made between {} Ltd of Basin Road, Hale, and the college of Saint Brannoc."
    texts = [
        f"# Lease\n\n{party.format(name)}\n\n## 1 Rent\n\n{BODY}\n"
        for name in ("Orrin Freight", "Marlow Glass")
    ]
    a, b = (colde.read(text.encode(), name="x.md") for text in texts)
    shared = colde.compare(a, b, ["tfidf"]).shared
    assert shared is not None and shared.a["identical"] < 1 and shared.b["identical"] < 1


@pytest.mark.parametrize("letters", ["ACGT", "a.b,", "0", "a@", "x;y@z,"])
def test_endless_words_take_time_by_their_length(letters: str) -> None:
    def seconds(size: int) -> float:
        text = letters * (size // len(letters))
        begun = time.process_time()
        is_sentence(text)
        is_front_matter(text)
        return time.process_time() - begun

    small, large = 12_000, 96_000  # eight times as long; 64 times the work where it grows by the square
    fastest = {size: min(seconds(size) for _ in range(3)) for size in (small, large)}
    assert fastest[large] < 24 * max(fastest[small], 0.001)
