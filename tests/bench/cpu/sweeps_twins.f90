! What sweeps.cuf computes, in OpenMP.
module sweeps_twins
  implicit none
  integer, parameter :: longest = 64, angles = 32, groups = 4
  real :: weights(0:8)
  integer :: cx(0:8), cy(0:8), opposite(0:8)
  real(8), allocatable :: br(:, :, :), bt(:, :, :), bp(:, :, :), lr(:, :, :), lt(:, :, :), lp(:, :, :)
contains
  pure subroutine solve3(a, c, r)
    real(8), intent(inout) :: a(3, 3), c(3, 3), r(3)
    real(8) :: f
    integer :: p, q
    do p = 1, 3
      f = 1/a(p, p)
      a(p, p + 1:) = a(p, p + 1:)*f
      c(p, :) = c(p, :)*f
      r(p) = r(p)*f
      do q = 1, 3
        if (q /= p) then
          f = a(q, p)
          a(q, p + 1:) = a(q, p + 1:) - f*a(p, p + 1:)
          c(q, :) = c(q, :) - f*c(p, :)
          r(q) = r(q) - f*r(p)
        end if
      end do
    end do
  end subroutine
  subroutine block_lines(nl, l, vel, rhs, x)
    integer, intent(in) :: nl, l
    real(8), intent(in) :: vel(nl, l), rhs(nl, l, 3)
    real(8), intent(out) :: x(nl, l, 3)
    real(8) :: lo(3, 3), d(3, 3), up(3, 3), c(3, 3, longest), r(3), z(3), v
    integer :: i, k, p, q
    !$omp parallel do private(lo, d, up, c, r, z, v, k, p, q)
    do i = 1, nl
      do k = 1, l
        v = vel(i, k)
        do q = 1, 3
          do p = 1, 3
            lo(p, q) = -0.1d0*v*p - 0.02d0*q
            up(p, q) = 0.1d0*v*q - 0.03d0*p
            d(p, q) = 0.05d0*v*(p - q)
          end do
          d(q, q) = 3 + v
          r(q) = rhs(i, k, q)
        end do
        if (k > 1) then
          do q = 1, 3
            r = r - lo(:, q)*z(q)
            do p = 1, 3
              d(:, p) = d(:, p) - lo(:, q)*c(q, p, k - 1)
            end do
          end do
        end if
        call solve3(d, up, r)
        c(:, :, k) = up
        z = r
        x(i, k, :) = r
      end do
      do k = l - 1, 1, -1
        r = x(i, k, :)
        do p = 1, 3
          r = r - c(:, p, k)*z(p)
        end do
        z = r
        x(i, k, :) = r
      end do
    end do
  end subroutine

  pure real(8) function triple(x1, y1, z1, x2, y2, z2, x3, y3, z3)
    real(8), intent(in) :: x1, y1, z1, x2, y2, z2, x3, y3, z3
    triple = x1*(y2*z3 - z2*y3) + x2*(z1*y3 - y1*z3) + x3*(y1*z2 - z1*y2)
  end function
  pure real(8) function face_area(x, y, z, a, b, c, d)
    real(8), intent(in) :: x(8), y(8), z(8)
    integer, intent(in) :: a, b, c, d
    real(8) :: fx, fy, fz, gx, gy, gz
    fx = (x(c) - x(a)) - (x(d) - x(b))
    fy = (y(c) - y(a)) - (y(d) - y(b))
    fz = (z(c) - z(a)) - (z(d) - z(b))
    gx = (x(c) - x(a)) + (x(d) - x(b))
    gy = (y(c) - y(a)) + (y(d) - y(b))
    gz = (z(c) - z(a)) + (z(d) - z(b))
    face_area = (fx**2 + fy**2 + fz**2)*(gx**2 + gy**2 + gz**2) - (fx*gx + fy*gy + fz*gz)**2
  end function
  subroutine elements(ne, nn, nodes, px, py, pz, volume, length)
    integer, intent(in) :: ne, nn, nodes(ne, 8)
    real(8), intent(in) :: px(nn), py(nn), pz(nn)
    real(8), intent(out) :: volume(ne), length(ne)
    real(8) :: x(8), y(8), z(8), v, a
    integer :: e, c
    !$omp parallel do private(x, y, z, v, a, c)
    do e = 1, ne
      do c = 1, 8
        x(c) = px(nodes(e, c))
        y(c) = py(nodes(e, c))
        z(c) = pz(nodes(e, c))
      end do
      v = triple((x(4) - x(2)) + (x(8) - x(1)), (y(4) - y(2)) + (y(8) - y(1)), (z(4) - z(2)) + (z(8) - z(1)), &
                 x(7) - x(4), y(7) - y(4), z(7) - z(4), x(3) - x(1), y(3) - y(1), z(3) - z(1)) &
          + triple((x(5) - x(4)) + (x(6) - x(8)), (y(5) - y(4)) + (y(6) - y(8)), (z(5) - z(4)) + (z(6) - z(8)), &
                   x(7) - x(5), y(7) - y(5), z(7) - z(5), x(8) - x(1), y(8) - y(1), z(8) - z(1)) &
          + triple((x(2) - x(5)) + (x(3) - x(6)), (y(2) - y(5)) + (y(3) - y(6)), (z(2) - z(5)) + (z(3) - z(6)), &
                   x(7) - x(2), y(7) - y(2), z(7) - z(2), x(6) - x(1), y(6) - y(1), z(6) - z(1))
      v = v/12
      a = max(face_area(x, y, z, 1, 2, 3, 4), face_area(x, y, z, 5, 6, 7, 8), face_area(x, y, z, 1, 2, 6, 5), &
              face_area(x, y, z, 2, 3, 7, 6), face_area(x, y, z, 3, 4, 8, 7), face_area(x, y, z, 4, 1, 5, 8))
      volume(e) = v
      length(e) = 4*v/sqrt(a)
    end do
  end subroutine

  pure real function relaxed(d, w, rho, cu, uu, omega)
    real, intent(in) :: d, w, rho, cu, uu, omega
    relaxed = d + omega*(w*rho*(1 + cu + 0.5*cu*cu - uu) - d)
  end function
  subroutine lattice_step(nx, ny, omega, wall, f, g)
    integer, intent(in) :: nx, ny
    real, intent(in) :: omega, f(nx, ny, 0:8)
    logical(1), intent(in) :: wall(nx, ny)
    real, intent(out) :: g(nx, ny, 0:8)
    integer :: j, jm, jp
    !$omp parallel do private(jm, jp)
    do j = 1, ny
      jm = merge(ny, j - 1, j == 1)
      jp = merge(1, j + 1, j == ny)
      call sites(1, 1, nx - 1, 1, nx, ny, omega, j, jm, jp, wall, f, g)
      call sites(2, nx - 1, -1, 1, nx, ny, omega, j, jm, jp, wall, f, g)
      call sites(nx, nx, -1, 1 - nx, nx, ny, omega, j, jm, jp, wall, f, g)
    end do
  end subroutine
  subroutine sites(first, last, west, east, nx, ny, omega, j, jm, jp, wall, f, g)
    integer, intent(in) :: first, last, west, east, nx, ny, j, jm, jp
    real, intent(in) :: omega, f(nx, ny, 0:8)
    logical(1), intent(in) :: wall(nx, ny)
    real, intent(inout) :: g(nx, ny, 0:8)
    real :: d0, d1, d2, d3, d4, d5, d6, d7, d8, rho, ux, uy, uu
    integer :: i
    !$omp simd private(d0, d1, d2, d3, d4, d5, d6, d7, d8, rho, ux, uy, uu)
    do i = first, last
      d0 = f(i, j, 0)
      d1 = f(i + west, j, 1)
      d2 = f(i, jm, 2)
      d3 = f(i + east, j, 3)
      d4 = f(i, jp, 4)
      d5 = f(i + west, jm, 5)
      d6 = f(i + east, jm, 6)
      d7 = f(i + east, jp, 7)
      d8 = f(i + west, jp, 8)
      rho = d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8
      ux = (d1 - d3 + d5 - d6 - d7 + d8)/rho
      uy = (d2 - d4 + d5 + d6 - d7 - d8)/rho
      uu = 1.5*(ux*ux + uy*uy)
      if (wall(i, j)) then
        g(i, j, 0) = d0
        g(i, j, 1) = d3
        g(i, j, 2) = d4
        g(i, j, 3) = d1
        g(i, j, 4) = d2
        g(i, j, 5) = d7
        g(i, j, 6) = d8
        g(i, j, 7) = d5
        g(i, j, 8) = d6
      else
        g(i, j, 0) = relaxed(d0, weights(0), rho, 0.0, uu, omega)
        g(i, j, 1) = relaxed(d1, weights(1), rho, 3*ux, uu, omega)
        g(i, j, 2) = relaxed(d2, weights(2), rho, 3*uy, uu, omega)
        g(i, j, 3) = relaxed(d3, weights(3), rho, -3*ux, uu, omega)
        g(i, j, 4) = relaxed(d4, weights(4), rho, -3*uy, uu, omega)
        g(i, j, 5) = relaxed(d5, weights(5), rho, 3*(ux + uy), uu, omega)
        g(i, j, 6) = relaxed(d6, weights(6), rho, 3*(uy - ux), uu, omega)
        g(i, j, 7) = relaxed(d7, weights(7), rho, -3*(ux + uy), uu, omega)
        g(i, j, 8) = relaxed(d8, weights(8), rho, 3*(ux - uy), uu, omega)
      end if
    end do
  end subroutine

  ! A sweep through all cells for each group, angles inside.
  subroutine sweep(nx, ny, mu, eta, w, sigma, q, psix, psiy, phi)
    integer, intent(in) :: nx, ny
    real(8), intent(in) :: mu(angles), eta(angles), w(angles), sigma(groups), q(nx, ny, groups)
    real(8), intent(inout) :: psix(angles, ny, groups), psiy(angles, nx, groups), phi(nx, ny, groups)
    real(8) :: psi, s
    integer :: a, i, j, g
    !$omp parallel do private(psi, s, a, i, j)
    do g = 1, groups
      psix(:, :, g) = 0
      psiy(:, :, g) = 0
      do j = 1, ny
        do i = 1, nx
          s = 0
          !$omp simd private(psi) reduction(+:s)
          do a = 1, angles
            psi = (q(i, j, g) + 2*mu(a)*psix(a, j, g) + 2*eta(a)*psiy(a, i, g))/(sigma(g) + 2*mu(a) + 2*eta(a))
            psix(a, j, g) = max(2*psi - psix(a, j, g), 0d0)
            psiy(a, i, g) = max(2*psi - psiy(a, i, g), 0d0)
            s = s + w(a)*psi
          end do
          phi(i, j, g) = s
        end do
      end do
    end do
  end subroutine

  subroutine staggered(nr, nt, np, r, t, norm)
    integer, intent(in) :: nr, nt, np
    real(8), intent(in) :: r(nr), t(nt)
    real(8), intent(out) :: norm
    real(8) :: dr, dt, dp, ri, st
    integer :: i, j, k
    dr = 1d0/nr
    dt = 1d0/nt
    dp = 1d0/np
    norm = 0
    !$omp parallel private(i, ri, st)
    !$omp do collapse(2)
    do k = 2, np - 1
      do j = 2, nt - 1
        st = 1/sin(t(j))
        !$omp simd private(ri)
        do i = 2, nr - 1
          ri = 1/r(i)
          lr(i, j, k) = (br(i + 1, j, k) - 2*br(i, j, k) + br(i - 1, j, k))/dr**2 + ri*(br(i + 1, j, k) - br(i - 1, j, k))/dr &
                        + ri**2*((br(i, j + 1, k) - 2*br(i, j, k) + br(i, j - 1, k))/dt**2 &
                                 + st**2*(br(i, j, k + 1) - 2*br(i, j, k) + br(i, j, k - 1))/dp**2) &
                        - 2*ri**2*(br(i, j, k) + (bt(i, j + 1, k) - bt(i, j, k))/dt + st*(bp(i, j, k + 1) - bp(i, j, k))/dp)
        end do
      end do
    end do
    !$omp do collapse(2)
    do k = 2, np - 1
      do j = 2, nt - 1
        st = 1/sin(t(j))
        !$omp simd private(ri)
        do i = 2, nr - 1
          ri = 1/r(i)
          lt(i, j, k) = (bt(i + 1, j, k) - 2*bt(i, j, k) + bt(i - 1, j, k))/dr**2 &
                        + ri**2*((bt(i, j + 1, k) - 2*bt(i, j, k) + bt(i, j - 1, k))/dt**2 &
                                 + st**2*(bt(i, j, k + 1) - 2*bt(i, j, k) + bt(i, j, k - 1))/dp**2) &
                        + 2*ri**2*(br(i, j, k) - br(i, j - 1, k))/dt - ri**2*st**2*bt(i, j, k)
          lp(i, j, k) = (bp(i + 1, j, k) - 2*bp(i, j, k) + bp(i - 1, j, k))/dr**2 &
                        + ri**2*((bp(i, j + 1, k) - 2*bp(i, j, k) + bp(i, j - 1, k))/dt**2 &
                                 + st**2*(bp(i, j, k + 1) - 2*bp(i, j, k) + bp(i, j, k - 1))/dp**2) &
                        + 2*ri**2*st*(br(i, j, k) - br(i, j, k - 1))/dp
        end do
      end do
    end do
    !$omp do collapse(2) reduction(+:norm)
    do k = 2, np - 1
      do j = 2, nt - 1
        !$omp simd reduction(+:norm)
        do i = 2, nr - 1
          norm = norm + lr(i, j, k)**2 + lt(i, j, k)**2 + lp(i, j, k)**2
        end do
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine fdtd(m, steps, sx, sy, ez, ezx, ezy, hx, hy)
    integer, intent(in) :: m, steps
    real, intent(in) :: sx(m), sy(m)
    real, intent(inout) :: ez(m, m), ezx(m, m), ezy(m, m), hx(m, m), hy(m, m)
    integer :: i, j, k
    real, parameter :: c = 0.5
    do k = 1, steps
      !$omp parallel private(i)
      !$omp do
      do j = 1, m - 1
        !$omp simd
        do i = 1, m - 1
          hx(i, j) = ((1 - sy(j))*hx(i, j) - c*(ez(i, j + 1) - ez(i, j)))/(1 + sy(j))
          hy(i, j) = ((1 - sx(i))*hy(i, j) + c*(ez(i + 1, j) - ez(i, j)))/(1 + sx(i))
        end do
      end do
      !$omp do
      do j = 2, m - 1
        !$omp simd
        do i = 2, m - 1
          ezx(i, j) = ((1 - sx(i))*ezx(i, j) + c*(hy(i, j) - hy(i - 1, j)))/(1 + sx(i))
          ezy(i, j) = ((1 - sy(j))*ezy(i, j) - c*(hx(i, j) - hx(i, j - 1)))/(1 + sy(j))
          ez(i, j) = ezx(i, j) + ezy(i, j)
        end do
      end do
      !$omp end parallel
      ez(m/2, m/2) = ez(m/2, m/2) + sin(0.3*k)
    end do
  end subroutine

  subroutine box_filter(n, rad, a, s, b)
    integer, intent(in) :: n, rad
    real, intent(in) :: a(n, n)
    real, intent(inout) :: s(n, n), b(n, n)
    integer, parameter :: chunk = 64
    real :: total, scale, col(n), line(1 - rad:n + rad)
    integer :: i, j, k, j0
    scale = 1.0/(2*rad + 1)**2
    !$omp parallel private(i, j, k, total, col, line)
    !$omp do
    do j = 1, n
      line(1:n) = a(:, j)
      line(:0) = a(1, j)
      line(n + 1:) = a(n, j)
      total = sum(line(1 - rad:1 + rad))
      s(1, j) = total
      do i = 2, n
        total = total + (line(i + rad) - line(i - rad - 1))
        s(i, j) = total
      end do
    end do
    !$omp do
    do j0 = 0, n - 1, chunk
      col = 0
      do k = j0 + 1 - rad, j0 + 1 + rad
        col = col + s(:, min(max(k, 1), n))
      end do
      do j = j0 + 1, min(j0 + chunk, n)
        !$omp simd
        do i = 1, n
          b(i, j) = scale*col(i)
          col(i) = col(i) + s(i, min(j + rad + 1, n)) - s(i, max(j - rad, 1))
        end do
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine convolve(nx, ny, nz, k3, a, b)
    integer, intent(in) :: nx, ny, nz
    real, intent(in) :: k3(-1:1, -1:1, -1:1)
    real, intent(in), contiguous :: a(:, :, :)
    real, intent(inout), contiguous :: b(:, :, :)
    real :: s(nx)
    integer :: i, j, k, x, y, z
    !$omp parallel do collapse(2) private(s, i, x, y, z)
    do k = 1, nz
      do j = 1, ny
        s = 0
        do z = max(-1, 1 - k), min(1, nz - k)
          do y = max(-1, 1 - j), min(1, ny - j)
            s(1) = s(1) + k3(0, y, z)*a(1, j + y, k + z) + k3(1, y, z)*a(2, j + y, k + z)
            !$omp simd
            do i = 2, nx - 1
              s(i) = s(i) + k3(-1, y, z)*a(i - 1, j + y, k + z) + k3(0, y, z)*a(i, j + y, k + z) &
                     + k3(1, y, z)*a(i + 1, j + y, k + z)
            end do
            s(nx) = s(nx) + k3(-1, y, z)*a(nx - 1, j + y, k + z) + k3(0, y, z)*a(nx, j + y, k + z)
          end do
        end do
        b(:, j, k) = s
      end do
    end do
  end subroutine
