#!/usr/bin/env python3
"""`cufls occupancy`, and the limits of `cufls check` on what kernels cost. Needs ptxas; says so and passes without.

Usage: occupancy.py [--cufc PATH] [-v] [WORD...]      WORDs select cases by name; CUFC in the environment is the default
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

from workspace import check, equal, main

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness.occupancy_sources import KERNELS, has_ptxas  # noqa: E402

PROGRAM = """program p
  use cudafor
  use kernels
  implicit none
  integer, parameter :: n = 1000000
  real, device :: a(n)
  integer :: i
  !$cuf kernel do <<<*, 128>>>
  do i = 1, n
    a(i) = i
  end do
  call scale<<<(n + 255) / 256, 256>>>(a, n)
  call tile<<<n / 64, 64>>>(a, n)
end program
"""
FIELDS = {"name", "file", "line", "registers", "sharedBytes", "localBytes", "spillStoreBytes", "spillLoadBytes",
          "blockSize", "activeBlocksPerSM", "activeWarpsPerSM", "occupancy", "limitedBy", "suggestedBlockSize"}


def project(work):
    work.write("kernels.cuf", KERNELS)
    work.write("p.cuf", PROGRAM)


def run(work, *arguments):
    return work.run(*arguments, env={"XDG_CACHE_HOME": str(work.root / "cache")})


def occupancy(work, *arguments):
    done = run(work, "occupancy", "--format=json", *arguments)
    equal(done.returncode, 0, done.stderr)
    return json.loads(done.stdout)


def by_name(result):
    return {kernel["name"]: kernel for kernel in result["kernels"]}


def contract(work):
    project(work)
    result = occupancy(work, ".", "--gpu=cc90")
    equal((result["gpu"], result["multiprocessors"]), ("cc90", 132), "the GPU")
    kernels = by_name(result)
    equal(sorted(kernels), ["CUF kernel in line 8", "kernels::scale", "kernels::tile"], "kernels")
    for kernel in kernels.values():
        check(FIELDS <= set(kernel), f"fields of {kernel['name']}: {FIELDS - set(kernel)}")
        check(0 < kernel["registers"] < 256 and kernel["sassBytes"] > 0 and kernel["ptxBytes"] > 0, "costs")
    tile = kernels["kernels::tile"]
    equal((tile["line"], tile["sharedBytes"], tile["blockSize"]), (11, 8192, 64), "of tile")
    equal((tile["activeBlocksPerSM"], tile["limitedBy"]), (25, ["sharedMemory"]), "8192 + 1024 bytes of 233472")
    check("a block takes 9216 bytes of shared memory" in tile["reason"], tile["reason"])
    equal(kernels["CUF kernel in line 8"]["blockSize"], 128, "of the directive")
    equal(by_name(occupancy(work, ".", "--gpu=cc90", "--block=1024"))["kernels::tile"]["activeBlocksPerSM"], 2, "--block")


def launches(work):
    project(work)
    launch = by_name(occupancy(work, ".", "--gpu=cc90"))["kernels::scale"]["launches"][0]
    equal((launch["line"], launch["grid"], launch["block"]), (12, [3907, 1, 1], [256, 1, 1]), "configuration")
    equal((launch["blocksPerWave"], launch["waves"], launch["idleThreadsInGrid"]), (1056, 3.6998, 192), "waves")
    check(all(point["occupancy"] <= 1 for point in by_name(occupancy(work, "."))["kernels::scale"]["curves"]["blockSize"]),
          "the curve")


def remembers(work):
    project(work)
    first = occupancy(work, ".", "--gpu=cc90")
    equal((first["compiled"], first["remembered"]), (3, 0), "first")
    work.replace("kernels.cuf", "2 * a(i)", "3 * a(i) + 1 / a(i)")
    second = occupancy(work, ".", "--gpu=cc90")
    equal((second["compiled"], second["remembered"]), (1, 2), "one kernel changed")
    work.replace("kernels.cuf", "contains", "! a comment moves all lines\ncontains")
    equal(occupancy(work, ".", "--gpu=cc90")["compiled"], 0, "lines moved")
    equal(occupancy(work, ".", "--gpu=cc80")["compiled"], 3, "another GPU")


SUM = """module sums
contains
  attributes(global) subroutine add(a, b, c)
    real :: a(*), b(*), c(*)
    a(threadIdx%x) = a(threadIdx%x) * b(threadIdx%x) + sqrt(c(threadIdx%x))
  end subroutine
