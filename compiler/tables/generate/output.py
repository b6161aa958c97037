"""Writing what a generator makes, and telling whether what is kept in the tree is stale."""

from pathlib import Path


def write(path: Path, text: str):
    """Leaves a file that is the same untouched, so that nothing is rebuilt for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def stale(directory: Path, pages: "dict[str, str]") -> "list[str]":
    """The names of those pages that are not in the directory as they should be."""
    return [name for name, text in pages.items()
            if not (directory / name).exists() or (directory / name).read_text() != text]
