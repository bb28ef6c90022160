"""What the difference of two sentences means: each kind, and what is no change of meaning, in both directions."""

from __future__ import annotations

import doctest

import pytest

from colde.encoders import cancellation
from colde.encoders.cancellation import cancel_check
from colde.meaning import differences, grammar
from colde.meaning.differences import change_kind, contradict, find_differences
from colde.results.change import ChangeKind
from colde.text.document import Span

CASES: dict[ChangeKind, list[tuple[str, str]]] = {
    "negation": [
        ("It is due no later than noon.", "It is due later than noon."),
        ("The tenant shall not keep dogs.", "The tenant shall keep dogs."),
        ("There is no bridge over the river.", "There is a bridge over the river."),
        ("Nobody may enter the hall.", "Everybody may enter the hall."),
        ("The clerk failed to sign the lease.", "The clerk signed the lease."),
        ("Without a permit he may fish.", "With a permit he may fish."),
        ("The goods are never sold.", "The goods are always sold."),
        ("Employees may not smoke in the hall.", "Employees may smoke in the hall."),
        ("Smoking is allowed in the hall.", "Smoking is prohibited in the hall."),
        ("Visitors don't sign the book.", "Visitors sign the book."),
        ("The lamp warms the room.", "The lamp hardly warms the room."),
        ("He always complies with a notice.", "He hardly ever complies with a notice."),
        ("The lamp warms the room a little.", "The lamp hardly warms the room a little."),
        ("Few guests pay in cash.", "Guests do not pay in cash."),
        ("There is no lamp between the two doors.", "A lamp is between the two doors."),
    ],
    "opposite": [
        ("The board may increase the order by a tenth.", "The board may reduce the order by a tenth."),
        ("The new mill raised the price of flour.", "The new mill cut the price of flour."),
        ("The committee should refuse the offer.", "The committee should accept the offer."),
        ("The oak is taller than the elm.", "The oak is shorter than the elm."),
        (
            "A complaint is made within ten days of the weighing.",
            "A complaint is made after ten days of the weighing.",
        ),
        ("The path is open until 5 May for carts.", "The path is open from 5 May for carts."),
        ("The rent rises in May.", "The rent falls in May."),
        ("The clause is lawful in every case.", "The clause is unlawful in every case."),
        ("The window is open.", "The window is closed."),
        ("The buyer accepts the goods.", "The buyer rejects the goods."),
        ("Postage is included in the price.", "Postage is excluded from the price."),
    ],
    "roles": [
        ("The old boat passes the new tower.", "The new boat passes the old tower."),
        ("He sings well but dances badly.", "He sings badly but dances well."),
        ("The fee is 24 pounds and not 42 pounds.", "The fee is 42 pounds and not 24 pounds."),
        ("The buyer pays the seller at once.", "The seller pays the buyer at once."),
        ("The Lender indemnifies the Borrower.", "The Borrower indemnifies the Lender."),
        ("The dog chased the cat.", "The dog was chased by the cat."),
        ("The clerk sends the keeper the key.", "The keeper sends the clerk the key."),
        ("The train runs from Harlow to Westmere.", "The train runs from Westmere to Harlow."),
    ],
    "obligation": [
        ("The tenant shall repair the fence.", "The tenant may repair the fence."),
        ("The tenant shall repair the fence.", "The tenant should repair the fence."),
        ("The tenant is entitled to repair the fence.", "The tenant is obliged to repair the fence."),
        ("A helmet is mandatory.", "A helmet is optional."),
    ],
    "number": [
        ("It is due within 30 days.", "It is due within 60 days."),
        ("The shop opens at 17:00.", "The shop opens at 5 a.m."),
        ("It costs £400.", "It costs €400."),
        ("Take 5.0 mg a day.", "Take 50 mg a day."),
        ("Take 5 mg a day.", "Take 5 g a day."),
        ("Store it at −20 °C.", "Store it at 20 °C."),
        ("Add 1/2 cup.", "Add 12 cups."),
        ("The rate is 3.25 %.", "The rate is 32.5 %."),
        ("He came on 3 March 2024.", "He came on 3 May 2024."),
        ("The first door is red.", "The second door is red."),
        ("Pages 10-15 are lost.", "Pages 1015 are lost."),
        ("He gave ninety days of notice.", "He gave nine days of notice."),
        ("The boat is late by 2 hours and 10 minutes.", "The boat is late by 10 minutes."),
        ("The fair is held on Fridays and Sundays.", "The fair is held on Fridays and Mondays."),
    ],
    "condition": [
        ("The mill is open if the wind blows.", "The mill is open."),
        ("The keeper and the clerk must sign the book.", "The keeper or the clerk must sign the book."),
        ("The owner may visit the barn.", "The owner may visit the barn only on Mondays."),
        ("The owner may sell the barn.", "Subject to clause 4, the owner may sell the barn."),
        ("He shall pay the costs except postage.", "He shall pay the costs."),
        ("The fee is at most 5 %.", "The fee is at least 5 %."),
        ("He pays if the goods arrive.", "He pays."),
        ("All but two of the boats sank.", "Two of the boats sank."),
        ("It rises once a year, by no more than the index.", "It rises once a year."),
        ("He pays the costs, save that of the post.", "He pays the costs."),
        ("Only lamps of 60 watts are sold.", "Only lamps of 60 watts or more are sold."),
        ("They sell not only tea but also coffee.", "They sell only tea."),
    ],
    "quantifier": [
        ("All of the rakers are asked.", "Some of the rakers are asked."),
        ("Most members voted.", "All members voted."),
        ("The gate is always open.", "The gate is sometimes open."),
    ],
    "name": [
        ("The court of Harlow decides.", "The court of Westmere decides."),
        ("Anna Keller leads the school.", "Maria Keller leads the school."),
        ('The song was called "Here and Now".', 'The song was called "Now".'),
        ("She taught a French class.", "She taught a German class."),
    ],
    "wording": [
        ("The clerk has yet to pay the fee.", "The clerk has not paid the fee."),
        ("He sells goods such as salt and tar.", "He sells goods such as salt or tar."),
        ("The barn remains the property of the town.", "The barn shall remain the property of the town."),
        ("The boat may be late.", "The boat might be late."),
        ("The clerk went to the mill.", "The clerk came to the mill."),
        ("Silver and gold have I none.", "I have no silver or gold."),
        ("The clerk did not fail to sign.", "The clerk signed."),
        ("He is not unwilling to pay.", "He is willing to pay."),
        ("The mill is neither old nor large.", "The mill is not old and not large."),
        (
            "The Supplier shall deliver, including without limitation the keys.",
            "The Supplier shall deliver, including the keys.",
        ),
        ("He has no right to vote.", "He does not have any right to vote."),
        ("It is not the case that he paid.", "He did not pay."),
        ("No member votes twice.", "Members do not vote twice."),
        ("The dog chased the cat.", "The cat was chased by the dog."),
        ("Anna and Ben sign the book.", "Ben and Anna sign the book."),
        ("The owner sells the barn to the miller.", "The miller buys the barn from the owner."),
        ("The oak is taller than the elm.", "The elm is shorter than the oak."),
        ("John Carter signs for the firm.", "J. Carter signs for the firm."),
        ("The European Union pays for it.", "The EU pays for it."),
        ("The licence is given by Acme Ltd.", "The licence is given by Acme."),
        ("The agreement binds the Buyer.", "The agreement binds the buyer."),
        ("Mr. Brown opened the gate.", "Mrs. Brown opened the gate."),
        ("It is due within thirty days.", "It is due within 30 days."),
        ("The shop opens at 17:00.", "The shop opens at 5 p.m."),
        ("It costs 1.5 million dollars.", "It costs $1,500,000."),
        ("He came on 3 March 2024.", "He came on 2024-03-03."),
        ("The walk is 5 km long.", "The walk is 5,000 m long."),
        ("The term is two years.", "The term is 24 months."),
        ("The price rose by 12.50 euros.", "The price rose by 12.5 euros."),
        ("The tenant must repair the fence.", "The tenant is required to repair the fence."),
        ("The tenant can repair the fence.", "The tenant may repair the fence."),
        ("It rises by no more than the index.", "It rises by at most the index."),
        ("He pays if the goods arrive.", "He pays, provided that the goods arrive."),
        ("Every member has a vote.", "Each member has a vote."),
        ("Smoking is not allowed in the hall.", "Smoking is prohibited in the hall."),
        ("The tenant mends the old fence.", "The tenant repairs the old fence."),
        ("The director approved the large budget.", "The manager approved the big budget."),
        ("He often visits the town.", "He frequently visits the town."),
        ("It is due no later than noon.", "It is not due later than noon."),
        ("The lamp warms the room little.", "The lamp hardly warms the room."),
        ("The lamp has a slight effect on the fog.", "The lamp has scarcely any effect on the fog."),
        ("Few guests pay in cash.", "Guests seldom pay in cash."),
        ("He may or may not pay the fee.", "He may pay the fee."),
        ("He pays unless the goods are late.", "He pays if the goods are not late."),
        ("The lamp is lit at 6 o'clock.", "The lamp is lit at six o'clock."),
        ("The boat is late by 2 hours and 10 minutes.", "The boat is late by 130 minutes."),
        ("It was built in 1889.", "It was built in 1888 or 1889."),
        ("The two remaining gates are shut.", "The remaining two gates are shut."),
        ("The old red boat passes the tower.", "The red old boat passes the tower."),
    ],
}


