"""Writes what users read of cufc's options, from options.toml.

options_docs.py            docs/reference/options.md: all options, also those accepted for nvfortran's sake
options_docs.py --check    fails if that file is not what would be written
options_docs.py --man      the manual page to standard output; a path may follow, of another options.toml
"""
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "compiler/tables/options.toml"
PAGE = ROOT / "docs/reference/options.md"

GROUPS = ["Output", "Code", "Language", "CUDA", "Files", "Linking", "Messages"]
APPLIED = "Applied"
INTRODUCTION = """# Options of cufc

<!-- Generated from compiler/tables/options.toml by compiler/tables/generate/options_docs.py. -->

The spellings are nvfortran's where it has the option. An unknown option is an error. `cufc -v` names
those on its command line that change nothing.
"""


def spelled(option: dict) -> str:
    value = option.get("value", "")
    kind = option["kind"]
    if kind == "equals":
        return f"{option['name']}={value}"
    if kind == "optional":
        return f"{option['name']}[={value or 'LIST'}]"
    return f"{option['name']} {value}" if value else option["name"]


def rows(pairs: "list[tuple[str, str]]") -> str:
    escaped = [(name, text.replace("|", "\\|")) for name, text in pairs]
    return "| option | |\n|---|---|\n" + "".join(f"| `{name}` | {text} |\n" for name, text in escaped)


def of_group(table: dict, group: str) -> "list[tuple[str, str]]":
    return [(spelled(option), option["help"]) for option in table["option"] if option["group"] == group]


def gpu_items(table: dict, wanted: str) -> "list[tuple[str, str]]":
    special = {"Ignored": "Ignored", "Refused": "Refused"}
    return [("-gpu=" + item["name"] + ("..." if item["name"].endswith(":") else ""), item["help"])
            for item in table["gpu"] if special.get(item["id"], APPLIED) == wanted]


def page(table: dict) -> str:
    text = INTRODUCTION
    for group in GROUPS:
        text += f"\n## {group}\n\n{rows(of_group(table, group))}"
    text += "\n## What -gpu takes\n\n`-gpu=` and `-Mcuda=` take a list with commas.\n\n"
    own = [("-gpu=ccNN", "a GPU to build machine code for, by its compute capability"),
           ("-gpu=maxregcount:N", "at most N registers for a thread")]
    text += rows(own + gpu_items(table, APPLIED))
    text += "\n## Accepted, without effect\n\n"
    version = [("-gpu=cudaX.Y", "the toolkit that is found is used")]
    text += rows(of_group(table, "ignored") + version + gpu_items(table, "Ignored"))
    text += "\n## Refused\n\n"
    return text + rows(of_group(table, "refused") + gpu_items(table, "Refused"))


def manual(table: dict) -> str:
    def roff(text: str) -> str:
        return text.replace("\\", "\\e").replace("-", "\\-")

    text = '.TH CUFC 1\n.SH NAME\ncufc, cufls \\- compiler and language server for CUDA Fortran\n'
    text += ".SH SYNOPSIS\n.B cufc\n[\\fIoption\\fR]... \\fIfile\\fR...\n.br\n.B cufls\n[\\fIcommand\\fR]\n"
    text += ".SH DESCRIPTION\n\\fBcufc\\fR compiles CUDA Fortran to programs that run on NVIDIA GPUs, and on the CPU\n"
    text += "where there is none. \\fBcufls\\fR checks, builds and runs projects, and is the language server for\n"
    text += "editors; \\fBcufls help\\fR has its commands.\n"
    for group in GROUPS:
        text += f'.SH "OPTIONS: {group.upper()}"\n'
        for name, help_text in of_group(table, group):
            text += f".TP\n.B {roff(name)}\n{roff(help_text)}\n"
    text += ".SH ENVIRONMENT\n.TP\n.B CUDA_HOME\nthe CUDA Toolkit; otherwise that of nvcc on PATH\n"
    return text + ".TP\n.B CUF_DEVICE\nwhere a compiled program runs its kernels: auto, gpu or host\n"


def main() -> None:
    arguments = sys.argv[1:]
    paths = [Path(argument) for argument in arguments if not argument.startswith("--")]
    table = tomllib.loads((paths[0] if paths else TABLE).read_text())
    if "--man" in arguments:
        print(manual(table), end="")
    elif "--check" in arguments:
        if not PAGE.exists() or PAGE.read_text() != page(table):
            raise SystemExit(f"{PAGE.relative_to(ROOT)} is stale: run {Path(__file__).relative_to(ROOT)}")
    else:
        PAGE.write_text(page(table))


main()
