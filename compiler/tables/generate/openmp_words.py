"""Entries of lib/cufc/api.json for OpenMP: directives, clauses, and module omp_lib.

The name of a directive is "!$omp parallel do", that of a clause "$omp private"; "words" of a directive are its clauses,
of a clause what stands first in its parentheses.
"""

LOOPS = {"do", "simd", "loop", "distribute", "taskloop", "tile", "unroll", "atomic"}  # whose END may be left out


def clauses_of(row, rows):
    if "of" not in row:
        return row["clauses"]
    found = []
    for part in row["of"]:
        found += [clause for clause in clauses_of(rows[part], rows) if clause not in found]
    return found


def listed(names):
    return "Clauses: " + ", ".join(f"`{name}`" for name in names) + "." if names else ""


def directive(row, clauses):
    name = f"!$omp {row['name']}"
    usage = row.get("usage") or [name + (" [clauses]" if clauses else "")]
    return {"name": name, "kind": "directive", "module": "", "usage": usage, "summary": row["summary"],
            "description": "\n\n".join(text for text in (row.get("description", ""), listed(clauses)) if text),
            "words": clauses}


def end(row):
    name = f"!$omp end {row['name']}"
    clauses = row["end"].split() if isinstance(row["end"], str) else []
    loop = LOOPS & set(row["name"].split())
    return {"name": name, "kind": "directive", "module": "", "usage": [name + "".join(f" [{c}]" for c in clauses)],
            "summary": f"Ends what `{row['name']}` began.", "words": clauses,
            "description": "It may be left out." if loop else ""}


def clause(row):
    return {"name": f"$omp {row['name']}", "kind": "clause", "module": "", "usage": row["usage"], "summary": row["summary"],
            "description": row.get("description", ""), "words": row.get("values", [])}


def words(table):
    rows = {row["name"]: row for row in table["directive"]}
    for row in table["directive"]:
        yield directive(row, clauses_of(row, rows))
        if "end" in row:
            yield end(row)
    for row in table["clause"]:
        yield clause(row)
