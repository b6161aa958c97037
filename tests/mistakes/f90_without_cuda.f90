module heat
  use cudafor
  implicit none
contains
  attributes(global) subroutine saxpy(x, y, a, n)
! ^^^^^^^^^^^^^^^^^^ error[CUF1044]: 'attributes(global)' is CUDA Fortran, which is off in files named *.f90: compile with -cuda, or name the file *.cuf
    real :: x(n), y(n)
    real, value :: a
    integer, value :: n
    integer :: i
    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i <= n) y(i) = a * x(i) + y(i)
  end subroutine saxpy
end module heat

program main
  use cudafor
  use heat
  implicit none
  integer, parameter :: numberOfCells = 1000
  real :: x(numberOfCells), y(numberOfCells)
  real, device :: x_d(numberOfCells), y_d(numberOfCells)
  type(dim3) :: grid, tBlock
  integer :: istat
  tBlock = dim3(256, 1, 1)
  grid = dim3((numberOfCells + 255) / 256, 1, 1)
  x = 1.0
  y = 2.0
  x_d = x
  y_d = y
  call saxpy<<<grid, tBlock>>>(x_d, y_d, 2.0, numberOfCells)
  istat = cudaDeviceSynchronize()
  if (istat /= cudaSuccess) stop 1
  y = y_d
  if (maxval(abs(y - 4.0)) < 1.0e-5) then
    print *, 'PASS'
  else
    print *, 'FAIL'
  end if
end program main
