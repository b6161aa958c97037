! What host code calls in place of flang's library, and what it computes in loops of its own.
! RUN: cufc -O3 --emit=llvm %s -o - | FileCheck %s

! CHECK-LABEL: define void @reversed_(
! CHECK: call void @cufrt_assign(
subroutine reversed(a)
  real(8) :: a(:)
  a = a(size(a):1:-1)
end subroutine

! CHECK-LABEL: define void @rotated_(
! CHECK-NOT: call void @{{(cufrt_push|_FortranA)}}
! CHECK: ret void
subroutine rotated(a, i)
  integer :: i, a(*)
  a(1:i) = [a(2:i), a(1)]
end subroutine

! CHECK-LABEL: define void @packed_(
! CHECK: call void @cufrt_pack(
subroutine packed(a, b)
  real(8) :: a(:)
  real(8), allocatable :: b(:)
  b = pack(a, a > 0)
end subroutine

! CHECK-LABEL: define void @spread_out_(
! CHECK: call void @cufrt_spread(
subroutine spread_out(a, b)
  real(8) :: a(:), b(:, :)
  b = spread(a, 1, size(b, 1))
end subroutine

! CHECK-LABEL: define void @places_(
! CHECK: call i64 @cufrt_maxloc_real8(
! CHECK: call i64 @cufrt_minloc_integer4(
! CHECK: call {{.*}}float @cufrt_minval_real4(
! CHECK-NOT: cufrt
! CHECK: ret void
subroutine places(a, k, b, short, i, least, small)
  real(8) :: a(:), short(3), small
  integer :: k(:), i
  real :: b(:, :), least
  i = maxloc(a, dim=1) + minloc(k, dim=1)
  least = minval(b)
  small = maxval(short)
end subroutine

! CHECK-LABEL: define void @components_(
! CHECK: call void @cufrt_assign_component(
! CHECK: call void @cufrt_assign_component(
! CHECK-NOT: call
! CHECK: ret void
subroutine components(a, b)
  type table
    integer, allocatable :: rows(:)
    real(8), allocatable :: values(:)
    integer :: number
  end type
  type(table) :: a, b
  a = b
end subroutine

! CHECK-LABEL: define void @quotients_(
! CHECK-NOT: fcmp
! CHECK: ret void
subroutine quotients(z, r)
  complex(8) :: z
  real(8) :: r
  z = z/r
end subroutine

! CHECK-LABEL: define void @powers_(
! CHECK-NOT: mul
! CHECK: shl
! CHECK-NOT: mul
! CHECK: ret void
subroutine powers(n, i, j)
  integer :: n, i, j
  i = 2**n
  j = (-1)**n
end subroutine

! The loop over arrays without gaps has no gathers.
! CHECK-LABEL: define void @stencil_(
! CHECK: load <{{[0-9]+}} x double>, ptr
! CHECK: ret void
subroutine stencil(u, v, n)
  integer :: n
  real(8), intent(in) :: u(:, :)
  real(8), intent(inout) :: v(:, :)
  v(2:n - 1, 2:n - 1) = u(2:n - 1, 2:n - 1) + u(:n - 2, 2:n - 1) + u(3:, 2:n - 1)
end subroutine
