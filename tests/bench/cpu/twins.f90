! What kernels.cuf computes, in OpenMP as a Fortran programmer writes it for a CPU. Same arguments and output.
program cpu_twins
  use iso_fortran_env, only: int64
  use timing, only: argument
  implicit none
  integer :: n = 4000000, m = 1024, rounds = 7, l, few, round, i, j, k, jj, kk
  integer(int64) :: started, stopped, ticks, number
  real(8) :: best = huge(1d0), total, largest, t, px, py, zx, zy, next
  real :: s, dx, dy, d2
  real(8), allocatable :: host(:), a(:), b(:), c(:), d(:), u(:, :), v(:, :), w(:, :), p(:, :, :), q(:, :, :)
  real, allocatable :: x(:), y(:), z(:)
  integer :: bins(64)
  integer, allocatable :: counts(:), depths(:, :)

  call argument(1, n)
  call argument(2, m)
  call argument(3, rounds)
  l = nint(real(m)**(2/3.0))
  few = min(n, 4*m)
  allocate (a(n), b(n), c(n), d(n), x(n), y(n), z(n), u(m, m), v(m, m), w(m, m), p(l, l, l), q(l, l, l))
  allocate (counts(max(n, 64)), depths(m, m), host(max(n, m*m, l**3)))
  host = [(0.5d0 + mod(int(i, 8)*7919, 1009_8)/2018d0, i=1, size(host))]
  a = host(:n)
  b = host(:n)
  c = 0
  d = 0
  x = real(host(:n))
  y = x
  z = 0
  u = reshape(host(:m*m), [m, m])
  v = u
  w = 0
  p = reshape(host(:l**3), [l, l, l])
  q = p

  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      c(i) = a(i)
    end do
    call stop
  end do
  call report8('copy', c)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      c(i) = 3d0*a(i)
    end do
    call stop
  end do
  call report8('scale', c)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      c(i) = a(i) + 3d0*b(i)
    end do
    call stop
  end do
  call report8('triad', c)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      y(i) = y(i) + 2.0*x(i)
    end do
    call stop
  end do
  call report4('saxpy', y)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      y(i) = y(i) + 2.0*x(i)
    end do
    call stop
  end do
  call report4('saxpy_strided', y)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      y(i) = y(i) + 2.0*x(i)
    end do
    call stop
  end do
  call report4('saxpy_assumed', y)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      z(i) = max(x(i) - 0.5, 0.0)
    end do
    call stop
  end do
  call report4('relu', z)
  do round = 1, rounds
    call start
    !$omp parallel do simd private(t)
    do i = 1, n
      t = a(i)
      c(i) = (((((0.1d0*t + 0.2d0)*t + 0.3d0)*t + 0.4d0)*t + 0.5d0)*t + 0.6d0)/(1 + t*t)
    end do
    call stop
  end do
  call report8('polynomial', c)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      d(i) = sqrt(a(i)**2 + b(i)**2 + c(i)**2)
    end do
    call stop
  end do
  call report8('norms', d)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 2, n - 1
      d(i) = a(i + 1) - 2*a(i) + a(i - 1)
    end do
    call stop
  end do
  call report8('differences', d)
  do round = 1, rounds
    call start
    !$omp parallel do private(number, k)
    do i = 1, n/8
      number = i
      k = 0
      do while (number > 1 .and. k < 100)
        number = merge(number/2, 3*number + 1, mod(number, 2_8) == 0)
        k = k + 1
      end do
      counts(i) = k
    end do
    call stop
  end do
  call report_counts('collatz', counts(:n/8))
  do round = 1, rounds
    call start
    !$omp parallel do private(i)
    do j = 2, m - 1
      do i = 2, m - 1
        v(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    call stop
  end do
  call report_mesh('jacobi5', v)
  do round = 1, rounds
    call start
    !$omp parallel do private(i)
    do j = 2, m - 1
      do i = 2, m - 1
        v(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    call stop
  end do
  call report_mesh('jacobi5_assumed', v)
  do round = 1, rounds
    call start
    !$omp parallel do private(i, j) collapse(2)
    do k = 2, l - 1
      do j = 2, l - 1
        do i = 2, l - 1
          q(i, j, k) = 0.4d0*p(i, j, k) + 0.1d0*(p(i - 1, j, k) + p(i + 1, j, k) + p(i, j - 1, k) + p(i, j + 1, k) &
                                                 + p(i, j, k - 1) + p(i, j, k + 1))
        end do
      end do
    end do
    call stop
  end do
  host(:l**3) = reshape(q, [l**3])
  call report('stencil7', sum(host(:l**3)))
  do round = 1, rounds
    call start
    !$omp parallel do private(i)
    do j = 1, m
      do i = 1, m
        v(j, i) = u(i, j)
      end do
    end do
    call stop
  end do
  call report_mesh('transpose_plain', v)
  do round = 1, rounds
    call start
    !$omp parallel do private(i)
    do j = 1, m
      do i = 1, m
        v(j, i) = u(i, j)
      end do
    end do
    call stop
  end do
  call report_mesh('transpose_tiled', v)
  do round = 1, min(rounds, 3)
    call start
    !$omp parallel do private(i, k)
    do j = 1, m
      w(:, j) = 0
      do k = 1, m
        do i = 1, m
          w(i, j) = w(i, j) + u(i, k)*v(k, j)
        end do
      end do
    end do
    call stop
  end do
  call report_mesh('matmul_plain', w)
  do round = 1, min(rounds, 3)
    call start
    !$omp parallel do private(i, k)
    do j = 1, m
      w(:, j) = 0
      do k = 1, m
        do i = 1, m
          w(i, j) = w(i, j) + u(i, k)*v(k, j)
        end do
      end do
    end do
    call stop
  end do
  call report_mesh('matmul_tiled', w)
  do round = 1, rounds
    call start
    !$omp parallel do private(i, k)
    do kk = 1, m, 64
      c(kk:min(m, kk + 63)) = 0
      do k = 1, m
        do i = kk, min(m, kk + 63)
          c(i) = c(i) + u(i, k)*a(k)
        end do
      end do
    end do
    call stop
  end do
  call report8('gemv', c(:m))
  do round = 1, rounds
    call start
    !$omp parallel do private(k, s, dx, dy, d2)
    do i = 1, few
      s = 0
      !$omp simd reduction(+:s) private(dx, dy, d2)
      do k = 1, few
        dx = x(k) - x(i)
        dy = y(k) - y(i)
        d2 = dx*dx + dy*dy + 0.01
        s = s + dx/(d2*sqrt(d2))
      end do
      z(i) = s
    end do
    call stop
  end do
  call report4('forces', z(:few))
  do round = 1, rounds
    call start
    !$omp parallel do private(i, k, px, py, zx, zy, next) schedule(dynamic, 4)
    do j = 1, m
      do i = 1, m
        px = -2 + 3*real(i - 1, 8)/m
        py = -1 + 2*real(j - 1, 8)/m
        zx = 0
        zy = 0
        k = 0
        do while (k < 100 .and. zx*zx + zy*zy < 4)
          next = zx*zx - zy*zy + px
          zy = 2*zx*zy + py
          zx = next
          k = k + 1
        end do
        depths(i, j) = k
      end do
    end do
    call stop
  end do
  call report('mandelbrot', real(sum(depths), 8))
  do round = 1, rounds
    bins = 0
    call start
    !$omp parallel do private(k) reduction(+:bins)
    do i = 1, n
      k = min(64, int(x(i)*64) + 1)
      bins(k) = bins(k) + 1
    end do
    call stop
  end do
  call report_counts('histogram', bins)
  do round = 1, rounds
    bins = 0
    call start
    !$omp parallel do private(k) reduction(+:bins)
    do i = 1, n
      k = min(64, int(x(i)*64) + 1)
      bins(k) = bins(k) + 1
    end do
    call stop
  end do
  call report_counts('histogram_shared', bins)
  do round = 1, rounds
    total = 0
    call start
    !$omp parallel do simd reduction(+:total)
    do i = 1, n
      total = total + a(i)
    end do
    call stop
  end do
  call report('sum_tree', total)
  do round = 1, rounds
    call start
    !$omp parallel do private(i)
    do j = 2, m - 1
      do i = 2, m - 1
        v(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    call stop
  end do
  call report_mesh('jacobi5_tiled', v)
  do round = 1, rounds
    call start
    !$omp parallel do simd 
    do i = 1, n
      c(i) = a(i) + 2*b(i)
    end do
    call stop
  end do
  call report8('cuf_triad', c)
  do round = 1, rounds
    call start
    !$omp parallel do private(i)
    do j = 2, m - 1
      do i = 2, m - 1
        v(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
    call stop
  end do
  call report_mesh('cuf_jacobi5', v)
  do round = 1, rounds
    total = 0
    call start
    !$omp parallel do simd reduction(+:total)
    do i = 1, n
      total = total + a(i)*b(i)
    end do
    call stop
  end do
  call report('cuf_dot', total)
  do round = 1, rounds
    largest = 0
    call start
    !$omp parallel do simd reduction(max:largest)
    do i = 1, n
      largest = max(largest, a(i))
    end do
    call stop
  end do
  call report('cuf_max', largest)

contains
  subroutine start
    call system_clock(started, ticks)
  end subroutine
  subroutine stop
    call system_clock(stopped)
    best = min(best, real(stopped - started, 8)/ticks)
  end subroutine
  subroutine report(name, value)
    character(*), intent(in) :: name
    real(8), intent(in) :: value
    print '(3a, f12.5, es24.14)', 'RESULT ', name, ' ', best*1000, value
    best = huge(best)
  end subroutine
  subroutine report8(name, values)
    character(*), intent(in) :: name
    real(8), intent(in) :: values(:)
    host(:size(values)) = values
    call report(name, sum(host(:size(values))))
  end subroutine
  subroutine report4(name, values)
    character(*), intent(in) :: name
    real, intent(in) :: values(:)
    real :: copied(size(values))
    copied = values
    call report(name, sum(real(copied, 8)))
  end subroutine
  subroutine report_counts(name, values)
    character(*), intent(in) :: name
    integer, intent(in) :: values(:)
    integer :: copied(size(values)), k
    copied = values
    call report(name, sum([(real(copied(k), 8)*mod(k, 7), k=1, size(copied))]))
  end subroutine
  subroutine report_mesh(name, values)
    character(*), intent(in) :: name
    real(8), intent(in) :: values(:, :)
    real(8) :: copied(m, m)
    copied = values
    call report(name, sum(copied(:, ::2)) - 2*sum(copied(::3, :)))
  end subroutine
end program
