"""Studies of the product: measurements, tables of docs/, and the papers' further systems. The product imports nothing
here.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
