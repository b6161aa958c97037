"""The rows of options.toml and options_accepted.toml as one list; the heads of the files explain the fields."""
import re
import tomllib
from pathlib import Path

TABLES = Path(__file__).resolve().parents[1]
KINDS = {"flag", "joined", "separate", "equals", "optional"}
FATES = {"ignored": "Quiet", "noted": "Noted", "refused": "Refused"}

# How a name in a list says what follows it, as in "-Mvect[=LIST]", "-tp=CPU", "-Wa,<LIST>", "-assume WORD". In
# "-std=f95" nothing does.
FORMS = [(re.compile(r"^(\S+)\[=([A-Z]+)\]$"), "optional"), (re.compile(r"^([^\s=<]+)=([A-Z]+)$"), "equals"),
         (re.compile(r"^(\S+)<([A-Z]+)>$"), "joined"), (re.compile(r"^(\S+) ([A-Z]+)$"), "separate"),
         (re.compile(r"^(\S+)$"), "flag")]


def named(text: str) -> dict:
    """The fields that a name in a list stands for."""
    for pattern, kind in FORMS:
        if found := pattern.match(text):
            words = found.groups()
            return {"name": words[0], "kind": kind, "value": words[1] if len(words) > 1 else ""}
    raise SystemExit(f"options: {text!r} is not the name of an option")


def with_spellings(option: dict) -> "list[dict]":
    """The row itself, then its other spellings, then those that take it back."""
    if option["kind"] not in KINDS:
        raise SystemExit(f"option {option['name']}: unknown kind {option['kind']}")
    main = {"value": "", "values": "", "on": True, "listed": True, **option}
    rows = [main]
    for key, on in (("also", main["on"]), ("no", not main["on"])):
        for text in option.get(key, []):
            rows.append({**main, **named(text), "on": on, "listed": False})
            rows[-1]["value"] = rows[-1]["value"] or main["value"]
    return rows


def accepted(table: dict) -> "list[dict]":
    rows = []
    for group, key in (("ignored", "quiet"), ("noted", "noted"), ("refused", "refused")):
        for entry in table.get(key, []):
            for text in entry["names"]:
                rows.append({"id": "Ignored", "on": True, "listed": False, "group": group, "help": entry["help"],
                             "values": entry.get("values", ""), **named(text)})
    return rows


def workarounds(tables: Path = TABLES) -> "list[tuple[str, ...]]":
    """The rows of workarounds.def: id, name, file, symptom, place in flang."""
    text = (tables / "workarounds.def").read_text()
    rows = re.findall(r"^CUF_WORKAROUND\((\w+),\s*(.*?)\)$", text, re.MULTILINE | re.DOTALL)
    return [(row[0], *re.findall(r'"([^"]*)"', row[1])) for row in rows]


def load(tables: Path = TABLES) -> dict:
    """{"option": rows with all spellings, "gpu": rows, "processor": rows}; each name once."""
    main = tomllib.loads((tables / "options.toml").read_text())
    more = tomllib.loads((tables / "options_accepted.toml").read_text())
    options = [row for option in main["option"] for row in with_spellings(option)] + accepted(more)
    for row in options:
        if row["values"] == "@workarounds":
            row["values"] = ",".join(["help", *(found[1] for found in workarounds(tables))])
    names = [(row["name"], row["kind"]) for row in options]
    twice = sorted({name for name, kind in names if names.count((name, kind)) > 1})
    if twice:
        raise SystemExit(f"options: more than one row is named {', '.join(twice)}")
    items = []
    for item in main["gpu"]:
        for key, on in (("name", True), ("also", True), ("no", False)):
            value = item.get(key, [])
            for name in [value] if isinstance(value, str) else value:
                items.append({**item, "name": name, "on": on})
    return {"option": options, "gpu": items, "processor": main["processor"]}


def fate(row: dict) -> str:
    return FATES.get(row["group"], "Applied")
