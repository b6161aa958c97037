subroutine sumup(n, a, s)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n)
  real(8), intent(out) :: s
  s = sum(a)
end subroutine
subroutine dgemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  character, intent(in) :: ta, tb
  integer, intent(in) :: m, n, k, lda, ldb, ldc
  real(8), intent(in) :: alpha, beta, a(lda, k), b(ldb, n)
  real(8), intent(inout) :: c(ldc, n)
  if (ta /= 'n' .or. tb /= 'n') error stop 'the transposed matrix is not needed here'
  c(:m, :) = alpha*matmul(a(:m, :), b(:k, :)) + beta*c(:m, :)
end subroutine
