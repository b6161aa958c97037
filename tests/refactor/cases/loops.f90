! REFACTOR: do-concurrent, interchange-loops, split-loop, join-loops
! Loops with independent iterations, and others that look like it: a recurrence, a sum, a value that
! goes on, an overlap, a directive.
program loops
  implicit none
  integer, parameter :: n = 6, m = 4
  real :: a(n, m), b(n, m), c(n), s, t
  integer :: i, j
  do j = 1, m
    do i = 1, n
      t = 0.5 * i
      a(i, j) = t + j
    end do
  end do
  do i = 1, n
    c(i) = 2.0 * i
    b(i, 1) = c(i) + 1.0
    b(i, 2) = 3.0
  end do
  do i = 2, n
    c(i) = c(i - 1) + 1.0
  end do
  s = 0.0
  do i = 1, n
    s = s + c(i)
  end do
  do i = 1, n
    a(i, 1) = a(i, 1) + s
  end do
  do i = 1, n
    a(i, 2) = a(i, 1) * 2.0
  end do
  do i = 1, n - 1
    b(i, 3) = c(i + 1)
  end do
  do i = 1, n - 1
    c(i) = 0.0
  end do
  !$omp parallel do
  do i = 1, n
    b(i, 4) = i
  end do
  do i = 1, n
    do j = 1, m
      a(i, j) = a(i, j) + b(i, j)
    end do
  end do
  do i = 1, n
    t = c(i)
  end do
  print '(6f8.2)', a, b, c, s, t
end program loops
