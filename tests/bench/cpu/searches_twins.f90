! What searches.cuf computes, in OpenMP.
module searches_twins
  implicit none
  integer, parameter :: par = 40, dims = 16, order = 32
  type place
    real :: lat, lng
  end type
  type four
    real(8) :: v, x, y, z
  end type
contains
  subroutine box_forces(nboxes, a2, count, near, r, q, f)
    integer, intent(in) :: nboxes, count(nboxes), near(27, nboxes)
    real(8), intent(in) :: a2, q(par, nboxes)
    type(four), intent(in) :: r(par, nboxes)
    type(four), intent(out) :: f(par, nboxes)
    real(8) :: vij, r2, dx, dy, dz, sv, sx, sy, sz
    type(four) :: a
    integer :: box, t, k, j, other
    !$omp parallel do schedule(dynamic) private(vij, r2, dx, dy, dz, sv, sx, sy, sz, a, t, k, j, other)
    do box = 1, nboxes
      do t = 1, par
        a = r(t, box)
        sv = 0
        sx = 0
        sy = 0
        sz = 0
        do k = 1, count(box)
          other = near(k, box)
          !$omp simd private(r2, vij, dx, dy, dz) reduction(+:sv, sx, sy, sz)
          do j = 1, par
            r2 = a%v + r(j, other)%v - (a%x*r(j, other)%x + a%y*r(j, other)%y + a%z*r(j, other)%z)
            vij = exp(-a2*r2)
            dx = a%x - r(j, other)%x
            dy = a%y - r(j, other)%y
            dz = a%z - r(j, other)%z
            sv = sv + q(j, other)*vij
            sx = sx + q(j, other)*2*vij*dx
            sy = sy + q(j, other)*2*vij*dy
            sz = sz + q(j, other)*2*vij*dz
          end do
        end do
        f(t, box) = four(sv, sx, sy, sz)
      end do
    end do
  end subroutine

  subroutine resample(np, cdf, x, y, xn, yn)
    integer, intent(in) :: np
    real(8), intent(in) :: cdf(np), x(np), y(np)
    real(8), intent(out) :: xn(np), yn(np)
    real(8) :: u
    integer :: i, lo, hi, mid
    !$omp parallel do private(u, lo, hi, mid)
    do i = 1, np
      u = (i - 0.63d0)/np
      lo = 1
      hi = np
      do while (lo < hi)
        mid = (lo + hi)/2
        if (cdf(mid) >= u) then
          hi = mid
        else
          lo = mid + 1
        end if
      end do
      xn(i) = x(lo)
      yn(i) = y(lo)
    end do
  end subroutine

  subroutine nearest(n, lat, lng, p, dist, bd, bi, best, where)
    integer, intent(in) :: n
    real, intent(in) :: lat, lng
    type(place), intent(in) :: p(n)
    real, intent(inout) :: dist(n), bd(*), best
    integer, intent(inout) :: bi(*), where
    real :: d
    integer :: i, k
    best = huge(best)
    where = 0
    !$omp parallel private(d, k)
    d = huge(d)
    !$omp do simd
    do i = 1, n
      dist(i) = sqrt((p(i)%lat - lat)**2 + (p(i)%lng - lng)**2)
    end do
    !$omp do
    do i = 1, n
      if (dist(i) < d) then
        d = dist(i)
        k = i
      end if
    end do
    !$omp critical
    if (d < best .or. (d == best .and. k < where)) then
      best = d
      where = k
    end if
    !$omp end critical
    !$omp end parallel
  end subroutine

  subroutine gains(n, nc, p, weight, center, cost, switches, lower, total)
    integer, intent(in) :: n, nc, center(n)
    real, intent(in) :: p(n, dims), weight(n), cost(n)
    logical(1), intent(out) :: switches(n)
    real(8), intent(inout) :: lower(nc), total
    integer, parameter :: chunk = 256
    real :: d(chunk), x(dims)
    integer :: i, i0, l, k, c
    do c = 1, 4
      x = p(c*n/5, :)
      !$omp parallel do private(d, i, l, k) reduction(+:lower, total)
      do i0 = 0, n - 1, chunk
        l = min(chunk, n - i0)
        d = 0
        do k = 1, dims
          do i = 1, l
            d(i) = d(i) + (p(i0 + i, k) - x(k))**2
          end do
        end do
        do i = 1, l
          d(i) = d(i)*weight(i0 + i)
          switches(i0 + i) = d(i) < cost(i0 + i)
          if (d(i) < cost(i0 + i)) then
            total = total + (d(i) - cost(i0 + i))
          else
            lower(center(i0 + i)) = lower(center(i0 + i)) + (cost(i0 + i) - d(i))
          end if
        end do
      end do
    end do
  end subroutine

  subroutine tree_search(nq, nodes, levels, keys, child, questions, answers)
    integer, intent(in) :: nq, nodes, levels, keys(order + 1, nodes), child(order, nodes), questions(nq)
    integer, intent(out) :: answers(nq)
    integer :: i, l, t, c, node
    !$omp parallel do private(l, t, c, node)
    do i = 1, nq
      node = 1
      do l = 1, levels
        c = 0
        do t = 1, order
          if (keys(t, node) <= questions(i)) c = c + 1
        end do
        if (l < levels) node = child(c, node)
      end do
      answers(i) = -1
      if (keys(c, node) == questions(i)) answers(i) = child(c, node)
    end do
  end subroutine

  subroutine clover_state(m, dx, dy, density, energy, p, soundspeed, u, w, visc)
    integer, intent(in) :: m
    real(8), intent(in) :: dx(-1:m + 2), dy(-1:m + 2), u(-1:m + 3, -1:m + 3), w(-1:m + 3, -1:m + 3)
    real(8), intent(in), dimension(-1:m + 2, -1:m + 2) :: density, energy
    real(8), intent(inout), dimension(-1:m + 2, -1:m + 2) :: p, soundspeed, visc
    real(8) :: v, pe, pv, ugrad, vgrad, div, strain2, px, py, limiter, pgrad, xgrad, ygrad, grad
    integer :: j, k
    !$omp parallel
    !$omp do private(j, v, pe, pv)
    do k = 1, m
      !$omp simd private(v, pe, pv)
      do j = 1, m
        v = 1/density(j, k)
        p(j, k) = (1.4d0 - 1)*density(j, k)*energy(j, k)
        pe = (1.4d0 - 1)*density(j, k)
        pv = -density(j, k)*p(j, k)
        soundspeed(j, k) = sqrt(v*v*(p(j, k)*pe - pv))
      end do
    end do
    !$omp do private(j, ugrad, vgrad, div, strain2, px, py, limiter, pgrad, xgrad, ygrad, grad)
    do k = 1, m
      !$omp simd private(ugrad, vgrad, div, strain2, px, py, limiter, pgrad, xgrad, ygrad, grad)
      do j = 1, m
        ugrad = (u(j + 1, k) + u(j + 1, k + 1)) - (u(j, k) + u(j, k + 1))
        vgrad = (w(j, k + 1) + w(j + 1, k + 1)) - (w(j, k) + w(j + 1, k))
        div = dx(j)*ugrad + dy(k)*vgrad
        strain2 = 0.5d0*(u(j, k + 1) + u(j + 1, k + 1) - u(j, k) - u(j + 1, k))/dy(k) &
                  + 0.5d0*(w(j + 1, k) + w(j + 1, k + 1) - w(j, k) - w(j, k + 1))/dx(j)
        px = (p(j + 1, k) - p(j - 1, k))/(dx(j) + dx(j + 1))
        py = (p(j, k + 1) - p(j, k - 1))/(dy(k) + dy(k + 1))
        limiter = ((0.5d0*ugrad/dx(j))*px**2 + (0.5d0*vgrad/dy(k))*py**2 + strain2*px*py)/max(px**2 + py**2, 1d-16)
        if (limiter > 0 .or. div >= 0) then
          visc(j, k) = 0
        else
          px = sign(max(1d-16, abs(px)), px)
          py = sign(max(1d-16, abs(py)), py)
          pgrad = sqrt(px**2 + py**2)
          xgrad = abs(dx(j)*pgrad/px)
          ygrad = abs(dy(k)*pgrad/py)
          grad = min(xgrad, ygrad)
          visc(j, k) = 2*density(j, k)*grad*grad*limiter*limiter
        end if
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine advec_cell(m, vertexdx, volume, vfx, vfy, pre, post, density, energy, mass, ener, dnew, enew)
    integer, intent(in) :: m
    real(8), intent(in) :: vertexdx(-1:m + 3), vfx(-1:m + 3, -1:m + 2), vfy(-1:m + 2, -1:m + 3)
    real(8), intent(in), dimension(-1:m + 2, -1:m + 2) :: volume, density, energy
    real(8), intent(inout), dimension(-1:m + 2, -1:m + 2) :: pre, post, dnew, enew
    real(8), intent(inout), dimension(-1:m + 3, -1:m + 2) :: mass, ener
    real(8) :: sigma, sigma3, sigma4, uw, dw, wind, limiter, before, after
    integer :: j, k, up, donor, down, dif
    !$omp parallel
    !$omp do private(j)
    do k = -1, m + 2
      !$omp simd
      do j = -1, m + 2
        pre(j, k) = volume(j, k) + (vfx(j + 1, k) - vfx(j, k) + vfy(j, k + 1) - vfy(j, k))
        post(j, k) = pre(j, k) - (vfx(j + 1, k) - vfx(j, k))
      end do
    end do
    !$omp do private(j, up, donor, down, dif, sigma, sigma3, sigma4, uw, dw, wind, limiter)
    do k = 1, m
      !$omp simd private(up, donor, down, dif, sigma, sigma3, sigma4, uw, dw, wind, limiter)
      do j = 1, m + 2
        if (vfx(j, k) > 0) then
          up = j - 2
          donor = j - 1
          down = j
          dif = donor
        else
          up = min(j + 1, m + 2)
          donor = j
          down = j - 1
          dif = up
        end if
        sigma = abs(vfx(j, k))/pre(donor, k)
        sigma3 = (1 + sigma)*(vertexdx(j)/vertexdx(dif))
        sigma4 = 2 - sigma
        uw = density(donor, k) - density(up, k)
        dw = density(down, k) - density(donor, k)
        wind = merge(-1d0, 1d0, dw <= 0)
        limiter = 0
        if (uw*dw > 0) limiter = (1 - sigma)*wind*min(abs(uw), abs(dw), (sigma3*abs(uw) + sigma4*abs(dw))/6)
        mass(j, k) = vfx(j, k)*(density(donor, k) + limiter)
        sigma = abs(mass(j, k))/(density(donor, k)*pre(donor, k))
        uw = energy(donor, k) - energy(up, k)
        dw = energy(down, k) - energy(donor, k)
        wind = merge(-1d0, 1d0, dw <= 0)
        limiter = 0
        if (uw*dw > 0) limiter = (1 - sigma)*wind*min(abs(uw), abs(dw), (sigma3*abs(uw) + sigma4*abs(dw))/6)
        ener(j, k) = mass(j, k)*(energy(donor, k) + limiter)
      end do
    end do
    !$omp do private(j, before, after)
    do k = 1, m
      !$omp simd private(before, after)
      do j = 1, m
        before = density(j, k)*pre(j, k)
        after = before + mass(j, k) - mass(j + 1, k)
        enew(j, k) = (energy(j, k)*before + ener(j, k) - ener(j + 1, k))/after
        dnew(j, k) = after/post(j, k)
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine clover_move(m, dt, volume, xarea, yarea, density, pressure, visc, ss, u, w, u1, w1, vfx, vfy, dtmin)
    integer, intent(in) :: m
    real(8), intent(in) :: dt
    real(8), intent(in), dimension(0:m + 1, 0:m + 1) :: volume, xarea, yarea, density, pressure, visc, ss, u, w
    real(8), intent(inout), dimension(0:m + 1, 0:m + 1) :: u1, w1, vfx, vfy
    real(8), intent(out) :: dtmin
    real(8) :: step, c2, div
    integer :: j, k
    dtmin = 1d20
    !$omp parallel
    !$omp do private(j, step)
    do k = 1, m
      !$omp simd private(step)
      do j = 1, m
        step = 0.5d0*dt/((density(j - 1, k - 1)*volume(j - 1, k - 1) + density(j, k - 1)*volume(j, k - 1) &
                          + density(j, k)*volume(j, k) + density(j - 1, k)*volume(j - 1, k))*0.25d0)
        u1(j, k) = u(j, k) - step*(xarea(j, k)*(pressure(j, k) - pressure(j - 1, k)) &
                                   + xarea(j, k - 1)*(pressure(j, k - 1) - pressure(j - 1, k - 1))) &
                   - step*(xarea(j, k)*(visc(j, k) - visc(j - 1, k)) + xarea(j, k - 1)*(visc(j, k - 1) - visc(j - 1, k - 1)))
        w1(j, k) = w(j, k) - step*(yarea(j, k)*(pressure(j, k) - pressure(j, k - 1)) &
                                   + yarea(j - 1, k)*(pressure(j - 1, k) - pressure(j - 1, k - 1))) &
                   - step*(yarea(j, k)*(visc(j, k) - visc(j, k - 1)) + yarea(j - 1, k)*(visc(j - 1, k) - visc(j - 1, k - 1)))
      end do
    end do
    !$omp do private(j)
    do k = 1, m
      !$omp simd
      do j = 1, m
        vfx(j, k) = 0.25d0*dt*xarea(j, k)*(u(j, k) + u(j, k + 1) + u1(j, k) + u1(j, k + 1))
        vfy(j, k) = 0.25d0*dt*yarea(j, k)*(w(j, k) + w(j + 1, k) + w1(j, k) + w1(j + 1, k))
      end do
    end do
    !$omp do private(j, c2, div) reduction(min:dtmin)
    do k = 1, m
      !$omp simd private(c2, div) reduction(min:dtmin)
      do j = 1, m
        c2 = sqrt(ss(j, k)**2 + 2*visc(j, k)/density(j, k))
        div = abs(vfx(j, k)) + abs(vfy(j, k))
        dtmin = min(dtmin, 0.7d0*min(1/c2, volume(j, k)/max(div, 1d-10)))
      end do
    end do
    !$omp end parallel
  end subroutine