end module
"""


def options_of_the_build(work):
    """What changes the code of kernels in a build changes what is measured."""
    work.write("sums.cuf", SUM)
    sizes = {}
    for option in ("", "nofma", "flushz", "fastmath"):
        kernel = occupancy(work, "sums.cuf", "--gpu=cc90", "--", *([f"-gpu={option}"] if option else []))["kernels"][0]
        sizes[option] = (kernel["ptxBytes"], kernel["sassBytes"])
    equal(len(set(sizes.values())), len(sizes), f"bytes of PTX and of machine code: {sizes}")


LOOP = """module loops
contains
  attributes(global) subroutine add(a, b, n, m)
    integer, value :: n, m
    real :: a(n, m), b(n, m)
    integer :: i, j
    i = threadIdx%x + (blockIdx%x - 1)*blockDim%x
    if (i > n) return
    do j = 2, m
      a(i, j) = a(i, j)*b(i, j) + a(i, j - 1)/3
    end do
  end subroutine
end module
"""


def code_of_the_build(work):
    """A kernel that is measured is the one that the compiler makes: its machine code has the same size."""
    work.write("loops.cuf", LOOP)
    sizes = {}
    for options in ("", "-gpu=nofma", "-gpu=flushz", "-gpu=fastmath", "-Mlarge_arrays", "-gpu=maxregcount:32", "-O0"):
        flags = options.split()
        subprocess.run([Path(work.cufls).with_name("cufc"), "--emit=cubin", "-gpu=cc90", *flags, "loops.cuf", "-o", "loops.cubin"],
                       cwd=work.root, check=True)
        sections = subprocess.run(["readelf", "-SW", "loops.cubin"], cwd=work.root, capture_output=True, text=True, check=True).stdout
        built = int(re.search(r"\.text\.\S+\s+PROGBITS\s+\S+\s+\S+\s+([0-9a-f]+)", sections)[1], 16)
        measured = occupancy(work, "loops.cuf", "--gpu=cc90", "--", *flags)["kernels"][0]["sassBytes"]
        equal(measured, built, f"bytes of machine code with {options or 'no option'}")
        sizes[options] = built
    check(len(set(sizes.values())) >= 4, f"options make other code: {sizes}")


def every_gpu(work):
    project(work)
    for name, chip in (("cc70", "V100"), ("cc75", "T4"), ("cc8.0", "A100"), ("cc86", "A40"), ("cc89", "L40S"),
                       ("h200", "H200"), ("cc100", "B200"), ("cc120", "RTX 5090"), ("cc121", "GB10")):
        result = occupancy(work, "kernels.cuf", f"--gpu={name}")
        equal(result["chip"], chip, name)
        equal(len(result["kernels"]), 2, name)


def forms(work):
    project(work)
    table = run(work, "occupancy", ".", "--gpu=cc90")
    check("kernels::tile" in table.stdout and "shared memory" in table.stdout, table.stdout)
    check("p.cuf:12 <<<(n + 255) / 256, 256>>>: occupancy 100 %, 3.70 waves" in table.stdout, table.stdout)
    picture = run(work, "occupancy", ".", "--format=svg", "-o", "plot.svg")
    equal((picture.returncode, picture.stdout), (0, ""), picture.stderr)
    root = xml.etree.ElementTree.fromstring((work.root / "plot.svg").read_text())
    equal(len(root.findall(".//{*}circle")), 9, "a mark in each of nine plots")


def wrong_arguments(work):
    project(work)
    for arguments, code in ((["--gpu=cc13", "p.cuf"], "CUF0003"), (["--block=0", "p.cuf"], "CUF0003"),
                            (["--block=2000", "p.cuf"], "CUF0003"), (["--format=pdf", "p.cuf"], "CUF0003"),
                            (["nothing.cuf"], "CUF0011"), ([], "CUF0008"), (["--strange", "p.cuf"], "CUF0001")):
        done = run(work, "occupancy", *arguments)
        equal(done.returncode, 2, f"{arguments}: {done.stderr}")
        check(code in done.stderr, f"{arguments}: {done.stderr}")


def broken_sources(work):
    project(work)
    work.replace("kernels.cuf", "a(i) = 2", "a(i) == 2")
    done = run(work, "occupancy", "kernels.cuf")
    equal(done.returncode, 1, "errors in the source")
    check("kernels.cuf:9" in done.stderr, done.stderr)


def without_toolkit(work):
    project(work)
    nothing = {"CUDA_HOME": "/nonexistent"}
    done = work.run("occupancy", ".", env=nothing)
    equal((done.returncode, done.stderr.count("CUF0615")), (2, 1), f"no ptxas, said once: {done.stderr}")
    check("Nothing was measured: ptxas of the CUDA Toolkit was not found" in done.stdout, done.stdout)
    done = work.run("occupancy", ".", "--format=json", env=nothing)
    result = json.loads(done.stdout)
    equal((done.returncode, result["kernels"]), (2, []), "JSON")
    check("ptxas of the CUDA Toolkit was not found" in result["missing"], result)
    done = work.run("occupancy", ".", "--format=svg", env=nothing)
    equal(done.returncode, 2, "SVG")
    check("was not found" in "".join(xml.etree.ElementTree.fromstring(done.stdout).itertext()), done.stdout)


def nothing_to_measure(work):
    work.write("empty.cuf", "")
    done = run(work, "occupancy", "empty.cuf")
    equal((done.returncode, done.stdout.count("There are no kernels")), (0, 1), done.stdout)
    equal(occupancy(work, "empty.cuf")["kernels"], [], "JSON")


def callees_of_other_files(work):
    work.write("lib.cuf", "module lib\ncontains\nattributes(device) real function f(x)\nreal, value :: x\nf = sin(x)\n"
               "end function\nend module\n")
    work.write("k.cuf", "attributes(global) subroutine k(a)\nuse lib\nreal :: a(*)\na(threadidx%x) = f(a(threadidx%x))\n"
               "end subroutine\n")
    table = run(work, "occupancy", ".", "--gpu=cc90").stdout
    check(any(line.startswith("k ") and line.split()[1].endswith("+") for line in table.split("\n")), table)
    check("whose registers and stack are not counted" in table, table)
    equal(occupancy(work, ".", "--gpu=cc90")["kernels"][0]["callsOtherFiles"], True, "JSON")


def marks_of_launches(work):
    project(work)
    work.replace("p.cuf", "call tile", "call scale<<<n / 512, 512>>>(a, n)\n  call tile")
    root = xml.etree.ElementTree.fromstring(run(work, "occupancy", ".", "--gpu=cc90", "--format=svg").stdout)
    kinds = [circle.get("class") for circle in root.findall(".//{*}circle")]
    equal((kinds.count("own"), kinds.count("launch")), (9, 1), "a ring for the second launch of scale")
    check("Theoretical occupancy on cc90" in root.find("{*}title").text, "title")


def limits(work):
    project(work)
    for option, status, code in (("--max-registers=255", 0, ""), ("--max-registers=5", 1, "CUF0611"),
                                 ("--min-occupancy=70", 0, ""), ("--min-occupancy=90", 1, "CUF0610"),
                                 ("--no-spills", 0, ""), ("--min-occupancy=101", 2, "CUF0003"),
                                 ("--update-baseline", 2, "CUF0005"), ("--occupancy", 0, "")):
        done = run(work, "check", "--gpu=cc90", "--allow=unused,hazard", option, ".")
        equal(done.returncode, status, f"{option}: {done.stdout}{done.stderr}")
        check(code in done.stdout, f"{option}: {done.stdout}")


def baseline(work):
    project(work)
    base = ["check", "--gpu=cc90", "--allow=unused,hazard", "--occupancy-baseline=base.json", "."]
    equal(run(work, *base).returncode, 2, "there is none")
    equal(run(work, *base, "--update-baseline").returncode, 0, "written")
    equal((run(work, *base).returncode, run(work, *base).stdout), (0, ""), "as before")
    work.replace("kernels.cuf", "s(2048)", "s(4096)")
    done = run(work, *base)
    equal(done.returncode, 1, "more shared memory")
    check("16384 instead of 8192 bytes of shared memory (+8192)" in done.stdout and "CUF0613" in done.stdout, done.stdout)
    check("an occupancy of 40 % instead of 78 % (-38)" in done.stdout, done.stdout)
    work.replace("p.cuf", "integer :: i", "integer :: i\n  ! lines of directives move")
    work.replace("kernels.cuf", "s(4096)", "s(2048)")
    work.replace("kernels.cuf", "subroutine tile", "subroutine tiles")
    work.replace("p.cuf", "call tile", "call tiles")
    done = run(work, *base)
    equal(done.returncode, 0, done.stdout)
    check("CUF0616" in done.stdout, done.stdout)
    other = run(work, *["--gpu=cc80" if each == "--gpu=cc90" else each for each in base])
    equal(other.returncode, 2, other.stdout)
    check("CUF0614" in other.stdout, other.stdout)
    work.write("base.json", "{")
    equal(run(work, *base).returncode, 2, "broken")


def allowed_by_comment(work):
    project(work)
    work.replace("p.cuf", "tile<<<n / 64, 64>>>(a, n)", "tile<<<4, 64>>>(a, n) ! cufls: allow CUF0603 because it is short")
    with_costs = run(work, "check", "--occupancy", "--gpu=cc90", "--allow=unused,hazard", "p.cuf")
    check("CUF0603" not in with_costs.stdout, with_costs.stdout)
    plain = run(work, "check", "--allow=unused,hazard", "p.cuf")
    check("CUF0112" not in plain.stdout, plain.stdout)


def annotated(work):
    project(work)
    cufc = work.cufls.parent / "cufc"
    run_in = dict(cwd=work.root, text=True, capture_output=True, check=False)
    done = subprocess.run([cufc, "--emit=ptx", "--annotate", "-gpu=cc90", "kernels.cuf", "-o", "-"], **run_in)
    equal(done.returncode, 0, done.stderr)
    lines = done.stdout.split("\n")
    check("// 9: if (i <= n) a(i) = 2 * a(i)" in lines, "the line above its code")
    check("// line 9: st.global, 4 bytes a thread, coalesced: 128 bytes of a warp lie together" in lines, done.stdout[:800])
    done = subprocess.run([cufc, "--emit=sass", "-gpu=cc90", "kernels.cuf", "-o", "-"], **run_in)
    check("nvdisasm" in done.stderr if done.returncode else "EXIT" in done.stdout, done.stderr)


def performance(work):
    project(work)

    def of_scale():
        return by_name(occupancy(work, ".", "--gpu=cc90"))["kernels::scale"]["performance"]

    found = of_scale()
    equal((found["bound"], found["bytesPerThread"], found["operationsPerThread"]), ("memory", 8.0, 1.0), found["reason"])
    check(len(found["assumptions"]) > 2, "assumptions")
    work.replace("p.cuf", "(n + 255) / 256, 256>>>", "(size(a) + i) / 256, 256>>>")
    found = of_scale()
    equal((found["bound"], found["boundOnFullChip"]), ("unknown", "memory"), found["reason"])
    loop = "do j = 1, 1000\n a(i) = 2 * a(i) + 1 / a(i)\n end do"
    work.replace("kernels.cuf", "integer :: i\n    i = (blockidx%x - 1) * blockdim%x + threadidx%x\n    if (i <= n) a(i) = 2 * a(i)",
                 f"integer :: i, j\n    i = (blockidx%x - 1) * blockdim%x + threadidx%x\n    {loop}")
    check(of_scale()["operationsPerThread"] >= 3000, "rounds are counted")
    work.replace("kernels.cuf", "do j = 1, 1000", "do j = 1, n")
    equal(of_scale(), None, "a loop of unknown length")


if __name__ == "__main__":
    cases = [contract, launches, remembers, options_of_the_build, code_of_the_build, every_gpu, forms, wrong_arguments, broken_sources, without_toolkit, limits,
             baseline, allowed_by_comment, annotated, performance,
             nothing_to_measure, callees_of_other_files, marks_of_launches]
    main(cases if has_ptxas() else [without_toolkit])
