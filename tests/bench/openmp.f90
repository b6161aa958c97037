! Four loops that threads of the host share: a triad, a 5-point stencil, a dot product and the Mandelbrot
! set, whose rows take different times. Prints RESULT, the loop and its best time in milliseconds, and a
! value that depends on every result.
program openmp_loops
  use omp_lib
  implicit none
  integer, parameter :: n = 4000000, m = 1500, width = 900, height = 600, deepest = 300, rounds = 9
  real(8), allocatable :: a(:), b(:), c(:), u(:, :), v(:, :)
  integer, allocatable :: depths(:, :)
  real(8) :: started, best(4), total, x, y, zx, zy, next
  integer :: i, j, k, round, sweep

  allocate (a(n), b(n), c(n), u(m, m), v(m, m), depths(width, height))
  !$omp parallel do
  do i = 1, n
    a(i) = 0
    b(i) = i
    c(i) = 1d0/i
  end do
  !$omp parallel do
  do j = 1, m
    u(:, j) = j
    v(:, j) = 0
  end do
  best = huge(best)
  do round = 1, rounds
    started = omp_get_wtime()
    !$omp parallel do
    do i = 1, n
      a(i) = b(i) + 3*c(i)
    end do
    best(1) = min(best(1), omp_get_wtime() - started)

    started = omp_get_wtime()
    do sweep = 1, 4
      !$omp parallel do private(i)
      do j = 2, m - 1
        do i = 2, m - 1
          v(i, j) = 0.2d0*(u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
        end do
      end do
      !$omp parallel do private(i)
      do j = 2, m - 1
        do i = 2, m - 1
          u(i, j) = v(i, j)
        end do
      end do
    end do
    best(2) = min(best(2), omp_get_wtime() - started)

    started = omp_get_wtime()
    total = 0
    !$omp parallel do reduction(+:total)
    do i = 1, n
      total = total + b(i)*c(i)
    end do
    best(3) = min(best(3), omp_get_wtime() - started)

    started = omp_get_wtime()
    !$omp parallel do private(i, k, x, y, zx, zy, next) schedule(dynamic, 4)
    do j = 1, height
      do i = 1, width
        x = -2 + 3*real(i - 1, 8)/width
        y = -1 + 2*real(j - 1, 8)/height
        zx = 0; zy = 0
        k = 0
        do while (k < deepest .and. zx*zx + zy*zy < 4)
          next = zx*zx - zy*zy + x
          zy = 2*zx*zy + y
          zx = next
          k = k + 1
        end do
        depths(i, j) = k
      end do
    end do
    best(4) = min(best(4), omp_get_wtime() - started)
  end do
  print '(a, f12.4)', 'RESULT triad ', best(1)*1000
  print '(a, f12.4)', 'RESULT stencil ', best(2)*1000
  print '(a, f12.4)', 'RESULT dot ', best(3)*1000
  print '(a, f12.4)', 'RESULT mandelbrot ', best(4)*1000
  print '(a, es22.14, i12)', 'VALUES ', total + sum(a) + sum(u), sum(depths)
end program openmp_loops
