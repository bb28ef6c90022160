"""Numbers and units of the packages siunitx and units as they are printed: `\\SI{47}{\\centi\\metre}` is 47 cm."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from colde.ingest.latex.latex_source import LatexSource

_PREFIXES = {
    "quecto": "q", "ronto": "r", "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n",
    "micro": "µ", "mu": "µ", "milli": "m",
    "centi": "c", "deci": "d", "deca": "da", "deka": "da", "hecto": "h", "kilo": "k",
    "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y", "ronna": "R",
    "quetta": "Q", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti",
}  # fmt: skip
_UNITS = {
    "metre": "m", "meter": "m", "gram": "g", "kilogram": "kg", "second": "s", "ampere": "A", "kelvin": "K",
    "mole": "mol", "candela": "cd", "becquerel": "Bq", "celsius": "°C", "degreeCelsius": "°C", "coulomb": "C",
    "farad": "F", "gray": "Gy", "hertz": "Hz", "henry": "H", "joule": "J", "katal": "kat", "lumen": "lm", "lux": "lx",
    "newton": "N", "ohm": "Ω", "pascal": "Pa", "radian": "rad", "siemens": "S", "sievert": "Sv", "steradian": "sr",
    "tesla": "T", "volt": "V", "watt": "W", "weber": "Wb", "day": "d", "hour": "h", "minute": "min", "degree": "°",
    "arcminute": "′", "arcsecond": "″", "hectare": "ha", "litre": "l", "liter": "L", "tonne": "t", "percent": "\\%",
    "bar": "bar", "mmHg": "mmHg", "knot": "kn", "electronvolt": "eV", "dalton": "Da", "bel": "B", "decibel": "dB",
    "neper": "Np", "bit": "bit", "byte": "B", "angstrom": "Å", "astronomicalunit": "au", "parsec": "pc",
    "lightyear": "ly", "gal": "Gal", "barn": "b", "nauticalmile": "M", "atomicmassunit": "u", "eV": "eV",
    "km": "km", "cm": "cm", "mm": "mm", "um": "µm", "nm": "nm", "pm": "pm", "m": "m", "kg": "kg", "g": "g", "mg": "mg",
    "ug": "µg", "s": "s", "ms": "ms", "us": "µs", "ns": "ns", "h": "h", "K": "K", "A": "A", "mA": "mA", "V": "V",
    "mV": "mV", "kV": "kV", "W": "W", "kW": "kW", "MW": "MW", "mW": "mW", "J": "J", "kJ": "kJ", "Hz": "Hz",
    "kHz": "kHz",
    "MHz": "MHz", "GHz": "GHz", "Pa": "Pa", "kPa": "kPa", "MPa": "MPa", "N": "N", "kN": "kN", "L": "L", "mL": "mL",
    "l": "l", "ml": "ml", "ul": "µl", "mol": "mol", "kWh": "kWh", "dB": "dB", "keV": "keV", "MeV": "MeV", "GeV": "GeV",
    "amu": "u",
}  # fmt: skip
_BEFORE = {"square": "2", "cubic": "3"}
_BEHIND = {"squared": "2", "cubed": "3"}
_TOKEN = re.compile(
    r"\\([a-zA-Z]+)\s*|\{([^{}]*)\}|\s*\^\s*(?:\{([^{}]*)\}|(.))|([./~])|([^\\{}^./~]+|\\[^a-zA-Z])"
)
_SETTINGS = re.compile(r".*=.*|\s*[a-z]+(?:-[a-z]+)+\s*", re.DOTALL)
_EXPONENT = re.compile(r"([^a-zA-Z]*)[eEdD]\s*([-+]?\s*\d+)")
_SIGNS = (("\\pm", "±"), ("+-", "±"), ("\\times", "×"), ("\\cdot", "·"), ("\\,", ""), ("~", ""))
_PARTS_OF_DEGREES = ("°", "′", "″")


class Units:
    """The units of a document, and what the macros of siunitx stand for."""

    def __init__(self) -> None:
        self._declared: dict[str, str] = {}

    def take(self, macro: str, source: LatexSource) -> str | None:
        """What a macro for numbers or units stands for; None for other macros."""
        if macro in ("DeclareSIUnit", "DeclareSIPrefix"):
            source.optional()
            name = source.argument().strip().removeprefix("\\")
            self._declared[name] = source.argument().strip()
            return ""
        if macro not in _MACROS:
            return None
        if macro not in _WITH_NUMBER:
            source.optional()
        return _MACROS[macro](self, source)

    def number(self, source: LatexSource) -> str:
        """`\\num{1.5e3}`."""
        return _number(source.argument())

    def unit(self, source: LatexSource) -> str:
        """`\\unit{\\kilo\\gram}`, and `\\unit[5]{m}` of the package units."""
        return _measure(_number_before(source), self._unit(source.argument()))

    def quotient(self, source: LatexSource) -> str:
        """`\\unitfrac[5]{m}{s}` of the package units."""
        number, above, below = _number_before(source), source.argument(), self._unit(source.argument())
        return _measure(number, f"{self._unit(above)}/{f'({below})' if ' ' in below else below}")

    def quantity(self, source: LatexSource) -> str:
        """`\\qty{12.5}{\\kg}`; the unit before the number, as of a currency, is optional."""
        number, before, unit = source.argument(), source.optional(), source.argument()
        return f"{self._unit(before or '')}{_measure(_number(number), self._unit(unit))}"

    def range_of_numbers(self, source: LatexSource) -> str:
        """`\\numrange{3}{7}`."""
        return _range(source.argument(), source.argument(), "")

    def range_of_quantities(self, source: LatexSource) -> str:
        """`\\qtyrange{3}{7}{\\metre}`."""
        first, last = source.argument(), source.argument()
        source.optional()
        return _range(first, last, self._unit(source.argument()))

    def list_of_numbers(self, source: LatexSource) -> str:
        """`\\numlist{1;2;3}`."""
        return _listed(source.argument(), "")

    def list_of_quantities(self, source: LatexSource) -> str:
        """`\\qtylist{1;2;3}{\\metre}`."""
        return _listed(source.argument(), self._unit(source.argument()))

    def product_of_numbers(self, source: LatexSource) -> str:
        """`\\numproduct{2 x 3}`."""
        return _product(source.argument(), "")

    def product_of_quantities(self, source: LatexSource) -> str:
        """`\\qtyproduct{2 x 3}{\\metre}`."""
        return _product(source.argument(), self._unit(source.argument()))

    def angle(self, source: LatexSource) -> str:
        """`\\ang{30;15;}`: degrees, minutes and seconds."""
        parts = zip(source.argument().split(";"), _PARTS_OF_DEGREES, strict=False)
        return "".join(f"{_number(part)}{sign}" for part, sign in parts if part.strip())

    def _unit(self, unit: str) -> str:
        """What macros such as `\\kilo\\gram\\per\\cubic\\metre`, or signs such as `kg.m^{-3}`, stand for."""
        made = _UnitText(self._declared)
        for match in _TOKEN.finditer(unit):
            made.take(match)
        return made.text


class _UnitText:
    """Collects the units of one measure."""

    def __init__(self, declared: Mapping[str, str]) -> None:
        self.text = ""
        self._declared = declared
        self._divides = False
        self._prefix = ""
        self._power = ""
        self._waiting = ""  # the macro whose argument follows

    def take(self, match: re.Match[str]) -> None:
        """A macro, a group, a power or signs."""
        macro, group, raised, raised_sign, joint, signs = match.groups()
        if macro is not None:
            self._take_macro(macro)
        elif group is not None:
            self._take_group(group.strip())
        elif raised or raised_sign:
            self._raise(raised or raised_sign)
        elif joint:
            self._divides = joint == "/"
        elif signs and signs.strip():
            self._add(signs.strip())

    def _take_macro(self, name: str) -> None:
        if name == "per":
            self._divides = True
        elif name in _BEFORE:
            self._power = _BEFORE[name]
        elif name in _BEHIND:
            self._raise(_BEHIND[name])
        elif name in ("tothe", "raiseto", "of"):
            self._waiting = name
        elif name in _PREFIXES and name not in self._declared:
            self._prefix += _PREFIXES[name]
        else:
            self._add(self._declared.get(name) or _UNITS.get(name) or f"\\{name}{{}}")

    def _take_group(self, content: str) -> None:
        waiting, self._waiting = self._waiting, ""
        if waiting == "tothe":
            self._raise(content)
        elif waiting == "raiseto":
            self._power = content
        elif content:
            self._add(content)

    def _add(self, unit: str) -> None:
        """A unit, with the prefix and the power that stand before it."""
        before = "/" if self._divides and self.text else "1/" if self._divides else " " if self.text else ""
        power = f"^{self._power}" if self._power else ""
        self.text += f"{before}{self._prefix}{unit}{power}"
        self._divides, self._prefix, self._power = False, "", ""

    def _raise(self, power: str) -> None:
        if self.text:
            self.text += f"^{power}"


def _number_before(source: LatexSource) -> str:
    """An optional argument that is a number; siunitx has settings there."""
    written = source.optional() or ""
    return "" if _SETTINGS.fullmatch(written) else _number(written)


def _number(written: str) -> str:
    """A number as it is printed: 1.5e3 is 1.5 × 10^3."""
    for sign, plain in _SIGNS:
        written = written.replace(sign, plain)
    written = " ".join(written.split())
    match = _EXPONENT.fullmatch(written)
    if match is None:
        return re.sub(r"\s*x\s*", " × ", written)
    mantissa, exponent = match[1].strip(), match[2].removeprefix("+").strip()
    return f"{mantissa} × 10^{exponent}" if mantissa else f"10^{exponent}"


def _measure(number: str, unit: str) -> str:
    """A number with its unit; signs of angles stand at the number."""
    return f"{number}{unit}" if unit in _PARTS_OF_DEGREES else f"{number} {unit}".strip()


def _range(first: str, last: str, unit: str) -> str:
    return f"{_measure(_number(first), unit)} to {_measure(_number(last), unit)}"


def _listed(numbers: str, unit: str) -> str:
    *others, last = (_measure(_number(number), unit) for number in numbers.split(";"))
    return f"{', '.join(others)} and {last}" if others else last


def _product(numbers: str, unit: str) -> str:
    return " × ".join(_measure(_number(number), unit) for number in re.split(r"\s*x\s*", numbers.strip()))


_MACROS: dict[str, Callable[[Units, LatexSource], str]] = {
    "num": Units.number, "unit": Units.unit, "si": Units.unit, "SI": Units.quantity, "qty": Units.quantity,
    "numrange": Units.range_of_numbers, "SIrange": Units.range_of_quantities, "qtyrange": Units.range_of_quantities,
    "numlist": Units.list_of_numbers, "SIlist": Units.list_of_quantities, "qtylist": Units.list_of_quantities,
    "numproduct": Units.product_of_numbers, "qtyproduct": Units.product_of_quantities, "ang": Units.angle,
    "unitfrac": Units.quotient, "tablenum": Units.number, "complexnum": Units.number, "complexqty": Units.quantity,
}  # fmt: skip
_WITH_NUMBER = ("unit", "si", "unitfrac")
"""Macros of which the package units takes a number where siunitx takes settings."""
