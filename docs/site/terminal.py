#!/usr/bin/env python3
"""Draws a session in a terminal as a moving picture: terminal.py CUFLS OUT.svg

The commands run in an empty folder, with a file that has a mistake, and what they print is what is shown. The picture is SVG with styles that
move, and no script: each line appears at its time, commands letter by letter, and all begins again at the end. Readers who want no
movement (prefers-reduced-motion) see the last state.
"""
from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["sed -n 9,14p first.cuf", "cufls check first.cuf", "cufls check --fix first.cuf", "cufls run --report first.cuf"]
MISTAKE = ("2.0 * i", "2.0 * ii")
WIDTH, LINE, LETTER, LEFT, TOP = 92, 20, 8.43, 14, 40
TYPING, THINKING, READING, END = 0.045, 0.4, 1.6, 5.0  # seconds
COLOURS = [(re.compile(r"^.*?\berror:.*$"), "#ff7b72"), (re.compile(r"^ *\^.*$"), "#ff7b72"), (re.compile(r"^ *fix:.*$"), "#7ee787"),
           (re.compile(r"^sum = .*$"), "#7ee787"), (re.compile(r"^cufls?:.*|^cufrt:.*$"), "#8b949e")]


@dataclass
class Line:
    text: str
    at: float          # seconds from the beginning
    typed: float = 0   # how long it takes, for commands


def first_program() -> str:
    page = (ROOT / "docs/get-started.md").read_text()
    match = re.search(r"^`first\.cuf`:\n\n```fortran\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert match
    return match[1]


def run_session(cufls: Path) -> "list[Line]":
    lines, now = [], 0.5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "first.cuf").write_text(first_program().replace(*MISTAKE))
        environment = {"PATH": f"{cufls.parent}:{os.environ['PATH']}", "HOME": name, "CUF_DEVICE": "host", "LC_ALL": "C.UTF-8"}
        for command in COMMANDS:
            lines.append(Line(f"$ {command}", now, len(command) * TYPING))
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, check=False, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            now += len(command) * TYPING + THINKING
            lines += [Line(text[:WIDTH], now) for text in done.stdout.rstrip("\n").split("\n")]
            now += READING
    return lines


def draw(lines: "list[Line]") -> str:
    total = lines[-1].at + END
    height = TOP + LINE * len(lines) + 12
    width = round(LEFT * 2 + WIDTH * LETTER)
    styles, bodies = [], []

    def percent(seconds: float) -> str:
        return f"{100 * seconds / total:.2f}%"

    for number, line in enumerate(lines):
        y = TOP + LINE * number + 14
        begin, end = percent(line.at), percent(line.at + line.typed)
        styles.append(f"@keyframes s{number}{{0%,{begin}{{opacity:0}}{percent(line.at + 0.01)},100%{{opacity:1}}}}"
                      f"#l{number}{{animation:s{number} {total:.2f}s step-end infinite}}")
        cover = ""
        if line.typed:
            letters, across = len(line.text) - 2, LETTER * (len(line.text) - 2)
            styles.append(f"@keyframes t{number}{{0%,{begin}{{transform:none;animation-timing-function:steps({letters})}}"
                          f"{end},100%{{transform:translateX({across:.1f}px)}}}}#c{number}{{animation:t{number} {total:.2f}s infinite}}")
            cover = (f'<rect id="c{number}" class="cover" x="{LEFT + 2 * LETTER:.1f}" y="{y - 15}" width="{width}" height="{LINE}"/>')
        colour = next((fill for pattern, fill in COLOURS if pattern.match(line.text)), "#e6edf3")
        colour = "#ffffff" if line.typed else colour
        bodies.append(f'<g id="l{number}"><text x="{LEFT}" y="{y}" fill="{colour}" xml:space="preserve">{html.escape(line.text)}</text>{cover}</g>')
    dots = "".join(f'<circle cx="{18 + 18 * i}" cy="17" r="5.5" fill="{fill}"/>' for i, fill in enumerate(("#ff5f57", "#febc2e", "#28c840")))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="A mistake is found, mended, and the program '
            f'runs on the CPU with a report of its times">\n<style>text{{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}}'
            f'.cover{{fill:#0d1117}}svg{{overflow:hidden}}{"".join(styles)}'
            "@media (prefers-reduced-motion:reduce){g{animation:none!important}.cover{display:none}}</style>\n"
            f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>{dots}\n' + "\n".join(bodies) + "\n</svg>\n")


def main() -> int:
    cufls, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    out.write_text(draw(run_session(cufls)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
