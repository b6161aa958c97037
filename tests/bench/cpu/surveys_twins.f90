! What surveys.cuf computes, in OpenMP.
module surveys_twins
  implicit none
contains
  subroutine kde(n, m, x, at, h, density)
    integer :: n, m, i, j
    real :: h, x(n), at(m), density(m), s
    !$omp parallel do private(s, j)
    do i = 1, m
      s = 0
      !$omp simd reduction(+:s)
      do j = 1, n
        s = s + exp(-0.5*((at(i) - x(j))/h)**2)
      end do
      density(i) = s/(n*h*2.5066283)
    end do
  end subroutine
  subroutine covariance(n, m, x, mean, cov)
    integer :: n, m, i, j, k
    real(8) :: x(n, m), mean(m), cov(m, m), s
    !$omp parallel do private(i, k, s)
    do j = 1, m
      do i = 1, m
        s = 0
        !$omp simd reduction(+:s)
        do k = 1, n
          s = s + (x(k, i) - mean(i))*(x(k, j) - mean(j))
        end do
        cov(i, j) = s/(n - 1)
      end do
    end do
  end subroutine
  subroutine moments(n, m, x, res)
    integer :: n, m, i, j
    real :: x(n, m)
    real(8) :: res(3, m), a, b, c, v
    !$omp parallel do private(i, a, b, c, v)
    do j = 1, m
      a = 0; b = 0; c = 0
      !$omp simd reduction(+:a, b, c)
      do i = 1, n
        v = x(i, j)
        a = a + v
        b = b + v*v
        c = c + v*v*v
      end do
      a = a/n
      v = b/n - a*a
      res(1, j) = a
      res(2, j) = v
      res(3, j) = (c/n - 3*a*b/n + 2*a**3)/v**1.5d0
    end do
  end subroutine
  subroutine gauss_jordan(nb, a, b)
    integer, parameter :: m = 20
    integer :: nb, p, k, j, piv
    real(8) :: a(m, m, nb), b(m, m, nb), s(m, 2*m), f(m), row
    !$omp parallel do private(k, j, piv, s, f, row)
    do p = 1, nb
      s(:, 1:m) = a(:, :, p)
      s(:, m + 1:) = 0
      do k = 1, m
        s(k, m + k) = 1
      end do
      do k = 1, m
        piv = k - 1 + maxloc(abs(s(k:m, k)), 1)
        if (piv /= k) then
          do j = 1, 2*m
            row = s(k, j); s(k, j) = s(piv, j); s(piv, j) = row
          end do
        end if
        f = s(:, k)
        do j = 1, 2*m
          row = s(k, j)/f(k)
          s(:, j) = s(:, j) - f*row
          s(k, j) = row
        end do
      end do
      b(:, :, p) = s(:, m + 1:)
    end do
  end subroutine
  subroutine sandpile(nb, z, w)
    integer, parameter :: m = 16
    integer :: nb, z(m, m, nb), w(m, m, nb), s(0:m + 1, 0:m + 1), v(m, m), p, i, j
    !$omp parallel do private(s, v, i, j)
    do p = 1, nb
      s = 0
      s(1:m, 1:m) = z(:, :, p)
      do
        do j = 1, m
          do i = 1, m
            v(i, j) = mod(s(i, j), 4) + s(i - 1, j)/4 + s(i + 1, j)/4 + s(i, j - 1)/4 + s(i, j + 1)/4
          end do
        end do
        s(1:m, 1:m) = v
        if (all(v <= 3)) exit
      end do
      w(:, :, p) = s(1:m, 1:m)
    end do
  end subroutine
  subroutine recurrence(n, m, a, b, y)
    integer :: n, m, i, j
    real(8) :: a(n, m), b(n, m), y(n, m), s
    !$omp parallel do private(i, s)
    do j = 1, m
      s = 0
      do i = 1, n
        s = a(i, j)*s + b(i, j)
        y(i, j) = s
      end do
    end do
  end subroutine
  subroutine rejection(n, x, y, tries)
    integer :: n, tries(n), i, t
    real :: x(n), y(n), a, b
    integer(8) :: s
    !$omp parallel do private(s, t, a, b)
    do i = 1, n
      s = i*48271_8
      t = 0
      do
        s = mod(s*48271_8, 2147483647_8)
        a = real(s)/2147483647.*2 - 1
        s = mod(s*48271_8, 2147483647_8)
        b = real(s)/2147483647.*2 - 1
        t = t + 1
        if (a*a + b*b < 1) exit
      end do
      x(i) = a; y(i) = b; tries(i) = t
    end do
  end subroutine
  subroutine hausdorff(n, m, a, b, d)
    integer :: n, m, i, j
    real :: a(3, n), b(3, m), d, least
    d = 0
    !$omp parallel do private(j, least) reduction(max:d)
    do i = 1, n
      least = huge(1.)
      !$omp simd reduction(min:least)
      do j = 1, m
        least = min(least, (a(1, i) - b(1, j))**2 + (a(2, i) - b(2, j))**2 + (a(3, i) - b(3, j))**2)
      end do
      d = max(d, least)
    end do
    d = sqrt(d)
  end subroutine
