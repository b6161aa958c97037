! REFACTOR: common-to-module
! One block with the same names everywhere; one with two sets of names; one that two procedures see as other types, which
! stays.
program common
  implicit none
  integer :: n
  real :: x(3), y, p, z
  common /shared/ n, x
  common /renamed/ p
  common /mixed/ z
  y = 1.5
  n = 3
  x = y
  p = 2.0
  z = 0
  call work()
  print *, x, n
end program common
subroutine work()
  implicit none
  integer :: n, i, bits
  real :: x(3), q
  common /shared/ n, x
  common /renamed/ q
  common /mixed/ bits
  if (bits /= 0) stop 1
  do i = 1, n
    x(i) = x(i) + i * q
  end do
end subroutine work