end module

program sweeps
  use timing
  use sweeps_twins
  implicit none
  integer :: n = 1000000, m = 512, i, j, k, l, nl, ne, nn, nr, ms
  real(8), allocatable :: vel(:, :), rhs(:, :, :), x3(:, :, :), px(:), py(:), pz(:), vol(:), length(:)
  integer, allocatable :: nodes(:, :)
  real, allocatable :: f(:, :, :), g(:, :, :), a(:, :), b(:, :), s(:, :), sx(:), sy(:)
  real, allocatable, dimension(:, :) :: ez, ezx, ezy, hx, hy
  logical(1), allocatable :: wall(:, :)
  real(8), allocatable :: mu(:), eta(:), w(:), sigma(:), q(:, :, :), psix(:, :, :), psiy(:, :, :), phi(:, :, :), r(:), t(:)
  real, allocatable :: k3(:, :, :), c1(:, :, :), c2(:, :, :)
  real(8), allocatable :: host(:, :, :)
  real(8) :: norm

  call argument(1, n)
  call argument(2, m)
  l = longest
  nl = m
  allocate (vel(nl, l), rhs(nl, l, 3), x3(nl, l, 3))
  vel = reshape([(value(i), i=1, nl*l)], [nl, l])
  rhs = reshape([(value(3*i + i/97), i=1, 3*nl*l)], [nl, l, 3])
  do while (more())
    call block_lines(nl, l, vel, rhs, x3)
  end do
  call report('block_lines', check8(3*nl*l, x3))

  l = nint(real(m)**(2/3.0)) - 16
  if (l < 4) l = 4
  ne = l**3
  nn = (l + 1)**3
  allocate (nodes(ne, 8), px(nn), py(nn), pz(nn), vol(ne), length(ne))
  do k = 0, l
    do j = 0, l
      do i = 0, l
        nr = 1 + i + (l + 1)*(j + (l + 1)*k)
        px(nr) = i + 0.3d0*value(nr)
        py(nr) = j + 0.3d0*value(3*nr)
        pz(nr) = k + 0.3d0*value(7*nr)
        if (max(i, j, k) == l) cycle
        ne = 1 + i + l*(j + l*k)
        nodes(ne, :) = nr + [0, 1, l + 2, l + 1, (l + 1)**2, (l + 1)**2 + 1, (l + 1)**2 + l + 2, (l + 1)**2 + l + 1]
      end do
    end do
  end do
  ne = l**3
  do while (more())
    call elements(ne, nn, nodes, px, py, pz, vol, length)
  end do
  call report('elements', check8(ne, vol) + check8(ne, length))

  allocate (f(m, m, 0:8), g(m, m, 0:8), wall(m, m))
  weights = [4.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/9, 1.0/36, 1.0/36, 1.0/36, 1.0/36]
  cx = [0, 1, 0, -1, 0, 1, -1, -1, 1]
  cy = [0, 0, 1, 0, -1, 1, 1, -1, -1]
  opposite = [0, 3, 4, 1, 2, 7, 8, 5, 6]
  f = reshape([(real(0.1d0 + 0.02d0*value(i)), i=1, 9*m*m)], [m, m, 9])
  wall = reshape([(logical(mod(i/23, 41) == 0 .or. i <= m, 1), i=1, m*m)], [m, m])
  do while (more())
    call lattice_step(m, m, 1.2, wall, f, g)
  end do
  call report('lattice_step', check4(9*m*m, g))

  ms = m/4
  allocate (mu(angles), eta(angles), w(angles), sigma(groups), q(ms, ms, groups))
  allocate (psix(angles, ms, groups), psiy(angles, ms, groups))
  allocate (phi(ms, ms, groups))
  mu = [(cos(1.5d0*(i - 0.5d0)/angles), i=1, angles)]
  eta = [(sin(1.5d0*(i - 0.5d0)/angles), i=1, angles)]
  w = 1d0/angles
  sigma = [(0.5d0*i, i=1, groups)]
  q = reshape([(value(i), i=1, ms*ms*groups)], [ms, ms, groups])
  do while (more())
    call sweep(ms, ms, mu, eta, w, sigma, q, psix, psiy, phi)
  end do
  call report('sweep', check8(ms*ms*groups, phi))

  l = nint(real(m)**(2/3.0))
  allocate (br(l, l, l), bt(l, l, l), bp(l, l, l), lr(l, l, l), lt(l, l, l), lp(l, l, l), r(l), t(l), host(l, l, l))
  lr = 0
  lt = 0
  lp = 0
  r = [(1 + real(i, 8)/l, i=1, l)]
  t = [(1 + real(i, 8)/l, i=1, l)]
  host = reshape([(value(i), i=1, l**3)], [l, l, l])
  br = host
  host = reshape([(value(3*i), i=1, l**3)], [l, l, l])
  bt = host
  host = reshape([(value(7*i), i=1, l**3)], [l, l, l])
  bp = host
  do while (more())
    call staggered(l, l, l, r, t, norm)
  end do
  host = lr
  call report('staggered', sqrt(norm) + check8(l, host(:, 5, 5)))

  allocate (sx(m), sy(m), ez(m, m), ezx(m, m), ezy(m, m), hx(m, m), hy(m, m))
  sx = [(real(0.02d0*max(10 - i, i - m + 10, 0)), i=1, m)]
  sy = sx
  ez = 0
  ezx = 0
  ezy = 0
  hx = reshape([(real(value(i)), i=1, m*m)], [m, m])
  hy = reshape([(real(value(3*i)), i=1, m*m)], [m, m])
  do while (more())
    call fdtd(m, 4, sx, sy, ez, ezx, ezy, hx, hy)
  end do
  call report('fdtd', check4(m*m, abs(ez)) + check4(m*m, abs(hx)))

  allocate (a(m, m), b(m, m), s(m, m))
  a = reshape([(real(value(i + i/13)), i=1, m*m)], [m, m])
  do while (more())
    call box_filter(m, 8, a, s, b)
  end do
  call report('box_filter', check4(m*m, b))

  allocate (k3(-1:1, -1:1, -1:1), c1(l, l, l), c2(l, l, l))
  k3 = reshape([(real(value(17*i) - 0.5d0), i=1, 27)], [3, 3, 3])
  c1 = reshape([(real(value(5*i + i/31)), i=1, l**3)], [l, l, l])
  do while (more())
    call convolve(l, l, l, k3, c1, c2)
  end do
  call report('convolve', check4(l**3, abs(c2)))
end program
