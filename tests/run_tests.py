#!/usr/bin/env python3
"""Finds and runs the tests, one more at a time than there are cores, since many wait; see docs/architecture.md, "Tests".

Works in a checkout after `./dev build` and in a folder made by `./dev pack`.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from harness import action_tests, commands, compile_tests, diagnostics, explanations, format_tests, ide_tests, mistakes, mpi_programs, programs, workaround_tests
from harness.model import SKIPPED, Result, Setup, Test
from harness.report import Report
from harness.sample import in_ci, place, time_is_up

# The kinds of tests, in the order in which they run.
KINDS = [
    commands.discover_lint,
    commands.discover_unit,
    compile_tests.discover,
    workaround_tests.discover,
    diagnostics.discover,
    mistakes.discover,
    explanations.discover,
    format_tests.discover,
    ide_tests.discover,
    action_tests.discover,
    programs.discover,
    mpi_programs.discover,
    commands.discover_scripts,
]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("filter", nargs="?", default="", help="part of the names of tests to run")
    parser.add_argument("-j", "--jobs", type=int, default=(os.cpu_count() or 1) + 1)
    parser.add_argument("-v", "--verbose", action="store_true", help="also name what passed")
    parser.add_argument("--list", action="store_true", help="print the names and run nothing")
    parser.add_argument("--update", action="store_true", help="rewrite expected diagnostics")
    parser.add_argument("--devices", help="run programs on these alone: gpu, host or gpu,host")
    parser.add_argument("--flags", default="", help="more flags for cufc in programs, such as -gpu=check")
    parser.add_argument("--machine", default=os.uname().machine, help="that programs are compiled for, as uname -m says")
    parser.add_argument("--runner", default="", help="words that run a program of another machine, such as qemu-aarch64-static")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one command")
    parser.add_argument("--table", type=Path, help="write name, result and seconds to this file")
    parser.add_argument("--build", type=Path, help="the build folder, if not build")
    parser.add_argument("--cufc", type=Path, help="the compiler, if not build/bin/cufc or bin/cufc")
    return parser.parse_args()


def make_setup(arguments: argparse.Namespace) -> Setup:
    root = Path(__file__).resolve().parent.parent
    build = (arguments.build or root / "build").resolve()
    places = [build / "bin/cufc", root / "bin/cufc"]
    cufc = arguments.cufc or next((place for place in places if place.exists()), places[0])
    devices = arguments.devices or os.environ.get("CUF_DEVICE") or "host"
    return Setup(
        root=root,
        build=build,
        cufc=cufc.resolve(),
        output=build / "test-output",
        devices=tuple(devices.split(",")),
        timeout=arguments.timeout,
        update=arguments.update,
        flags=tuple(arguments.flags.split()),
        machine=arguments.machine,
        runner=tuple(arguments.runner.split()),
    )


NO_TIME = "no time left"
FIRST = ("tidy/", "unit/")  # at any time


def in_order(tests: "list[Test]") -> "list[Test]":
    """As they are found; in CI, which may end before the last of them, another with each commit behind lint and unit tests."""
    return sorted(tests, key=lambda test: 0 if test.name.startswith(FIRST) else 1 + place(test.name)) if in_ci() else tests


def run_in_time(test: Test) -> "list[Result]":
    if time_is_up() and not test.name.startswith(FIRST):
        return [Result(test.name, SKIPPED, reason=NO_TIME)]
    return test.run()


def main() -> int:
    arguments = parse_arguments()
    setup = make_setup(arguments)
    kinds = [programs.discover, mpi_programs.discover] if arguments.devices else KINDS
    tests = [test for discover in kinds for test in discover(setup)]
    tests = [test for test in tests if arguments.filter in test.name]
    if arguments.list:
        print("\n".join(test.name for test in tests))
        return 0
    if not tests:
        print(f"no test's name contains {arguments.filter!r}", file=sys.stderr)
        return 1

    report = Report(len(tests), arguments.verbose)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for future in as_completed([pool.submit(run_in_time, test) for test in in_order(tests)]):
            report.add(future.result())
    if left := sum(result.reason == NO_TIME for result in report.results):
        print(f"{left} of {len(tests)} tests did not begin before TESTS_END")
    if arguments.table:
        report.write_table(arguments.table)
    return 0 if report.close() else 1


if __name__ == "__main__":
    sys.exit(main())
