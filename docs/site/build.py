#!/usr/bin/env python3
"""Builds the documentation as a static site with MkDocs: build.py CUFLS OUT

The pages are those of docs/, copied with what a site needs beside them: the source of each example, a
picture of occupancy, and the list of contents. MkDocs runs with --strict, so a link to a page that is not
there fails. Links to files of the source that are no pages, such as ../README.md, are not used in docs/.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import terminal

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

CONTENTS = [
    ("Overview", "index.md"),
    ("Get started", "get-started.md"),
    ("Tutorial", "tutorial.md"),
    ("Examples", ["examples/README.md", "examples/cmake/README.md", "examples/sources/*.md"]),
    ("Editors", ["editors.md", "language-server.md", "assistants.md"]),
    ("Projects", "project.md"),
    ("MPI", "mpi.md"),
    ("What kernels cost", "occupancy.md"),
    ("Refactorings", "refactorings.md"),
    ("Diagnostics", "diagnostics.md"),
    ("Continuous integration", "ci.md"),
    ("What a program spent its time on", "report.md"),
    ("Checks while a program runs", "checks.md"),
    ("Programs in a debugger", "debugger.md"),
    ("MPI with device buffers", "mpi-buffers.md"),
    ("Tensor cores", "tensor-cores.md"),
    ("Applications", "applications.md"),
    ("Modules that gfortran compiled", "gfortran-modules.md"),
    ("Migration from nvfortran", "migration.md"),
    ("Questions", "faq.md"),
    ("Packages", [("Overview", "packages/README.md"), "packages/[a-z]*.md"]),
    ("Limits", "limits.md"),
    ("When something goes wrong", "faults.md"),
    ("Constructs by place", "places.md"),
    ("Security", "security.md"),
    ("Reference", [("Overview", "reference/README.md"), "reference/options.md", "reference/workarounds.md", "reference/protocol.md", ("cudafor", ["reference/cudafor-*.md"]),
                   ("Device code", ["reference/device-*.md"]), ("MPI", ["reference/mpi-*.md"]), ("CUDA libraries", ["reference/cudalib-*.md"]),
                   ("Messages", ["reference/diagnostics/README.md", "reference/diagnostics/CUF*.md"])]),
    ("For developers", ["architecture.md", "how-to-add.md"]),
]
SUFFIXES = {".cuf", ".CUF", ".f90", ".F90"}


def title_of(page: Path) -> str:
    for line in page.read_text().splitlines():
        if line.startswith("# "):
            return line[2:].strip().replace("`", "")
    raise SystemExit(f"{page}: no title")


def navigation(entries: list, source: Path) -> list:
    """CONTENTS as MkDocs wants it, patterns replaced by the pages they find."""
    result: list = []
    for entry in entries:
        title, what = entry if isinstance(entry, tuple) else (None, entry)
        if isinstance(what, list):
            result.append({title: navigation(what, source)})
        elif "*" in what:
            for page in sorted(source.glob(what)):
                result.append({title_of(page): page.relative_to(source).as_posix()})
        else:
            result.append({title or title_of(source / what): what})
    return result


def write_example_pages(source: Path) -> None:
    """A page for the source of each example; the list of examples links to it."""
    folder = source / "examples"
    (folder / "sources").mkdir()
    listing = (folder / "README.md").read_text()
    for file in sorted(folder.glob("*")):
        if file.suffix not in SUFFIXES:
            continue
        text = file.read_text()
        comment = []
        for line in text.splitlines():
            if not line.startswith("!"):
                break
            comment.append(line.lstrip("! "))
        page = f"# {file.name}\n\n" + " ".join(comment) + f"\n\n```fortran\n{text}```\n"
        (folder / "sources" / f"{file.stem}.md").write_text(page)
        listing = listing.replace(f"| `{file.name}` |", f"| [`{file.name}`](sources/{file.stem}.md) |")
    (folder / "README.md").write_text(listing)


def draw_pictures(source: Path, cufls: Path) -> None:
    """Without a toolkit there are no registers to draw; the picture says so then."""
    pictures = source / "pictures"
    pictures.mkdir(exist_ok=True)
    subprocess.run([sys.executable, DOCS / "site/terminal.py", cufls, pictures / "home.svg"], check=True)
    picture = pictures / "occupancy.svg"
    command = [cufls, "occupancy", source / "examples/smooth_tuned.cuf", "--gpu=cc90", "--format=svg", "-o", picture]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0 or not picture.exists():
        print(f"no picture of occupancy: {done.stdout.strip()}", file=sys.stderr)
        picture.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="420" height="40"><text x="4" y="25">'
                           "made where the CUDA Toolkit is installed</text></svg>\n")


def fill_home(source: Path) -> None:
    """The first page has no lists beside it, and shows the program of get-started.md."""
    page = source / "index.md"
    program = f"```fortran\n{terminal.first_program()}```"
    text, count = re.subn("<!-- the program of get-started.md -->", lambda _: program, page.read_text())
    if count != 1:
        raise SystemExit(f"{page}: no place for the first program")
    page.write_text("---\nhide: [navigation, toc]\n---\n" + text)


def simplify_fences(source: Path) -> None:
    """What tests read of a block's first line, such as its suffix, means nothing to a reader."""
    for page in source.rglob("*.md"):
        text = page.read_text()
        page.write_text(re.sub(r"^( *`{3,}\w[\w-]*) [^\n`]+$", r"\1", text, flags=re.MULTILINE))


def palette() -> list:
    """As the reader's system has it, and a button beside the search."""
    return [{"media": f"(prefers-color-scheme: {name})", "scheme": scheme, "primary": "blue grey", "accent": "orange",
             "toggle": {"icon": icon, "name": f"Switch to {other}"}}
            for name, scheme, icon, other in (("light", "default", "material/weather-night", "dark"),
                                              ("dark", "slate", "material/weather-sunny", "light"))]


def write_settings(file: Path, source: Path, out: Path) -> None:
    settings = {
        "site_name": "cufc and cufls", "docs_dir": str(source), "site_dir": str(out), "use_directory_urls": False,
        "theme": {"name": "material", "font": False, "features": ["navigation.indexes", "navigation.top", "content.code.copy"], "palette": palette()},
        "plugins": ["search"], "extra_css": ["site.css"], "hooks": [str(DOCS / "site/cuda_fortran_colours.py")],
        "markdown_extensions": ["tables", "attr_list", "pymdownx.superfences", {"pymdownx.highlight": {"guess_lang": False}},
                                {"toc": {"permalink": False}}],
        "nav": navigation(CONTENTS, source),
    }
    file.write_text(json.dumps(settings, indent=1))  # JSON is YAML too


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: build.py CUFLS OUT", file=sys.stderr)
        return 2
    if not shutil.which("mkdocs"):
        print("mkdocs is not installed", file=sys.stderr)
        return 77
    cufls, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    source = out.parent / f"{out.name}-source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("site"))
    shutil.copy(DOCS / "site/site.css", source)
    write_example_pages(source)
    fill_home(source)
    simplify_fences(source)
    draw_pictures(source, cufls)
    settings = out.parent / f"{out.name}.yml"
    write_settings(settings, source, out)
    return subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--config-file", settings], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