@pytest.mark.parametrize(
    ("kind", "a", "b"), [(kind, *pair) for kind, pairs in CASES.items() for pair in pairs]
)
def test_the_kind_of_a_difference(kind: ChangeKind, a: str, b: str) -> None:
    for pair in ((a, b), (b, a)):
        (listed,) = find_differences([pair])
        assert change_kind(listed)[0] == kind, listed


def test_a_difference_has_its_words_and_a_group_of_words_its_own_kind() -> None:
    a, b = "He may not pay 40 euros to the clerk.", "He may pay 50 euros to the clerk."
    (listed,) = find_differences([(a, b)])
    assert [(d.kind, d.a and a[d.a.start : d.a.end], d.b and b[d.b.start : d.b.end]) for d in listed] == [
        ("negation", "not", None),
        ("number", "40 euros", "50 euros"),
    ]
    figure = Span(a.index("40"), a.index("40") + 2), Span(b.index("50"), b.index("50") + 2)
    assert change_kind(listed)[0] == "negation"
    assert change_kind(listed, [figure[0]], [figure[1]])[0] == "number"
    assert change_kind(listed, [Span(0, 2)], [Span(0, 2)])[0] == "wording"


@pytest.mark.parametrize(
    ("a", "b", "language", "kind"),
    [
        ("Die Miete beträgt 40 Euro im Monat.", "Die Miete beträgt 45 Euro im Monat.", "de", "number"),
        ("Der Mieter darf keine Hunde halten.", "Der Mieter darf Hunde halten.", "de", "wording"),
        ("Der Hund schläft.", "Die Katze schläft.", "de", "wording"),
        ("Le tribunal de Lyon décide.", "Le tribunal de Nantes décide.", "fr", "name"),
        ("Пошлина составляет 5 рублей.", "Пошлина составляет 50 рублей.", "ru", "number"),
        ("Le loyer est de 1\u202f000 euros.", "Le loyer est de 1000 euros.", "fr", "wording"),
        ("Ol 5 man i kam.", "Ol 6 man i kam.", "tpi", "number"),
    ],
)
def test_of_other_languages_numbers_and_names_are_compared(a: str, b: str, language: str, kind: str) -> None:
    assert change_kind(find_differences([(a, b)], language)[0])[0] == kind
    assert change_kind(find_differences([(b, a)], language)[0])[0] == kind


