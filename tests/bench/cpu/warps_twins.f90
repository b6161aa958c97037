! What warps.cuf computes, in OpenMP.
module warp_twins
  implicit none
contains
  subroutine sums(n, a, total)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: total
    integer :: i
    total = 0
    !$omp parallel do simd reduction(+:total)
    do i = 1, n
      total = total + a(i)
    end do
  end subroutine
  subroutine maxima(n, a, largest)
    integer, intent(in) :: n
    real, intent(in) :: a(n)
    real, intent(out) :: largest
    integer :: i
    largest = -huge(largest)
    !$omp parallel do simd reduction(max:largest)
    do i = 1, n
      largest = max(largest, a(i))
    end do
  end subroutine
  subroutine scan(n, a, b)
    integer, intent(in) :: n, a(n)
    integer, intent(out) :: b(n)
    integer :: i, first, s
    !$omp parallel do private(i, s)
    do first = 1, n, 512
      s = 0
      do i = first, min(n, first + 511)
        s = s + a(i)
        b(i) = s
      end do
    end do
  end subroutine
  ! Counts by piece, then copies to the place of the piece.
  subroutine compact(n, bound, a, b, total)
    integer, intent(in) :: n
    real, intent(in) :: bound, a(n)
    real, intent(inout) :: b(n)
    integer, intent(out) :: total
    integer, parameter :: pieces = 64
    integer :: counts(0:pieces), p, i, k
    counts(0) = 0
    !$omp parallel do private(i)
    do p = 1, pieces
      counts(p) = count(a((p - 1)*(n/pieces) + 1:p*(n/pieces)) > bound)
    end do
    do p = 1, pieces
      counts(p) = counts(p) + counts(p - 1)
    end do
    !$omp parallel do private(i, k)
    do p = 1, pieces
      k = counts(p - 1)
      do i = (p - 1)*(n/pieces) + 1, p*(n/pieces)
        if (a(i) > bound) then
          k = k + 1
          b(k) = a(i)
        end if
      end do
    end do
    total = counts(pieces)
  end subroutine
  subroutine layer_norm(m, a, b)
    integer, intent(in) :: m
    real, intent(in) :: a(256, m)
    real, intent(out) :: b(256, m)
    real :: s, q, mean, scale
    integer :: i, j
    !$omp parallel do private(i, s, q, mean, scale)
    do j = 1, m
      s = 0
      q = 0
      !$omp simd reduction(+:s, q)
      do i = 1, 256
        s = s + a(i, j)
        q = q + a(i, j)**2
      end do
      mean = s/256
      scale = 1/sqrt(q/256 - mean**2 + 1e-5)
      do i = 1, 256
        b(i, j) = (a(i, j) - mean)*scale
      end do
    end do
  end subroutine
  subroutine place_of_least(n, a, place)
    integer, intent(in) :: n
    real, intent(in) :: a(n)
    integer, intent(out) :: place
    real :: own, least
    integer :: i, mine
    least = huge(least)
    place = 0
    !$omp parallel private(own, mine)
    own = huge(own)
    mine = 0
    !$omp do
    do i = 1, n
      if (a(i) < own) then
        own = a(i)
        mine = i
      end if
    end do
    !$omp critical
    if (own < least) then
      least = own
      place = mine
    end if
    !$omp end critical
    !$omp end parallel
  end subroutine
  subroutine relax(n, steps, a, b)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    real(8) :: s(0:129), t(128)
    integer :: first, x, k
    !$omp parallel do private(s, t, x, k)
    do first = 0, n - 1, 128
      s(0) = 0
      s(129) = 0
      s(1:128) = a(first + 1:first + 128)
      do k = 1, steps
        do x = 1, 128
          t(x) = s(x) + 0.25d0*(s(x - 1) - 2*s(x) + s(x + 1))
        end do
        s(1:128) = t
      end do
      b(first + 1:first + 128) = s(1:128)
    end do
  end subroutine
  subroutine gemv(m, a, x, y)
    integer, intent(in) :: m
    real(8), intent(in) :: a(m, m), x(m)
    real(8), intent(out) :: y(m)
    integer :: i, k, first
    !$omp parallel do private(i, k)
    do first = 1, m, 128
      y(first:first + 127) = 0
      do k = 1, m
        do i = first, first + 127
          y(i) = y(i) + a(i, k)*x(k)
        end do
      end do
    end do
  end subroutine
  subroutine vote_any(n, x, steps)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    integer, intent(out) :: steps(n)
    real :: v
    integer :: first, k
    !$omp parallel do private(v, k)
    do first = 1, n, 32
      v = maxval(x(first:first + 31))
      k = 0
      do while (v > 0.01)
        v = v*0.7
        k = k + 1
      end do
      steps(first:first + 31) = k
    end do
  end subroutine
  subroutine stats(n, a, total, squares, largest, least)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: total, squares, largest, least
    integer :: i
    total = 0
    squares = 0
    largest = -huge(largest)
    least = huge(least)
    !$omp parallel do simd reduction(+:total, squares) reduction(max:largest) reduction(min:least)
    do i = 1, n
      total = total + a(i)
      squares = squares + a(i)**2
      largest = max(largest, a(i))
      least = min(least, a(i))
    end do
  end subroutine
  subroutine norms2(m, u, v, largest, total)
    integer, intent(in) :: m
    real(8), intent(in) :: u(m, m), v(m, m)
    real(8), intent(out) :: largest, total
    integer :: i, j
    largest = 0
    total = 0
    !$omp parallel do private(i) reduction(max:largest) reduction(+:total)
    do j = 2, m - 1
      !$omp simd reduction(max:largest) reduction(+:total)
      do i = 2, m - 1
        largest = max(largest, abs(u(i, j) - v(i, j)))
        total = total + (u(i + 1, j) - u(i - 1, j))**2 + (u(i, j + 1) - u(i, j - 1))**2
      end do
    end do
  end subroutine
  subroutine masked(n, mask, a, inside, total)
    integer, intent(in) :: n
    logical, intent(in) :: mask(n)
    real(8), intent(in) :: a(n)
    integer, intent(out) :: inside
    real(8), intent(out) :: total
    integer :: i
    inside = 0
    total = 0
    !$omp parallel do simd reduction(+:inside, total)
    do i = 1, n
      if (mask(i)) then
        inside = inside + 1
        total = total + a(i)
      end if
    end do
  end subroutine
  subroutine integers(n, a, mixed, lowest)
    integer, intent(in) :: n, a(n)
    integer, intent(out) :: mixed, lowest
    integer :: i
    mixed = 0
    lowest = huge(lowest)
    !$omp parallel do simd reduction(ieor:mixed) reduction(min:lowest)
    do i = 1, n
      mixed = ieor(mixed, a(i)*i)
      lowest = min(lowest, ieor(a(i), i))
    end do
  end subroutine
  subroutine recurrence(w, p, q)
    integer, intent(in) :: w
    real(8), intent(in) :: p(w, w, w)
    real(8), intent(inout) :: q(w, w, w)
    integer :: i, j, k
    !$omp parallel do private(i, j)
    do k = 1, w
      do j = 1, w
        do i = 2, w
          q(i, j, k) = 0.5d0*q(i - 1, j, k) + p(i, j, k)
        end do
      end do
    end do
  end subroutine
  subroutine transposed(m, u, v)
    integer, intent(in) :: m
    real(8), intent(in) :: u(m, m)
    real(8), intent(out) :: v(m, m)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, m
      do i = 1, m
        if (u(i, j) > 0.5d0) then
          v(j, i) = sqrt(u(i, j))
        else
          v(j, i) = -u(i, j)
        end if
      end do
    end do
  end subroutine
