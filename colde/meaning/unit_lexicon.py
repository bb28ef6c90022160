"""Units of quantities in English, and other words that decide what a number means."""

from __future__ import annotations

DAY, YEAR = 1.0, 365.0
_TABLES: dict[str, dict[str, float]] = {
    "time": {
        "second seconds": DAY / 86_400, "minute minutes": DAY / 1_440, "hour hours": DAY / 24, "day days": DAY,
        "week weeks": 7 * DAY, "fortnight fortnights": 14 * DAY, "month months": YEAR / 12, "year years": YEAR,
        "decade decades": 10 * YEAR, "century centuries": 100 * YEAR,
    },
    "share": {"percent %": 0.01}, "temperature": {"°c celsius": 1.0}, "degrees fahrenheit": {"°f fahrenheit": 1.0},
    "length": {
        "millimetre millimetres millimeter millimeters mm": 0.001,
        "centimetre centimetres centimeter centimeters cm": 0.01,
        "metre metres meter meters m": 1.0, "kilometre kilometres kilometer kilometers km": 1_000.0,
        "inch inches": 0.0254, "foot feet ft": 0.3048, "yard yards": 0.9144, "mile miles": 1_609.344,
    },
    "mass": {
        "milligram milligrams mg": 1e-6, "gram grams g": 0.001, "kilogram kilograms kilo kilos kg": 1.0,
        "tonne tonnes": 1_000.0, "lb lbs": 0.453592, "ounce ounces oz": 0.0283495,
    },
    "volume": {
        "millilitre millilitres milliliter milliliters ml": 0.001, "litre litres liter liters l": 1.0,
        "gallon gallons": 3.785,
    },
}  # fmt: skip
UNITS = {
    word: (measure, size)
    for measure, table in _TABLES.items()
    for words, size in table.items()
    for word in words.split()
}
"""What each unit measures, and its size: in days, parts of one, metres, kilograms, litres."""
CURRENCIES = {
    "$": "dollar", "dollar": "dollar", "dollars": "dollar", "usd": "dollar", "€": "euro", "euro": "euro",
    "euros": "euro", "eur": "euro", "£": "pound", "gbp": "pound", "pound": "pound", "pounds": "pound",
    "¥": "yen", "yen": "yen", "jpy": "yen",
    "cad": "canadian dollar", "aud": "australian dollar", "chf": "franc",
    "crown": "crown", "crowns": "crown", "franc": "franc", "francs": "franc",
}  # fmt: skip
MONEY_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "tn": 1e12}
"""Letters after a sum of money that multiply it."""
PARTS = {
    "half": 1 / 2, "halves": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4,
    "fifth": 1 / 5, "fifths": 1 / 5, "sixth": 1 / 6, "sixths": 1 / 6, "eighth": 1 / 8, "eighths": 1 / 8,
    "tenth": 1 / 10, "tenths": 1 / 10,
}  # fmt: skip
"""Names of parts of a whole."""
HEDGES = frozenset({
    "about", "around", "roughly", "approximately", "some", "nearly", "almost", "over", "more", "under", "less", "fewer",
    "barely", "hardly", "just", "close", "above", "below", "least", "most", "exceeding", "exceeds", "even", "quite",
    "up", "circa", "ca", "approx", "beyond", "past", "after", "before", "from", "since", "until",
})  # fmt: skip
"""Words before a number that is not exact."""
BOUNDS = {
    **dict.fromkeys(["over", "more", "above", "beyond", "exceeding", "exceeds", "past", "≥", ">"], 1),
    **dict.fromkeys(["under", "less", "fewer", "below", "≤", "<"], -1),
}
"""Words before a number that is a bound: lower (1) or upper (-1)."""
LABELS = frozenset({
    "section", "sections", "clause", "clauses", "article", "articles", "figure", "figures", "fig", "table", "tables",
    "chapter", "page", "pages", "no", "number", "step", "phase", "version", "paragraph", "schedule", "annex",
    "appendix", "equation", "claim", "claims", "item", "level", "type", "grade", "room", "ward", "line", "route",
})  # fmt: skip
"""Words before a number that is a name."""
SKIPPED = frozenset({
    "working", "calendar", "business", "full", "consecutive", "more", "further", "additional", "extra", "whole",
    "clear", "complete",
})  # fmt: skip
"""Words between a number and its unit."""
BEFORE_ONE = frozenset({
    "within", "after", "than", "least", "most", "about", "nearly", "almost", "barely", "hardly", "only", "for", "over",
    "under", "exactly", "just",
})  # fmt: skip
"""Words before "a week" that make it a duration; "three times a week" is none."""
PERIODS = {
    "daily": 365.0, "weekly": 52.0, "monthly": 12.0, "quarterly": 4.0, "yearly": 1.0, "annually": 1.0, "annual": 1.0,
    "day": 365.0, "week": 52.0, "month": 12.0, "quarter": 4.0, "year": 1.0,
}  # fmt: skip
"""How often a year something is due."""
