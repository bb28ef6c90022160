"""Notes of manuals on versions, `.. versionadded:: 2.1`, as Sphinx shows them: in reStructuredText and in MyST."""

from __future__ import annotations

VERSION_NOTES = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
    "versionremoved": "Removed in version",
}
"""What Sphinx shows before the number, for each directive."""


def split_version_note(name: str, argument: str) -> tuple[str, str]:
    """What stands before the text of a note, `Added in version 2.1: `, and the text behind the number, if any.

    Examples:
        >>> split_version_note("versionadded", "2.1 The lamp burns.")
        ('Added in version 2.1: ', 'The lamp burns.')
    """
    numbers = 2 if name == "deprecated-removed" else 1  # the version from which on, and that of the removal
    parts = argument.split(None, numbers)
    return f"{VERSION_NOTES[name]} {' '.join(parts[:1])}: ", " ".join(parts[numbers:])
