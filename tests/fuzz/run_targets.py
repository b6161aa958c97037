#!/usr/bin/env python3
"""Runs the fuzzers of tests/fuzz/targets, which `./dev fuzz` builds: each from its seeds, for some seconds.

Seeds are sources, project files and messages of this repository, made in the build folder, and the inputs of tests/fuzz/found, which are run
first: what a fuzzer has found is kept there under the fuzzer's name, and must not fail again.

    tests/fuzz/run_targets.py [--seconds N] [--only NAME] [--build DIR] [--seed N]
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOUND = Path(__file__).resolve().parent / "found"
NAMES = ("source", "project", "gfortran_module", "ptx", "messages")


def texts(*patterns, most=20000):
    for pattern in patterns:
        for file in sorted(ROOT.glob(pattern)):
            if file.is_file() and file.stat().st_size < most:
                yield file.read_bytes()


def gfortran_modules(folder):
    """The modules of the tests' own sources, uncompressed."""
    import gzip
    if not shutil.which("gfortran"):
        return
    subprocess.run(["gfortran", "-fsyntax-only", "-J", folder, ROOT / "tests/foreign/library.f90"], capture_output=True)
    for file in sorted(Path(folder).glob("*.mod")):
        yield gzip.decompress(file.read_bytes())


def seeds(name, folder):
    """The first bytes choose what a target does."""
    if name == "source":
        for number, text in enumerate(texts("tests/mistakes/*.cuf", "tests/run/*.cuf", "tests/diagnostics/*.f", most=4000)):
            yield bytes([number % 2, number % 16, number % 80]) + text
    elif name == "project":
        for kind, patterns in ((0, ["tests/**/cufls.json", "docs/**/cufls.json"]), (1, ["tests/**/compile_commands.json"]), (2, ["tests/**/fpm.toml"]), (6, ["docs/examples/*.cuf"])):
            for text in texts(*patterns, most=5000):
                yield bytes([kind]) + text
        yield b'\0{"sources": ["*.cuf"], "flags": ["-O2"], "targets": [{"name": "a", "sources": ["b.cuf"], "libraries": ["c"]}], "diagnostics": {"CUF0420": "off"}}'
        yield b'\x01[{"directory": "/a", "command": "nvfortran -O2 -c \'b c.f90\'", "file": "b c.f90"}]'
        yield b'\x02name = "a"\n[build]\nauto-executables = true\n[[executable]]\nname = "b"\nmain = "c.f90"\n'
        yield b"\x03make: Entering directory '/a'\ncd src && gfortran -c -O2 a.f90 && make -C b\nmake: *** [x] Error 1\n"
        yield b'\x04{"a": [1, -2.5e3, true, null, "\\u00e4\\n"]}'
        yield b"\x05a.cuf:3:4: error: text [CUF0203]\n  x = 1\n  ^~~\nfatal Fortran runtime error(/a/b.f90:3): bad\n"
    elif name == "gfortran_module":
        yield from gfortran_modules(folder)
    elif name == "ptx":
        for number, text in enumerate(texts("tests/unit/compiler/*occupancy*", "tests/unit/compiler/code_view_test.cpp", "tests/unit/compiler/narrow_stores_test.cpp", most=60000)):
            blocks = re.findall(rb'R"\w*\((.*?)\)\w*"', text, re.S)
            for kind, block in enumerate(blocks):
                yield bytes([(number + kind) % 4]) + block
        yield b"\0.version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k_(.param .u64 a)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n.loc 1 2 3\nmov.u32 %r1, %tid.x;\nL1:\nsetp.lt.s32 %p1, %r1, 5;\n@%p1 bra L1;\nst.global.u32 [%rd1+4], %r1;\nret;\n}\n"
    else:
        yield b"\0\x03Content-Length: 17\r\n\r\n{\"jsonrpc\":\"2.0\"}Content-Length: 2\r\n\r\n{}"
        yield b'\x01\0^done,bkpt={number="1",addr="0x0000",list=[{a="b\\n"},{c="d"}]},x=["1","2"]'
        yield b"\x01\x00*stopped,reason=\"breakpoint-hit\",thread-id=\"1\",frame={addr=\"0x1\",args=[]}"
        yield b"\x02\0Type point, allocatable, dimension(-1:3, 2:5)"
        yield b"\x02\0PTR TO -> ( real(kind=8) (0:9) )"
        yield b"\x02\0( x = 1, y = (1, 2, <repeats 20 times>), s = 'abc' )"


def run(target, name, build, arguments):
    corpus, seeded = build / "corpus" / name, build / "seeds" / name
    for folder in (corpus, seeded):
        folder.mkdir(parents=True, exist_ok=True)
    modules = build / "modules"
    modules.mkdir(exist_ok=True)
    count = 0
    for count, seed in enumerate(seeds(name, modules), 1):
        (seeded / f"seed{count}").write_bytes(seed)
    found = sorted((FOUND / name).glob("*")) if (FOUND / name).is_dir() else []
    for file in found:
        again = subprocess.run([target, file], capture_output=True, text=True, errors="replace")
        if again.returncode:
            print(f"{name}: {file.name} fails again:\n{again.stderr[-1500:]}", flush=True)
            return False
    command = [target, f"-max_total_time={arguments.seconds}", f"-seed={arguments.seed}", "-timeout=10", "-rss_limit_mb=2048", "-max_len=20000", "-print_final_stats=1",
               f"-artifact_prefix={build}/{name}-", corpus, seeded]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    print(f"{name}: {count} seeds, {len(found)} kept inputs, {executions[1] if executions else '?'} executions, {covered[-1] if covered else '?'} edges, "
          f"{'a failure' if done.returncode else 'no failure'}", flush=True)
    if done.returncode:
        print("\n".join(done.stderr.splitlines()[-60:]), flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60, help="for each fuzzer")
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--build", type=Path, default=ROOT / "build/fuzz")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    good = [run(build / f"bin/fuzz_{name}", name, build, arguments) for name in NAMES if arguments.only in (None, name)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