end module

program warps
  use warp_twins
  use timing
  implicit none
  integer :: n = 2097152, m = 1024, w = 96, i, inside, lowest
  real(8) :: total, squares, largest, least
  real :: greatest
  real(8), allocatable :: a(:), b(:), u(:, :), v(:, :), p(:, :, :), q(:, :, :)
  real, allocatable :: x(:), y(:), f(:, :), g(:, :)
  integer, allocatable :: ia(:), ib(:)
  logical, allocatable :: mask(:)

  a = [(value(i), i=1, n)]
  b = 0*a
  x = [(real(value(i)) + i*1e-8, i=1, n)]
  ia = [(mod(i*7, 13), i=1, n)]
  ib = 0*ia
  do while (more())
    call sums(n, a, total)
  end do
  call report('sum_shuffle', total)
  do while (more())
    call maxima(n, x, greatest)
  end do
  call report('max_shuffle', real(greatest, 8))
  do while (more())
    call scan(n/4, ia, ib)
  end do
  call report('scan_shuffle', checki(n/4, ib))
  y = 0*x
  do while (more())
    call compact(n/4, 0.6, x, y, i)
  end do
  call report('compact', sum(real(y, 8)) + i)
  f = reshape([(real(value(i)), i=1, 256*4*m)], [256, 4*m])
  g = 0*f
  do while (more())
    call layer_norm(4*m, f, g)
  end do
  call report('layer_norm', check4(256*4*m, abs(g)))
  y = [(real(modulo(i*0.6180339887d0, 1d0)), i=1, n)]
  do while (more())
    call place_of_least(n, y, i)
  end do
  call report('place_of_least', real(i, 8))
  do while (more())
    call relax(n, 20, a, b)
  end do
  call report('relax', check8(n, b))
  u = reshape([(value(i), i=1, m*m)], [m, m])
  v = reshape([(value(5*i), i=1, m*m)], [m, m])
  do while (more())
    call gemv(m, u, a, b)
  end do
  call report('gemv_shared', check8(m, b))
  do while (more())
    call vote_any(n/4, y, ib)
  end do
  call report('vote_any', checki(n/4, ib))
  do while (more())
    call stats(n, a, total, squares, largest, least)
  end do
  call report('cuf_stats', total + squares + largest + least)
  do while (more())
    call norms2(m, u, v, largest, total)
  end do
  call report('cuf_norms2', largest + total)
  mask = [(mod(i, 3) == 0, i=1, n)]
  do while (more())
    call masked(n, mask, a, inside, total)
  end do
  call report('cuf_masked', total + inside)
  do while (more())
    call integers(n, ia, inside, lowest)
  end do
  call report('cuf_integers', real(inside, 8) + lowest)
  p = reshape([(value(i), i=1, w**3)], [w, w, w])
  q = 0*p
  do while (more())
    call recurrence(w, p, q)
  end do
  call report('cuf_recurrence', check8(w**3, q))
  do while (more())
    call transposed(m, u, v)
  end do
  call report('cuf_transpose', check8(m*m, v))
end program
