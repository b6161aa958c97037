! What studies.cuf computes, in OpenMP.
module studies_twins
  implicit none
  integer, parameter :: taps = 15, dims = 4, centres = 16, neighbours = 24
  real :: weights(-taps/2:taps/2)
  real :: centre(dims, centres)
contains
  subroutine gray_scott_step(n, du, dv, f, k, dt, u, v, un, vn)
    integer, intent(in) :: n
    real(8), intent(in) :: du, dv, f, k, dt, u(n, n), v(n, n)
    real(8), intent(out) :: un(n, n), vn(n, n)
    integer :: i, j, d, t, l, r
    !$omp parallel do private(i, d, t, l, r)
    do j = 1, n
      d = merge(n, j - 1, j == 1)
      t = merge(1, j + 1, j == n)
      do i = 2, n - 1
        un(i, j) = u(i, j) + dt*(du*(u(i - 1, j) + u(i + 1, j) + u(i, d) + u(i, t) - 4*u(i, j)) &
                                 - u(i, j)*v(i, j)*v(i, j) + f*(1 - u(i, j)))
        vn(i, j) = v(i, j) + dt*(dv*(v(i - 1, j) + v(i + 1, j) + v(i, d) + v(i, t) - 4*v(i, j)) &
                                 + u(i, j)*v(i, j)*v(i, j) - (f + k)*v(i, j))
      end do
      do i = 1, n, n - 1
        l = merge(n, i - 1, i == 1)
        r = merge(1, i + 1, i == n)
        un(i, j) = u(i, j) + dt*(du*(u(l, j) + u(r, j) + u(i, d) + u(i, t) - 4*u(i, j)) &
                                 - u(i, j)*v(i, j)*v(i, j) + f*(1 - u(i, j)))
        vn(i, j) = v(i, j) + dt*(dv*(v(l, j) + v(r, j) + v(i, d) + v(i, t) - 4*v(i, j)) &
                                 + u(i, j)*v(i, j)*v(i, j) - (f + k)*v(i, j))
      end do
    end do
  end subroutine

  subroutine bilateral(nx, ny, s, a, b)
    integer, intent(in) :: nx, ny
    real, intent(in) :: s, a(nx, ny)
    real, intent(out) :: b(nx, ny)
    integer :: i, j, di, dj, x, y
    real :: w, sum, norm
    !$omp parallel do private(i, di, dj, x, y, w, sum, norm)
    do j = 1, ny
      do i = 1, nx
        sum = 0
        norm = 0
        do dj = -2, 2
          y = min(max(j + dj, 1), ny)
          do di = -2, 2
            x = min(max(i + di, 1), nx)
            w = exp(-(di*di + dj*dj)*0.1 - s*(a(x, y) - a(i, j))**2)
            sum = sum + w*a(x, y)
            norm = norm + w
          end do
        end do
        b(i, j) = sum/norm
      end do
    end do
  end subroutine

  subroutine lorenz(n, steps, h, p)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: h
    real(8), intent(inout) :: p(3, n)
    real(8) :: y(3), k1(3), k2(3), k3(3), k4(3)
    integer :: i, s
    !$omp parallel do private(y, k1, k2, k3, k4, s)
    do i = 1, n
      y = p(:, i)
      do s = 1, steps
        k1 = slope(y)
        k2 = slope(y + 0.5d0*h*k1)
        k3 = slope(y + 0.5d0*h*k2)
        k4 = slope(y + h*k3)
        y = y + h/6*(k1 + 2*k2 + 2*k3 + k4)
      end do
      p(:, i) = y
    end do
  end subroutine
  pure function slope(y) result(d)
    real(8), intent(in) :: y(3)
    real(8) :: d(3)
    d(1) = 10*(y(2) - y(1))
    d(2) = y(1)*(28 - y(3)) - y(2)
    d(3) = y(1)*y(2) - 8d0/3*y(3)
  end function

  subroutine assign_clusters(n, x, label, counts)
    integer, intent(in) :: n
    real, intent(in) :: x(n, dims)
    integer, intent(out) :: label(n)
    integer, intent(inout) :: counts(centres)
    integer :: i, k, d, nearest
    real :: best, distance
    !$omp parallel do private(k, d, nearest, best, distance) reduction(+: counts)
    do i = 1, n
      best = huge(best)
      nearest = 0
      do k = 1, centres
        distance = 0
        do d = 1, dims
          distance = distance + (x(i, d) - centre(d, k))**2
        end do
        if (distance < best) then
          best = distance
          nearest = k
        end if
      end do
      label(i) = nearest
      counts(nearest) = counts(nearest) + 1
    end do
  end subroutine

  subroutine stockham(half, l, x, y)
    integer, intent(in) :: half, l
    complex, intent(in) :: x(0:2*half - 1)
    complex, intent(out) :: y(0:2*half - 1)
    integer :: j, k
    complex :: w, a, b
    !$omp parallel do private(k, w, a, b)
    do j = 0, half/l - 1
      w = exp(cmplx(0.0, -3.14159265*j*l/half))
      do k = 0, l - 1
        a = x(k + j*l)
        b = x(k + j*l + half)
        y(k + 2*j*l) = a + b
        y(k + 2*j*l + l) = w*(a - b)
      end do
    end do
  end subroutine

  pure real(8) function limited(a, b)
    real(8), intent(in) :: a, b
    limited = 0
    if (a*b > 0) limited = 2*a*b/(a + b)
  end function
  subroutine advect(n, m, c, q, qn)
    integer, intent(in) :: n, m
    real(8), intent(in) :: c, q(n, m)
    real(8), intent(out) :: qn(n, m)
    integer :: i, j
    real(8) :: left, right, s0, s1
    !$omp parallel do private(i, left, right, s0, s1)
    do j = 1, m
      qn(1:2, j) = q(1:2, j)
      qn(n - 1:n, j) = q(n - 1:n, j)
      do i = 3, n - 2
        s0 = limited(q(i - 1, j) - q(i - 2, j), q(i, j) - q(i - 1, j))
        s1 = limited(q(i, j) - q(i - 1, j), q(i + 1, j) - q(i, j))
        left = q(i - 1, j) + 0.5d0*(1 - c)*s0
        right = q(i, j) + 0.5d0*(1 - c)*s1
        qn(i, j) = q(i, j) - c*(right - left)
      end do
    end do
  end subroutine

  subroutine invert4(n, a)
    integer, intent(in) :: n
    real, intent(inout) :: a(4, 4, n)
    real :: m(4, 4), p, f
    integer :: i, r, k
    !$omp parallel do private(m, p, f, r, k)
    do i = 1, n
      m = a(:, :, i)
      do k = 1, 4
        p = 1/m(k, k)
        m(k, k) = 1
        m(k, :) = m(k, :)*p
        do r = 1, 4
          if (r /= k) then
            f = m(r, k)
            m(r, k) = 0
            m(r, :) = m(r, :) - f*m(k, :)
          end if
        end do
      end do
      a(:, :, i) = m
    end do
  end subroutine

  subroutine jacobi_change(n, u, f, v, change)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n, n), f(n, n)
    real(8), intent(out) :: v(n, n), change
    real(8) :: new
    integer :: i, j
    change = 0
    !$omp parallel do private(i, new) reduction(max: change)
    do j = 2, n - 1
      !$omp simd private(new) reduction(max: change)
      do i = 2, n - 1
        new = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
        change = max(change, abs(new - u(i, j)))
        v(i, j) = new
      end do
    end do
  end subroutine

  subroutine listed_forces(n, x, list, f)
    integer, intent(in) :: n, list(neighbours, n)
    real, intent(in) :: x(3, n)
    real, intent(out) :: f(3, n)
    integer :: i, j, k
    real :: dx, dy, dz, r2, r6, s, fx, fy, fz
    !$omp parallel do private(j, k, dx, dy, dz, r2, r6, s, fx, fy, fz)
    do i = 1, n
      fx = 0
      fy = 0
      fz = 0
      do k = 1, neighbours
        j = list(k, i)
        dx = x(1, i) - x(1, j)
        dy = x(2, i) - x(2, j)
        dz = x(3, i) - x(3, j)
        r2 = dx*dx + dy*dy + dz*dz
        if (r2 < 6.25 .and. r2 > 0.01) then
          r6 = 1/(r2*r2*r2)
          s = 48*r6*(r6 - 0.5)/r2
          fx = fx + s*dx
          fy = fy + s*dy
          fz = fz + s*dz
        end if
      end do
      f(1, i) = fx
      f(2, i) = fy
      f(3, i) = fz
    end do
  end subroutine

  subroutine filter15(n, a, b)
    integer, intent(in) :: n
    real, intent(in) :: a(n)
    real, intent(out) :: b(n)
    integer :: i, k
    real :: sum
    !$omp parallel do private(k, sum)
    do i = 1 + taps/2, n - taps/2
      sum = 0
      do k = -taps/2, taps/2
        sum = sum + weights(k)*a(i + k)
      end do
      b(i) = sum
    end do
    do i = 1, n
      if (i > taps/2 .and. i <= n - taps/2) cycle
      sum = 0
      do k = max(-taps/2, 1 - i), min(taps/2, n - i)
        sum = sum + weights(k)*a(i + k)
      end do
      b(i) = sum
    end do
  end subroutine

  subroutine ewald(n, m, alpha, x, q, e)
    integer, intent(in) :: n, m
    real(8), intent(in) :: alpha, x(3, n), q(n)
    real(8), intent(out) :: e(n)
    integer :: i, j
    real(8) :: r, sum
    !$omp parallel do private(j, r, sum)
    do i = 1, n
      sum = 0
      do j = 1, m
        r = sqrt((x(1, i) - x(1, j))**2 + (x(2, i) - x(2, j))**2 + (x(3, i) - x(3, j))**2 + 1d-6)
        sum = sum + q(j)*erfc(alpha*r)/r
      end do
      e(i) = q(i)*sum
    end do
  end subroutine

  subroutine splines(n, m, table, x, y)
    integer, intent(in) :: n, m
    real, intent(in) :: table(m), x(n)
    real, intent(out) :: y(n)
    integer :: i, k
    real :: s, p0, p1, p2, p3
    !$omp parallel do private(k, s, p0, p1, p2, p3)
    do i = 1, n
      s = x(i)*(m - 4) + 2
      k = int(s)
      s = s - k
      p0 = table(k - 1)
      p1 = table(k)
      p2 = table(k + 1)
      p3 = table(k + 2)
      y(i) = p1 + 0.5*s*(p2 - p0 + s*(2*p0 - 5*p1 + 4*p2 - p3 + s*(3*(p1 - p2) + p3 - p0)))
    end do
  end subroutine

  subroutine sor_colour(n, colour, w, f, u)
    integer, intent(in) :: n, colour
    real(8), intent(in) :: w, f(n, n)
    real(8), intent(inout) :: u(n, n)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 2, n - 1
      do i = 2 + mod(j + colour, 2), n - 1, 2
        u(i, j) = (1 - w)*u(i, j) + w*0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
      end do
    end do
  end subroutine

  subroutine dot_tree(n, a, b, total)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(inout) :: total
    integer :: i
    !$omp parallel do simd reduction(+: total)
    do i = 1, n
      total = total + a(i)*b(i)
    end do
  end subroutine
