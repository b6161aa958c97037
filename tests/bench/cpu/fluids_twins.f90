! What fluids.cuf computes, in OpenMP.
module fluid_twins
  implicit none
  integer :: ex(19), ey(19), ez(19)
  real :: wq(19)
  real(8), parameter :: wave(0:4) = [-2.847222d0, 1.6d0, -0.2d0, 0.02539682d0, -0.001785714d0]
contains
  subroutine lbm_soa(m, omega, f, g)
    integer, intent(in) :: m
    real(8), intent(in) :: omega, f(m, m, 0:8)
    real(8), intent(out) :: g(m, m, 0:8)
    real(8) :: f0, f1, f2, f3, f4, f5, f6, f7, f8, rho, u, v, q, keep
    integer :: i, j, im, ip, jm, jp
    keep = 1 - omega
    !$omp parallel do private(i, im, ip, jm, jp, f0, f1, f2, f3, f4, f5, f6, f7, f8, rho, u, v, q)
    do j = 1, m
      jm = merge(m, j - 1, j == 1)
      jp = merge(1, j + 1, j == m)
      do i = 1, m
        im = merge(m, i - 1, i == 1)
        ip = merge(1, i + 1, i == m)
        f0 = f(i, j, 0)
        f1 = f(im, j, 1)
        f2 = f(i, jm, 2)
        f3 = f(ip, j, 3)
        f4 = f(i, jp, 4)
        f5 = f(im, jm, 5)
        f6 = f(ip, jm, 6)
        f7 = f(ip, jp, 7)
        f8 = f(im, jp, 8)
        rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8
        u = (f1 + f5 + f8 - f3 - f6 - f7)/rho
        v = (f2 + f5 + f6 - f4 - f7 - f8)/rho
        q = 1 - 1.5d0*(u*u + v*v)
        g(i, j, 0) = keep*f0 + omega*(4d0/9)*rho*q
        g(i, j, 1) = keep*f1 + omega*(1d0/9)*rho*(q + 3*u + 4.5d0*u*u)
        g(i, j, 2) = keep*f2 + omega*(1d0/9)*rho*(q + 3*v + 4.5d0*v*v)
        g(i, j, 3) = keep*f3 + omega*(1d0/9)*rho*(q - 3*u + 4.5d0*u*u)
        g(i, j, 4) = keep*f4 + omega*(1d0/9)*rho*(q - 3*v + 4.5d0*v*v)
        g(i, j, 5) = keep*f5 + omega*(1d0/36)*rho*(q + 3*(u + v) + 4.5d0*(u + v)**2)
        g(i, j, 6) = keep*f6 + omega*(1d0/36)*rho*(q + 3*(v - u) + 4.5d0*(v - u)**2)
        g(i, j, 7) = keep*f7 + omega*(1d0/36)*rho*(q - 3*(u + v) + 4.5d0*(u + v)**2)
        g(i, j, 8) = keep*f8 + omega*(1d0/36)*rho*(q + 3*(u - v) + 4.5d0*(u - v)**2)
      end do
    end do
  end subroutine
  subroutine lbm_aos(m, omega, f, g)
    integer, intent(in) :: m
    real(8), intent(in) :: omega, f(0:8, m, m)
    real(8), intent(out) :: g(0:8, m, m)
    real(8), parameter :: cx(0:8) = [0, 1, 0, -1, 0, 1, -1, -1, 1], cy(0:8) = [0, 0, 1, 0, -1, 1, 1, -1, -1]
    real(8), parameter :: w(0:8) = [4/9d0, 1/9d0, 1/9d0, 1/9d0, 1/9d0, 1/36d0, 1/36d0, 1/36d0, 1/36d0]
    real(8) :: c(0:8), rho, u, v, q, cu
    integer :: i, j, k, im, ip, jm, jp
    !$omp parallel do private(i, k, im, ip, jm, jp, c, rho, u, v, q, cu)
    do j = 1, m
      jm = modulo(j - 2, m) + 1
      jp = modulo(j, m) + 1
      do i = 1, m
        im = merge(m, i - 1, i == 1)
        ip = merge(1, i + 1, i == m)
        c(0) = f(0, i, j)
        c(1) = f(1, im, j)
        c(2) = f(2, i, jm)
        c(3) = f(3, ip, j)
        c(4) = f(4, i, jp)
        c(5) = f(5, im, jm)
        c(6) = f(6, ip, jm)
        c(7) = f(7, ip, jp)
        c(8) = f(8, im, jp)
        rho = sum(c)
        u = (c(1) + c(5) + c(8) - c(3) - c(6) - c(7))/rho
        v = (c(2) + c(5) + c(6) - c(4) - c(7) - c(8))/rho
        q = 1 - 1.5d0*(u*u + v*v)
        do k = 0, 8
          cu = cx(k)*u + cy(k)*v
          g(k, i, j) = c(k) + omega*(w(k)*rho*(q + 3*cu + 4.5d0*cu*cu) - c(k))
        end do
      end do
    end do
  end subroutine
  subroutine lbm_d3q19(l, omega, f, g)
    integer, intent(in) :: l
    real, intent(in) :: omega, f(l, l, l, 19)
    real, intent(inout) :: g(l, l, l, 19)
    real :: c(19), rho, u, v, w, cu, sq
    integer :: i, j, k, q
    !$omp parallel do collapse(2) private(i, q, c, rho, u, v, w, cu, sq)
    do k = 2, l - 1
      do j = 2, l - 1
        do i = 2, l - 1
          rho = 0
          u = 0
          v = 0
          w = 0
          do q = 1, 19
            c(q) = f(i - ex(q), j - ey(q), k - ez(q), q)
            rho = rho + c(q)
            u = u + c(q)*ex(q)
            v = v + c(q)*ey(q)
            w = w + c(q)*ez(q)
          end do
          u = u/rho
          v = v/rho
          w = w/rho
          sq = 1 - 1.5*(u*u + v*v + w*w)
          do q = 1, 19
            cu = 3*(u*ex(q) + v*ey(q) + w*ez(q))
            g(i, j, k, q) = c(q) + omega*(wq(q)*rho*(sq + cu + 0.5*cu*cu) - c(q))
          end do
        end do
      end do
    end do
  end subroutine
  subroutine euler_hll(n, r, m, e, fr, fm, fe)
    integer, intent(in) :: n
    real(8), intent(in) :: r(n), m(n), e(n)
    real(8), intent(inout) :: fr(n), fm(n), fe(n)
    real(8), parameter :: gamma = 1.4d0
    real(8) :: ul, ur, pl, pr, al, ar, sl, sr
    integer :: i
    !$omp parallel do private(ul, ur, pl, pr, al, ar, sl, sr)
    do i = 1, n - 1
      ul = m(i)/r(i)
      ur = m(i + 1)/r(i + 1)
      pl = (gamma - 1)*(e(i) - 0.5d0*r(i)*ul*ul)
      pr = (gamma - 1)*(e(i + 1) - 0.5d0*r(i + 1)*ur*ur)
      al = sqrt(gamma*pl/r(i))
      ar = sqrt(gamma*pr/r(i + 1))
      sl = min(ul - al, ur - ar)
      sr = max(ul + al, ur + ar)
      if (sl >= 0) then
        fr(i) = m(i)
        fm(i) = m(i)*ul + pl
        fe(i) = (e(i) + pl)*ul
      else if (sr <= 0) then
        fr(i) = m(i + 1)
        fm(i) = m(i + 1)*ur + pr
        fe(i) = (e(i + 1) + pr)*ur
      else
        fr(i) = (sr*m(i) - sl*m(i + 1) + sl*sr*(r(i + 1) - r(i)))/(sr - sl)
        fm(i) = (sr*(m(i)*ul + pl) - sl*(m(i + 1)*ur + pr) + sl*sr*(m(i + 1) - m(i)))/(sr - sl)
        fe(i) = (sr*(e(i) + pl)*ul - sl*(e(i + 1) + pr)*ur + sl*sr*(e(i + 1) - e(i)))/(sr - sl)
      end if
    end do
  end subroutine
  pure subroutine flux_of(r, mn, mt, e, f, speed)
    real(8), intent(in) :: r, mn, mt, e
    real(8), intent(out) :: f(4), speed
    real(8) :: u, p
    u = mn/r
    p = 0.4d0*(e - 0.5d0*(mn*mn + mt*mt)/r)
    f(1) = mn
    f(2) = mn*u + p
    f(3) = mt*u
    f(4) = (e + p)*u
    speed = abs(u) + sqrt(1.4d0*p/r)
  end subroutine
  subroutine rusanov2d(m, dt, q, next)
    integer, intent(in) :: m
    real(8), intent(in) :: dt, q(m, m, 4)
    real(8), intent(inout) :: next(m, m, 4)
    real(8) :: fl(4), fc(4), fr(4), gd(4), gc(4), gu(4), sl, sc, sr, td, tc, tu, s1, s2, t1, t2
    integer :: i, j
    !$omp parallel do private(i, fl, fc, fr, gd, gc, gu, sl, sc, sr, td, tc, tu, s1, s2, t1, t2)
    do j = 2, m - 1
      do i = 2, m - 1
        call flux_of(q(i - 1, j, 1), q(i - 1, j, 2), q(i - 1, j, 3), q(i - 1, j, 4), fl, sl)
        call flux_of(q(i, j, 1), q(i, j, 2), q(i, j, 3), q(i, j, 4), fc, sc)
        call flux_of(q(i + 1, j, 1), q(i + 1, j, 2), q(i + 1, j, 3), q(i + 1, j, 4), fr, sr)
        call flux_of(q(i, j - 1, 1), q(i, j - 1, 3), q(i, j - 1, 2), q(i, j - 1, 4), gd, td)
        call flux_of(q(i, j, 1), q(i, j, 3), q(i, j, 2), q(i, j, 4), gc, tc)
        call flux_of(q(i, j + 1, 1), q(i, j + 1, 3), q(i, j + 1, 2), q(i, j + 1, 4), gu, tu)
        s1 = max(sl, sc)
        s2 = max(sc, sr)
        t1 = max(td, tc)
        t2 = max(tc, tu)
        next(i, j, 1) = q(i, j, 1) - 0.5d0*dt*(fr(1) - fl(1) - s2*(q(i + 1, j, 1) - q(i, j, 1)) + s1*(q(i, j, 1) - q(i - 1, j, 1)) &
                        + gu(1) - gd(1) - t2*(q(i, j + 1, 1) - q(i, j, 1)) + t1*(q(i, j, 1) - q(i, j - 1, 1)))
        next(i, j, 2) = q(i, j, 2) - 0.5d0*dt*(fr(2) - fl(2) - s2*(q(i + 1, j, 2) - q(i, j, 2)) + s1*(q(i, j, 2) - q(i - 1, j, 2)) &
                        + gu(3) - gd(3) - t2*(q(i, j + 1, 2) - q(i, j, 2)) + t1*(q(i, j, 2) - q(i, j - 1, 2)))
        next(i, j, 3) = q(i, j, 3) - 0.5d0*dt*(fr(3) - fl(3) - s2*(q(i + 1, j, 3) - q(i, j, 3)) + s1*(q(i, j, 3) - q(i - 1, j, 3)) &
                        + gu(2) - gd(2) - t2*(q(i, j + 1, 3) - q(i, j, 3)) + t1*(q(i, j, 3) - q(i, j - 1, 3)))
        next(i, j, 4) = q(i, j, 4) - 0.5d0*dt*(fr(4) - fl(4) - s2*(q(i + 1, j, 4) - q(i, j, 4)) + s1*(q(i, j, 4) - q(i - 1, j, 4)) &
                        + gu(4) - gd(4) - t2*(q(i, j + 1, 4) - q(i, j, 4)) + t1*(q(i, j, 4) - q(i, j - 1, 4)))
      end do
    end do
  end subroutine
  pure real(8) function weno(a, b, c, d, e)
    real(8), intent(in) :: a, b, c, d, e
    real(8), parameter :: eps = 1d-6
    real(8) :: s1, s2, s3, w1, w2, w3
    s1 = 13d0/12*(a - 2*b + c)**2 + 0.25d0*(a - 4*b + 3*c)**2
    s2 = 13d0/12*(b - 2*c + d)**2 + 0.25d0*(b - d)**2
    s3 = 13d0/12*(c - 2*d + e)**2 + 0.25d0*(3*c - 4*d + e)**2
    w1 = 0.1d0/(eps + s1)**2
    w2 = 0.6d0/(eps + s2)**2
    w3 = 0.3d0/(eps + s3)**2
    weno = (w1*(2*a - 7*b + 11*c) + w2*(-b + 5*c + 2*d) + w3*(2*c + 5*d - e))/(6*(w1 + w2 + w3))
  end function
  subroutine weno5(m, u, vel, du)
    integer, intent(in) :: m
    real(8), intent(in) :: u(m, m), vel(m, m)
    real(8), intent(inout) :: du(m, m)
    real(8) :: left, right
    integer :: i, j
    !$omp parallel do private(i, left, right)
    do j = 1, m
      do i = 4, m - 3
        if (vel(i, j) > 0) then
          left = weno(u(i - 3, j), u(i - 2, j), u(i - 1, j), u(i, j), u(i + 1, j))
          right = weno(u(i - 2, j), u(i - 1, j), u(i, j), u(i + 1, j), u(i + 2, j))
        else
          left = weno(u(i + 2, j), u(i + 1, j), u(i, j), u(i - 1, j), u(i - 2, j))
          right = weno(u(i + 3, j), u(i + 2, j), u(i + 1, j), u(i, j), u(i - 1, j))
        end if
        du(i, j) = -vel(i, j)*(right - left)
      end do
    end do
  end subroutine
  subroutine shallow(m, dt, h, hu, hv, hn, hun, hvn)
    integer, intent(in) :: m
    real(8), intent(in) :: dt, h(m, m), hu(m, m), hv(m, m)
    real(8), intent(inout) :: hn(m, m), hun(m, m), hvn(m, m)
    real(8), parameter :: g = 9.81d0, dry = 1d-3
    real(8) :: ul, ur, vd, vu, new
    integer :: i, j
    !$omp parallel do private(i, ul, ur, vd, vu, new)
    do j = 2, m - 1
      do i = 2, m - 1
        new = 0.25d0*(h(i - 1, j) + h(i + 1, j) + h(i, j - 1) + h(i, j + 1)) &
              - dt*(hu(i + 1, j) - hu(i - 1, j) + hv(i, j + 1) - hv(i, j - 1))
        if (new < dry) then
          hn(i, j) = max(new, 0d0)
          hun(i, j) = 0
          hvn(i, j) = 0
        else
          hn(i, j) = new
          ul = hu(i - 1, j)/max(h(i - 1, j), dry)
          ur = hu(i + 1, j)/max(h(i + 1, j), dry)
          vd = hv(i, j - 1)/max(h(i, j - 1), dry)
          vu = hv(i, j + 1)/max(h(i, j + 1), dry)
          hun(i, j) = 0.25d0*(hu(i - 1, j) + hu(i + 1, j) + hu(i, j - 1) + hu(i, j + 1)) &
                      - dt*(hu(i + 1, j)*ur + 0.5d0*g*h(i + 1, j)**2 - hu(i - 1, j)*ul - 0.5d0*g*h(i - 1, j)**2 &
                            + hu(i, j + 1)*vu - hu(i, j - 1)*vd)
          hvn(i, j) = 0.25d0*(hv(i - 1, j) + hv(i + 1, j) + hv(i, j - 1) + hv(i, j + 1)) &
                      - dt*(hv(i, j + 1)*vu + 0.5d0*g*h(i, j + 1)**2 - hv(i, j - 1)*vd - 0.5d0*g*h(i, j - 1)**2 &
                            + hv(i + 1, j)*ur - hv(i - 1, j)*ul)
        end if
      end do
    end do
  end subroutine
  subroutine wave3d(l, u, old, vel)
    integer, intent(in) :: l
    real(8), intent(in) :: u(l, l, l), vel(l, l, l)
    real(8), intent(inout) :: old(l, l, l)
    real(8) :: lap
    integer :: i, j, k, r
    !$omp parallel do collapse(2) private(i, r, lap)
    do k = 5, l - 4
      do j = 5, l - 4
        !$omp simd private(lap, r)
        do i = 5, l - 4
          lap = 3*wave(0)*u(i, j, k)
          do r = 1, 4
            lap = lap + wave(r)*(u(i, j, k + r) + u(i, j, k - r) + u(i + r, j, k) + u(i - r, j, k) &
                                 + u(i, j + r, k) + u(i, j - r, k))
          end do
          old(i, j, k) = 2*u(i, j, k) - old(i, j, k) + vel(i, j, k)*lap
        end do
      end do
    end do
  end subroutine
  subroutine box27(l, a, b)
    integer, intent(in) :: l
    real, intent(in) :: a(l, l, l)
    real, intent(inout) :: b(l, l, l)
    real :: total
    integer :: i, j, k, x, y, z
    !$omp parallel do collapse(2) private(i, x, y, z, total)
    do k = 2, l - 1
      do j = 2, l - 1
        !$omp simd private(total, x, y, z)
        do i = 2, l - 1
          total = 0
          do z = -1, 1
            do y = -1, 1
              do x = -1, 1
                total = total + a(i + x, j + y, k + z)
              end do
            end do
          end do
          b(i, j, k) = total/27
        end do
      end do
    end do
  end subroutine
  subroutine upwind3d(l, dt, u, v, w, c, next)
    integer, intent(in) :: l
    real, intent(in) :: dt, u(l, l, l), v(l, l, l), w(l, l, l), c(l, l, l)
    real, intent(inout) :: next(l, l, l)
    real :: d
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i, d)
    do k = 2, l - 1
      do j = 2, l - 1
        !$omp simd private(d)
        do i = 2, l - 1
          if (u(i, j, k) > 0) then
            d = u(i, j, k)*(c(i, j, k) - c(i - 1, j, k))
          else
            d = u(i, j, k)*(c(i + 1, j, k) - c(i, j, k))
          end if
          if (v(i, j, k) > 0) then
            d = d + v(i, j, k)*(c(i, j, k) - c(i, j - 1, k))
          else
            d = d + v(i, j, k)*(c(i, j + 1, k) - c(i, j, k))
          end if
          if (w(i, j, k) > 0) then
            d = d + w(i, j, k)*(c(i, j, k) - c(i, j, k - 1))
          else
            d = d + w(i, j, k)*(c(i, j, k + 1) - c(i, j, k))
          end if
          next(i, j, k) = c(i, j, k) - dt*d
        end do
      end do
    end do
  end subroutine
  subroutine red_black(m, color, omega, u, f)
    integer, intent(in) :: m, color
    real(8), intent(in) :: omega, f(m, m)
    real(8), intent(inout) :: u(m, m)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 2, m - 1
      !$omp simd
      do i = 2 + mod(j + color, 2), m - 1, 2
        u(i, j) = (1 - omega)*u(i, j) + omega*0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j))
      end do
    end do
  end subroutine
  subroutine cuf_do3(w, wu, wv, wo)
    integer, intent(in) :: w
    real(8), intent(in) :: wu(w, w, w), wv(w, w, w)
    real(8), intent(inout) :: wo(w, w, w)
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i)
    do k = 2, w - 1
      do j = 2, w - 1
        do i = 2, w - 1
          wo(i, j, k) = wu(i, j, k) + 0.1d0*(wv(i + 1, j, k) - wv(i - 1, j, k))*(wu(i, j + 1, k) - wu(i, j - 1, k)) &
                        + 0.05d0*(wu(i, j, k + 1) - wu(i, j, k - 1))**2
        end do
      end do
    end do
  end subroutine
  subroutine residual3(w, wo, wu, residual, largest)
    integer, intent(in) :: w
    real(8), intent(in) :: wu(w, w, w), wo(w, w, w)
    real(8), intent(out) :: residual, largest
    integer :: i, j, k
    residual = 0
    largest = 0
    !$omp parallel do collapse(2) private(i) reduction(+:residual) reduction(max:largest)
    do k = 1, w
      do j = 1, w
        !$omp simd reduction(+:residual) reduction(max:largest)
        do i = 1, w
          residual = residual + (wo(i, j, k) - wu(i, j, k))**2
          largest = max(largest, abs(wo(i, j, k) - wu(i, j, k)))
        end do
      end do
    end do
  end subroutine
