"""Pages of docs/reference: one for each group of the procedures of device code."""

from device_table import NOTICE
from examples import example

HOW = {
    "flang": "flang",
    "libdevice": "libdevice's `{symbol}`",
    "cufc": "cufc",
    "libm": "libdevice on a GPU, C's library on the host",
}


def call(row):
    text = ""
    for dummy in row["dummies"]:
        comma = ", " if text else ""
        text += f" [{comma}{dummy['name']}]" if dummy.get("optional") else comma + dummy["name"]
    start = "call " if row.get("subroutine") else "result = "
    return f"{start}{row['name']}({text.strip()})"


def kinds(row):
    if "types" in row:
        vectors = [f"{kind} of {extent} elements" for kind, extent in row.get("vectors", {}).items()]
        also = " Also for arrays: " + ", ".join(vectors) + "." if vectors else ""
        return "T is " + ", ".join(row["types"]) + "." + also
    if "arguments" in row:
        return "Arguments: " + ", ".join(row["arguments"]) + "."
    return ""


def dummy_row(dummy):
    passing = dummy.get("intent", "in") + (", optional" if dummy.get("optional") else "")
    return f"| `{dummy['name']}` | {dummy.get('type', '')} | {passing} | {dummy['about']} |"


def error(row):
    if "ulp" not in row:
        return ""
    return "Correctly rounded." if row["ulp"] == 0 else f"Error at most {row['ulp']} ulp."


def section(row):
    lines = [f"## {row['name']}", "", row["summary"], "", "```fortran", call(row), "```", ""]
    if row["dummies"]:
        lines += ["| argument | type | intent | |", "|---|---|---|---|"]
        lines += [dummy_row(dummy) for dummy in row["dummies"]] + [""]
    result = f"Result: {row['result']}." if "result" in row else ""
    facts = [text for text in (result, kinds(row), row.get("description", ""), error(row)) if text]
    lines += [" ".join(facts), ""] if facts else []
    last = [f"CUDA C: `{row['c']}`."] if "c" in row else []
    if row["group"] != "intrinsic":
        added = f", for {' and '.join(row['added'])} by cufc" if "added" in row else ""
        last.append(f"Module {row['module']}, by {HOW[row['by']].format(symbol=row.get('symbol', ''))}{added}.")
    return lines + ([" ".join(last), ""] if last else [])


def page(tables, group):
    lines = [f"<!-- {NOTICE} -->", f"# Device code: {group['title']}", "", group["about"].strip(), "", *example(f"device-{group['name']}")]
    for row in tables["routine"]:
        if row["group"] == group["name"]:
            lines += section(row)
    return "\n".join(lines).rstrip() + "\n"


def pages(tables):
    return {f"device-{group['name']}.md": page(tables, group) for group in tables["group"]}
