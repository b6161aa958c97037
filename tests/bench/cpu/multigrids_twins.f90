! What multigrids.cuf computes, in OpenMP.
module multigrids_twins
  implicit none
  integer, parameter :: longest = 64, points = 256, ndens = 1, numom = 2, nwmom = 3, nrhot = 4
  real(8), parameter :: c0 = 27.5629410929725921310572974482d0, gamm = 1.40027894002789400278940027894d0, hv = 0.05d0
  complex :: twiddle(0:points - 1)
contains
  subroutine tea_cg(m, steps, kx, ky, b, u, r, p, w, partial)
    integer, intent(in) :: m, steps
    real(8), intent(in), dimension(0:m + 1, 0:m + 1) :: kx, ky, b
    real(8), intent(inout), dimension(0:m + 1, 0:m + 1) :: u, r, p, w
    real(8), intent(inout) :: partial(*)
    real(8) :: rro, rrn, pw
    integer :: i, j, k
    rro = 0
    !$omp parallel do private(i) reduction(+:rro)
    do j = 0, m + 1
      !$omp simd reduction(+:rro)
      do i = 0, m + 1
        u(i, j) = 0
        w(i, j) = 0
        r(i, j) = b(i, j)
        p(i, j) = b(i, j)
        rro = rro + b(i, j)**2
      end do
    end do
    do k = 1, steps
      pw = 0
      !$omp parallel do private(i) reduction(+:pw)
      do j = 1, m
        !$omp simd reduction(+:pw)
        do i = 1, m
          w(i, j) = (1 + ky(i, j + 1) + ky(i, j) + kx(i + 1, j) + kx(i, j))*p(i, j) &
                    - (ky(i, j + 1)*p(i, j + 1) + ky(i, j)*p(i, j - 1)) - (kx(i + 1, j)*p(i + 1, j) + kx(i, j)*p(i - 1, j))
          pw = pw + w(i, j)*p(i, j)
        end do
      end do
      rrn = 0
      !$omp parallel do private(i) reduction(+:rrn)
      do j = 1, m
        !$omp simd reduction(+:rrn)
        do i = 1, m
          u(i, j) = u(i, j) + rro/pw*p(i, j)
          r(i, j) = r(i, j) - rro/pw*w(i, j)
          rrn = rrn + r(i, j)**2
        end do
      end do
      !$omp parallel do private(i)
      do j = 1, m
        !$omp simd
        do i = 1, m
          p(i, j) = r(i, j) + rrn/rro*p(i, j)
        end do
      end do
      rro = rrn
    end do
  end subroutine

  subroutine mini_weather(nx, nz, dx, dt, state, hydens, hytheta, flux, tend)
    integer, intent(in) :: nx, nz
    real(8), intent(in) :: dx, dt, state(-1:nx + 2, -1:nz + 2, 4), hydens(-1:nz + 2), hytheta(-1:nz + 2)
    real(8), intent(inout) :: flux(nx + 1, nz + 1, 4), tend(nx, nz, 4)
    real(8) :: d3(4), vals(4), r, u, w, t, p, hvc
    integer :: i, k, l
    hvc = -hv*dx/(16*dt)
    !$omp parallel do private(i, l, d3, vals, r, u, w, t, p)
    do k = 1, nz
      !$omp simd private(d3, vals, r, u, w, t, p)
      do i = 1, nx + 1
        do l = 1, 4
          vals(l) = -state(i - 2, k, l)/12 + 7*state(i - 1, k, l)/12 + 7*state(i, k, l)/12 - state(i + 1, k, l)/12
          d3(l) = -state(i - 2, k, l) + 3*state(i - 1, k, l) - 3*state(i, k, l) + state(i + 1, k, l)
        end do
        r = vals(ndens) + hydens(k)
        u = vals(numom)/r
        w = vals(nwmom)/r
        t = (vals(nrhot) + hytheta(k))/r
        p = c0*(r*t)**gamm
        flux(i, k, ndens) = r*u - hvc*d3(ndens)
        flux(i, k, numom) = r*u*u + p - hvc*d3(numom)
        flux(i, k, nwmom) = r*u*w - hvc*d3(nwmom)
        flux(i, k, nrhot) = r*u*t - hvc*d3(nrhot)
      end do
    end do
    !$omp parallel do collapse(2) private(i)
    do l = 1, 4
      do k = 1, nz
        !$omp simd
        do i = 1, nx
          tend(i, k, l) = -(flux(i + 1, k, l) - flux(i, k, l))/dx
        end do
      end do
    end do
  end subroutine

  subroutine symgs(nr, nc, rows, nnz, cols, a, b, x)
    integer, intent(in) :: nr, nc, rows(nc, 8), nnz(nr), cols(nr, 27)
    real(8), intent(in) :: a(nr, 27), b(nr)
    real(8), intent(inout) :: x(nr)
    real(8) :: s, d
    integer :: c, cc, t, row, k
    !$omp parallel private(c, cc, t, row, k, s, d)
    do cc = 1, 16
      c = min(cc, 17 - cc)
      !$omp do
      do t = 1, nc
        row = rows(t, c)
        s = b(row)
        d = 1
        do k = 1, nnz(row)
          if (cols(row, k) == row) then
            d = a(row, k)
          else
            s = s - a(row, k)*x(cols(row, k))
          end if
        end do
        x(row) = s/d
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine smooth(l, colour, bi, bj, bk, f, dinv, u)
    integer, intent(in) :: l, colour
    real(8), intent(in), dimension(0:l + 1, 0:l + 1, 0:l + 1) :: bi, bj, bk, f, dinv
    real(8), intent(inout) :: u(0:l + 1, 0:l + 1, 0:l + 1)
    real(8) :: au
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i, au)
    do k = 1, l
      do j = 1, l
        !$omp simd private(au)
        do i = 1 + mod(j + k + colour + 1, 2), l, 2
          au = 0.5d0*u(i, j, k) - (bi(i + 1, j, k)*(u(i + 1, j, k) - u(i, j, k)) + bi(i, j, k)*(u(i - 1, j, k) - u(i, j, k)) &
                                   + bj(i, j + 1, k)*(u(i, j + 1, k) - u(i, j, k)) + bj(i, j, k)*(u(i, j - 1, k) - u(i, j, k)) &
                                   + bk(i, j, k + 1)*(u(i, j, k + 1) - u(i, j, k)) + bk(i, j, k)*(u(i, j, k - 1) - u(i, j, k)))
          u(i, j, k) = u(i, j, k) + dinv(i, j, k)*(f(i, j, k) - au)
        end do
      end do
    end do
  end subroutine
  subroutine multigrid(l, bi, bj, bk, f, dinv, u, r, c)
    integer, intent(in) :: l
    real(8), intent(in), dimension(0:l + 1, 0:l + 1, 0:l + 1) :: bi, bj, bk, f, dinv
    real(8), intent(inout) :: u(0:l + 1, 0:l + 1, 0:l + 1), r(0:l + 1, 0:l + 1, 0:l + 1), c(0:l/2 + 1, 0:l/2 + 1, 0:l/2 + 1)
    integer :: i, j, k, s, ic, jc, kc, di, dj, dk
    real(8) :: au
    !$omp parallel do
    do k = 0, l + 1
      u(:, :, k) = 0
    end do
    do s = 1, 4
      call smooth(l, s, bi, bj, bk, f, dinv, u)
    end do
    !$omp parallel do collapse(2) private(i, au)
    do k = 1, l
      do j = 1, l
        !$omp simd private(au)
        do i = 1, l
          au = 0.5d0*u(i, j, k) - (bi(i + 1, j, k)*(u(i + 1, j, k) - u(i, j, k)) + bi(i, j, k)*(u(i - 1, j, k) - u(i, j, k)) &
                                   + bj(i, j + 1, k)*(u(i, j + 1, k) - u(i, j, k)) + bj(i, j, k)*(u(i, j - 1, k) - u(i, j, k)) &
                                   + bk(i, j, k + 1)*(u(i, j, k + 1) - u(i, j, k)) + bk(i, j, k)*(u(i, j, k - 1) - u(i, j, k)))
          r(i, j, k) = f(i, j, k) - au
        end do
      end do
    end do
    !$omp parallel do collapse(2) private(i)
    do k = 1, l/2
      do j = 1, l/2
        do i = 1, l/2
          c(i, j, k) = 0.125d0*(r(2*i - 1, 2*j - 1, 2*k - 1) + r(2*i, 2*j - 1, 2*k - 1) + r(2*i - 1, 2*j, 2*k - 1) &
                                + r(2*i, 2*j, 2*k - 1) + r(2*i - 1, 2*j - 1, 2*k) + r(2*i, 2*j - 1, 2*k) + r(2*i - 1, 2*j, 2*k) &
                                + r(2*i, 2*j, 2*k))
        end do
      end do
    end do
    !$omp parallel do collapse(2) private(i, ic, jc, kc, di, dj, dk)
    do k = 1, l
      do j = 1, l
        kc = (k + 1)/2
        dk = merge(1, -1, mod(k, 2) == 0)
        jc = (j + 1)/2
        dj = merge(1, -1, mod(j, 2) == 0)
        do ic = 1, l/2
          do di = -1, 1, 2
            i = 2*ic - merge(1, 0, di < 0)
            u(i, j, k) = u(i, j, k) + (27*c(ic, jc, kc) + 9*(c(ic + di, jc, kc) + c(ic, jc + dj, kc) + c(ic, jc, kc + dk)) &
                                       + 3*(c(ic + di, jc + dj, kc) + c(ic + di, jc, kc + dk) + c(ic, jc + dj, kc + dk)) &
                                       + c(ic + di, jc + dj, kc + dk))/64
          end do
        end do
      end do
    end do
    do s = 1, 2
      call smooth(l, s, bi, bj, bk, f, dinv, u)
    end do
  end subroutine

  real(8) function randlc(x, a)
    real(8), intent(inout) :: x
    real(8), intent(in) :: a
    real(8), parameter :: r23 = 0.5d0**23, r46 = r23**2, t23 = 2d0**23, t46 = t23**2
    real(8) :: t1, t2, t3, t4, a1, a2, x1, x2, z
    t1 = r23*a
    a1 = aint(t1)
    a2 = a - t23*a1
    t1 = r23*x
    x1 = aint(t1)
    x2 = x - t23*x1
    t1 = a1*x2 + a2*x1
    t2 = aint(r23*t1)
    z = t1 - t23*t2
    t3 = t23*z + a2*x2
    t4 = aint(r46*t3)
    x = t3 - t46*t4
    randlc = r46*x
  end function
  subroutine ep(nseeds, pairs, seeds, q, sx, sy)
    integer, intent(in) :: nseeds, pairs
    real(8), intent(in) :: seeds(nseeds)
    integer, intent(inout) :: q(0:9)
    real(8), intent(inout) :: sx, sy
    real(8) :: x, x1, x2, t, t2
    integer :: i, k, l
    !$omp parallel do private(x, x1, x2, t, t2, k, l) reduction(+:q, sx, sy)
    do i = 1, nseeds
      x = seeds(i)
      do k = 1, pairs
        x1 = 2*randlc(x, 1220703125d0) - 1
        x2 = 2*randlc(x, 1220703125d0) - 1
        t = x1*x1 + x2*x2
        if (t <= 1 .and. t > 0) then
          t2 = sqrt(-2*log(t)/t)
          x1 = x1*t2
          x2 = x2*t2
          l = int(max(abs(x1), abs(x2)))
          q(l) = q(l) + 1
          sx = sx + x1
          sy = sy + x2
        end if
      end do
    end do
  end subroutine

  subroutine line_residual(l, a0, a2, a3, u, v, r)
    integer, intent(in) :: l
    real(8), intent(in) :: a0, a2, a3, u(l, l, l), v(l, l, l)
    real(8), intent(inout) :: r(l, l, l)
    real(8) :: u1(l), u2(l)
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i, u1, u2)
    do k = 2, l - 1
      do j = 2, l - 1
        !$omp simd
        do i = 1, l
          u1(i) = u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) + u(i, j, k + 1)
          u2(i) = u(i, j - 1, k - 1) + u(i, j + 1, k - 1) + u(i, j - 1, k + 1) + u(i, j + 1, k + 1)
        end do
        !$omp simd
        do i = 2, l - 1
          r(i, j, k) = v(i, j, k) - a0*u(i, j, k) - a2*(u2(i) + u1(i - 1) + u1(i + 1)) - a3*(u2(i - 1) + u2(i + 1))
        end do
      end do
    end do
  end subroutine

  ! The lines of a plane together.
  subroutine penta_lines(l, eps, c, rhs, x)
    integer, intent(in) :: l
    real(8), intent(in) :: eps, c(l, l, l), rhs(l, l, l)
    real(8), intent(out) :: x(l, l, l)
    real(8) :: b1(l, -1:l), b2(l, -1:l), z(l, -1:l + 2), lo1, lo2, d, up1, fac, up
    integer :: i, j, k
    !$omp parallel do private(b1, b2, z, lo1, lo2, d, up1, fac, up, i, j)
    do k = 1, l
      b1(:, -1:0) = 0
      b2(:, -1:0) = 0
      z(:, -1:0) = 0
      do j = 1, l
        lo2 = merge(eps, 0d0, j > 2)
        up = merge(eps, 0d0, j < l - 1)
        !$omp simd private(lo1, up1, d, fac)
        do i = 1, l
          lo1 = 0
          if (j > 1) lo1 = -4*eps - c(i, j - 1, k)
          up1 = 0
          if (j < l) up1 = -4*eps - c(i, j + 1, k)
          lo1 = lo1 - lo2*b1(i, j - 2)
          d = 1 + 6*eps + 2*c(i, j, k) - lo2*b2(i, j - 2) - lo1*b1(i, j - 1)
          fac = rhs(i, j, k) - lo2*z(i, j - 2) - lo1*z(i, j - 1)
          b1(i, j) = (up1 - lo1*b2(i, j - 1))/d
          b2(i, j) = up/d
          z(i, j) = fac/d
        end do
      end do
      z(:, l + 1:l + 2) = 0
      do j = l, 1, -1
        !$omp simd
        do i = 1, l
          z(i, j) = z(i, j) - b1(i, j)*z(i, j + 1) - b2(i, j)*z(i, j + 2)
          x(i, j, k) = z(i, j)
        end do
      end do
    end do
  end subroutine

  subroutine fft256(ns, x, y)
    integer, intent(in) :: ns
    complex, intent(in) :: x(0:points - 1, ns)
    complex, intent(out) :: y(0:points - 1, ns)
    complex :: s(0:points - 1), v(0:points - 1)
    integer :: i
    !$omp parallel do private(s, v)
    do i = 1, ns
      call stage(1, x(:, i), s)
      call stage(4, s, v)
      call stage(16, v, s)
      call stage(64, s, y(:, i))
    end do
  end subroutine
  subroutine stage(m, x, y)
    integer, intent(in) :: m
    complex, intent(in) :: x(0:points - 1)
    complex, intent(out) :: y(0:points - 1)
    complex :: a, b, c, d, w1, w2, w3, bm
    integer :: j, k, t
    do j = 0, 64/m - 1
      w1 = twiddle(j*m)
      w2 = twiddle(2*j*m)
      w3 = twiddle(3*j*m)
      !$omp simd private(a, b, c, d, bm, t)
      do k = 0, m - 1
        t = k + j*m
        a = x(t)
        b = x(t + 64)
        c = x(t + 128)
        d = x(t + 192)
        bm = cmplx(aimag(b) - aimag(d), real(d) - real(b))
        y(k + 4*j*m) = (a + c) + (b + d)
        y(k + 4*j*m + m) = w1*((a - c) + bm)
        y(k + 4*j*m + 2*m) = w2*((a + c) - (b + d))
        y(k + 4*j*m + 3*m) = w3*((a - c) - bm)
      end do
    end do
  end subroutine
