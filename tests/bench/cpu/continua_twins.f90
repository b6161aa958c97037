! What continua.cuf computes, in OpenMP.
module continuum_twins
  implicit none
  integer, parameter :: nq = 8
  type mhd_state
    real(8) :: rho, p, v(3), b(3)
  end type
  real(8) :: dmat(nq, nq)
  real, allocatable :: vx(:, :), vz(:, :), sxx(:, :), szz(:, :), sxz(:, :), buoyancy(:, :), sponge(:)
contains
  subroutine element_gradient(ne, gx, gy, gz, u, w)
    integer, intent(in) :: ne
    real(8), intent(in) :: gx(ne), gy(ne), gz(ne), u(nq, nq, nq, ne)
    real(8), intent(out) :: w(nq, nq, nq, ne)
    real(8) :: r(nq), s(nq), t(nq)
    integer :: i, j, k, l, e
    !$omp parallel do private(i, j, k, l, r, s, t)
    do e = 1, ne
      do k = 1, nq
        do j = 1, nq
          r = 0
          s = 0
          t = 0
          do l = 1, nq
            !$omp simd
            do i = 1, nq
              r(i) = r(i) + dmat(i, l)*u(l, j, k, e)
              s(i) = s(i) + dmat(j, l)*u(i, l, k, e)
              t(i) = t(i) + dmat(k, l)*u(i, j, l, e)
            end do
          end do
          do i = 1, nq
            w(i, j, k, e) = gx(e)*r(i) + gy(e)*s(i) + gz(e)*t(i)
          end do
        end do
      end do
    end do
  end subroutine
  pure real(8) function minmod(a, b)
    real(8), intent(in) :: a, b
    minmod = 0
    if (a*b > 0) minmod = sign(min(abs(a), abs(b)), a)
  end function
  pure subroutine hllc(l, r, f)
    real(8), intent(in) :: l(4), r(4)
    real(8), intent(out) :: f(4)
    real(8) :: al, ar, sl, sr, sm, el, er, c, ps
    al = sqrt(1.4d0*l(4)/l(1))
    ar = sqrt(1.4d0*r(4)/r(1))
    sl = min(l(2) - al, r(2) - ar)
    sr = max(l(2) + al, r(2) + ar)
    sm = (r(4) - l(4) + l(1)*l(2)*(sl - l(2)) - r(1)*r(2)*(sr - r(2)))/(l(1)*(sl - l(2)) - r(1)*(sr - r(2)))
    el = 2.5d0*l(4) + 0.5d0*l(1)*(l(2)**2 + l(3)**2)
    er = 2.5d0*r(4) + 0.5d0*r(1)*(r(2)**2 + r(3)**2)
    if (sm >= 0) then
      f = [l(1)*l(2), l(1)*l(2)**2 + l(4), l(1)*l(2)*l(3), (el + l(4))*l(2)]
      if (sl < 0) then
        c = l(1)*(sl - l(2))/(sl - sm)
        ps = sm + l(4)/(l(1)*(sl - l(2)))
        f = f + sl*([c, c*sm, c*l(3), c*(el/l(1) + (sm - l(2))*ps)] - [l(1), l(1)*l(2), l(1)*l(3), el])
      end if
    else
      f = [r(1)*r(2), r(1)*r(2)**2 + r(4), r(1)*r(2)*r(3), (er + r(4))*r(2)]
      if (sr > 0) then
        c = r(1)*(sr - r(2))/(sr - sm)
        ps = sm + r(4)/(r(1)*(sr - r(2)))
        f = f + sr*([c, c*sm, c*r(3), c*(er/r(1) + (sm - r(2))*ps)] - [r(1), r(1)*r(2), r(1)*r(3), er])
      end if
    end if
  end subroutine
  subroutine muscl_faces(nx, ny, q, f)
    integer, intent(in) :: nx, ny
    real(8), intent(in) :: q(nx, ny, 4)
    real(8), intent(inout) :: f(nx, ny, 4)
    real(8) :: left(4), right(4), flux(4), c
    integer :: i, j, v
    !$omp parallel do private(i, v, left, right, flux, c)
    do j = 1, ny
      !$omp simd private(v, left, right, flux, c)
      do i = 2, nx - 2
        do v = 1, 4
          c = q(i + 1, j, v) - q(i, j, v)
          left(v) = q(i, j, v) + 0.5d0*minmod(q(i, j, v) - q(i - 1, j, v), c)
          right(v) = q(i + 1, j, v) - 0.5d0*minmod(c, q(i + 2, j, v) - q(i + 1, j, v))
        end do
        call hllc(left, right, flux)
        do v = 1, 4
          f(i, j, v) = flux(v)
        end do
      end do
    end do
  end subroutine
  subroutine mhd_speed(n, q, speed, energy)
    integer, intent(in) :: n
    type(mhd_state), intent(in) :: q(n, n)
    real(8), intent(out) :: speed, energy
    real(8) :: a2, b2, cf
    integer :: i, j, d
    speed = 0
    energy = 0
    !$omp parallel do private(i, d, a2, b2, cf) reduction(max:speed) reduction(+:energy)
    do j = 1, n
      !$omp simd private(d, a2, b2, cf) reduction(max:speed) reduction(+:energy)
      do i = 1, n
        a2 = 5*q(i, j)%p/(3*q(i, j)%rho)
        b2 = (q(i, j)%b(1)**2 + q(i, j)%b(2)**2 + q(i, j)%b(3)**2)/q(i, j)%rho
        do d = 1, 2
          cf = sqrt(0.5d0*(a2 + b2 + sqrt(max(0d0, (a2 + b2)**2 - 4*a2*q(i, j)%b(d)**2/q(i, j)%rho))))
          speed = max(speed, abs(q(i, j)%v(d)) + cf)
        end do
        energy = energy + 1.5d0*q(i, j)%p + 0.5d0*q(i, j)%rho*(dot_product(q(i, j)%v, q(i, j)%v) + b2)
      end do
    end do
  end subroutine
  ! Chemical potential of all, then the step.
  subroutine cahn_hilliard(n, dt, gam, c, cn)
    integer, intent(in) :: n
    real(8), intent(in) :: dt, gam, c(n, n)
    real(8), intent(out) :: cn(n, n)
    real(8), allocatable, save :: mu(:, :)
    integer :: i, j, jm, jp
    if (.not. allocated(mu)) allocate (mu(n, n))
    !$omp parallel private(i, jm, jp)
    !$omp do
    do j = 1, n
      jm = modulo(j - 2, n) + 1
      jp = modulo(j, n) + 1
      mu(1, j) = c(1, j)**3 - c(1, j) - gam*(c(n, j) + c(2, j) + c(1, jm) + c(1, jp) - 4*c(1, j))
      do i = 2, n - 1
        mu(i, j) = c(i, j)**3 - c(i, j) - gam*(c(i - 1, j) + c(i + 1, j) + c(i, jm) + c(i, jp) - 4*c(i, j))
      end do
      mu(n, j) = c(n, j)**3 - c(n, j) - gam*(c(n - 1, j) + c(1, j) + c(n, jm) + c(n, jp) - 4*c(n, j))
    end do
    !$omp do
    do j = 1, n
      jm = modulo(j - 2, n) + 1
      jp = modulo(j, n) + 1
      cn(1, j) = c(1, j) + dt*(mu(n, j) + mu(2, j) + mu(1, jm) + mu(1, jp) - 4*mu(1, j))
      do i = 2, n - 1
        cn(i, j) = c(i, j) + dt*(mu(i - 1, j) + mu(i + 1, j) + mu(i, jm) + mu(i, jp) - 4*mu(i, j))
      end do
      cn(n, j) = c(n, j) + dt*(mu(n - 1, j) + mu(1, j) + mu(n, jm) + mu(n, jp) - 4*mu(n, j))
    end do
    !$omp end parallel
  end subroutine
  subroutine elastic(nx, nz, dt)
    integer, intent(in) :: nx, nz
    real, intent(in) :: dt
    real, parameter :: c1 = 9/8., c2 = -1/24.
    integer :: i, k
    !$omp parallel do private(i)
    do k = 3, nz - 2
      !$omp simd
      do i = 3, nx - 2
        vx(i, k) = sponge(i)*sponge(k)*(vx(i, k) + dt*buoyancy(i, k)*( &
                   c1*(sxx(i, k) - sxx(i - 1, k)) + c2*(sxx(i + 1, k) - sxx(i - 2, k)) &
                   + c1*(sxz(i, k) - sxz(i, k - 1)) + c2*(sxz(i, k + 1) - sxz(i, k - 2))))
        vz(i, k) = sponge(i)*sponge(k)*(vz(i, k) + dt*buoyancy(i, k)*( &
                   c1*(sxz(i + 1, k) - sxz(i, k)) + c2*(sxz(i + 2, k) - sxz(i - 1, k)) &
                   + c1*(szz(i, k + 1) - szz(i, k)) + c2*(szz(i, k + 2) - szz(i, k - 1))))
      end do
    end do
  end subroutine
  ! Thomas
  subroutine pcr(ns, a, b, c, d, x)
    integer, intent(in) :: ns
    real(8), intent(in) :: a(128, ns), b(128, ns), c(128, ns), d(128, ns)
    real(8), intent(out) :: x(128, ns)
    real(8) :: cp(128), dp(128), m
    integer :: i, s
    !$omp parallel do private(i, cp, dp, m)
    do s = 1, ns
      cp(1) = c(1, s)/b(1, s)
      dp(1) = d(1, s)/b(1, s)
      do i = 2, 128
        m = 1/(b(i, s) - a(i, s)*cp(i - 1))
        cp(i) = c(i, s)*m
        dp(i) = (d(i, s) - a(i, s)*dp(i - 1))*m
      end do
      x(128, s) = dp(128)
      do i = 127, 1, -1
        x(i, s) = dp(i) - cp(i)*x(i + 1, s)
      end do
    end do
  end subroutine
  pure subroutine solve3(a, r, x)
    real(8), intent(in) :: a(3, 3), r(3)
    real(8), intent(out) :: x(3)
    real(8) :: c(3), det
    c(1) = a(2, 2)*a(3, 3) - a(2, 3)*a(3, 2)
    c(2) = a(2, 3)*a(3, 1) - a(2, 1)*a(3, 3)
    c(3) = a(2, 1)*a(3, 2) - a(2, 2)*a(3, 1)
    det = 1/(a(1, 1)*c(1) + a(1, 2)*c(2) + a(1, 3)*c(3))
    x(1) = det*(r(1)*c(1) + a(1, 2)*(a(2, 3)*r(3) - r(2)*a(3, 3)) + a(1, 3)*(r(2)*a(3, 2) - a(2, 2)*r(3)))
    x(2) = det*(a(1, 1)*(r(2)*a(3, 3) - a(2, 3)*r(3)) + r(1)*c(2) + a(1, 3)*(a(2, 1)*r(3) - r(2)*a(3, 1)))
    x(3) = det*(a(1, 1)*(a(2, 2)*r(3) - r(2)*a(3, 2)) + a(1, 2)*(r(2)*a(3, 1) - a(2, 1)*r(3)) + r(1)*c(3))
  end subroutine
  subroutine robertson(n, dt, y, yn, steps)
    integer, intent(in) :: n
    real(8), intent(in) :: dt, y(n, 3)
    real(8), intent(out) :: yn(n, 3)
    integer, intent(out) :: steps(n)
    real(8) :: jac(3, 3), g(3), c(3), o(3), dx(3), change
    integer :: i, step, it, total
    !$omp parallel do private(step, it, total, jac, g, c, o, dx, change)
    do i = 1, n
      c = y(i, :)
      total = 0
      do step = 1, 3
        o = c
        it = 0
        change = 1
        do while (change > 1d-10 .and. it < 8)
          g(1) = c(1) - o(1) - dt*(-0.04d0*c(1) + 1d4*c(2)*c(3))
          g(2) = c(2) - o(2) - dt*(0.04d0*c(1) - 1d4*c(2)*c(3) - 3d7*c(2)**2)
          g(3) = c(3) - o(3) - dt*3d7*c(2)**2
          jac(1, 1) = 1 + dt*0.04d0
          jac(1, 2) = -dt*1d4*c(3)
          jac(1, 3) = -dt*1d4*c(2)
          jac(2, 1) = -dt*0.04d0
          jac(2, 2) = 1 + dt*(1d4*c(3) + 6d7*c(2))
          jac(2, 3) = dt*1d4*c(2)
          jac(3, 1) = 0
          jac(3, 2) = -dt*6d7*c(2)
          jac(3, 3) = 1
          call solve3(jac, g, dx)
          c = c - dx
          change = maxval(abs(dx))
          it = it + 1
        end do
        total = total + it
      end do
      yn(i, :) = c
      steps(i) = total
    end do
  end subroutine
  subroutine level_set(h, dt, phi0, phi, new)
    real(8), intent(in) :: h, dt
    real(8), intent(in), contiguous :: phi0(:, :), phi(:, :)
    real(8), intent(out), contiguous :: new(:, :)
    integer :: i, j, jm, jp, n
    n = size(phi, 1)
    !$omp parallel do private(i, jm, jp)
    do j = 1, size(phi, 2)
      jm = max(j - 1, 1)
      jp = min(j + 1, size(phi, 2))
      new(1, j) = godunov(h, dt, phi0(1, j), phi(1, j), phi(1, j), phi(2, j), phi(1, jm), phi(1, jp))
      !$omp simd
      do i = 2, n - 1
        new(i, j) = godunov(h, dt, phi0(i, j), phi(i, j), phi(i - 1, j), phi(i + 1, j), phi(i, jm), phi(i, jp))
      end do
      new(n, j) = godunov(h, dt, phi0(n, j), phi(n, j), phi(n - 1, j), phi(n, j), phi(n, jm), phi(n, jp))
    end do
  end subroutine
  pure real(8) function godunov(h, dt, p0, p, pw, pe, ps, pn)
    real(8), intent(in) :: h, dt, p0, p, pw, pe, ps, pn
    real(8) :: a, b, c, d, s, g
    a = (p - pw)/h
    b = (pe - p)/h
    c = (p - ps)/h
    d = (pn - p)/h
    s = p0/sqrt(p0**2 + h*h)
    if (p0 > 0) then
      g = sqrt(max(max(a, 0d0)**2, min(b, 0d0)**2) + max(max(c, 0d0)**2, min(d, 0d0)**2)) - 1
    else if (p0 < 0) then
      g = sqrt(max(min(a, 0d0)**2, max(b, 0d0)**2) + max(min(c, 0d0)**2, max(d, 0d0)**2)) - 1
    else
      g = 0
    end if
    godunov = p - dt*s*g
  end function
