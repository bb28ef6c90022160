"""Which documents of a collection are left out, because their processing raised an exception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from colde.errors import ReadError, skip_document


class Faults:
    """Exceptions that were raised over single documents, or over pairs of documents.

    Args:
        names: of all documents.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._errors: dict[tuple[int, ...], ReadError] = {}

    def __bool__(self) -> bool:
        return bool(self._errors)

    @contextmanager
    def around(self, *numbers: int) -> Iterator[None]:
        """Around the work on a document, or on a pair, by their numbers; see `colde.errors.skip_document`."""
        skipped: list[ReadError] = []
        with skip_document(self._names[numbers[-1]], skipped):
            yield
        for error in skipped:
            self._errors[numbers] = error

    def hit(self, *numbers: int) -> bool:
        """Whether one of these documents failed alone, or the pair of them."""
        return numbers in self._errors or any((number,) in self._errors for number in numbers)

    def take(self) -> dict[int, ReadError]:
        """The documents to leave out, so that nothing that failed is left, with their errors; forgets the exceptions.

        First those that failed alone, then of the pairs the document of most of them.
        """
        left_out = {numbers[0]: error for numbers, error in self._errors.items() if len(set(numbers)) == 1}
        while pairs := [p for p in self._errors if not left_out.keys() & set(p)]:
            counts = Counter(number for pair in pairs for number in pair)
            worst = max(counts, key=lambda number: (counts[number], number))
            error = next(self._errors[pair] for pair in pairs if worst in pair)
            left_out[worst] = error.called(self._names[worst])
        self._errors = {}
        return left_out
