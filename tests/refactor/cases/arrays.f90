! REFACTOR: array-to-loop
! Whole arrays and sections; an overlap, an allocatable and a function of an array are left alone.
module arrays_work
  implicit none
contains
  subroutine work(x, y, k)
    integer, intent(in) :: k
    real, intent(inout) :: x(:, 0:), y(k)
    real :: z(k), w(2:k + 1)
    z = 1.5
    w = z + y
    x(:, 0) = w(2:k + 1) * sqrt(z)
    x(1:k, 1) = x(1:k, 1) + y
    y(2:k) = y(1:k - 1)
    y(1:k) = y(1:k) / sum(z)
    z(1:k:2) = y(1:k:2)
    x(:, 2) = z
  end subroutine work
end module arrays_work
program arrays
  use arrays_work
  implicit none
  integer, parameter :: n = 5
  real :: x(n, 0:2), y(n)
  real, allocatable :: v(:)
  x = 1.0
  y = [1.0, 2.0, 3.0, 4.0, 5.0]
  v = y
  call work(x, y, n)
  print '(5f10.4)', x, y, v
end program arrays
