! REFACTOR: common-to-module
! One block with the same names everywhere; another with two sets of names, which stays.
program common
  implicit none
  integer :: n
  real :: x(3), y, p
  common /shared/ n, x
  common /renamed/ p
  y = 1.5
  n = 3
  x = y
  p = 2.0
  call work()
  print *, x, n
end program common
subroutine work()
  implicit none
  integer :: n, i
  real :: x(3), q
  common /shared/ n, x
  common /renamed/ q
  do i = 1, n
    x(i) = x(i) + i * q
  end do
end subroutine work
