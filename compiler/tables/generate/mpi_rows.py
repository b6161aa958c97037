"""Writes the table of MPI as rows for C++: mpi_rows.py OUTPUT

    MPI_CONSTANT(name, type, holds, extent, layer)         layer: the index that the run-time layer knows, or -1
    MPI_PROCEDURE(name, form, when, does, modules, arguments, ierror, function, since, removed, instead)
    MPI_DUMMY(name, type, intent, use)                     of the procedure before
"""

import sys
from pathlib import Path

import mpi_table


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def constant_rows():
    layer = {row["name"]: index for known in mpi_table.layer_constants() for index, row in enumerate(known)}
    for row in mpi_table.constants():
        yield (f"MPI_CONSTANT({quoted(row['name'])}, {quoted(row['type'])}, {quoted(row.get('holds', ''))}, "
               f"{quoted(row.get('extent', ''))}, {layer.get(row['name'], -1)})")


def procedure_rows():
    for row in mpi_table.procedures():
        bits = sum(1 << index for index, module in enumerate(mpi_table.MODULES) if module in mpi_table.modules(row))
        fields = [row["name"], row.get("form", ""), row.get("when", "blocking"), row.get("does", "")]
        dummies = mpi_table.dummies(row)
        count = len(dummies) + mpi_table.has_ierror(row)
        removed = row.get("removed", "")
        yield (f"MPI_PROCEDURE({', '.join(map(quoted, fields))}, {bits}, {count}, "
               f"{'true' if mpi_table.has_ierror(row) else 'false'}, {'true' if 'result' in row else 'false'}, "
               f"{quoted(row.get('since', '1.0'))}, {quoted(removed)}, {quoted(row.get('instead', ''))})")
        for dummy in dummies:
            use = quoted(dummy.get("use", ""))
            yield f"MPI_DUMMY({quoted(dummy['name'])}, {quoted(dummy['type'])}, {quoted(dummy['intent'])}, {use})"


def main():
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    text = "// Generated from compiler/tables/mpi by mpi_rows.py.\n#ifdef MPI_CONSTANT\n"
    text += "\n".join(constant_rows()) + "\n#endif\n#ifdef MPI_PROCEDURE\n" + "\n".join(procedure_rows()) + "\n#endif\n"
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
