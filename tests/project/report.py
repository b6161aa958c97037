#!/usr/bin/env python3
"""What a program says of itself at its end: `cufls run --report`, `--report=json`, `--report-to`, and CUF_REPORT. The JSON
is compared with docs/report.schema.json.

Usage: report.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import json
import re
from pathlib import Path

from workspace import check, equal, main

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs/report.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None)}
PROGRAM = """module kernels
contains
  attributes(global) subroutine add(x, n)
    integer, value :: n
    real :: x(n)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= n) x(i) = x(i) + 1
  end subroutine
end module
program measured
  use kernels
  use nvtx
  implicit none
  integer, parameter :: n = 1000
  real :: h(n)
  real, device :: x(n)
  integer :: i
  call nvtxStartRange('outer "quoted"')
  h = 1
  x = h
  do i = 1, 3
    call nvtxStartRange("inner")
    call add<<<(n + 127) / 128, 128>>>(x, n)
    call nvtxEndRange()
  end do
  h = x
  call nvtxEndRange()
  call nvtxMark("done")
  print '(f0.1)', h(n)
  END
end program
"""
FORKING = """program forking
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function fork() bind(c)
      import c_int
      integer(c_int) :: fork
    end function
    function wait(status) bind(c)
      import c_int, c_ptr
      type(c_ptr), value :: status
      integer(c_int) :: wait
    end function
  end interface
  real :: h(10)
  real, device :: x(10)
  integer :: child
  h = 1
  x = h
  child = fork()
  if (child == 0) stop
  child = wait(c_null_ptr)
  h = x
end program
"""


def mismatches(value, schema, at="report"):
    """Where a value is not as the schema says; of JSON Schema what docs/report.schema.json uses."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if "const" in schema and value != schema["const"]:
        return [f"{at} is {value!r}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{at} is {value!r}"]
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(isinstance(value, TYPES[kind]) for kind in kinds):
        return [f"{at} is {value!r}, not {kinds}"]
    found = []
    if isinstance(value, (int, float)) and value < schema.get("minimum", value):
        found.append(f"{at} is {value}")
    if isinstance(value, dict):
        found += [f"{at} lacks {name}" for name in schema["required"] if name not in value]
        for name, inner in value.items():
            if name in schema["properties"]:
                found += mismatches(inner, schema["properties"][name], f"{at}.{name}")
            else:
                found.append(f"{at} has {name}")
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found += mismatches(inner, schema["items"], f"{at}[{number}]")
    return found


def reports(text):
    """The reports among the lines of a text, each as the schema wants it."""
    found = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    for report in found:
        equal(mismatches(report, SCHEMA), [], "the schema")
    return found


def only(rows, **wanted):
    found = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    equal(len(found), 1, f"rows with {wanted}")
    return found[0]


def as_data(work):
    work.write("p.cuf", PROGRAM.replace("END", ""))
    done = work.run("run", "--device=host", "--report=json", "p.cuf")
    equal((done.returncode, done.stdout), (0, "4.0\n"), "the program")
    equal(len(reports(done.stderr)), 1, "reports")
    report = reports(done.stderr)[0]
    equal((report["program"], report["rank"], report["ranks"], report["timing"]), ("p", 0, 1, "clock"), "the head")
    equal([device["kind"] for device in report["devices"]], ["cpu"], "devices")
    kernel = only(report["kernels"], name="kernels::add")
    equal((kernel["count"], kernel["timedCount"], kernel["libraryCall"]), (3, 3, None), "the kernel")
    check(0 < kernel["seconds"] <= report["seconds"], f"seconds: {report}")
    equal(kernel["meanThreads"], 1024, "threads of a launch")
    check(abs(kernel["meanSeconds"] * 3 - kernel["seconds"]) < 1e-8, f"mean: {kernel}")
    for direction in ("hostToDevice", "deviceToHost"):
        row = only(report["transfers"], direction=direction, origin="assignment")
        equal((row["count"], row["bytes"]), (1, 4000), direction)
        wanted = row["bytes"] / row["seconds"] / 1e9
        check(abs(row["gigabytesPerSecond"] - wanted) <= 1e-6 + 1e-3 * wanted, f"GB/s: {row}")
    outer = only(report["ranges"], name='outer "quoted"')
    inner = only(outer["ranges"], name="inner")
    equal((outer["count"], inner["count"]), (1, 3), "ranges")
    check(inner["seconds"] <= outer["seconds"] <= report["seconds"], f"ranges: {report}")
    equal(report["marks"], [{"name": "done", "count": 1}], "marks")


