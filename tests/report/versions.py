"""Two versions of an agreement, and their comparison by words alone."""

from __future__ import annotations

from functools import cache

import colde
from colde.results.comparison import Comparison

OLD = """# Storage agreement

## Storage

The Keeper shall store the goods in a dry room at no more than minus eighteen degrees. The Keeper shall not move the
goods to another hall without \\<b>written\\</b> consent. Goods that arrive damaged are set aside on the same day.

## Payment

Payment is due within 30 days of the invoice. The monthly fee is 4,100 crowns, and it includes insurance against fire
and flood. Interest of two per cent is charged on late payments. The Keeper may retain the goods until all is paid.

## Visits

The Owner may visit the hall on any working day between eight and five. Samples are drawn in the presence of the
foreman. All visitors sign the book at the gate.
"""
NEW = """# Storage agreement

## Storage

The Keeper shall store the goods in a dry room at no more than minus eighteen degrees. The Keeper shall move the
goods to another hall without \\<b>written\\</b> consent. Goods that arrive damaged are set aside on the same day.

## Payment

Payment is due within 60 days of the invoice. The monthly fee is 4,700 crowns, and it includes insurance against fire
and flood. Interest of two per cent is charged on late payments. The Keeper shall retain the goods until all is paid.

## Visits

The Owner may visit the hall on any working day between eight and five. Samples are drawn in the presence of the
foreman. Nothing that smells strongly is accepted in the months of July and August. All visitors sign the book at the
gate.
"""
KINDS = ["negation", "obligation", "number or date", "number or date", "only in B"]
"""Labels of the changes, in their order."""


@cache
def versions() -> Comparison:
    """Both versions compared, with their changes."""
    return colde.compare(colde.read_text(OLD), colde.read_text(NEW), models=["tfidf"])