end module

program continua
  use timing
  use continuum_twins
  implicit none
  integer :: i, j, m = 768, ne = 600, ns = 1000, nr = 10000, mx = 256, mq = 400
  real(8), allocatable :: p(:, :), gx(:), gy(:), gz(:), u4(:, :, :, :), w4(:, :, :, :), q3(:, :, :), f3(:, :, :)
  type(mhd_state), allocatable :: q(:, :)
  real(8), allocatable :: c(:, :), d(:, :), sa(:, :), sb(:, :), sc(:, :), sd(:, :), sx(:, :), y(:, :), yn(:, :)
  integer, allocatable :: steps(:)
  real, allocatable :: r(:, :), s(:, :), hv(:, :)
  real(8) :: speed, energy

  allocate (gx(ne), gy(ne), gz(ne), u4(nq, nq, nq, ne), w4(nq, nq, nq, ne))
  dmat = reshape([(value(i) - 0.5d0, i=1, nq*nq)], [nq, nq])
  gx = [(1 + value(i), i=1, ne)]
  gy = [(1 + value(2*i), i=1, ne)]
  gz = [(1 + value(3*i), i=1, ne)]
  u4 = reshape([(value(i), i=1, ne*nq**3)], [nq, nq, nq, ne])
  do while (more())
    call element_gradient(ne, gx, gy, gz, u4, w4)
  end do
  call report('element_gradient', check8(ne*nq**3, w4))

  allocate (q3(mx, mx, 4), f3(mx, mx, 4))
  do j = 1, mx
    do i = 1, mx
      q3(i, j, :) = [1 + value(i*j), 2*value(i + 3*j) - 1, value(i + j) - 0.5d0, 0.3d0 + value(7*i + j)]
    end do
  end do
  f3 = 0
  do while (more())
    call muscl_faces(mx, mx, q3, f3)
  end do
  call report('muscl_faces', check8(4*mx*mx, f3))

  allocate (q(mq, mq))
  do j = 1, mq
    do i = 1, mq
      q(i, j) = mhd_state(1 + value(i*j), 1 + value(i + j), [value(3*i + j), value(5*i + j), value(7*i + j)], &
                          [value(i + 3*j), value(i + 5*j), value(i + 7*j)])
    end do
  end do
  do while (more())
    call mhd_speed(mq, q, speed, energy)
  end do
  call report('mhd_speed', 1d3*speed + energy)

  allocate (c(m, m), d(m, m))
  c = reshape([(2*value(i) - 1, i=1, m*m)], [m, m])
  do while (more())
    call cahn_hilliard(m, 0.01d0, 0.5d0, c, d)
  end do
  call report('cahn_hilliard', check8(m*m, d))

  allocate (vx(m, m), vz(m, m), sxx(m, m), szz(m, m), sxz(m, m), buoyancy(m, m), sponge(m), hv(m, m), r(m, m), s(m, m))
  hv = c
  vx = 0
  vz = 0
  sxx = hv
  hv = hv(m:1:-1, :)
  szz = hv
  hv = transpose(hv)
  sxz = hv
  hv = 1 + 0.5*hv
  buoyancy = hv
  hv(:, 1) = [(1 - 0.05*max(0, 20 - i, i - m + 20)/20., i=1, m)]
  sponge = hv(:, 1)
  do while (more())
    call elastic(m, m, 0.01)
  end do
  r = vx
  s = vz
  call report('elastic', check4(m*m, r) + check4(m*m, s))

  allocate (sa(128, ns), sb(128, ns), sc(128, ns), sd(128, ns), sx(128, ns))
  sa = reshape([(-0.5d0 - value(i)/2, i=1, 128*ns)], [128, ns])
  sc = reshape([(-0.5d0 - value(3*i)/2, i=1, 128*ns)], [128, ns])
  sb = reshape([(2.5d0 + value(7*i), i=1, 128*ns)], [128, ns])
  sd = reshape([(value(5*i), i=1, 128*ns)], [128, ns])
  do while (more())
    call pcr(ns, sa, sb, sc, sd, sx)
  end do
  call report('pcr', check8(128*ns, sx))

  allocate (y(nr, 3), yn(nr, 3), steps(nr))
  y(:, 1) = [(1 - 0.3d0*value(i), i=1, nr)]
  y(:, 2) = [(1d-5*value(3*i), i=1, nr)]
  y(:, 3) = [(0.3d0*value(i), i=1, nr)]
  do while (more())
    call robertson(nr, 0.1d0, y, yn, steps)
  end do
  call report('robertson', check8(nr, yn(:, 1)) + 1d4*check8(nr, yn(:, 2)) + check8(nr, yn(:, 3)) + 1d-6*sum(steps))

  allocate (p(m, m))
  do j = 1, m
    do i = 1, m
      c(i, j) = 150 - sqrt((i - 384.3d0)**2 + (j - 379.1d0)**2)
      p(i, j) = c(i, j)*(1 + 0.3d0*value(i*j))
    end do
  end do
  do while (more())
    call level_set(1d0, 0.3d0, c, p, d)
  end do
  call report('level_set', check8(m*m, d))
end program