end module

program fluids
  use fluid_twins
  use timing
  implicit none
  integer :: m = 448, n = 1000000, l = 48, w = 104, i, j, k, q
  real(8) :: residual, largest
  real(8), allocatable :: f(:, :, :), g(:, :, :), fa(:, :, :), ga(:, :, :), r(:), mm(:), e(:), fr(:), fm(:), fe(:)
  real(8), allocatable :: u(:, :), v(:, :), d(:, :), wu(:, :, :), wo(:, :, :), wv(:, :, :)
  real(8), allocatable :: h(:, :), hu(:, :), hv(:, :), hn(:, :), hun(:, :), hvn(:, :)
  real, allocatable :: f3(:, :, :, :), g3(:, :, :, :), a3(:, :, :), x3(:, :, :), y3(:, :, :), z3(:, :, :), o3(:, :, :)

  f = reshape([(0.1d0 + 0.01d0*value(i), i=1, 9*m*m)], [m, m, 9])
  fa = reshape([(0.1d0 + 0.01d0*value(i), i=1, 9*m*m)], [9, m, m])
  allocate (g(m, m, 0:8), ga(0:8, m, m))
  do while (more())
    call lbm_soa(m, 1.2d0, f, g)
  end do
  call report('lbm_soa', check8(9*m*m, g))
  do while (more())
    call lbm_aos(m, 1.2d0, fa, ga)
  end do
  call report('lbm_aos', check8(9*m*m, ga))
  deallocate (f, g, fa, ga)
  q = 0
  do k = -1, 1
    do j = -1, 1
      do i = -1, 1
        if (abs(i) + abs(j) + abs(k) > 2) cycle
        q = q + 1
        ex(q) = i
        ey(q) = j
        ez(q) = k
        wq(q) = merge(1/3.0, merge(1/18.0, 1/36.0, abs(i) + abs(j) + abs(k) == 1), i == 0 .and. j == 0 .and. k == 0)
      end do
    end do
  end do
  allocate (g3(l, l, l, 19))
  f3 = reshape([(real(0.05 + 0.01*value(i)), i=1, 19*l**3)], [l, l, l, 19])
  g3 = 0
  do while (more())
    call lbm_d3q19(l, 1.1, f3, g3)
  end do
  call report('lbm_d3q19', check4(19*l**3, g3))
  deallocate (f3, g3)
  r = [(1 + value(i), i=1, n)]
  mm = [(6*value(3*i + i/100) - 3, i=1, n)]
  e = [(8 + value(5*i), i=1, n)]
  allocate (fr(n), fm(n), fe(n))
  fr = 0; fm = 0; fe = 0
  do while (more())
    call euler_hll(n, r, mm, e, fr, fm, fe)
  end do
  call report('euler_hll', check8(n, fr) + check8(n, fm) + check8(n, fe))
  f = reshape([(merge(8d0, 1d0, i > 3*m*m) + 0.5d0*value(i), i=1, 4*m*m)], [m, m, 4])
  g = f
  do while (more())
    call rusanov2d(m, 0.01d0, f, g)
  end do
  call report('rusanov2d', check8(4*m*m, g))
  deallocate (f, g)
  u = reshape([(value(i), i=1, m*m)], [m, m])
  v = reshape([(value(3*i) - 0.5d0, i=1, m*m)], [m, m])
  d = 0*u
  do while (more())
    call weno5(m, u, v, d)
  end do
  call report('weno5', check8(m*m, d))
  h = reshape([(merge(0d0, 1 + value(i), mod(i/40, 5) == 0), i=1, m*m)], [m, m])
  hu = reshape([(merge(0d0, value(3*i) - 0.5d0, mod(i/40, 5) == 0), i=1, m*m)], [m, m])
  hv = hu
  hn = 0*h
  hun = hn
  hvn = hn
  do while (more())
    call shallow(m, 0.005d0, h, hu, hv, hn, hun, hvn)
  end do
  call report('shallow', check8(m*m, hn) + check8(m*m, hun) + check8(m*m, hvn))
  wu = reshape([(value(i), i=1, w**3)], [w, w, w])
  wo = wu
  wv = 0*wu + 0.1d0
  do while (more())
    call wave3d(w, wu, wo, wv)
  end do
  call report('wave3d', check8(w**3, wo))
  a3 = reshape([(real(value(i)), i=1, w**3)], [w, w, w])
  x3 = a3 - 0.5
  y3 = -x3
  z3 = x3**2 - 0.1
  o3 = 0*a3
  do while (more())
    call box27(w, a3, o3)
  end do
  call report('box27', check4(w**3, o3))
  o3 = 0
  do while (more())
    call upwind3d(w, 0.1, x3, y3, z3, a3, o3)
  end do
  call report('upwind3d', check4(w**3, o3))
  do while (more())
    call red_black(m, 0, 1.5d0, u, v)
    call red_black(m, 1, 1.5d0, u, v)
  end do
  call report('red_black', check8(m*m, u))
  do while (more())
    call cuf_do3(w, wu, wv, wo)
  end do
  call report('cuf_do3', check8(w**3, wo))
  do while (more())
    call residual3(w, wo, wu, residual, largest)
  end do
  call report('cuf_residual3', residual + largest)
end program
