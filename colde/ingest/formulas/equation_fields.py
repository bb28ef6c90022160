r"""What field codes of word processors show that have no result, for Word documents and RTF: `EQ \f(1,20)` is 1/20."""

from __future__ import annotations

import re

from colde.ingest.formulas.formula_notation import Term, fraction, index, join_terms, matrix, power, root

_CODE = re.compile(r"\s*(EQ|SYMBOL|MACROBUTTON)\s+(.*)", re.DOTALL | re.IGNORECASE)
_GENERAL_SWITCH = re.compile(r"\\\*\s*\w+\s*")
_SWITCH = re.compile(
    r"\\(?P<name>[abdfilorsx])\s*(?P<options>(?:\\[a-z]{2}\s*(?:-?\d+|\\.)?\s*)*)\(|\\(?P<sign>[^a-z])",
    re.IGNORECASE | re.DOTALL,
)
_COLUMNS = re.compile(r"\\co\s*(\d{1,3})", re.IGNORECASE)
_BRACKET = re.compile(r"\\([lrb])c\s*\\(.)", re.IGNORECASE)
_RAISED, _LOWERED = re.compile(r"\\up", re.IGNORECASE), re.compile(r"\\do", re.IGNORECASE)
_READING = re.compile(r"\s*\\s\s*\\up[^()]*\([^()]*\w", re.IGNORECASE)
_SIGN_OF_INTEGRAL = re.compile(r"\\(su|pr)|\\[fv]c\s*\\(.)", re.IGNORECASE)
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_MAX_DEPTH = 20  # parts inside each other; what is deeper is left out


def shown_by_code(code: str) -> str:
    r"""What a field without a result shows, by its code: a formula, a character, the text of a button.

    Examples:
        >>> shown_by_code(r" EQ \f(1,20) "), shown_by_code(r"EQ \r(3,\b(x+y))"), shown_by_code("PAGE")
        ('1/20', '∛(x+y)', '')
    """
    match = _CODE.match(code)
    if match is None:
        return ""
    kind, content = match[1].upper(), match[2].strip()
    if kind == "EQ":
        return " ".join(_row(_GENERAL_SWITCH.sub("", content), _MAX_DEPTH).text.split())
    first, _, rest = content.partition(" ")
    if kind == "MACROBUTTON":
        return rest.strip()
    number = re.fullmatch(r"0x([0-9a-f]{1,4})|(\d{1,5})", first, re.IGNORECASE)
    if number is None:
        return first if len(first) == 1 else ""
    code_point = int(number[1], 16) if number[1] else int(number[2])
    is_single_byte = code_point < 256 and not re.search(r"\\[uh]\b", rest)
    return bytes([code_point]).decode("cp1252", "ignore") if is_single_byte else chr(code_point)


def _row(text: str, depth: int) -> Term:
    """The letters and parts of a formula behind each other."""
    terms: list[Term] = []
    position = 0
    while depth and (match := _SWITCH.search(text, position)) is not None:
        terms.append(Term(text[position : match.start()]))
        position = match.end()
        if match["sign"]:
            terms.append(Term(match["sign"]))
            continue
        arguments, position = _arguments(text, position)
        terms.append(_part(match["name"].lower(), match["options"], arguments, depth - 1))
    terms.append(Term(text[position:] if depth else ""))
    return join_terms(terms)


def _arguments(text: str, position: int) -> tuple[list[str], int]:
    """The arguments behind an opening bracket, and the place behind the closing one."""
    arguments, start, depth = [], position, 0
    while position < len(text):
        sign = text[position]
        if sign == "\\":
            position += 1
        elif sign in ",;" and not depth:
            arguments.append(text[start:position])
            start = position + 1
        elif sign == ")" and not depth:
            break
        else:
            depth += (sign == "(") - (sign == ")")
        position += 1
    return [*arguments, text[start:position]], position + 1


def _part(name: str, options: str, arguments: list[str], depth: int) -> Term:
    if name == "o" and any(map(_READING.match, arguments)):  # letters with their reading above them
        arguments = [argument for argument in arguments if not _READING.match(argument)] or arguments
    texts = [_row(argument, depth).text.strip() for argument in arguments]
    match name:
        case "f" if len(texts) > 1:
            return fraction(texts[0], " ".join(texts[1:]))
        case "r":
            return root(texts[-1], texts[0] if len(texts) > 1 else "")
        case "a":
            return _array(texts, options)
        case "b":
            return _bracketed(", ".join(texts), options)
        case "s":
            return _moved(texts, options)
        case "i":
            return _integral(texts, options)
        case "l":
            return Term(", ".join(texts))
    return Term("".join(texts))


def _array(texts: list[str], options: str) -> Term:
    columns = _COLUMNS.search(options)
    width = max(1, int(columns[1])) if columns else 1
    return matrix(texts[i : i + width] for i in range(0, len(texts), width))


def _moved(texts: list[str], options: str) -> Term:
    """Text that stands above or below its line."""
    if _RAISED.search(options):
        return power("", texts[0]) if re.fullmatch(r"[-+−]?\d+", texts[0]) else Term(texts[0])
    return index("", texts[0]) if _LOWERED.search(options) else Term("".join(texts))


def _bracketed(text: str, options: str) -> Term:
    signs = {match[1].lower(): match[2] for match in _BRACKET.finditer(options)} or {"b": "("}
    both = signs.get("b", "")
    opening, closing = signs.get("l", both), signs.get("r", _CLOSING.get(both, both))
    return Term(f"{opening}{text}{closing}")


def _integral(texts: list[str], options: str) -> Term:
    """A sign with its limits: `∫_0^1 x`."""
    chosen = _SIGN_OF_INTEGRAL.search(options)
    sign = "∫"
    if chosen is not None:
        sign = chosen[2] or {"su": "∑", "pr": "∏"}[chosen[1].lower()]
    lower, upper, content = (*texts, "", "", "")[:3]
    return Term(f"{power(index(sign, lower).text, upper).text} {content}")
