"""The project of two files that editors are tried on: a module with a kernel, and a program that launches it."""

from pathlib import Path

KERNELS = """! Kernels of the project.
module kernels
  implicit none
contains
  !> Multiplies each element.
  attributes(global) subroutine scale(x, factor, n)
    integer, value :: n
    real, value :: factor
    real :: x(n)
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= n) x(i) = factor * x(i)
  end subroutine scale
end module kernels
"""
MAIN = """program main
  use cudafor
  use kernels
  implicit none
  integer, parameter :: n = 1000
  real, device :: x(n)
  real :: h(n)
  integer :: status
  x = 1.0
  call scale<<<(n + 255) / 256, 256>>>(x, 2.0, n)
  status = cudaDeviceSynchronize()
  if (status /= cudaSuccess) error stop 'the kernel failed'
  h = x
  if (any(h /= 2.0)) error stop 'FAIL'
  print '(a)', 'PASS'
end program main
"""


def write_project(folder: Path) -> None:
    folder.mkdir()
    (folder / "kernels.cuf").write_text(KERNELS)
    (folder / "main.cuf").write_text(MAIN)
    (folder / "cufls.json").write_text('{"targets": {"app": {"sources": ["*.cuf"]}}}\n')
