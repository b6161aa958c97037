! Host data without STAT=: what is allocated already, what is not, and memory that there is not.
! RUN: cufc %s -o %t && CUF_DEVICE=host %t 0 | grep -q 'went on'
! RUN: for k in 1 2 3 4 5 6 7; do CUF_DEVICE=host %t $k && exit 1; true; done >%t.out 2>&1; FileCheck %s --input-file=%t.out
! CHECK: allocation_errors.f90:[[#@LINE+22]]: ALLOCATE: a is already allocated
! CHECK: allocation_errors.f90:[[#@LINE+22]]: DEALLOCATE: b is not allocated
! CHECK: allocation_errors.f90:[[#@LINE+22]]: ALLOCATE: x%v is already allocated
! CHECK: allocation_errors.f90:[[#@LINE+22]]: ALLOCATE: there is not enough memory for a, 70368744177664 elements
! CHECK: allocation_errors.f90:[[#@LINE+22]]: ALLOCATE: b would have more elements than can be counted
! CHECK: allocation_errors.f90:[[#@LINE+22]]: DEALLOCATE: x%v is not allocated
! CHECK: allocation_errors.f90:[[#@LINE+22]]: ALLOCATE: c is already allocated
! CHECK-NOT: went on
program p
  real, allocatable :: a(:), b(:, :)
  type t
    integer, allocatable :: v(:)
  end type
  type(t) :: x
  character(:), allocatable :: c
  integer :: k
  character(20) :: arg
  call get_command_argument(1, arg)
  read (arg, *) k
  allocate (a(5), b(2, 3), x%v(3))
  allocate (character(3) :: c)
  select case (k)
  case (1); allocate (a(3))
  case (2); deallocate (b); deallocate (b)
  case (3); allocate (x%v(2))
  case (4); deallocate (a); allocate (a(2_8**46))
  case (5); deallocate (b); allocate (b(2_8**40, 2_8**40))
  case (6); deallocate (x%v); deallocate (x%v)
  case (7); allocate (character(4) :: c)
  end select
  print *, 'went on'
end program
