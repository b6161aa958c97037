#!/usr/bin/env python3
"""Whether flang still needs the functions that the linker puts in the place of its own (--wrap in compiler/CMakeLists.txt).

Each case is a source that the plain flang of Debian's package treats wrongly and cufc rightly. A case that plain flang treats
rightly fails here with the file of the mend that can go.

Usage: flang_mends.py      CUFC in the environment is the compiler
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CUFC = os.environ["CUFC"]
FLANG = "flang-22"
SKIPPED = 77

ELEMENT = """subroutine element(d, t, h)
  real, device :: d(1000)
  real :: t, h
  h = d(1) + t
end subroutine
"""
GENERIC = """module m
  interface foo
    module procedure foo_of_device
  end interface
contains
  attributes(device) subroutine foo_of_device(x)
    real, device, intent(in) :: x
  end subroutine
  attributes(global) subroutine kernel()
    call foo(1.0)
  end subroutine
end module
"""
PINNED = """subroutine pinned(a)
  real, pinned, allocatable :: a(:)
  interface
    attributes(host, device) subroutine twice(x)
      real, intent(inout) :: x(2)
    end subroutine
  end interface
  call twice(a)
end subroutine
"""
LABELS = """subroutine itself
  call sumup(1)
end subroutine
subroutine by_label
  interface
    subroutine sum_of(n) bind(c, name='sumup_')
      integer, intent(in) :: n
    end subroutine
  end interface
  call sum_of(1)
end subroutine
"""
TARGETS = """module m
  type t
    integer :: a = 1
    procedure(s), pointer, nopass :: p => s
  end type
contains
  subroutine s()
  end subroutine
  subroutine h(x)
    type(t) :: x
    x = t(2)
  end subroutine
end module
"""
NESTED = """subroutine nested(d, h)
  real, device :: d(4, 2)
  real :: h
  integer :: i
  h = maxval([(sum(d(:, i)), i = 1, 2)])
end subroutine
"""

VALUES = """module m
  interface mean
    module procedure mean_of_managed
  end interface
contains
  subroutine mean_of_managed(x)
    real, managed :: x(:)
  end subroutine
  subroutine call_it(h)
    real :: h(:)
    call mean(2*h)
  end subroutine
end module
"""


def run(source, *command):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.cuf").write_text(source)
        done = subprocess.run([*command, "a.cuf"], cwd=folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def copies_whole_arrays():
    """frontend/implicit_transfers.cpp: one element of a device array in an expression costs a copy of the array."""
    _, hlfir = run(ELEMENT, FLANG, "-fc1", "-emit-hlfir", "-o", "-")
    return any("cuf.data_transfer" in line and "array<1000xf32>" in line for line in hlfir.splitlines())


def refuses_constants():
    """frontend/expression_analysis.cpp: a constant in device code fits no dummy of a generic's device procedure."""
    status, text = run(GENERIC, FLANG, "-fc1", "-fsyntax-only")
    return status != 0 and "foo" in text


def refuses_pinned_data():
    """frontend/pinned_arguments.cpp: pinned data fits no dummy of a procedure for host and device."""
    status, text = run(PINNED, FLANG, "-fc1", "-fsyntax-only")
    return status != 0 and "PINNED" in text


def refuses_shared_labels():
    """frontend/shared_labels.cpp: a procedure may not be called by itself and by an interface with its binding label."""
    status, text = run(LABELS, FLANG, "-fc1", "-fsyntax-only")
    return status != 0 and "BIND(C)" in text


def leaves_pointers_null():
    """frontend/procedure_components.cpp: constructors make procedure pointers with an initial target null."""
    _, text = run(TARGETS, FLANG, "-fc1", "-fdebug-unparse")
    return "p=NULL()" in text


def refuses_data_for_intrinsics():
    """frontend/intrinsic_arguments.cpp: intrinsic functions of host code do not take device data."""
    status, text = run(NESTED, FLANG, "-fc1", "-fsyntax-only")
    return status != 0 and "host intrinsic sum" in text


def refuses_values():
    """frontend/managed_expressions.cpp: a generic name finds no procedure that takes managed data for an expression."""
    status, text = run(VALUES, FLANG, "-fc1", "-fsyntax-only")
    return status != 0 and "MANAGED" in text


CASES = (
    (ELEMENT, copies_whole_arrays),
    (GENERIC, refuses_constants),
    (PINNED, refuses_pinned_data),
    (LABELS, refuses_shared_labels),
    (TARGETS, leaves_pointers_null),
    (NESTED, refuses_data_for_intrinsics),
    (VALUES, refuses_values),
)


def main():
    if not shutil.which(FLANG):
        print(f"{FLANG} is not installed")
        return SKIPPED
    problems = []
    for source, wrong in CASES:
        if not wrong():
            problems.append(f"plain flang needs this mend no longer: {wrong.__doc__}")
        status, text = run(source, CUFC, "-w", "-c")
        if status != 0:
            problems.append(f"cufc refuses what the mend is for: {wrong.__doc__}\n{text}")
    _, hlfir = run(ELEMENT, CUFC, "-w", "--emit=hlfir", "-o", "-")
    if any("cuf.data_transfer" in line and "array<1000xf32>" in line for line in hlfir.splitlines()):
        problems.append("cufc copies the whole array for one element")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
