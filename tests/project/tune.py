#!/usr/bin/env python3
"""`cufls tune`: blocks and launch_bounds that are tried, refused and written into the text."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

CUFLS = Path(os.environ["CUFC"]).with_name("cufls")
FOLDER = Path.cwd()

KERNELS = """module kernels
  implicit none
contains
  attributes(global) subroutine scale(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= n) a(i) = 2 * a(i) + 1
  end subroutine
  attributes(global) subroutine fixed(a, n)
    integer, value :: n
    real :: a(n)
    real, shared :: s(64)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    s(threadIdx%x) = a(i)
    call syncthreads()
    a(i) = s(65 - threadIdx%x)
  end subroutine
  attributes(global) subroutine counted(a, n)
    integer, value :: n
    real :: a(n)
    a((blockIdx%x - 1) * 32 + threadIdx%x) = 1
  end subroutine
  attributes(global) launch_bounds(128) subroutine bounded(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    do i = (blockIdx%x - 1) * blockDim%x + threadIdx%x, n, blockDim%x * gridDim%x
      a(i) = 3
    end do
  end subroutine
end module
"""
MAIN = """program heat
  use kernels
  implicit none
  integer, parameter :: n = 6400
  integer, parameter :: threads = 64  ! of a block
  real, device :: a(n)
  real :: b(n)
  integer :: grid, i
  grid = 100
  a = 1
  do i = 1, 3
    call scale<<<(n + 63) / 64, 64>>>(a, n)
  end do
  call fixed<<<n / 64, 64>>>(a, n)
  call counted<<<n / 32, 32>>>(a, n)
  call bounded<<<(n + threads - 1) / threads, threads>>>(a, n)
  {more}
  b = a
  print *, sum(b), command_argument_count()
end program
"""
DEVICE = "--device=host"


def tune(*arguments: str, cwd: Path = FOLDER) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(CUFLS), "tune", *arguments], capture_output=True, text=True, timeout=280, cwd=cwd)


def data(*arguments: str, cwd: Path = FOLDER) -> dict:
    done = tune(DEVICE, "--format=json", *arguments, cwd=cwd)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def sizes() -> None:
    """A size of which all launches follow; the file stays as it is, and may be written."""
    (FOLDER / "kernels.cuf").write_text(KERNELS)
    heat = FOLDER / "heat.cuf"
    heat.write_text(MAIN.replace("{more}", ""))
    found = data("heat.cuf", "scale", "--blocks=32,256", "--repeat=1", "--", "one", "two")
    assert (found["kernel"], found["before"], found["file"]) == ("kernels::scale", 64, "heat.cuf"), found
    assert [(b["block"], b["now"], b["problem"]) for b in found["blocks"]] == [(32, False, ""), (64, True, ""), (256, False, "")], found
    assert all(b["seconds"] > 0 for b in found["blocks"]) and "CPU" in found["device"], found
    assert heat.read_text() == MAIN.replace("{more}", ""), "nothing is written without --apply"
    if found["edits"]:
        best = found["best"]
        assert [e["newText"] for e in found["edits"]] == [str(best - 1), str(best), str(best)], found["edits"]
    done = tune("heat.cuf", "kernels::scale", "--blocks=256", "--repeat=1", "--apply", DEVICE)
    assert done.returncode == 0 and "kernels::scale on the CPU" in done.stdout and "now" in done.stdout, done
    text = heat.read_text()
    changed = MAIN.replace("{more}", "").replace("(n + 63) / 64, 64", "(n + 255) / 256, 256")
    assert text in (changed, MAIN.replace("{more}", "")), text
    assert (text == changed) == ("Blocks of 256" in done.stdout), done.stdout


def constants() -> None:
    """A named constant is changed where it is declared; launch_bounds limit what is tried."""
    (FOLDER / "heat.cuf").write_text(MAIN.replace("{more}", ""))
    found = data("heat.cuf", "bounded", "--blocks=32,128,256", "--repeat=1")
    problems = {b["block"]: b["problem"] for b in found["blocks"]}
    assert problems[256] == "launch_bounds allow 128 threads" and problems[32] == problems[64] == problems[128] == "", found
    assert all(e["line"] == 5 for e in found["edits"]), found


def refusals() -> None:
    (FOLDER / "heat.cuf").write_text(MAIN.replace("{more}", "call scale<<<grid, 64>>>(a, n)"))
    for kernel, line, why in (("fixed", 14, "has the number 64 in line 14"), ("counted", 15, "does not use blockDim"), ("scale", 17, "grid 'grid' does not name")):
        done = tune("heat.cuf", kernel, DEVICE)
        assert done.returncode == 1 and "CUF0831" in done.stderr and f"heat.cuf:{line}:" in done.stderr and why in done.stderr, (kernel, done)
    done = tune("heat.cuf", "nothing")
    assert done.returncode == 1 and "CUF0830" in done.stderr and "kernels::scale" in done.stderr, done
    # Another size gives another result: it does not count.
    (FOLDER / "heat.cuf").write_text(MAIN.replace("{more}", "").replace("(n + 63) / 64, 64>>>(a, n)", "(640 + 63) / 64, 64>>>(a, n)"))
    found = data("heat.cuf", "scale", "--blocks=1024", "--repeat=1")
    assert [b["problem"] for b in found["blocks"]][-1] in ("", "the program prints something else"), found
    (FOLDER / "heat.cuf").write_text(MAIN.replace("{more}", "error stop 'no'"))
    done = tune("heat.cuf", "scale", "--repeat=1", DEVICE)
    assert done.returncode == 1 and "CUF0832" in done.stderr, done
    for arguments, code in (([], "CUF0008"), (["heat.cuf"], "CUF0008"), (["heat.cuf", "scale", "x"], "CUF0142"), (["heat.cuf", "scale", "--blocks=0"], "CUF0003"),
                            (["heat.cuf", "scale", "--blocks=2048"], "CUF0003"), (["nowhere.cuf", "scale"], "CUF0011"), (["heat.cuf", "scale", "--format=svg"], "CUF0003")):
        done = tune(*arguments)
        assert done.returncode != 0 and code in done.stderr, (arguments, done)


PLANE = """module planes
  implicit none
  integer, parameter :: side = 16
contains
  attributes(global) subroutine add(a, n, m)
    integer, value :: n, m
    real :: a(n, m)
    integer :: i, j
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    j = (blockIdx%y - 1) * blockDim%y + threadIdx%y
    if (i <= n .and. j <= m) a(i, j) = a(i, j) + i + 1000 * j
  end subroutine
  attributes(global) subroutine turn(a, n)
    integer, value :: n
    real :: a(n, n)
    real, shared :: tile(side, side)
    integer :: i, j
    i = (blockIdx%x - 1) * side + threadIdx%x
    j = (blockIdx%y - 1) * side + threadIdx%y
    tile(threadIdx%y, threadIdx%x) = a(i, j)
    call syncthreads()
    a(i, j) = tile(threadIdx%y, threadIdx%x) + 1
  end subroutine
end module
program plane
  use planes
  use cudafor
  implicit none
  integer, parameter :: n = 96
  real, device :: a(n, n)
  real :: b(n, n)
  type(dim3) :: grid, block
  a = 1
  block = dim3(16, 4, 1)
  grid = dim3((n + 15) / 16, (n + block%y - 1) / block%y, 1)
  call add<<<grid, block>>>(a, n, n)
  call turn<<<dim3(n / side, n / side, 1), dim3(side, side, 1)>>>(a, n)
  {more}
  b = a
  print *, b(1, 1), b(96, 96), sum(b)
end program
"""


def shapes() -> None:
    """Blocks of two dimensions: by a variable of type dim3, and a constant that is both extents."""
    plane = FOLDER / "plane.cuf"
    plane.write_text(PLANE.replace("{more}", ""))
    found = data("plane.cuf", "add", "--blocks=8x8,32x8,64,128x2", "--repeat=1")
    assert [b["shape"] for b in found["blocks"]] == [[8, 8, 1], [16, 4, 1], [64, 1, 1], [32, 8, 1], [128, 2, 1]], found["blocks"]
    assert all(b["problem"] == "" and b["seconds"] > 0 for b in found["blocks"]) and found["before"] == 64, found
    if found["edits"]:
        x, y, _ = found["bestShape"]
        assert [e["newText"] for e in found["edits"]] == [str(x), str(y), str(x - 1), str(x)], found["edits"]
    usual = data("plane.cuf", "turn", "--repeat=1")
    assert [b["shape"] for b in usual["blocks"]] == [[8, 8, 1], [16, 16, 1], [32, 32, 1]], usual["blocks"]
    assert all(b["problem"] == "" for b in usual["blocks"]), usual
    assert all(e["line"] == 3 and e["newText"] in ("8", "32") for e in usual["edits"]), usual["edits"]
    plane.write_text(PLANE.replace("{more}", "call add<<<grid, dim3(16, 5, 1)>>>(a, n, n)"))
    done = tune("plane.cuf", "add", DEVICE)
    assert done.returncode == 1 and "CUF0831" in done.stderr and "plane.cuf:38:" in done.stderr and "does not name" in done.stderr, done
    done = tune("plane.cuf", "add", DEVICE, "--blocks=64x64")
    assert done.returncode != 0 and "CUF0003" in done.stderr, done


DOUBLE = """module wide
contains
  attributes(global) subroutine smooth(u, v, m)  ! 8 bytes an element, 8 rows
    integer, value :: m
    real(8) :: u(m, m)
    real(kind = 8) :: v(m, m)
    integer :: i, j
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    j = (blockIdx%y - 1) * blockDim%y + threadIdx%y
    if (i <= m .and. j <= m) v(i, j) = u(i, j)*real(max(i, j), 8) + int(i, kind=8)*1.0_8
  end subroutine
  attributes(global) subroutine rows(u, m)
    integer, value :: m
    real(8) :: u(m, m)
    real(8), shared :: s(32, &
      8)
    s(threadIdx%x, threadIdx%y) = u(threadIdx%x, threadIdx%y)
    u((blockIdx%x - 1) * blockDim%x + threadIdx%x, (blockIdx%y - 1) * blockDim%y + threadIdx%y) = s(threadIdx%x, threadIdx%y)
  end subroutine
end module
program double
  use wide
  use cudafor
  real(8), device :: u(64, 64), v(64, 64)
  u = 1
  call smooth<<<dim3((64 + 31)/32, (64 + 7)/8, 1), dim3(32, 8, 1)>>>(u, v, 64)
  call rows<<<dim3((64 + 31)/32, (64 + 7)/8, 1), dim3(32, 8, 1)>>>(u, 64)
end program
"""


def kinds() -> None:
    """The number of rows in a block is also that of the bytes of a real(8), which has nothing to do with it."""
    (FOLDER / "double.cuf").write_text(DOUBLE)
    found = data("double.cuf", "smooth", "--blocks=16x16,64x4", "--repeat=1")
    assert [b["shape"] for b in found["blocks"]] == [[16, 16, 1], [32, 8, 1], [64, 4, 1]], found["blocks"]
    done = tune("double.cuf", "rows", DEVICE)
    assert done.returncode == 1 and "CUF0831" in done.stderr and "the number 32 in line 15" in done.stderr, done


def bounds() -> None:
    """launch_bounds with the fastest block: tried, and written into the head of the kernel."""
    heat = FOLDER / "heat.cuf"
    (FOLDER / "kernels.cuf").unlink()
    heat.write_text(KERNELS + MAIN.replace("{more}", ""))
    found = data("heat.cuf", "scale", "--blocks=64", "--bounds", "--repeat=1")
    tried = {b["bounds"]: b["problem"] for b in found["bounds"]}
    assert tried == {"": "", "launch_bounds(64)": "", "launch_bounds(64, 2)": "", "launch_bounds(64, 4)": "", "launch_bounds(64, 8)": ""}, found
    if found["bestBounds"]:
        assert found["edits"][-1]["line"] == 4 and found["edits"][-1]["newText"] == found["bestBounds"] + " ", found
    else:
        assert found["edits"] == [], found
    found = data("heat.cuf", "bounded", "--blocks=64", "--bounds", "--repeat=1")
    now = [b["bounds"] for b in found["bounds"] if b["now"]]
    assert now == ["launch_bounds(128)"] and "" in {b["bounds"] for b in found["bounds"]}, found
    assert all(b["problem"] == "" for b in found["bounds"]), found
    (FOLDER / "kernels.cuf").write_text(KERNELS)
    heat.write_text(MAIN.replace("{more}", ""))
    found = data("heat.cuf", "scale", "--blocks=64", "--bounds", "--repeat=1")
    assert "another file" in found["boundsProblem"] and found["bounds"] == [], found


def projects() -> None:
    """The project's own build is not touched."""
    folder = FOLDER / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src/kernels.cuf").write_text(KERNELS)
    (folder / "src/heat.cuf").write_text(MAIN.replace("{more}", ""))
    (folder / "cufls.json").write_text('{"targets": {"heat": {"sources": ["src/*.cuf"]}}}')
    found = data("src/heat.cuf", "scale", "--blocks=128", "--repeat=1", cwd=folder)
    assert all(b["problem"] == "" for b in found["blocks"]), found
    assert sorted(p.name for p in folder.iterdir()) == ["cufls.json", "src"], list(folder.iterdir())


if __name__ == "__main__":
    for case in (sizes, constants, refusals, shapes, kinds, bounds, projects):
        case()
        print(case.__name__, "passed", flush=True)
