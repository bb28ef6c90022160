"""A line for each bar of a benchmark: whether it is met, what it asks for and what was measured."""

from __future__ import annotations


def print_limit(what: str, value: float, limit: float, unit: str, *, least: bool = False) -> None:
    """Print `met` or `SHORT`, the bar and the value; `least` where more is better."""
    met = value >= limit if least else value <= limit
    print(
        f"{'met' if met else 'SHORT':>7}   {what}: {value:.4g} {unit} ({'≥' if least else '≤'} {limit:g})",
        flush=True,
    )