@pytest.mark.parametrize(
    ("a", "b", "disagree"),
    [
        (
            "A pipe that stays within a few degrees may warm later.",
            "A pipe which hardly warms is safe.",
            False,
        ),
        (
            "The effect of the lamp on fog is slight.",
            "The lamp has scarcely any effect when it is foggy.",
            False,
        ),
        ("The keeper always complies with a notice.", "A notice is hardly ever complied with.", True),
        ("The pipe warms by many degrees.", "By day the pipe hardly warms.", True),
        ("The few keepers comply with a notice.", "The few keepers hardly ever comply with it.", True),
        ("The pipe warms by a few degrees.", "By day the pipe does not warm.", True),
        ("The fee is 40 euros a month.", "Each month he pays a fee of 45 euros.", True),
        ("Silver and gold have I none.", "I do not have any silver or gold.", False),
    ],
)
def test_sentences_in_other_words_contradict_each_other(a: str, b: str, *, disagree: bool) -> None:
    assert contradict(a, b) == contradict(b, a) == disagree


def test_a_long_row_of_figures_is_read_where_it_differs() -> None:
    row = [f"{n}.{n % 7}" for n in range(5_000)]
    changed = [*row[:4_000], "7.77", *row[4_001:]]
    a, b = (" ".join(side) + "." for side in (row, changed))
    ((difference,),) = find_differences([(a, b)])
    assert difference.kind == "number" and difference.a is not None and difference.b is not None
    assert a[difference.a.start : difference.a.end] == row[4_000]
    assert b[difference.b.start : difference.b.end] == "7.77"


def test_the_pipeline_is_loaded_when_a_sentence_is_read_and_reads_it_once() -> None:
    text = "The bell of the old tower rings at noon on the ninth day."
    (first,), (again,) = grammar.read_sentences([text]), grammar.read_sentences([text, "It rains."])[:1]
    assert first is again


def test_examples() -> None:
    assert doctest.testmod(grammar).failed == doctest.testmod(differences).failed == 0


@pytest.mark.parametrize("known", [False, True])
def test_thousands_of_sentences_can_be_cancelled(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """While they are parsed, and while sentences whose grammar is known are compared."""

    def cancel() -> None:
        raise KeyboardInterrupt

    pair = (f"He may not pay the {known} fee.", f"He may pay the {known} fee.")
    if known:
        grammar.read_sentences(pair)
    monkeypatch.setattr(cancellation, "POLL_SECONDS", 0)
    with cancel_check(cancel), pytest.raises(KeyboardInterrupt):
        find_differences([pair])
    assert find_differences([pair])[0][0].kind == "negation"
