! FLAGS: -cuda
module m
  use cudafor
contains
  attributes(global) subroutine k(a, n)
    real :: a(n)
    integer, value :: n
    integer i
    i = blockDim%x * blockIdx%x + threadIdx%x
!=>     i = blockDim%x * (blockIdx%x - 1) + threadIdx%x
    if i <= n then
!      ^^^^^^ error[CUF1058]: the condition of IF stands in parentheses: write '(i <= n)'
!=>     if (i <= n) then
      a(i) = 0
    endif
  end subroutine
end module
