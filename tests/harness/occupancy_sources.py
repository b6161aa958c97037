"""What the tests of occupancy share: a module with two kernels, one with shared memory, and whether ptxas is there."""

import os
import shutil
from pathlib import Path

KERNELS = """module kernels
  implicit none
contains
  attributes(global) subroutine scale(a, n)
    integer, value :: n
    real :: a(n)
    integer :: i
    i = (blockidx%x - 1) * blockdim%x + threadidx%x
    if (i <= n) a(i) = 2 * a(i)
  end subroutine
  attributes(global) subroutine tile(a, n)
    integer, value :: n
    real :: a(n)
    real, shared :: s(2048)
    integer :: i
    i = (blockidx%x - 1) * blockdim%x + threadidx%x
    s(threadidx%x) = a(i)
    call syncthreads()
    a(i) = s(blockdim%x + 1 - threadidx%x)
  end subroutine
end module
"""


def has_ptxas():
    home = os.environ.get("CUDA_HOME")
    return Path(home, "bin/ptxas").exists() if home else bool(shutil.which("nvcc") or Path("/usr/local/cuda/bin/ptxas").exists())
