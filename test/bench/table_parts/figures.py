"""The table: rows with their targets, and what was measured for each of them."""

import statistics
import sys
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Row:
    key: str
    what: str
    beside: str
    target: Optional[float]  # none: it is only told
    at_most: bool = False  # else at least
    unit: str = "×"  # of `target` and of what is compared with it

    def is_met(self, value):
        if self.target is None:
            return True
        return value <= self.target if self.at_most else value >= self.target


class Table:
    def __init__(self, rows):
        self.rows = rows
        self.figures = {row.key: [] for row in rows}
        self.skipped = {}

    def add(self, key, value, ours="", theirs=""):
        """`value` is what the target is about; `ours` and `theirs` are told beside it."""
        self.figures[key].append((value, ours, theirs))
        print(f"  {key}: {_number(value)} ({ours}{' / ' if theirs else ''}{theirs})", file=sys.stderr, flush=True)

    def skip(self, key, reason):
        if key not in self.skipped:
            print(f"*** SKIPPED {key}: {reason} ***", file=sys.stderr, flush=True)
        self.skipped[key] = reason

    def exit_code(self):
        if any(self.figures[row.key] and not row.is_met(self._median(row)) for row in self.rows):
            return 1
        return 3 if self.skipped else 0

    def text(self, rounds):
        lines = [f"The median of {rounds} rounds:" if rounds > 1 else "One round:", "",
                 "| what | beside | ours | theirs | figure | target | |", "| --- | --- | --- | --- | --- | --- | --- |"]
        lines += [self._line(row) for row in self.rows]
        lines += [f"\n*** {key} was skipped: {reason}" for key, reason in self.skipped.items()]
        return "\n".join(lines)

    def _line(self, row):
        target = "" if row.target is None else f"{'≤' if row.at_most else '≥'} {row.target:g} {row.unit}".strip()
        if not self.figures[row.key]:
            return f"| {row.what} | {row.beside} | | | | {target} | skipped |"
        value = self._median(row)
        _, ours, theirs = min(self.figures[row.key], key=lambda figure: abs(figure[0] - value))
        verdict = "" if row.target is None else "met" if row.is_met(value) else "**missed**"
        return f"| {row.what} | {row.beside} | {ours} | {theirs} | {_number(value)} {row.unit} | {target} | {verdict} |"

    def _median(self, row):
        return statistics.median(value for value, _, _ in self.figures[row.key])


def _number(value):
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
