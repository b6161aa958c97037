! Chunks of a dynamic or guided loop come from one queue unless the program says that they need not.
! RUN: cufc --emit=llvm -O1 -mp %s -o - | FileCheck %s
! CHECK-LABEL: define {{.*}}loops
! 0x20000000 is monotonic, 0x40000000 is not; 35 is dynamic, 36 guided.
! CHECK: __kmpc_dispatch_init_4u(ptr {{.*}}, i32 536870947,
! CHECK: __kmpc_dispatch_init_4u(ptr {{.*}}, i32 536870948,
! CHECK: __kmpc_dispatch_init_4u(ptr {{.*}}, i32 1073741859,
subroutine loops(n, a)
  integer :: n, i
  real :: a(n)
  !$omp parallel
  !$omp do schedule(dynamic, 4)
  do i = 1, n
    a(i) = i
  end do
  !$omp do schedule(guided)
  do i = 1, n
    a(i) = a(i) + 1
  end do
  !$omp do schedule(nonmonotonic: dynamic)
  do i = 1, n
    a(i) = a(i)*2
  end do
  !$omp end parallel
end subroutine
