! RUN: cufc -O2 -tp=x86-64-v3 -S %s -o out.s && grep -o 'v[p]*maskmov[a-z]*\|vmaxps' out.s | sort -u
! SYMPTOM: vmaskmovps
subroutine raise(a, b, n)
  implicit none
  integer, intent(in) :: n
  real, intent(in) :: b(n)
  real, intent(inout) :: a(n)
  integer :: i
  do i = 1, n
    a(i) = max(a(i), b(i))
  end do
end subroutine
