! RUN: cufc -mp -O2 --emit=llvm %s -o - | FileCheck %s
! RUN: cufc -mp -O1 --emit=llvm %s -o - | FileCheck %s --check-prefix=KEPT
! Additions of a reduction are done in any order, in vectors; those in parentheses, others, and all at -O1 keep theirs.
subroutine summed(b, c, n, total, first)
  integer :: n, i
  real(8) :: b(n), c(n), total, first
! CHECK-LABEL: define internal void @summed_..omp_par
! CHECK: fadd reassoc contract <2 x double>
! KEPT-NOT: fadd reassoc
  !$omp parallel do reduction(+:total)
  do i = 1, n
    total = total + b(i)*c(i)
  end do
  first = total
end subroutine
subroutine ordered_sum(b, n, total, last)
  integer :: n, i
  real(8) :: b(n), total, last
! CHECK-LABEL: define internal void @ordered_sum_..omp_par
! CHECK-NOT: fadd reassoc
  !$omp parallel do reduction(+:total) lastprivate(last)
  do i = 1, n
    total = (total + b(i)) + 1
    last = b(i) + 2
  end do
end subroutine
