"""Coordinates of a page that is turned by quarter turns."""

from __future__ import annotations


class PageRotation:
    """From the page's own coordinates to a frame turned clockwise by `turns` quarters, origin top left.

    Args:
        bounds: left, bottom, right and top of what is shown of the page.
        mirrored: whether the origin is top right instead, as where lines run to the left.
    """

    def __init__(self, bounds: tuple[float, float, float, float], turns: int, mirrored: bool = False) -> None:
        self.mirrored = mirrored
        self.left, self.bottom, self.right, self.top = bounds
        self.turns = turns

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page's own coordinates in the frame."""
        x, y = self._turned(x, y)
        if self.mirrored:
            width = self.right - self.left if self.turns % 2 == 0 else self.top - self.bottom
            x = width - x
        return x, y

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x