end module

program searches
  use timing
  use searches_twins
  implicit none
  integer :: n = 1000000, m = 512, i, j, k, l, nb, nboxes, np, nodes, nq, x, y, z, leaf
  type(four), allocatable :: r(:, :), f(:, :)
  real(8), allocatable :: q(:, :), cdf(:), xp(:), yp(:), xn(:), yn(:), lower(:), total
  integer, allocatable :: count(:), near(:, :), bi(:), where, center(:), keys(:, :), child(:, :), questions(:), answers(:)
  type(place), allocatable :: p(:)
  real, allocatable :: dist(:), bd(:), best, pts(:, :), weight(:), cost(:)
  logical(1), allocatable :: switches(:)
  real(8), allocatable :: dx(:), dy(:)
  real(8), allocatable, dimension(:, :) :: de, en, pr, ss, u, w, vi, vol, vfx, vfy, pre, post, mass, ener, dn, ew, u1, w1
  real(8) :: s, dtmin

  call argument(1, n)
  call argument(2, m)
  nb = max(2, m/128)
  nboxes = nb**3
  allocate (r(par, nboxes), f(par, nboxes), q(par, nboxes), count(nboxes), near(27, nboxes))
  count = 0
  do i = 0, nboxes - 1
    do l = 0, 26
      x = mod(i, nb) + mod(l, 3) - 1
      y = mod(i/nb, nb) + mod(l/3, 3) - 1
      z = i/nb**2 + l/9 - 1
      if (min(x, y, z) < 0 .or. max(x, y, z) >= nb) cycle
      count(i + 1) = count(i + 1) + 1
      near(count(i + 1), i + 1) = 1 + x + nb*(y + nb*z)
    end do
    do j = 1, par
      r(j, i + 1)%x = mod(i, nb) + value(j + 100*i)
      r(j, i + 1)%y = mod(i/nb, nb) + value(3*j + 101*i)
      r(j, i + 1)%z = i/nb**2 + value(7*j + 103*i)
      r(j, i + 1)%v = 0.5d0*(r(j, i + 1)%x**2 + r(j, i + 1)%y**2 + r(j, i + 1)%z**2)
      q(j, i + 1) = value(13*j + i)
    end do
  end do
  do while (more())
    call box_forces(nboxes, 0.5d0, count, near, r, q, f)
  end do
  s = 0
  do i = 1, nboxes
    do j = 1, par
      s = s + f(j, i)%v + abs(f(j, i)%x) + 2*abs(f(j, i)%y) + 3*abs(f(j, i)%z)
    end do
  end do
  call report('box_forces', s)

  np = n/10
  allocate (cdf(np), xp(np), yp(np), xn(np), yn(np))
  s = 0
  do i = 1, np
    s = s + value(31*i + i/77)**4
    cdf(i) = s
    xp(i) = value(i)
    yp(i) = value(5*i)
  end do
  cdf = cdf/s
  do while (more())
    call resample(np, cdf, xp, yp, xn, yn)
  end do
  call report('resample', check8(np, xn) + check8(np, yn))

  allocate (p(n), dist(n), bd((n + 255)/256), bi((n + 255)/256), best, where)
  do i = 1, n
    p(i)%lat = real(180*value(i) - 90)
    p(i)%lng = real(360*value(11*i + i/1009) - 180)
  end do
  do while (more())
    call nearest(n, 30.03, 90.07, p, dist, bd, bi, best, where)
  end do
  call report('nearest', check4(n, dist) + 1d3*best + where)

  np = n/16
  allocate (pts(np, dims), weight(np), cost(np), center(np), switches(np), lower(32), total)
  pts = reshape([(real(value(i + i/np)), i=1, np*dims)], [np, dims])
  weight = [(real(1 + value(7*i)), i=1, np)]
  cost = [(real(6*value(9*i)), i=1, np)]
  center = [(1 + mod(i*13, 32), i=1, np)]
  do while (more())
    lower = 0
    total = 0
    call gains(np, 32, pts, weight, center, cost, switches, lower, total)
  end do
  call report('gains', check8(32, lower) + total)

  nodes = 1 + 32 + 1024
  nq = n/16
  allocate (keys(order + 1, nodes), child(order, nodes), questions(nq), answers(nq))
  do i = 1, nodes
    do j = 1, order + 1
      select case (i)
      case (1)
        keys(j, i) = (j - 1)*3*1024
        if (j <= order) child(j, i) = 1 + j
      case (2:33)
        keys(j, i) = (i - 2)*3*1024 + (j - 1)*3*32
        if (j <= order) child(j, i) = 33 + (i - 2)*32 + j
      case default
        leaf = (i - 34)*32 + j - 1
        keys(j, i) = 3*leaf
        if (j <= order) child(j, i) = mod(leaf*7, 1000)
      end select
    end do
  end do
  questions = [(int(mod(int(i, 8)*7919, 98303_8)), i=1, nq)]
  do while (more())
    call tree_search(nq, nodes, 3, keys, child, questions, answers)
  end do
  call report('tree_search', checki(nq, answers))

  allocate (dx(-1:m + 3), dy(-1:m + 3), u(-1:m + 3, -1:m + 3), w(-1:m + 3, -1:m + 3))
  allocate (de(-1:m + 2, -1:m + 2), en(-1:m + 2, -1:m + 2), pr(-1:m + 2, -1:m + 2), ss(-1:m + 2, -1:m + 2), vi(-1:m + 2, -1:m + 2))
  dx = [(1 + 0.1d0*value(i), i=1, m + 5)]
  dy = [(1 + 0.1d0*value(3*i), i=1, m + 5)]
  de = reshape([(1 + value(i), i=1, (m + 4)**2)], [m + 4, m + 4])
  en = reshape([(1 + value(3*i), i=1, (m + 4)**2)], [m + 4, m + 4])
  u = reshape([(value(5*i) - 0.5d0, i=1, (m + 5)**2)], [m + 5, m + 5])
  w = reshape([(value(7*i) - 0.5d0, i=1, (m + 5)**2)], [m + 5, m + 5])
  pr = 1
  vi = 0
  ss = 1
  do while (more())
    call clover_state(m, dx, dy, de, en, pr, ss, u, w, vi)
  end do
  call report('clover_state', check8((m + 4)**2, ss) + check8((m + 4)**2, vi))

  allocate (vol(-1:m + 2, -1:m + 2))
  allocate (pre, post, dn, ew, mold=vol)
  allocate (vfx(-1:m + 3, -1:m + 2), vfy(-1:m + 2, -1:m + 3), mass(-1:m + 3, -1:m + 2), ener(-1:m + 3, -1:m + 2))
  vol = 1
  vfx = reshape([(0.3d0*(value(i + i/7) - 0.5d0), i=1, (m + 4)*(m + 5))], [m + 5, m + 4])
  vfy = reshape([(0.3d0*(value(5*i + i/11) - 0.5d0), i=1, (m + 4)*(m + 5))], [m + 4, m + 5])
  mass = 0
  ener = 0
  dn = 0
  ew = 0
  do while (more())
    call advec_cell(m, dx, vol, vfx, vfy, pre, post, de, en, mass, ener, dn, ew)
  end do
  call report('advec_cell', check8((m + 4)**2, dn) + check8((m + 4)**2, ew))

  deallocate (vol, pre, post, de, pr, vi, ss, u, w, vfx, vfy)
  allocate (vol(0:m + 1, 0:m + 1), source=1.1d0)
  allocate (pre, post, de, pr, vi, ss, u, w, vfx, vfy, u1, w1, mold=vol)
  k = (m + 2)**2
  pre = reshape([(1 + value(i), i=1, k)], [m + 2, m + 2])
  post = reshape([(1 + value(3*i), i=1, k)], [m + 2, m + 2])
  de = reshape([(1 + value(5*i), i=1, k)], [m + 2, m + 2])
  pr = reshape([(1 + value(7*i), i=1, k)], [m + 2, m + 2])
  vi = reshape([(value(9*i), i=1, k)], [m + 2, m + 2])
  ss = reshape([(1 + value(11*i), i=1, k)], [m + 2, m + 2])
  u = reshape([(value(13*i) - 0.5d0, i=1, k)], [m + 2, m + 2])
  w = reshape([(value(17*i) - 0.5d0, i=1, k)], [m + 2, m + 2])
  vfx = 0
  vfy = 0
  u1 = u
  w1 = w
  do while (more())
    call clover_move(m, 0.04d0, vol, pre, post, de, pr, vi, ss, u, w, u1, w1, vfx, vfy, dtmin)
  end do
  call report('clover_move', check8(k, abs(vfx)) + check8(k, abs(vfy)) + 1d3*dtmin)
end program
