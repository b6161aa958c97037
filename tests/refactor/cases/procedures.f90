! REFACTOR: inline-procedure, change-signature, move-to-module, extract-procedure, inline-variable, extract-variable
! Calls that can be inlined and calls that cannot, dummies that nothing uses, an external procedure.
module procedures_work
  implicit none
  real :: scale = 2.0
contains
  subroutine grow(x, n, spare)
    integer, intent(in) :: n, spare
    real, intent(inout) :: x(:)
    integer :: i
    do i = 1, n
      x(i) = x(i) * scale
    end do
  end subroutine grow
  subroutine early(x)
    real, intent(inout) :: x
    if (x > 1.0) return
    x = 1.0
  end subroutine early
  subroutine use_them(values, k)
    integer, intent(in) :: k
    real, intent(inout) :: values(:)
    real :: half
    call grow(values, k, 7)
    call early(values(1))
    half = values(1) * values(2)
    values(2) = half + 1.0
    values(3) = (values(1) + values(2)) * values(3)
    do while (values(3) > 100.0)
      values(3) = values(3) / 2.0
    end do
  end subroutine use_them
end module procedures_work
subroutine outside(x)
  implicit none
  real, intent(inout) :: x
  x = x + 1.0
end subroutine outside
program procedures
  use procedures_work
  implicit none
  real :: v(4)
  integer :: i
  v = [1.0, 2.0, 3.0, 4.0]
  call use_them(v, 4)
  do i = 1, 4
    call outside(v(i))
  end do
  print '(4f12.4)', v
end program procedures