end module

program multigrids
  use timing
  use multigrids_twins
  implicit none
  integer :: n = 1000000, m = 512, i, j, k, l, lc, c, nr, nc, nx, nz, di, dj, dk, ns
  real(8), allocatable, dimension(:, :) :: kx, ky, b, u, r, p, w, a
  real(8), allocatable :: partial(:), state(:, :, :), hydens(:), hytheta(:), flux(:, :, :), tend(:, :, :), f(:), x(:)
  real(8), allocatable, dimension(:, :, :) :: bi, bj, bk, f3, dinv, u3, r3, c3
  integer, allocatable :: rows(:, :), nnz(:), cols(:, :), rings(:)
  real(8), allocatable :: seeds(:), sx, sy
  complex, allocatable :: z(:, :), zz(:, :)

  call argument(1, n)
  call argument(2, m)
  allocate (kx(0:m + 1, 0:m + 1))
  allocate (ky, b, u, r, p, w, mold=kx)
  allocate (partial((m/16)*(m/8) + m))
  k = (m + 2)**2
  kx = reshape([(0.5d0 + value(i), i=1, k)], [m + 2, m + 2])
  ky = reshape([(0.5d0 + value(3*i), i=1, k)], [m + 2, m + 2])
  b = reshape([(value(7*i + i/101), i=1, k)], [m + 2, m + 2])
  b(0, :) = 0
  b(m + 1, :) = 0
  b(:, 0) = 0
  b(:, m + 1) = 0
  do while (more())
    call tea_cg(m, 4, kx, ky, b, u, r, p, w, partial)
  end do
  call report('tea_cg', check8(k, u))

  nx = m
  nz = m/2
  allocate (state(-1:nx + 2, -1:nz + 2, 4), hydens(-1:nz + 2), hytheta(-1:nz + 2), flux(nx + 1, nz + 1, 4), tend(nx, nz, 4))
  state = reshape([(0.1d0*(value(3*i + i/17) - 0.5d0), i=1, 4*(nx + 4)*(nz + 4))], [nx + 4, nz + 4, 4])
  hydens = [(1.2d0*exp(-0.5d0*i/nz), i=-1, nz + 2)]
  hytheta = 300*hydens
  flux = 0
  do while (more())
    call mini_weather(nx, nz, 10d0, 0.02d0, state, hydens, hytheta, flux, tend)
  end do
  call report('mini_weather', check8(4*nx*nz, abs(tend)))

  l = nint(real(m)**(2/3.0))
  lc = 2*(l/4)
  nr = lc**3
  nc = nr/8
  allocate (rows(nc, 8), nnz(nr), cols(nr, 27), a(nr, 27), f(nr), x(nr))
  rows = 0
  cols = 0
  a = 0
  nnz = 0
  do c = 0, 7
    l = 0
    do i = 0, nr - 1
      if (mod(i, 2) + 2*mod(i/lc, 2) + 4*mod(i/lc**2, 2) /= c) cycle
      l = l + 1
      rows(l, c + 1) = i + 1
    end do
  end do
  do i = 0, nr - 1
    do dk = -1, 1
      do dj = -1, 1
        do di = -1, 1
          if (mod(i, lc) + di < 0 .or. mod(i, lc) + di >= lc .or. mod(i/lc, lc) + dj < 0 .or. mod(i/lc, lc) + dj >= lc &
              .or. i/lc**2 + dk < 0 .or. i/lc**2 + dk >= lc) cycle
          nnz(i + 1) = nnz(i + 1) + 1
          cols(i + 1, nnz(i + 1)) = i + 1 + di + lc*(dj + lc*dk)
          a(i + 1, nnz(i + 1)) = merge(26, -1, di == 0 .and. dj == 0 .and. dk == 0)
        end do
      end do
    end do
  end do
  f = [(value(i), i=1, nr)]
  x = 0
  do while (more())
    x = 0
    call symgs(nr, nc, rows, nnz, cols, a, f, x)
  end do
  call report('symgs', check8(nr, x))

  l = 2*(nint(real(m)**(2/3.0))/2)
  allocate (bi(0:l + 1, 0:l + 1, 0:l + 1), c3(0:l/2 + 1, 0:l/2 + 1, 0:l/2 + 1))
  allocate (bj, bk, f3, dinv, u3, r3, mold=bi)
  k = (l + 2)**3
  bi = reshape([(0.5d0 + value(i), i=1, k)], [l + 2, l + 2, l + 2])
  bj = reshape([(0.5d0 + value(3*i), i=1, k)], [l + 2, l + 2, l + 2])
  bk = reshape([(0.5d0 + value(5*i), i=1, k)], [l + 2, l + 2, l + 2])
  f3 = reshape([(value(7*i) - 0.5d0, i=1, k)], [l + 2, l + 2, l + 2])
  dinv = 0
  do k = 1, l
    do j = 1, l
      do i = 1, l
        dinv(i, j, k) = 1/(0.5d0 + bi(i, j, k) + bi(i + 1, j, k) + bj(i, j, k) + bj(i, j + 1, k) + bk(i, j, k) + bk(i, j, k + 1))
      end do
    end do
  end do
  c3 = 0
  r3 = 0
  do while (more())
    call multigrid(l, bi, bj, bk, f3, dinv, u3, r3, c3)
  end do
  call report('multigrid', check8((l + 2)**3, abs(u3)))

  ns = n/500
  allocate (seeds(ns), rings(0:9), sx, sy)
  seeds = [(aint(value(i + i/1009)*1d12) + 271828183 + 2*i, i=1, ns)]
  do while (more())
    rings = 0
    sx = 0
    sy = 0
    call ep(ns, 64, seeds, rings, sx, sy)
  end do
  call report('ep', checki(10, rings) + abs(sx) + abs(sy))

  deallocate (u3, r3)
  allocate (u3(l, l, l), r3(l, l, l))
  deallocate (bi)
  allocate (bi(l, l, l))
  bi = reshape([(value(3*i), i=1, l**3)], [l, l, l])
  u3 = reshape([(value(5*i), i=1, l**3)], [l, l, l])
  r3 = 0
  do while (more())
    call line_residual(l, -8d0/3, 1d0/6, 1d0/12, u3, bi, r3)
  end do
  call report('line_residual', check8(l**3, abs(r3)))

  l = min(l, longest)
  do while (more())
    call penta_lines(l, 0.1d0, u3, bi, r3)
  end do
  call report('penta_lines', check8(l**3, r3))

  ns = n/points
  allocate (z(points, ns), zz(points, ns))
  z = reshape([(cmplx(value(i), value(3*i)), i=1, points*ns)], [points, ns])
  twiddle = [(exp(cmplx(0.0, real(-6.283185307179586d0*i/points))), i=0, points - 1)]
  do while (more())
    call fft256(ns, z, zz)
  end do
  call report('fft_radix4', check4(points*ns, abs(zz)))
end program