end module
program studies
  use timing
  use studies_twins
  implicit none
  integer :: n = 1000000, m = 512, i, k, na, nc, half, l, nb
  real(8), allocatable :: u(:, :), v(:, :), un(:, :), vn(:, :), p(:, :), q(:), e(:), a8(:), b8(:)
  real(8), allocatable :: p0(:, :)
  real(8) :: total, change
  real, allocatable :: a(:, :), b(:, :), x(:, :), m4(:, :, :), m0(:, :, :), f(:, :), r(:), s(:), table(:), xx(:, :)
  complex, allocatable :: c(:), d(:)
  integer, allocatable :: label(:), counts(:), list(:, :)

  call argument(1, n)
  call argument(2, m)
  allocate (u(m, m), v(m, m), un(m, m), vn(m, m), a(m, m), b(m, m))
  u = reshape([(1 - 0.5d0*value(i + i/m), i=1, m*m)], [m, m])
  v = reshape([(0.3d0*value(3*i + i/m), i=1, m*m)], [m, m])
  do while (more())
    call gray_scott_step(m, 0.16d0, 0.08d0, 0.035d0, 0.065d0, 1d0, u, v, un, vn)
  end do
  call report('gray_scott', check8(m*m, un) + check8(m*m, vn))

  a = real(u)
  do while (more())
    call bilateral(m, m, 3.0, a, b)
  end do
  call report('bilateral', check4(m*m, b))

  na = n/200
  allocate (p(3, na), p0(3, na))
  p0 = reshape([(value(i) + 1, i=1, 3*na)], [3, na])
  do while (more())
    p = p0
    call lorenz(na, 100, 0.01d0, p)
  end do
  call report('lorenz', check8(3*na, p))

  nc = n/4
  allocate (x(nc, dims), label(nc), counts(centres))
  x = reshape([(real(value(7*i + i/nc)), i=1, nc*dims)], [nc, dims])
  centre = reshape([(real(0.013d0 + 0.97d0*value(77*i)), i=1, centres*dims)], [dims, centres]) ! no ties
  do while (more())
    counts = 0
    call assign_clusters(nc, x, label, counts)
  end do
  call report('assign_clusters', checki(nc, label) + checki(centres, counts))

  half = 2**int(log(real(n/2))/log(2.0))
  allocate (c(2*half), d(2*half))
  c = [(cmplx(value(i), value(3*i)), i=1, 2*half)]
  do while (more())
    l = 1
    do k = 1, 4
      call stockham(half, l, c, d)
      l = 2*l
    end do
  end do
  call report('stockham', sum([(real(abs(d(i)), 8), i=1, 2*half)]))

  do while (more())
    call advect(m, m, 0.4d0, u, un)
  end do
  call report('advect', check8(m*m, un))

  nb = n/20
  allocate (m4(4, 4, nb), m0(4, 4, nb))
  m0 = reshape([(real(value(i)) + merge(3, 0, mod(i - 1, 16)/4 == mod(i - 1, 4)), i=1, 16*nb)], [4, 4, nb])
  do while (more())
    m4 = m0
    call invert4(nb, m4)
  end do
  call report('invert4', check4(16*nb, m4))

  do while (more())
    call jacobi_change(m, u, v, un, change)
  end do
  call report('jacobi_change', change*1000 + sum(un(2:m - 1, 2:m - 1)))

  na = n/20
  allocate (xx(3, na), list(neighbours, na), f(3, na))
  xx = reshape([(real(merge(i/3*0.05, 0.0, mod(i, 3) == 1) + 2*value(i)), i=1, 3*na)], [3, na])
  list = reshape([(1 + modulo(i/neighbours + mod(i*7, 61) - 30, na), i=1, neighbours*na)], [neighbours, na])
  do while (more())
    call listed_forces(na, xx, list, f)
  end do
  call report('listed_forces', check4(3*na, f))

  weights = [(1.0/(k*k + 1), k=-taps/2, taps/2)]
  allocate (r(n), s(n))
  r = [(real(value(i)), i=1, n)]
  do while (more())
    call filter15(n, r, s)
  end do
  call report('filter15', check4(n, s))

  na = n/500
  deallocate (p)
  allocate (p(3, na), q(na), e(na))
  p = reshape([(4*value(i + i/9), i=1, 3*na)], [3, na])
  q = [(value(5*i) - 0.5d0, i=1, na)]
  do while (more())
    call ewald(na, min(na, 512), 0.8d0, p, q, e)
  end do
  call report('ewald', check8(na, e))

  allocate (table(1000))
  table = [(sin(0.01*i), i=1, 1000)]
  do while (more())
    call splines(n, 1000, table, r, s)
  end do
  call report('splines', check4(n, s))

  do while (more())
    un = u
    call sor_colour(m, 0, 1.5d0, v, un)
    call sor_colour(m, 1, 1.5d0, v, un)
  end do
  call report('sor_colour', check8(m*m, un))

  allocate (a8(n), b8(n))
  a8 = [(value(i), i=1, n)]
  b8 = [(value(3*i), i=1, n)]
  do while (more())
    total = 0
    call dot_tree(n, a8, b8, total)
  end do
  call report('dot_tree', total)
end program
