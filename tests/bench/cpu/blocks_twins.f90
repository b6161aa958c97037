! What blocks.cuf computes, in OpenMP as a Fortran programmer writes it for a CPU. Same arguments and output.
program blocks_twins
  use timing
  implicit none
  integer, parameter :: t = 256
  integer :: n = 4096000, m = 1024, l, few, i, j, k
  real(8), allocatable :: a(:), b(:), c(:), p(:, :, :), q(:, :, :)
  real, allocatable :: x(:), y(:), z(:), u(:, :), v(:, :)
  integer, allocatable :: bytes(:), cells(:, :), next(:, :)
  integer :: counts(0:255), neighbours, left, right, up, down
  real(8) :: total
  real :: largest, row, own, dx, dy, d2

  call argument(1, n)
  call argument(2, m)
  call argument(3, rounds)
  n = n/(2*t)*2*t
  m = m/32*32
  few = min(n, 4*m)
  l = nint(real(m)**(2/3.0))/32*32 + 2
  allocate (a(n), b(n), c(-3:n + 4), x(n), y(n), z(n), u(m, m), v(m, m), p(l, l, l), q(l, l, l))
  allocate (bytes(n), cells(m, m), next(m, m))
  a = [(value(i), i=1, n)]
  b = [(value(i + 5), i=1, n)]
  c = [(value(i), i=-3, n + 4)]
  x = [(real(value(i)), i=1, n)]
  y = [(real(value(3*i)), i=1, n)]
  z = 0
  u = real(reshape([((value(i + 7*j), i=1, m), j=1, m)], [m, m]))
  p = reshape([(value(i), i=1, l**3)], [l, l, l])
  q = 0
  bytes = [(mod(int(i, 8)*7919, 1009_8), i=1, n)]
  cells = reshape([(merge(1, 0, value(i) > 0.6), i=1, m*m)], [m, m])
  do while (more())
    total = 0
    !$omp parallel do simd reduction(+:total)
    do i = 1, n
      total = total + a(i)
    end do
  end do
  call report('tree_modulo', total)
  do while (more())
    largest = -huge(largest)
    !$omp parallel do simd reduction(max:largest)
    do i = 1, n
      largest = max(largest, x(i))
    end do
  end do
  call report('tree_largest', real(largest, 8))
  do while (more())
    total = 0
    !$omp parallel do simd reduction(+:total)
    do i = 1, n
      total = total + a(i)*b(i)
    end do
  end do
  call report('dot_product_tree', total)
  do while (more())
    !$omp parallel do private(total, k)
    do i = 1, n
      total = 0
      do k = -4, 4
        total = total + c(i + k)/(1 + k*k)
      end do
      b(i) = total
    end do
  end do
  call report('stencil_radius4', sum(b))
  do while (more())
    !$omp parallel do private(j, own)
    do i = 0, n - 1, t
      own = 0
      do j = i + 1, i + t
        own = own + x(j)
        z(j) = own
      end do
    end do
  end do
  call report('scan_steps', sum(real(z, 8)))
  do while (more())
    !$omp parallel do private(j, own)
    do i = 0, n - 1, 2*t
      own = 0
      do j = i + 1, i + 2*t
        z(j) = own
        own = own + x(j)
      end do
    end do
  end do
  call report('scan_tree', sum(real(z, 8)))
  do while (more())
    z = x
    !$omp parallel do
    do i = 0, n - 1, t
      call sort(z(i + 1:i + t))
    end do
  end do
  call report('sort_bitonic', sum([(real(z(i), 8)*mod(i, t), i=1, n)]))
  do while (more())
    !$omp parallel do private(k, own, dx, dy, d2)
    do i = 1, few
      own = 0
      !$omp simd reduction(+:own) private(dx, dy, d2)
      do k = 1, few
        dx = x(k) - x(i)
        dy = y(k) - y(i)
        d2 = dx*dx + dy*dy + 0.01
        own = own + dx/(d2*sqrt(d2))
      end do
      z(i) = own
    end do
  end do
  call report('forces_tiled', sum(real(z(:few), 8)))
  do while (more())
    !$omp parallel do private(i, largest, row)
    do j = 1, m
      largest = maxval(u(:, j))
      row = 0
      !$omp simd reduction(+:row)
      do i = 1, m
        row = row + 1/(1 + (largest - u(i, j))**2)
      end do
      do i = 1, m
        v(i, j) = 1/(1 + (largest - u(i, j))**2)/row
      end do
    end do
  end do
  call report('softmax_rows', sum([((real(v(i, j), 8)*mod(i, 7), i=1, m), j=1, m)]))
  do while (more())
    !$omp parallel do private(i, j) collapse(2)
    do k = 2, l - 1
      do j = 2, l - 1
        do i = 2, l - 1
          q(i, j, k) = 0.4d0*p(i, j, k) + 0.1d0*(p(i - 1, j, k) + p(i + 1, j, k) + p(i, j - 1, k) + p(i, j + 1, k) &
                                                 + p(i, j, k - 1) + p(i, j, k + 1))
        end do
      end do
    end do
  end do
  call report('stencil7_marching', sum(q))
  do while (more())
    counts = 0
    !$omp parallel do private(k) reduction(+:counts)
    do i = 1, n
      k = iand(bytes(i), 255)
      counts(k) = counts(k) + 1
    end do
  end do
  call report('histogram_bytes', sum([(real(counts(i), 8)*mod(i + 1, 7), i=0, 255)]))
  do while (more())
    !$omp parallel do private(i, neighbours, left, right, up, down)
    do j = 1, m
      down = modulo(j - 2, m) + 1
      up = modulo(j, m) + 1
      do i = 1, m
        left = merge(m, i - 1, i == 1)
        right = merge(1, i + 1, i == m)
        neighbours = cells(left, down) + cells(i, down) + cells(right, down) + cells(left, j) + cells(right, j) &
                     + cells(left, up) + cells(i, up) + cells(right, up)
        next(i, j) = merge(1, 0, neighbours == 3 .or. (neighbours == 2 .and. cells(i, j) == 1))
      end do
    end do
  end do
  call report('life', sum([((real(next(i, j), 8)*mod(i + 3*j, 7), i=1, m), j=1, m)]))

contains
  ! A merge sort from below.
  pure subroutine sort(values)
    real, intent(inout) :: values(t)
    real :: merged(t)
    integer :: width, first, middle, last, left, right, k
    width = 1
    do while (width < t)
      do first = 1, t, 2*width
        middle = first + width
        last = first + 2*width
        left = first
        right = middle
        do k = first, last - 1
          if (left < middle .and. (right >= last .or. values(min(left, t)) <= values(min(right, t)))) then
            merged(k) = values(left)
            left = left + 1
          else
            merged(k) = values(right)
            right = right + 1
          end if
        end do
      end do
      values = merged
      width = 2*width
    end do
  end subroutine
end program
