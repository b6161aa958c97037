! RUN: cufc -O2 --emit=llvm %s -o - | FileCheck %s
! What may be large is allocated by the run-time library, which asks for large pages.
subroutine work(n, x)
  integer :: n
  real(8), allocatable :: x(:)
! CHECK-LABEL: define void @work_
! CHECK: call {{.*}}@cufrt_allocate{{(_aligned)?}}(
  allocate (x(n))
end subroutine
subroutine small(x)
  real(8), allocatable :: x(:)
! CHECK-LABEL: define void @small_
! CHECK: call {{.*}}@{{malloc|aligned_alloc}}(
  allocate (x(10))
end subroutine
