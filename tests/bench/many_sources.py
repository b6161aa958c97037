#!/usr/bin/env python3
"""Generates a folder of 28,000 Fortran sources, the same in every run, as they lie on a scientist's disk: many programs with
modules of the same names, fixed form among them, and one file that defines a broken module `cudafor`.

    many_sources.py FOLDER [--count N]      writes FOLDER/one.cuf, FOLDER/app/ (a program with its modules) and FOLDER/code/
"""

import argparse
import random
from pathlib import Path

COUNT = 28000
ALONE = """program one
  use cudafor
  implicit none
  real, device :: a(64)
  a = 1.0
end program one
"""
APP = {
    "solver.cuf": "module solver\n  use grid\ncontains\n  attributes(global) subroutine step(a)\n    real :: a(n)\n"
                  "    a(threadIdx%x) = 0.0\n  end subroutine\nend module\n",
    "parts/grid.f90": "module grid\n  integer, parameter :: n = 64\nend module\n",
    "main.cuf": "program main\n  use solver\n  implicit none\n  real, device :: a(n)\n  call step<<<1, n>>>(a)\nend program\n",
}
FREE = """! Part {n} of an application.
module {module}
  use iso_fortran_env
  use {used}, only: setting, advance
  implicit none
  private
  public :: field_{n}, update_{n}
  integer, parameter :: size_{n} = {size}
  real, allocatable :: field_{n}(:, :)
contains
  subroutine update_{n}(weight, status)
    real, intent(in) :: weight
    integer, intent(out) :: status
    integer :: i, j
    status = 0
{body}    if (status == 0) call advance(weight, &
                                  status)
  end subroutine update_{n}
  pure real function norm_{n}(x) result(norm)
    real, intent(in) :: x(:)
    norm = sqrt(sum(x**2)) ! as in the function of module {used}
  end function norm_{n}
end module {module}
"""
FREE_LINE = """    do j = 2, size(field_{n}, 2) - 1
      do i = 2, size(field_{n}, 1) - 1 ! interior points alone, since the boundary keeps its values
        field_{n}(i, j) = {x:.3f} * (field_{n}(i - 1, j) + field_{n}(i + 1, j)) + weight * field_{n}(i, j)
      end do
    end do
"""
FIXED = """C     Part {n} of an older application.
      SUBROUTINE UPDT{n}(FIELD, N, WEIGHT)
      INTEGER N, I
      REAL FIELD(N), WEIGHT
      COMMON /STATE/ TIME, STEP
{body}      CALL PART{used}(FIELD, N)
      END
"""
FIXED_LINE = """      DO 10{i:02} I = 2, N - 1
        FIELD(I) = {x:.3f} * (FIELD(I - 1) + FIELD(I + 1))
     &    + WEIGHT * FIELD(I)
10{i:02}  CONTINUE
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def source(number: int, chance: random.Random) -> "tuple[str, str]":
    """The suffix and the text of one source."""
    blocks = chance.randrange(4, 14)
    if number % 5 == 0:
        body = "".join(FIXED_LINE.format(i=i, x=chance.random()) for i in range(blocks))
        return ".f", FIXED.format(n=number, used=number % 97, body=body)
    if number % 7 == 0:
        return ".f90", f"program p{number}\n  use part_{number % 400}\n  implicit none\n  call update_{number % 400}(1.0)\nend program\n"
    body = "".join(FREE_LINE.format(n=number, x=chance.random()) for _ in range(blocks))
    text = FREE.format(n=number, module=f"part_{number % 400}", used=f"part_{chance.randrange(400)}", size=blocks, body=body)
    return ".f90", text


def generate(folder: Path, count: int = COUNT) -> None:
    chance = random.Random(1)
    write(folder / "one.cuf", ALONE)
    for name, text in APP.items():
        write(folder / "app" / name, text)
    for number in range(count):
        suffix, text = source(number, chance)
        write(folder / "code" / f"group_{number // 400}" / f"set_{number // 50}" / f"part_{number}{suffix}", text)
    write(folder / "code" / "old" / "stubs" / "cudafor.f90", "module cudafor\n  integer :: broken = (\nend module\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=COUNT)
    options = parser.parse_args()
    generate(options.folder, options.count)
