#!/usr/bin/env python3
"""`cufls check --run`: what runs with checks find, as text, JSON, SARIF and annotations, with both places and the exit status; and the same
findings in the editor, until the text changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from harness.lsp_client import Client  # noqa: E402

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()

RACE = """module kernels
  implicit none
contains
  attributes(global) subroutine turn(a)
    real :: a(64)
    real, shared :: tile(64)
    integer :: i
    i = threadIdx%x
    tile(i) = a(i)
    a(i) = tile(65 - i)
  end subroutine
end module

program race
  use kernels
  implicit none
  real, device :: a(64)
  character(20) :: word
  call get_command_argument(1, word)
  print '(2a)', 'argument ', trim(word)
  a = 1.0
  call turn<<<1, 64>>>(a)
end program
"""
RIGHT = RACE.replace("    a(i) = tile", "    call syncthreads()\n    a(i) = tile")
ALLOWED = RACE.replace("    tile(i) = a(i)\n", "    tile(i) = a(i)  ! cufls: allow CUF0803 because it is a test\n").replace(
    "    a(i) = tile(65 - i)\n", "    a(i) = tile(65 - i)  ! cufls: allow CUF0803 because it is a test\n")


def run(*arguments: str, cwd: Path = FOLDER) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(CUFLS), "check", "--run", "--allow=unused,performance,hazard,comments", *arguments], capture_output=True, text=True,
                          timeout=240, cwd=cwd)


def forms() -> None:
    (FOLDER / "race.cuf").write_text(RACE)
    done = run("--format=json", "race.cuf", "--", "hello")
    assert done.returncode == 1, done
    found = json.loads(done.stdout)["diagnostics"]
    assert [d["code"] for d in found] == ["CUF0803"] and "argument hello" in done.stderr, done
    finding = found[0]
    lines = {finding["line"], finding["related"][0]["line"]}
    assert lines == {9, 10} and finding["file"] == "race.cuf" and finding["related"][0]["file"] == "race.cuf", finding
    assert finding["endColumn"] > finding["column"] and "element" in finding["message"] and "thread" in finding["message"], finding

    done = run("--format=sarif", "race.cuf")
    results = json.loads(done.stdout)["runs"][0]["results"]
    assert done.returncode == 1 and results[0]["ruleId"] == "CUF0803" and len(results[0]["relatedLocations"]) == 1, results
    done = run("--format=github", "race.cuf")
    assert done.returncode == 1 and done.stdout.startswith("::error file=race.cuf,line=") and "CUF0803" in done.stdout, done.stdout
    done = run("race.cuf")
    assert done.returncode == 1 and "race.cuf:10:" in done.stdout and "[CUF0803]" in done.stdout and "note:" in done.stdout, done.stdout


def exit_statuses() -> None:
    (FOLDER / "right.cuf").write_text(RIGHT)
    done = run("right.cuf")
    assert done.returncode == 0 and done.stdout == "", done
    (FOLDER / "allowed.cuf").write_text(ALLOWED)
    done = run("allowed.cuf")
    assert done.returncode == 0, done.stdout
    assert run("--warn=run", "race.cuf").returncode == 0 and run("--allow=CUF0803", "race.cuf").returncode == 0, "settings count"
    (FOLDER / "broken.cuf").write_text(RACE.replace("a = 1.0", "a = oops"))
    done = run("--format=json", "broken.cuf")
    assert done.returncode == 1 and "argument" not in done.stderr, "nothing is run that has errors"
    (FOLDER / "module.cuf").write_text(RIGHT[:RIGHT.index("program")])
    done = run("--format=json", "module.cuf")
    assert done.returncode == 1 and any(d["code"] == "CUF0808" for d in json.loads(done.stdout)["diagnostics"]), done
    (FOLDER / "killed.cuf").write_text("program killed\n  interface\n    subroutine abort() bind(c)\n    end subroutine\n  end interface\n  call abort()\nend program\n")
    found = json.loads(run("--format=json", "killed.cuf").stdout)["diagnostics"]
    assert [d["code"] for d in found] == ["CUF0808"] and "ABRT" in found[0]["message"], found
    # Several programs: what each of them says.
    done = run("--format=json", "race.cuf", "right.cuf", "killed.cuf")
    assert sorted(d["code"] for d in json.loads(done.stdout)["diagnostics"]) == ["CUF0803", "CUF0808"], done.stdout


def projects() -> None:
    folder = FOLDER / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src/race.cuf").write_text(RACE)
    (folder / "src/right.cuf").write_text(RIGHT.replace("kernels", "others"))
    (folder / "cufls.json").write_text('{"targets": {"race": {"sources": ["src/race.cuf"]}, "right": {"sources": ["src/right.cuf"]}}}')
    done = run("--target=race", "--format=json", ".", cwd=folder)
    found = json.loads(done.stdout)["diagnostics"]
    assert done.returncode == 1 and [(d["code"], d["file"]) for d in found] == [("CUF0803", "src/race.cuf")], done
    assert run("--target=right", ".", cwd=folder).returncode == 0
    done = run("--format=json", ".", cwd=folder)
    assert done.returncode == 1 and "CUF0808" in done.stdout and "CUF0149" in done.stderr + done.stdout or "right" in done.stderr, done


def in_the_editor() -> None:
    path = FOLDER / "race.cuf"
    client = Client([str(CUFLS)])
    client.initialize(FOLDER, {}, {"trusted": True})
    client.open(path, RACE)
    client.diagnostics(path, 1)
    answer = client.request("workspace/executeCommand", {"command": "cufls.run", "arguments": [path.as_uri(), {"check": True}]}, 240)
    assert answer == {"exitCode": 0} or answer["exitCode"] > 0, answer
    found = client.wait_notification("textDocument/publishDiagnostics", lambda p: any(d.get("code") == "CUF0803" for d in p["diagnostics"]))["params"]
    finding = next(d for d in found["diagnostics"] if d.get("code") == "CUF0803")
    places = {finding["range"]["start"]["line"], finding["relatedInformation"][0]["location"]["range"]["start"]["line"]}
    assert places == {8, 9} and finding["severity"] == 1 and finding["relatedInformation"][0]["message"].startswith("thread"), finding
    assert finding["range"]["start"] != finding["range"]["end"] and finding["source"] == "cufls run", finding
    start = {"line": 9, "character": 0}
    client.change(path, 2, [{"range": {"start": start, "end": start}, "text": "    call syncthreads()\n"}])
    found = client.wait_notification("textDocument/publishDiagnostics", lambda p: p.get("version") == 2)["params"]
    assert not any(d.get("code") == "CUF0803" for d in found["diagnostics"]), found
    assert client.stop() == 0


if __name__ == "__main__":
    for case in (forms, exit_statuses, projects, in_the_editor):
        case()
        print(case.__name__, "passed", flush=True)
