"""The order of changes: as a lawyer reads."""

from __future__ import annotations

import doctest

import colde
from colde.changes import ranking
from colde.changes.ranking import BY_KIND, importance
from colde.comparison import pipeline
from colde.results.change import CHANGE_KINDS

OLD = """# Lease

The Tenant may assign the lease to a member of the family. The rent is 400 euros and is due on the first day of each
month. The Landlord shall keep the roof in good order. Carter and Sons built the house beside the old mill in the north
of Harlow. The walls of the yard are painted in a light grey. The yard has a small pump with a handle of iron.
"""
NEW = """# Lease

The Tenant may not assign the lease to a member of the family. The rent is 450 euros and is due on the first day of each
month. The Landlord shall keep the roof in good order. Baxter and Sons built the house beside the old mill in the north
of Harlow. The walls of the yard are painted in a pale grey. The yard has a small pump with a handle of iron.

The Tenant shall pay for all damages to the house and to the yard that a guest causes.
"""


def test_duties_come_first_then_new_duties_and_figures_then_names_and_words() -> None:
    changes = pipeline.compare(colde.read_text(OLD), colde.read_text(NEW), models="tfidf").changes
    assert [c.kind for c in changes] == ["negation", "only in b", "number", "name", "wording"]
    assert [c.importance for c in changes] == sorted((c.importance for c in changes), reverse=True)


def test_what_a_text_is_about_orders_changes_of_one_kind() -> None:
    plain = "The boat has 4 sails of white cloth and 2 of red cloth in all."
    weighty = "The Buyer shall pay a penalty of 4 per cent of the price a month."
    for kind in CHANGE_KINDS:
        assert importance(kind, weighty) >= importance(kind, plain)
        assert 0 <= importance(kind, plain) <= importance(kind, weighty) <= 1
    assert importance("only in a", weighty) > importance("number", plain)
    assert importance("moved", weighty) < importance("wording", plain)


def test_a_new_heading_stands_with_changed_words_and_a_new_short_sentence_above_them() -> None:
    wording = importance("wording", "The Buyer shall send the goods back to the works of the Seller.")
    assert importance("only in b", "Use of the yard") < wording < importance("only in b", "No dogs.")
    assert importance("only in b", "Fees") > importance("only in b", "Use of the yard")
    assert importance("only in b", "Use of the yard") > importance("moved", "The yard is closed at dusk.")


def test_every_kind_has_a_weight_and_one_sided_kinds_have_the_same() -> None:
    assert BY_KIND.keys() == set(CHANGE_KINDS)
    assert BY_KIND["only in a"] == BY_KIND["only in b"]


def test_the_example() -> None:
    assert doctest.testmod(ranking).failed == 0
