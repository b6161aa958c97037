#!/usr/bin/env python3
"""Builds the documentation's site and follows every link: none is broken, every page is reached from the first one,
every fragment exists, and the search index knows what people look for.

Also the pages in docs/ as they are, which people read on a forge: their relative links must lead to files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

ROOT = Path(__file__).resolve().parents[2]
CUFLS = Path(os.environ.get("CUFC") or ROOT / "build/bin/cufc").with_name("cufls")
SEARCHED = {"cudaMemcpyAsync": "reference/cudafor-memory.html", "CUF0407": "reference/diagnostics/CUF0407.html",
            "nvfortran": "migration.html", "maxregcount": "reference/options.html", "Neovim": "editors.html"}


KERNEL = """module m
contains
  attributes(global) subroutine fill(x)
    integer :: x(64)
    x(threadIdx%x) = threadIdx%x
  end subroutine
end module
program p
  use m
  integer, device :: x(64)
  call fill<<<1, 64>>>(x)
end program
"""


class Page(HTMLParser):
    def __init__(self, path: Path):
        super().__init__()
        self.links: "list[str]" = []
        self.names: "set[str]" = set()
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag: str, attributes: "list[tuple[str, str | None]]") -> None:
        values = dict(attributes)
        self.names.update(values[key] for key in ("id", "name") if values.get(key))
        for key in ("href", "src"):
            if values.get(key):
                self.links.append(values[key])


def check_site(site: Path) -> "list[str]":
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    problems, reached, waiting = [], set(), [(site / "index.html").resolve()]
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for link in pages[path].links:
            address, fragment = urldefrag(link)
            if urlparse(link).scheme or link.startswith("//"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            if target.is_dir():
                target /= "index.html"
            shown = f"{path.relative_to(site)}: {link}"
            if not target.exists():
                problems.append(f"{shown} leads nowhere")
            elif target in pages:
                waiting.append(target)
                if fragment and fragment not in pages[target].names:
                    problems.append(f"{shown}: no such place in the page")
    extra = {"404.html", "search.html"}
    problems += [f"{path.relative_to(site)} is not reached" for path in pages
                 if path not in reached and path.name not in extra]
    return sorted(set(problems))


def check_search(site: Path) -> "list[str]":
    entries = json.loads((site / "search/search_index.json").read_text())["docs"]
    problems = []
    for word, page in SEARCHED.items():
        found = {entry["location"].split("#")[0] for entry in entries if word in entry["text"] + entry["title"]}
        if page not in found:
            problems.append(f"search for {word} does not find {page}")
    return problems


def check_looks(site: Path) -> "list[str]":
    """Code has colours, CUDA's own among them; there is a dark scheme; words of code in tables stay whole."""
    tutorial, example = ((site / name).read_text() for name in ("tutorial.html", "examples/sources/vector_add.html"))
    problems = [f"no colour of {what}" for what, mark, page in (
        ("keywords", '<span class="k">', example), ("attributes", '<span class="kd">attributes', example),
        ("launches", '<span class="pm">&lt;&lt;&lt;', example), ("directives", '<span class="kp">!$cuf', tutorial)) if mark not in page]
    if 'data-md-color-scheme="slate"' not in tutorial or "prefers-color-scheme: dark" not in tutorial:
        problems.append("no dark scheme")
    if "white-space: nowrap" not in (site / "site.css").read_text():
        problems.append("words of code may be broken")
    raw = [page.relative_to(site).as_posix() for page in site.rglob("*.html") if re.search(r"<p>`{3}", page.read_text(errors="replace"))]
    return problems + [f"{page}: a block of code is text" for page in raw]


class Home(HTMLParser):
    """What the first page loads, and the text of its blocks of code."""

    def __init__(self, text: str):
        super().__init__()
        self.loaded: "list[str]" = []
        self.blocks: "list[str]" = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: "list[tuple[str, str | None]]") -> None:
        values = dict(attributes)
        self.loaded += [values[key] or "" for key in ("src", "href") if key in values and tag in ("script", "img", "iframe", "link")]
        if tag == "pre":
            self.inside = True
            self.blocks.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.blocks[-1] += data


def check_trackers(site: Path) -> "list[str]":
    """No page loads anything from elsewhere."""
    problems = []
    for path in sorted(site.rglob("*.html")):
        foreign = [link for link in Home(path.read_text(errors="replace")).loaded
                   if link.startswith("//") or urlparse(link).scheme in ("http", "https")]
        problems += [f"{path.relative_to(site)} loads {link}" for link in foreign]
    return problems


def run_in(folder: Path, *words: "str | Path", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in words], cwd=folder, env={**os.environ, **environment}, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def check_home(site: Path) -> "list[str]":
    """Its program compiles and prints what it says; the picture moves and shows that; the table tells the truth of the compilers that are here."""
    home = Home((site / "index.html").read_text())
    program = next((block for block in home.blocks if "end program first" in block), "")
    folder = site.parent / "first"
    folder.mkdir(exist_ok=True)
    (folder / "first.cuf").write_text(program)
    done = run_in(folder, "sh", "-c", f"{CUFLS.with_name('cufc')} first.cuf -o first && ./first", CUF_DEVICE="host")
    problems = [] if done.returncode == 0 and "sum = 1001000.0" in done.stdout else [f"the first program: {done.stdout.strip()}"]
    picture = (site / "pictures/home.svg").read_text()
    if "@keyframes" not in picture or "sum = 1001000.0" not in picture or "CUF1101" not in picture or "<script" in picture:
        problems.append("the moving picture does not show the session")
    (folder / "kernel.f90").write_text(KERNEL)
    for words, yes in (((CUFLS.with_name("cufc"), "-cuda", "-c", "kernel.f90", "-o", "kernel.o"), True),
                       (("flang-22", "-fc1", "-x", "cuda", "-emit-obj", "kernel.f90", "-o", "kernel.o"), False),
                       (("gfortran", "-c", "kernel.f90", "-o", "kernel.o"), False)):
        if shutil.which(words[0]) and (run_in(folder, *words).returncode == 0) != yes:
            problems.append(f"the table says otherwise of {words[0]}")
    return problems


def check_sources() -> "list[str]":
    problems = []
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            address = urldefrag(link)[0]
            made = "pictures/" in address or "/sources/" in address  # when the site is built
            if not urlparse(link).scheme and address and not made and not (page.parent / address).exists():
                problems.append(f"{page.relative_to(ROOT)}: {link} leads nowhere")
    return problems


def main() -> int:
    problems = check_sources()
    site = Path.cwd() / "site"
    done = subprocess.run([sys.executable, ROOT / "docs/site/build.py", CUFLS, site], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 77:
        print("\n".join(problems) or done.stdout.strip())
        return 1 if problems else 77
    if done.returncode != 0:
        problems.append(f"the site is not built: {done.stdout.strip()}")
    else:
        problems += check_site(site.resolve()) + check_search(site) + check_looks(site) + check_trackers(site) + check_home(site)
        print(f"{len(list(site.rglob('*.html')))} pages")
    print("\n".join(problems) or "PASS")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
