#!/usr/bin/env python3
"""Runs `cufls check --format=...` and `cufc -fdiagnostics-format=...` and reads what they write.

Each source of tests/diagnostics and of the pages of diagnostics goes through JSON, SARIF and the
annotations of GitHub; besides, sources with text that is not ASCII, not UTF-8, or not there.

Usage: output_formats.py [--cufc PATH]; CUFC in the environment is the default
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import sarif_schema  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SEVERITIES = {"error", "warning", "information", "hint"}
FIELDS = {"file", "line", "column", "endLine", "endColumn", "severity", "code", "message", "fixes"}
ANNOTATION = re.compile(
    r"^::(error|warning|notice)(?: file=[^,:\n]+(?:,line=\d+,endLine=\d+(?:,col=\d+,endColumn=\d+)?)?"
    r"(?:,title=CUF\d{4})?| title=CUF\d{4})?::.+$"
)
UNICODE = "subroutine s()\n  print *, 'äöü€', nöwhere\n  print *, 'äöü€', 1 + 'x'\nend subroutine s\n"


class Failures(list):
    def expect(self, condition, text):
        if not condition:
            self.append(text)


def run(command, folder):
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, timeout=300, check=False
    )
    return done.returncode, done.stdout, done.stderr


def check_json(failures, name, code, output):
    try:
        found = json.loads(output.decode("utf-8"))["diagnostics"]
    except (ValueError, KeyError) as error:
        failures.append(f"{name}: JSON: {error}")
        return []
    for diagnostic in found:
        failures.expect(FIELDS <= set(diagnostic), f"{name}: fields are missing: {diagnostic}")
        failures.expect(diagnostic["severity"] in SEVERITIES, f"{name}: {diagnostic['severity']}")
        begin = (diagnostic["line"], diagnostic["column"])
        end = (diagnostic["endLine"], diagnostic["endColumn"])
        failures.expect(begin <= end, f"{name}: a range ends before it begins: {diagnostic}")
        failures.expect(diagnostic["code"].startswith("CUF"), f"{name}: no code: {diagnostic}")
    errors = any(diagnostic["severity"] == "error" for diagnostic in found)
    failures.expect(code in (0, 1, 2), f"{name}: exit status {code}")
    failures.expect((code != 0) == errors, f"{name}: exit status {code}, errors: {errors}")
    return found


def check_all_forms(failures, cufls, folder, files):
    code, output, _ = run([cufls, "check", "--format=json", *files], folder)
    found = check_json(failures, "check", code, output)
    code, output, _ = run([cufls, "check", "--format=sarif", *files], folder)
    log = json.loads(output.decode("utf-8"))
    failures += [f"SARIF: {text}" for text in sarif_schema.problems(log)[:10]]
    placed = [diagnostic for diagnostic in found if diagnostic["file"]]
    results = log["runs"][0]["results"]
    failures.expect(len(results) == len(placed), f"SARIF has {len(results)} of {len(placed)}")
    _, output, _ = run([cufls, "check", "--format=github", *files], folder)
    lines = output.decode("utf-8").splitlines()
    failures.expect(len(lines) == len(found), f"{len(lines)} annotations for {len(found)}")
    failures += [f"annotation: {line}" for line in lines if not ANNOTATION.match(line)][:10]
    return found, log


def check_unicode(failures, cufls, folder):
    """Columns are bytes in JSON and characters in SARIF."""
    (folder / "ü n.cuf").write_text(UNICODE, encoding="utf-8")
    found, log = check_all_forms(failures, cufls, folder, ["ü n.cuf"])
    failures.expect(bool(found), "ü n.cuf: nothing found")
    for result in log["runs"][0]["results"]:
        location = result["locations"][0]["physicalLocation"]
        failures.expect(location["artifactLocation"]["uri"] == "%C3%BC%20n.cuf", str(location))
    wrong = next((d for d in found if d["line"] == 3), None)
    if wrong is None:
        failures.append("ü n.cuf: nothing in line 3")
        return
    line = UNICODE.splitlines()[2]
    before = line.encode()[: wrong["column"] - 1].decode()
    regions = [
        result["locations"][0]["physicalLocation"]["region"]
        for result in log["runs"][0]["results"]
    ]
    columns = [region["startColumn"] for region in regions if region["startLine"] == 3]
    failures.expect(len(before) + 1 in columns, f"column {len(before) + 1} is not in {columns}")


def check_bytes(failures, cufls, folder):
    """Neither names nor texts need to be UTF-8."""
    name = b"b\xff.cuf"
    with open(os.path.join(os.fsencode(folder), name), "wb") as file:
        file.write(b"subroutine s()\n  print *, '\xff\xe9', x\xe9y\n#\xff\nend subroutine s\n")
    for form in ("json", "sarif", "github", "text"):
        command = [os.fsencode(cufls), b"check", b"--format=" + form.encode(), name]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
        failures.expect(done.returncode in (1, 2), f"bytes, {form}: exit status {done.returncode}")
        if form == "text":
            continue
        try:
            text = done.stdout.decode("utf-8")
            if form != "github":
                json.loads(text)
        except ValueError as error:
            failures.append(f"bytes, {form}: {error}")


def check_compiler(failures, cufc, folder):
    """cufc writes to standard error: objects on lines, a log, annotations."""
    (folder / "wrong.cuf").write_text("subroutine s(x)\n  real :: x\n  x = x + 'a'\nend subroutine s\n")
    command = [cufc, "-c", "wrong.cuf", "-fdiagnostics-format="]
    code, _, output = run([*command[:3], command[3] + "json"], folder)
    objects = [json.loads(line) for line in output.decode().splitlines()]
    failures.expect(code == 1 and [o["line"] for o in objects] == [3], f"cufc, JSON: {objects}")
    code, _, output = run([*command[:3], command[3] + "sarif"], folder)
    log = json.loads(output.decode())
    failures.expect(code == 1, f"cufc, SARIF: exit status {code}")
    failures += [f"cufc, SARIF: {text}" for text in sarif_schema.problems(log)]
    failures.expect(len(log["runs"][0]["results"]) == 1, "cufc, SARIF: not one result")
    code, _, output = run([*command[:3], command[3] + "github"], folder)
    failures.expect(ANNOTATION.match(output.decode().strip()) is not None, f"cufc: {output}")
    code, _, output = run([*command[:3], command[3] + "xml"], folder)
    failures.expect(b"CUF0003" in output, f"cufc, a form that does not exist: {output}")
    code, _, output = run([cufc, "-fdiagnostics-format=sarif", "-c"], folder)
    failures += [f"cufc, no input: {text}" for text in sarif_schema.problems(json.loads(output))]


def check_explain(failures, cufls, folder):
    """`cufls explain` knows codes in several spellings, names and groups."""
    code, output, _ = run([cufls, "explain", "CUF0203"], folder)
    page = output.decode()
    failures.expect(code == 0 and page.startswith("CUF0203: DeviceUsesHostData\n"), page[:80])
    failures.expect("## Wrong" in page and "Severity: error" in page, "explain: no example")
    for word in ("cuf0203", "203", "0203", "deviceuseshostdata"):
        _, output, _ = run([cufls, "explain", word], folder)
        failures.expect(output.decode() == page, f"explain {word} is not explain CUF0203")
    _, output, _ = run([cufls, "explain"], folder)
    lines = output.decode().splitlines()
    failures.expect(len(lines) > 150 and lines == sorted(lines), f"explain: {len(lines)} lines")
    _, output, _ = run([cufls, "explain", "launch"], folder)
    group = output.decode().splitlines()
    failures.expect(set(group) < set(lines) and len(group) > 5, f"explain launch: {group}")
    _, output, _ = run([cufls, "explain", "--format=json", "CUF1101", "usage"], folder)
    found = json.loads(output)["diagnostics"]
    failures.expect(found[0]["code"] == "CUF1101" and found[0]["explanation"], str(found[:1]))
    failures.expect(all(row["group"] == "usage" for row in found[1:]), "explain usage: other groups")
    code, output, error = run([cufls, "explain", "lanch"], folder)
    failures.expect(code == 2 and b"CUF0115" in output + error, f"explain lanch: {code}")
    failures.expect(b"'launch'" in output + error, "explain lanch: not the nearest")


def check_settings(failures, cufls, folder):
    """Settings on the command line, and comments."""
    text = "subroutine s(x)\n  real :: x, a{}\n  x = a\nend subroutine s\n"
    (folder / "a.cuf").write_text(text.format(""))
    (folder / "b.cuf").write_text(text.format(" ! cufls: allow CUF1301 because"))

    def found(*arguments):
        code, output, _ = run([cufls, "check", "--format=json", *arguments], folder)
        return code, [(d["code"], d["severity"]) for d in json.loads(output)["diagnostics"]]

    for arguments, wanted in (
        (["a.cuf"], (0, [("CUF1301", "warning")])),
        (["a.cuf", "--werror"], (1, [("CUF1301", "error")])),
        (["a.cuf", "--error=usage"], (1, [("CUF1301", "error")])),
        (["a.cuf", "--allow=cuf1301"], (0, [])),
        (["a.cuf", "--allow=usage", "--warn=CUF1301"], (0, [("CUF1301", "warning")])),
        (["b.cuf", "--werror"], (0, [])),
    ):
        failures.expect(found(*arguments) == wanted, f"{arguments}: {found(*arguments)}")
    code, diagnostics = found("a.cuf", "--allow=CUF9999")
    failures.expect(code == 2 and ("CUF0110", "error") in diagnostics, f"CUF9999: {diagnostics}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cufc", default=os.environ.get("CUFC", ROOT / "build/bin/cufc"))
    cufc = Path(parser.parse_args().cufc).resolve()
    cufls = cufc.parent / "cufls"
    failures = Failures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = sorted((ROOT / "tests/diagnostics").glob("*.[cCf]*"))
        check_all_forms(failures, cufls, folder, sources)
        check_unicode(failures, cufls, folder)
        check_bytes(failures, cufls, folder)
        check_compiler(failures, cufc, folder)
        check_explain(failures, cufls, folder)
        check_settings(failures, cufls, folder)
        code, output, _ = run([cufls, "check", "--format=json", "not-there.cuf"], folder)
        check_json(failures, "not-there.cuf", code, output)
    print("\n".join(failures) or "all forms are as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
