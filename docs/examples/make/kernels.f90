! One explicit step of the heat equation in one dimension; CUDA Fortran in a file named .f90.
! FLAGS: -cuda -cpp
module kernels
  implicit none
#ifdef SINGLE
  integer, parameter :: rk = kind(1.0)
#else
  integer, parameter :: rk = kind(1.0d0)
#endif
contains
  attributes(global) subroutine step(n, c, old, new)
    integer, value :: n
    real(rk), value :: c
    real(rk), intent(in) :: old(n)
    real(rk), intent(out) :: new(n)
    integer :: i

    i = (blockIdx%x - 1) * blockDim%x + threadIdx%x
    if (i > n) return
    if (i == 1 .or. i == n) then
      new(i) = old(i)
    else
      new(i) = old(i) + c * (old(i - 1) - 2 * old(i) + old(i + 1))
    end if
  end subroutine step
end module kernels