end module

program surveys
  use timing
  use surveys_twins
  implicit none
  integer, parameter :: nx = 4000, mx = 2000, ns = 512, ms = 192, nr = 2000, mr = 1000, nb = 300, mg = 20, np = 200, side = 16
  integer, parameter :: nw = 640, mw = 300, nj = 96000, na = 3000, nh = 1000
  integer :: i, part = 1, few
  real, allocatable :: x(:), at(:), s(:), z(:, :), p(:, :), q(:, :), u(:), v(:)
  real(8), allocatable :: a(:, :), c(:, :), mean(:), res(:, :), g(:, :, :), h(:, :, :), ra(:, :), rb(:, :), ry(:, :)
  integer, allocatable :: grains(:, :, :), calm(:, :, :), tries(:)
  real(8), allocatable :: host(:, :), host3(:, :, :)
  real, allocatable :: host4(:)
  integer, allocatable :: numbers(:, :, :), counts(:)
  real :: d

  call argument(1, i)
  if (command_argument_count() > 0 .and. i < 100000) part = 8
  few = mx/part
  allocate (x(nx), at(few), s(few))
  x = [(real(value(i)), i=1, nx)]
  at = [(real(value(5*i)), i=1, few)]
  do while (more())
    call kde(nx, few, x, at, 0.05, s)
  end do
  host4 = s
  call report('kde', check4(few, host4))

  allocate (a(ns, ms), c(ms, ms), mean(ms))
  host = reshape([(value(i), i=1, ns*ms)], [ns, ms])
  a = host
  mean = sum(host, 1)/ns
  do while (more())
    call covariance(ns, ms, a, mean, c)
  end do
  host = c
  call report('covariance', check8(ms*ms, host))

  few = mr/part
  allocate (z(nr, few), res(3, few))
  z = reshape([(real(value(i)), i=1, nr*few)], [nr, few])
  do while (more())
    call moments(nr, few, z, res)
  end do
  host = res
  call report('moments', check8(3*few, host))

  allocate (g(mg, mg, nb), h(mg, mg, nb))
  host3 = reshape([(value(i + i/23), i=1, mg*mg*nb)], [mg, mg, nb])
  do i = 1, mg
    host3(i, i, :) = host3(i, i, :) + 3
  end do
  g = host3
  do while (more())
    call gauss_jordan(nb, g, h)
  end do
  host3 = h
  call report('gauss_jordan', check8(mg*mg*nb, host3))

  few = np/part
  allocate (grains(side, side, few), calm(side, side, few))
  numbers = reshape([(int(8*value(i)), i=1, side*side*few)], [side, side, few])
  grains = numbers
  do while (more())
    call sandpile(few, grains, calm)
  end do
  numbers = calm
  call report('sandpile', checki(side*side*few, numbers))

  allocate (ra(nw, mw), rb(nw, mw), ry(nw, mw))
  ra = reshape([(value(i), i=1, nw*mw)], [nw, mw])
  rb = reshape([(value(3*i), i=1, nw*mw)], [nw, mw])
  do while (more())
    call recurrence(nw, mw, ra, rb, ry)
  end do
  host = ry
  call report('recurrence', check8(nw*mw, host))

  allocate (u(nj), v(nj), tries(nj))
  do while (more())
    call rejection(nj, u, v, tries)
  end do
  counts = tries
  host4 = u
  call report('rejection', checki(nj, counts) + check4(nj, host4))

  few = na/part
  allocate (p(3, few), q(3, nh))
  p = reshape([(real(value(i)), i=1, 3*few)], [3, few])
  q = reshape([(real(value(7*i) + value(i)/9), i=1, 3*nh)], [3, nh])
  do while (more())
    call hausdorff(few, nh, p, q, d)
  end do
  call report('cuf_hausdorff', real(d, 8))
end program
