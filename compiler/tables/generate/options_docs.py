"""Writes what users read of cufc's options, from options.toml and options_accepted.toml.

options_docs.py            docs/reference/options.md: all options, also those accepted for other compilers' sake
options_docs.py --check    fails if that file is not what would be written
options_docs.py --man      the manual page to standard output; the folder of other tables may follow
"""
import sys
from pathlib import Path

from options_table import TABLES, load

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/reference/options.md"

GROUPS = ["Output", "Code", "Language", "CUDA", "Files", "Linking", "Messages"]
INTRODUCTION = """# Options of cufc

<!-- Generated from the tables compiler/tables/options*.toml by compiler/tables/generate/options_docs.py. -->

The spellings are nvfortran's where it has the option; those of gfortran and flang are taken too, and stand
beside it. An unknown option is an error. `cufc -v` names those on its command line that change nothing.
`cufc @FILE` reads arguments from a file.
"""


def spelled(option: dict) -> str:
    value, name = option["value"], option["name"]
    return {"equals": f"{name}={value}", "optional": f"{name}[={value or 'LIST'}]", "flag": name,
            "joined": f"{name}{value}" if len(name) > 2 else f"{name} {value}"}.get(option["kind"], f"{name} {value}")


def rows(pairs: "list[tuple[str, str]]") -> str:
    return "| option | |\n|---|---|\n" + "".join("| {} | {} |\n".format(names, text.replace("|", "\\|"))
                                               for names, text in pairs)


def quoted(names: "list[str]") -> str:
    return ", ".join(f"`{name}`" for name in names)


def together(options: "list[dict]") -> "list[tuple[list[str], list[str], str]]":
    """Rows of one text as one: spellings, spellings that take it back, text."""
    found: dict = {}
    for option in options:
        same = found.setdefault((option["id"], option["help"]), ([], [], option["on"]))
        same[0 if option["on"] == same[2] else 1].append(spelled(option))
    return [(names, back, text) for (_, text), (names, back, _) in found.items()]


def of_group(table: dict, group: str) -> "list[tuple[str, str]]":
    return [(quoted(names), text + (f"; taken back by {quoted(back)}" if back else ""))
            for names, back, text in together([option for option in table["option"] if option["group"] == group])]


def gpu_items(table: dict, *wanted: str) -> "list[tuple[str, str]]":
    found: dict = {}
    for item in table["gpu"]:
        kind = item["id"] if item["id"] in ("Ignored", "Separate", "Noted", "Refused") else "Applied"
        if kind in wanted:
            names = found.setdefault(item["help"], ([], []))
            names[0 if item["on"] else 1].append("-gpu=" + item["name"] + ("..." if item["name"][-1] in ":=" else ""))
    return [(quoted(names), text + (f"; taken back by {quoted(back)}" if back else ""))
            for text, (names, back) in found.items()]


def page(table: dict) -> str:
    text = INTRODUCTION
    for group in GROUPS:
        text += f"\n## {group}\n\n{rows(of_group(table, group))}"
    text += "\n## What -gpu takes\n\n`-gpu=` and `-Mcuda=` take a list with commas.\n\n"
    own = [("`-gpu=ccNN`, `-gpu=sm_NN`", "a GPU to build machine code for, by its compute capability")]
    text += rows(own + gpu_items(table, "Applied"))
    text += "\n## What -tp takes\n\n| name | LLVM's and GCC's, for -march |\n|---|---|\n"
    text += "".join(f"| {quoted(row['names'])} | `{row['llvm']}` |\n" for row in table["processor"])
    text += "\n## Accepted, without effect\n\n"
    text += rows(of_group(table, "ignored") + gpu_items(table, "Ignored", "Separate"))
    text += "\n## Accepted, with a note\n\nWhat they ask for is not done, which is always said.\n\n"
    gone = [("`-gpu=cc10` to `cc60`, `cc2x`, `cc3+`", "no toolkit of today builds for such a GPU; the code is for those that "
             "there are. So it is with `cc70` and `cc72` where the toolkit is 13 or newer"),
            ("`-gpu=cudaX.Y`, `-Mcuda=X.Y`", "the toolkit that is found is used")]
    text += rows(of_group(table, "noted") + gone + gpu_items(table, "Noted"))
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
        for names, back, help_text in together([option for option in table["option"] if option["group"] == group]):
            text += f".TP\n.B {roff(', '.join(names + back))}\n{roff(help_text)}\n"
    text += ".SH ENVIRONMENT\n.TP\n.B CUDA_HOME\nthe CUDA Toolkit; otherwise that of nvcc on PATH\n"
    return text + ".TP\n.B CUF_DEVICE\nwhere a compiled program runs its kernels: auto, gpu or host\n"


def main() -> None:
    arguments = sys.argv[1:]
    paths = [Path(argument) for argument in arguments if not argument.startswith("--")]
    table = load(paths[0] if paths else TABLES)
    if "--man" in arguments:
        print(manual(table), end="")
    elif "--check" in arguments:
        if not PAGE.exists() or PAGE.read_text() != page(table):
            raise SystemExit(f"{PAGE.relative_to(ROOT)} is stale: run {Path(__file__).relative_to(ROOT)}")
    else:
        PAGE.write_text(page(table))


main()