def as_text(work):
    work.write("p.cuf", PROGRAM.replace("END", ""))
    done = work.run("run", "--device=host", "--report", "p.cuf")
    for line in (r"^cufrt: ran on the CPU, \d+ threads?$", r"^  kernels::add +3 +\d+\.\d{3} +\d+\.\d{3}$",
                 r"^  host to device, assignment +1 +4000 +\d+\.\d{3} +(\d+\.\d{3}|-)$",
                 r'^  outer "quoted" +1 +', r"^    inner +3 +", r"^  done +1$"):
        check(re.search(line, done.stderr, re.MULTILINE), f"no line {line} in\n{done.stderr}")
    equal(reports(done.stderr), [], "JSON in the text")


def into_a_file(work):
    work.write("p.cuf", PROGRAM.replace("END", ""))
    (work.root / "elsewhere").mkdir()
    done = work.run("run", "--device=host", "--report=json", "--report-to=out.json", "--directory=elsewhere", "p.cuf")
    equal((done.returncode, reports(done.stderr)), (0, []), "stderr")
    equal(len(reports((work.root / "out.json").read_text())), 1, "reports in the file")
    done = work.run("run", "--device=host", "--report-to=nowhere/out.txt", "p.cuf")
    check("the report cannot be written to" in done.stderr and done.returncode == 0, f"a wrong file: {done.stderr}")
    done = work.run("run", "--device=host", "p.cuf", env={"CUF_REPORT": "xml"})
    check("CUF_REPORT is 'xml'; it can be 0, 1 or json" in done.stderr and done.returncode == 1, f"xml: {done.stderr}")
    equal(work.run("run", "--report=xml", "p.cuf").returncode, 2, "--report=xml")


def however_it_ends(work):
    for end, status in (("stop", 0), ("stop 3", 3), ("error stop 4", 4), ("call exit(5)", 5)):
        work.write("p.cuf", PROGRAM.replace("END", end))
        done = work.run("run", "--device=host", "--report=json", "p.cuf")
        equal((done.returncode, done.stdout), (status, "4.0\n"), end)
        equal([only(report["kernels"], name="kernels::add")["count"] for report in reports(done.stderr)], [3], end)


def with_a_child(work):
    """A child reports its own work only."""
    work.write("p.cuf", FORKING)
    done = work.run("run", "--device=host", "--report=json", "p.cuf")
    equal(done.returncode, 0, "the program")
    equal([sum(row["count"] for row in report["transfers"]) for report in reports(done.stderr)], [2], "transfers")


def of_each_rank(work):
    """The launcher's variables say which rank it is."""
    work.write("p.cuf", PROGRAM.replace("END", ""))
    ranks = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}
    done = work.run("run", "--device=host", "--report=json", "--report-to=out.json", "p.cuf", env=ranks)
    equal(done.returncode, 0, "the program")
    report = reports((work.root / "out.rank1.json").read_text())[0]
    equal((report["rank"], report["ranks"]), (1, 2), "the rank")
    done = work.run("run", "--device=host", "--report", "p.cuf", env=ranks)
    check(re.search(r"^cufrt: rank 1 of 2 ran on the CPU", done.stderr, re.MULTILINE), f"the rank: {done.stderr}")


if __name__ == "__main__":
    main([as_data, as_text, into_a_file, however_it_ends, with_a_child, of_each_rank])
