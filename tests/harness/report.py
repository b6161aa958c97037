"""What the runner prints: progress on a terminal, a line for each failure, the closing count."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .model import FAILED, PASSED, SKIPPED, Result


class Report:
    """Collects results in the order in which tests end. Used from one thread."""

    def __init__(self, total: int, verbose: bool):
        self.total = total
        self.done = 0
        self.verbose = verbose
        self.results = []
        self.live = sys.stderr.isatty()

    def add(self, results: "list[Result]") -> None:
        self.done += 1
        for result in results:
            self.results.append(result)
            if result.status == FAILED:
                self.line(f"FAILED {result.name}: {result.reason}")
                if result.command:
                    self.line(f"       {result.command}")
            elif self.verbose:
                reason = f" ({result.reason})" if result.reason else ""
                self.line(f"{result.status} {result.name} {result.seconds:.2f} s{reason}")
        if self.live:
            width = shutil.get_terminal_size().columns - 1
            text = f"[{self.done}/{self.total}] {results[0].name}"[:width] if results else ""
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()

    def line(self, text: str) -> None:
        if self.live:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
        print(text, flush=True)

    def count(self, status: str) -> int:
        return sum(1 for result in self.results if result.status == status)

    def close(self) -> bool:
        """Prints the count; true if nothing failed."""
        counts = [f"{self.count(status)} {status}" for status in (PASSED, FAILED, SKIPPED)]
        self.line(", ".join(counts))
        return self.count(FAILED) == 0

    def write_table(self, file: Path) -> None:
        """One line for each result: name, result, seconds, separated by tabs."""
        ordered = sorted(self.results, key=lambda result: result.name)
        lines = [f"{r.name}\t{r.status}\t{r.seconds:.2f}\n" for r in ordered]
        file.write_text("".join(lines))
