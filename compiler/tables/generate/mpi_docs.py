"""Pages of docs/reference about MPI: mpi_docs.py [--check]

One page for each group of procedures and one for the constants. With --check nothing is written, and the exit
status is 1 if a page is stale.
"""

import sys
from pathlib import Path

import mpi_table
import mpi_texts

FOLDER = Path(__file__).resolve().parents[3] / "docs/reference"
NOTICE = "<!-- Generated from compiler/tables/mpi by mpi_docs.py. -->"


def procedure_section(procedure):
    lines = [f"## {procedure['name']}", "", procedure["about"], ""]
    f08 = "mpi_f08" in mpi_table.modules(procedure)
    lines += ["```fortran", mpi_texts.usage(procedure, f08), "```", ""]
    rows = mpi_texts.arguments(procedure, f08)
    if rows:
        lines += ["| argument | type | intent | |", "|---|---|---|---|"]
        for name, kind, intent, optional, words in rows:
            lines.append(f"| `{name}` | {kind} | {intent}{', optional' if optional else ''} | {words} |")
        lines.append("")
    if "description" in procedure:
        lines += [procedure["description"], ""]
    if facts := mpi_texts.facts(procedure):
        lines += [" ".join(facts), ""]
    if not f08:
        lines += ["Not in `mpi_f08`.", ""]
    return lines


def page(group):
    lines = [NOTICE, f"# MPI: {group['title'][0].lower() + group['title'][1:]}", "",
             "As module `mpi_f08` has them. In module `mpi` and with `mpif.h` handles are integers, a status is an integer array,",
             "and `ierror` is not optional.", ""]
    for procedure in group["procedures"]:
        lines += procedure_section(procedure)
    return "\n".join(lines).rstrip() + "\n"


def constants_page():
    lines = [NOTICE, "# MPI: constants", "", "Their values are the installed library's.", ""]
    group = None
    for row in mpi_table.constants():
        if row["group"] != group:
            group = row["group"]
            title = next(b["title"] for b in mpi_table.read("constants")["constants"] if b["name"] == group)
            lines += ["", f"## {title}", "", "| constant | type in `mpi_f08` | |", "|---|---|---|"]
        lines.append(f"| `{row['name']}` | {mpi_texts.type_text({'type': row['type']}, True)} | {row['about']} |")
    return "\n".join(lines) + "\n"


def pages():
    result = {f"mpi-{group['name'].replace('_', '-')}.md": page(group) for group in mpi_table.load()}
    result["mpi-constants.md"] = constants_page()
    return result


def main():
    stale = []
    for name, text in pages().items():
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and stale:
        raise SystemExit(f"stale: {', '.join(stale)}")


if __name__ == "__main__":
    main()
