! TRIM of what is compared is left out, as a comparison goes on with blanks.
! RUN: cufc -O2 --emit=llvm %s -o - | FileCheck %s
! CHECK: define {{.*}}count_
! CHECK-NOT: _FortranATrim
! CHECK: ret
integer function count(n, a, b)
  integer, intent(in) :: n
  character(12), intent(in) :: a(n), b
  integer :: i
  count = 0
  do i = 1, n
    if (trim(a(i)) == b) count = count + 1
  end do
end function
