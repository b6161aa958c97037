! FLAGS: -cuda
module kernels
  use cudafor
  implicit none
contains
  attributes(global) subroutine initArray(a, n)
    real :: a(*)
    integer, value :: n
    integer :: i
    i = threadIdx(1) + (blockIdx(1) - 1) * blockDim(1)
!       ^^^^^^^^^ error[CUF1109]: 'threadIdx' is not a callable procedure
!                       ^^^^^^^^ error[CUF1109]: 'blockIdx' is not a callable procedure
!                                          ^^^^^^^^ error[CUF1109]: 'blockDim' is not a callable procedure
    if (i <= n) a(i) = i
  end subroutine
end module
