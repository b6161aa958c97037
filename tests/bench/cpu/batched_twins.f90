! What batched.cuf computes, in OpenMP.
module batched_twins
  implicit none
contains
  subroutine inverse3(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(3, 3, n)
    real(8), intent(out) :: b(3, 3, n)
    real(8) :: d
    integer :: i
    !$omp parallel do private(d)
    do i = 1, n
      d = a(1, 1, i)*(a(2, 2, i)*a(3, 3, i) - a(2, 3, i)*a(3, 2, i)) - a(1, 2, i)*(a(2, 1, i)*a(3, 3, i) - a(2, 3, i)*a(3, 1, i)) &
          + a(1, 3, i)*(a(2, 1, i)*a(3, 2, i) - a(2, 2, i)*a(3, 1, i))
      d = 1/d
      b(1, 1, i) = d*(a(2, 2, i)*a(3, 3, i) - a(2, 3, i)*a(3, 2, i))
      b(2, 1, i) = d*(a(2, 3, i)*a(3, 1, i) - a(2, 1, i)*a(3, 3, i))
      b(3, 1, i) = d*(a(2, 1, i)*a(3, 2, i) - a(2, 2, i)*a(3, 1, i))
      b(1, 2, i) = d*(a(1, 3, i)*a(3, 2, i) - a(1, 2, i)*a(3, 3, i))
      b(2, 2, i) = d*(a(1, 1, i)*a(3, 3, i) - a(1, 3, i)*a(3, 1, i))
      b(3, 2, i) = d*(a(1, 2, i)*a(3, 1, i) - a(1, 1, i)*a(3, 2, i))
      b(1, 3, i) = d*(a(1, 2, i)*a(2, 3, i) - a(1, 3, i)*a(2, 2, i))
      b(2, 3, i) = d*(a(1, 3, i)*a(2, 1, i) - a(1, 1, i)*a(2, 3, i))
      b(3, 3, i) = d*(a(1, 1, i)*a(2, 2, i) - a(1, 2, i)*a(2, 1, i))
    end do
  end subroutine
  subroutine solve_pivot(n, a, b, x)
    integer, intent(in) :: n
    integer, parameter :: s = 5
    real(8), intent(in) :: a(n, s, s), b(n, s)
    real(8), intent(out) :: x(n, s)
    real(8) :: m(s, s), r(s), t, f
    integer :: i, j, k, l, p
    !$omp parallel do private(m, r, t, f, j, k, l, p)
    do i = 1, n
      m = a(i, :, :)
      r = b(i, :)
      do k = 1, s
        p = k
        do j = k + 1, s
          if (abs(m(j, k)) > abs(m(p, k))) p = j
        end do
        if (p /= k) then
          do l = k, s
            t = m(k, l)
            m(k, l) = m(p, l)
            m(p, l) = t
          end do
          t = r(k)
          r(k) = r(p)
          r(p) = t
        end if
        do j = k + 1, s
          f = m(j, k)/m(k, k)
          do l = k + 1, s
            m(j, l) = m(j, l) - f*m(k, l)
          end do
          r(j) = r(j) - f*r(k)
        end do
      end do
      do k = s, 1, -1
        do l = k + 1, s
          r(k) = r(k) - m(k, l)*r(l)
        end do
        r(k) = r(k)/m(k, k)
        x(i, k) = r(k)
      end do
    end do
  end subroutine
  subroutine lu4(n, a, u)
    integer, intent(in) :: n
    real, intent(in) :: a(4, 4, n)
    real, intent(out) :: u(4, 4, n)
    real :: m(4, 4)
    integer :: i, j, k, l
    !$omp parallel do private(m, j, k, l)
    do i = 1, n
      m = a(:, :, i)
      do k = 1, 3
        do j = k + 1, 4
          m(j, k) = m(j, k)/m(k, k)
          do l = k + 1, 4
            m(j, l) = m(j, l) - m(j, k)*m(k, l)
          end do
        end do
      end do
      u(:, :, i) = m
    end do
  end subroutine
  subroutine cholesky6(n, a, l)
    integer, intent(in) :: n
    real(8), intent(in) :: a(6, 6, n)
    real(8), intent(inout) :: l(6, 6, n)
    real(8) :: s
    integer :: i, j, k, q
    !$omp parallel do private(s, j, k, q)
    do i = 1, n
      do j = 1, 6
        s = a(j, j, i)
        do k = 1, j - 1
          s = s - l(j, k, i)**2
        end do
        l(j, j, i) = sqrt(s)
        do q = j + 1, 6
          s = a(q, j, i)
          do k = 1, j - 1
            s = s - l(q, k, i)*l(j, k, i)
          end do
          l(q, j, i) = s/l(j, j, i)
        end do
      end do
    end do
  end subroutine
  ! Blocks of columns that fit in the cache, levels outside.
  subroutine tridiagonal_outer(n, nz, a, b, c, d, x)
    integer, intent(in) :: n, nz
    real(8), intent(in) :: a(n, nz), b(n, nz), c(n, nz), d(n, nz)
    real(8), intent(out) :: x(n, nz)
    integer, parameter :: s = 64
    real(8) :: cp(s, 64), dp(s, 64), w
    integer :: i, k, first, last
    !$omp parallel do private(cp, dp, w, i, k, last)
    do first = 0, n - 1, s
      last = min(s, n - first)
      do i = 1, last
        cp(i, 1) = c(first + i, 1)/b(first + i, 1)
        dp(i, 1) = d(first + i, 1)/b(first + i, 1)
      end do
      do k = 2, nz
        !$omp simd private(w)
        do i = 1, last
          w = 1/(b(first + i, k) - a(first + i, k)*cp(i, k - 1))
          cp(i, k) = c(first + i, k)*w
          dp(i, k) = (d(first + i, k) - a(first + i, k)*dp(i, k - 1))*w
        end do
      end do
      x(first + 1:first + last, nz) = dp(:last, nz)
      do k = nz - 1, 1, -1
        !$omp simd
        do i = 1, last
          x(first + i, k) = dp(i, k) - cp(i, k)*x(first + i, k + 1)
        end do
      end do
    end do
  end subroutine
  subroutine tridiagonal_inner(n, nz, a, b, c, d, x)
    integer, intent(in) :: n, nz
    real(8), intent(in) :: a(nz, n), b(nz, n), c(nz, n), d(nz, n)
    real(8), intent(out) :: x(nz, n)
    real(8) :: cp(64), w
    integer :: i, k
    !$omp parallel do private(cp, w, k)
    do i = 1, n
      cp(1) = c(1, i)/b(1, i)
      x(1, i) = d(1, i)/b(1, i)
      do k = 2, nz
        w = 1/(b(k, i) - a(k, i)*cp(k - 1))
        cp(k) = c(k, i)*w
        x(k, i) = (d(k, i) - a(k, i)*x(k - 1, i))*w
      end do
      do k = nz - 1, 1, -1
        x(k, i) = x(k, i) - cp(k)*x(k + 1, i)
      end do
    end do
  end subroutine
  subroutine radiation(n, nz, tau, temp, up, down)
    integer, intent(in) :: n, nz
    real, intent(in) :: tau(n, nz), temp(n, nz)
    real, intent(out) :: up(n, nz + 1), down(n, nz + 1)
    real :: t, source
    integer :: i, k, first
    !$omp parallel do private(i, k, t, source)
    do first = 1, n, 256
      down(first:min(n, first + 255), 1) = 0
      do k = 1, nz
        !$omp simd private(t, source)
        do i = first, min(n, first + 255)
          t = exp(-1.66*tau(i, k))
          source = 5.67e-8*temp(i, k)**4
          down(i, k + 1) = down(i, k)*t + (1 - t)*source
        end do
      end do
      up(first:min(n, first + 255), nz + 1) = 5.67e-8*temp(first:min(n, first + 255), nz)**4
      do k = nz, 1, -1
        !$omp simd private(t, source)
        do i = first, min(n, first + 255)
          t = exp(-1.66*tau(i, k))
          source = 5.67e-8*temp(i, k)**4
          up(i, k) = up(i, k + 1)*t + (1 - t)*source
        end do
      end do
    end do
  end subroutine
  subroutine fft256(blocks, x)
    integer, intent(in) :: blocks
    complex, intent(inout) :: x(256, blocks)
    complex :: s(0:255), r(0:255), w(0:127)
    complex :: a, b
    integer :: t, half, j, k, c
    !$omp parallel do private(s, r, w, a, b, t, half, j, k)
    do c = 1, blocks
      s = x(:, c)
      half = 1
      do while (half < 256)
        do k = 0, half - 1
          w(k) = cmplx(cos(3.14159265*k/half), -sin(3.14159265*k/half))
        end do
        do j = 0, 127, half
          do k = 0, half - 1
            a = s(j + k)
            b = w(k)*s(j + k + 128)
            r(2*j + k) = a + b
            r(2*j + k + half) = a - b
          end do
        end do
        s = r
        half = half*2
      end do
      x(:, c) = s
    end do
  end subroutine
  subroutine matmul_registers(m, a, b, c)
    integer, intent(in) :: m
    real, intent(in) :: a(m, m), b(m, m)
    real, intent(out) :: c(m, m)
    integer :: i, j, k
    !$omp parallel do private(i, k)
    do j = 1, m
      c(:, j) = 0
      do k = 1, m
        do i = 1, m
          c(i, j) = c(i, j) + a(i, k)*b(k, j)
        end do
      end do
    end do
  end subroutine
  subroutine upper(n, x, d)
    integer, intent(in) :: n
    real, intent(in) :: x(3, n)
    real, intent(inout) :: d(n, n)
    integer :: i, j
    !$omp parallel do private(i) schedule(guided)
    do j = 1, n
      !$omp simd
      do i = 1, j - 1
        d(i, j) = sqrt((x(1, i) - x(1, j))**2 + (x(2, i) - x(2, j))**2 + (x(3, i) - x(3, j))**2)
      end do
    end do
  end subroutine
  subroutine pair_energy(n, x, e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: e(n)
    real(8) :: s
    integer :: i, j
    !$omp parallel do private(j, s) schedule(dynamic, 64)
    do i = 1, n
      s = 0
      !$omp simd reduction(+:s)
      do j = i + 1, n
        s = s + 1/(1 + abs(x(i) - x(j)))
      end do
      e(i) = s
    end do
  end subroutine
  subroutine kepler(n, m, ecc, e)
    integer, intent(in) :: n
    real(8), intent(in) :: m(n), ecc(n)
    real(8), intent(out) :: e(n)
    real(8) :: x, d
    integer :: i, k
    !$omp parallel do private(x, d, k)
    do i = 1, n
      x = m(i)
      do k = 1, 30
        d = (x - ecc(i)*sin(x) - m(i))/(1 - ecc(i)*cos(x))
        x = x - d
        if (abs(d) < 1d-12) exit
      end do
      e(i) = x
    end do
  end subroutine
  subroutine newton(n, a, b, root, steps)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(out) :: root(n)
    integer, intent(out) :: steps(n)
    real(8) :: x, f
    integer :: i, k
    !$omp parallel do private(x, f, k)
    do i = 1, n
      x = 1
      do k = 1, 50
        f = x**5 + a(i)*x - b(i)
        if (abs(f) < 1d-11) exit
        x = x - f/(5*x**4 + a(i))
      end do
      root(i) = x
      steps(i) = k
    end do
  end subroutine
  pure function lorenz(y, sigma, rho, beta) result(f)
    real(8), intent(in) :: y(3), sigma, rho, beta
    real(8) :: f(3)
    f(1) = sigma*(y(2) - y(1))
    f(2) = y(1)*(rho - y(3)) - y(2)
    f(3) = y(1)*y(2) - beta*y(3)
  end function
  subroutine runge_kutta(n, steps, dt, y0)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: dt
    real(8), intent(inout) :: y0(3, n)
    real(8) :: y(3), k1(3), k2(3), k3(3), k4(3)
    integer :: i, s
    !$omp parallel do private(y, k1, k2, k3, k4, s)
    do i = 1, n
      y = y0(:, i)
      do s = 1, steps
        k1 = lorenz(y, 10d0, 28d0, 8d0/3)
        k2 = lorenz(y + 0.5d0*dt*k1, 10d0, 28d0, 8d0/3)
        k3 = lorenz(y + 0.5d0*dt*k2, 10d0, 28d0, 8d0/3)
        k4 = lorenz(y + dt*k3, 10d0, 28d0, 8d0/3)
        y = y + dt/6*(k1 + 2*k2 + 2*k3 + k4)
      end do
      y0(:, i) = y
    end do
  end subroutine
  subroutine complex_poly(n, z, w)
    integer, intent(in) :: n
    complex(8), intent(in) :: z(n)
    complex(8), intent(out) :: w(n)
    complex(8) :: c
    integer :: i
    !$omp parallel do private(c)
    do i = 1, n
      c = z(i)
      w(i) = ((c + (1d0, 2d0))*c - conjg(c))*c + (0.5d0, -0.25d0)/(c + (2d0, 1d0)) + abs(c)
    end do
  end subroutine
  subroutine eigen3(n, a, w)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, 6)
    real(8), intent(out) :: w(n, 3)
    real(8) :: q, p, p1, r, phi, b11, b22, b33
    integer :: i
    !$omp parallel do private(q, p, p1, r, phi, b11, b22, b33)
    do i = 1, n
      p1 = a(i, 4)**2 + a(i, 5)**2 + a(i, 6)**2
      q = (a(i, 1) + a(i, 2) + a(i, 3))/3
      b11 = a(i, 1) - q
      b22 = a(i, 2) - q
      b33 = a(i, 3) - q
      p = sqrt((b11**2 + b22**2 + b33**2 + 2*p1)/6)
      r = 0.5d0*(b11*(b22*b33 - a(i, 6)**2) - a(i, 4)*(a(i, 4)*b33 - a(i, 6)*a(i, 5)) &
                 + a(i, 5)*(a(i, 4)*a(i, 6) - b22*a(i, 5)))/p**3
      phi = acos(max(-1d0, min(1d0, r)))/3
      w(i, 1) = q + 2*p*cos(phi)
      w(i, 3) = q + 2*p*cos(phi + 2.0943951023931953d0)
      w(i, 2) = 3*q - w(i, 1) - w(i, 3)
    end do
  end subroutine
end module

program batched
  use batched_twins
  use timing
  implicit none
  integer :: n = 100000, nc = 16384, nz = 60, m = 320, i, j, k
  real(8), allocatable :: a(:, :, :), b(:, :, :), r(:, :), x(:, :), ta(:, :), tb(:, :), tc(:, :), td(:, :), tx(:, :)
  real(8), allocatable :: va(:), vb(:), vc(:), y(:, :), b2(:, :)
  real, allocatable :: f(:, :, :), g(:, :, :), ma(:, :), mb(:, :), mc(:, :), ra(:, :), rt(:, :), ru(:, :), rd(:, :)
  complex, allocatable :: z(:, :), hz(:, :)
  complex(8), allocatable :: zz(:), zw(:)
  integer, allocatable :: steps(:)

  a = reshape([(((value(i + 3*j + 11*k) + merge(2, 0, i == j), i=1, 3), j=1, 3), k=1, n)], [3, 3, n])
  b = 0*a
  do while (more())
    call inverse3(n, a, b)
  end do
  call report('inverse3', check8(9*n, b))
  a = reshape([(((value(i*7 + 3*j + 11*k) + merge(0.3d0, 0d0, j == k), i=1, n), j=1, 5), k=1, 5)], [n, 5, 5])
  r = reshape([(value(i), i=1, 5*n)], [n, 5])
  x = 0*r
  do while (more())
    call solve_pivot(n, a, r, x)
  end do
  call report('solve_pivot', check8(5*n, x))
  f = reshape([(((real(value(i + 3*j + 11*k) + merge(3, 0, i == j)), i=1, 4), j=1, 4), k=1, n)], [4, 4, n])
  g = 0*f
  do while (more())
    call lu4(n, f, g)
  end do
  call report('lu4', check4(16*n, g))
  a = reshape([(((value(i + j + 11*k) + merge(6, 0, i == j), i=1, 6), j=1, 6), k=1, n)], [6, 6, n])
  b = 0*a
  do while (more())
    call cholesky6(n, a, b)
  end do
  call report('cholesky6', check8(36*n, b))
  ta = reshape([(value(i), i=1, nc*nz)], [nc, nz])
  td = ta
  tb = ta + 3
  tx = 0*ta
  tc = reshape([(value(3*i), i=1, nc*nz)], [nc, nz])
  do while (more())
    call tridiagonal_outer(nc, nz, ta, tb, tc, td, tx)
  end do
  call report('tridiagonal_outer', check8(nc*nz, tx))
  do while (more())
    call tridiagonal_inner(nc, nz, ta, tb, tc, td, tx)
  end do
  call report('tridiagonal_inner', check8(nc*nz, tx))
  ra = reshape([(real(value(i)), i=1, nc*nz)], [nc, nz])
  rt = 200 + 100*ra
  allocate (ru(nc, nz + 1), rd(nc, nz + 1))
  do while (more())
    call radiation(nc, nz, ra, rt, ru, rd)
  end do
  call report('radiation', check4(nc*nz + nc, ru) + check4(nc*nz + nc, rd))
  hz = reshape([(cmplx(real(value(i)), real(value(3*i))), i=1, 256*1024)], [256, 1024])
  do while (more())
    z = hz
    call fft256(1024, z)
  end do
  call report('fft256', sum(abs(real(z, 8))) + sum(abs(real(aimag(z), 8))))
  ma = reshape([(real(value(i)), i=1, m*m)], [m, m])
  mb = ma
  mc = ma
  do while (more())
    call matmul_registers(m, ma, mb, mc)
  end do
  call report('matmul_registers', check4(m*m, mc))
  ma = reshape([(real(value(i)), i=1, 3*1024)], [3, 1024])
  deallocate (mb)
  allocate (mb(1024, 1024))
  mb = 0
  do while (more())
    call upper(1024, ma, mb)
  end do
  call report('upper', check4(1024*1024, mb))
  va = [(value(i) + 1d-6*i, i=1, n)]
  allocate (vb(n), vc(n), steps(n))
  do while (more())
    call pair_energy(4096, va, vb)
  end do
  call report('pair_energy', check8(4096, vb))
  va = [(6*value(i), i=1, n)]
  vb = [(0.8d0*value(3*i + i/50), i=1, n)]
  do while (more())
    call kepler(n, va, vb, vc)
  end do
  call report('kepler', check8(n, vc))
  do while (more())
    call newton(n, vb, va, vc, steps)
  end do
  call report('newton', check8(n, vc) + 1d-6*checki(n, steps))
  b2 = reshape([(value(i) + 1, i=1, 60000)], [3, 20000])
  do while (more())
    y = b2
    call runge_kutta(20000, 50, 0.005d0, y)
  end do
  call report('runge_kutta', check8(60000, y))
  zz = [(cmplx(value(i), value(3*i), 8), i=1, n)]
  zw = zz
  do while (more())
    call complex_poly(n, zz, zw)
  end do
  call report('complex_poly', check8(n, real(zw)) + check8(n, aimag(zw)))
  y = reshape([(value(i) + 1, i=1, 6*n)], [n, 6])
  deallocate (x)
  allocate (x(n, 3))
  do while (more())
    call eigen3(n, y, x)
  end do
  call report('eigen3', check8(3*n, x))
end program
