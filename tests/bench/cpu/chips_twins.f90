! What chips.cuf computes, in OpenMP.
module chips_twins
  implicit none
  integer, parameter :: tile = 16, hidden = 16, nbr = 4
  real :: far(5)
contains
  subroutine hotspot_step(n, cap, rx, ry, rz, power, t, tnew)
    integer, intent(in) :: n
    real, intent(in) :: cap, rx, ry, rz, power(n, n), t(n, n)
    real, intent(out) :: tnew(n, n)
    integer :: i, j, d, u
    !$omp parallel do private(i, d, u)
    do j = 1, n
      d = max(j - 1, 1)
      u = min(j + 1, n)
      i = 1
      tnew(i, j) = t(i, j) + cap*(power(i, j) + (t(i, u) + t(i, d) - 2.0*t(i, j))*ry &
                   + (t(i + 1, j) + t(i, j) - 2.0*t(i, j))*rx + (80.0 - t(i, j))*rz)
      !$omp simd
      do i = 2, n - 1
        tnew(i, j) = t(i, j) + cap*(power(i, j) + (t(i, u) + t(i, d) - 2.0*t(i, j))*ry &
                     + (t(i + 1, j) + t(i - 1, j) - 2.0*t(i, j))*rx + (80.0 - t(i, j))*rz)
      end do
      i = n
      tnew(i, j) = t(i, j) + cap*(power(i, j) + (t(i, u) + t(i, d) - 2.0*t(i, j))*ry &
                   + (t(i, j) + t(i - 1, j) - 2.0*t(i, j))*rx + (80.0 - t(i, j))*rz)
    end do
  end subroutine
  subroutine hotspot(m, steps, power, a, b)
    integer, intent(in) :: m, steps
    real, intent(in) :: power(m, m)
    real, intent(inout) :: a(m, m), b(m, m)
    integer :: k
    do k = 1, steps, 2
      call hotspot_step(m, 0.5, 0.1, 0.12, 0.05, power, a, b)
      call hotspot_step(m, 0.5, 0.1, 0.12, 0.05, power, b, a)
    end do
  end subroutine

  subroutine srad(n, im, res, north, south, west, east, dn, ds, dw, de, c)
    integer, intent(in) :: n, north(n), south(n), west(n), east(n)
    real, intent(in) :: im(n, n)
    real, intent(inout) :: res(n, n), dn(n, n), ds(n, n), dw(n, n), de(n, n), c(n, n)
    real(8) :: total, squares, mean
    real :: q0, jc, g2, l, num, den, q
    integer :: i, j
    total = 0
    squares = 0
    !$omp parallel do private(i) reduction(+:total, squares)
    do j = 1, n
      !$omp simd reduction(+:total, squares)
      do i = 1, n
        total = total + im(i, j)
        squares = squares + im(i, j)*im(i, j)
      end do
    end do
    mean = total/n/n
    q0 = real((squares/n/n - mean**2)/mean**2)
    !$omp parallel do private(i, jc, g2, l, num, den, q)
    do j = 1, n
      !$omp simd private(jc, g2, l, num, den, q)
      do i = 1, n
        jc = im(i, j)
        dn(i, j) = im(north(i), j) - jc
        ds(i, j) = im(south(i), j) - jc
        dw(i, j) = im(i, west(j)) - jc
        de(i, j) = im(i, east(j)) - jc
        g2 = (dn(i, j)**2 + ds(i, j)**2 + dw(i, j)**2 + de(i, j)**2)/jc**2
        l = (dn(i, j) + ds(i, j) + dw(i, j) + de(i, j))/jc
        num = 0.5*g2 - l*l/16
        den = 1 + 0.25*l
        q = num/den**2
        den = (q - q0)/(q0*(1 + q0))
        c(i, j) = min(max(1/(1 + den), 0.0), 1.0)
      end do
    end do
    !$omp parallel do private(i)
    do j = 1, n
      !$omp simd
      do i = 1, n
        res(i, j) = im(i, j) + 0.25*0.5*(c(i, j)*(dn(i, j) + dw(i, j)) + c(south(i), j)*ds(i, j) + c(i, east(j))*de(i, j))
      end do
    end do
  end subroutine

  subroutine lud_tiles(nt, a, lu)
    integer, intent(in) :: nt
    real, intent(in) :: a(tile, tile, nt)
    real, intent(out) :: lu(tile, tile, nt)
    real :: s(tile, tile)
    integer :: b, i, j, k
    !$omp parallel do private(s, i, j, k)
    do b = 1, nt
      s = a(:, :, b)
      do k = 1, tile - 1
        s(k + 1:, k) = s(k + 1:, k)/s(k, k)
        do j = k + 1, tile
          !$omp simd
          do i = k + 1, tile
            s(i, j) = s(i, j) - s(i, k)*s(k, j)
          end do
        end do
      end do
      lu(:, :, b) = s
    end do
  end subroutine

  ! Tiles of 64, those of a diagonal in parallel.
  subroutine needleman(m, penalty, ref, h)
    integer, intent(in) :: m, penalty, ref(m, m)
    integer, intent(inout) :: h(0:m, 0:m)
    integer, parameter :: w = 64
    integer :: nb, d, bx, by, i, j
    nb = (m + w - 1)/w
    !$omp parallel private(d, bx, by, i, j)
    do d = 2, 2*nb
      !$omp do schedule(static, 1)
      do bx = max(1, d - nb), min(nb, d - 1)
        by = d - bx
        do j = (by - 1)*w + 1, min(by*w, m)
          do i = (bx - 1)*w + 1, min(bx*w, m)
            h(i, j) = max(h(i - 1, j - 1) + ref(i, j), h(i, j - 1) - penalty, h(i - 1, j) - penalty)
          end do
        end do
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine pathfinder(cols, rows, wall, a, b)
    integer, intent(in) :: cols, rows, wall(cols, rows)
    integer, intent(inout) :: a(cols), b(cols)
    integer :: k, i
    !$omp parallel private(k)
    !$omp do simd
    do i = 1, cols
      a(i) = wall(i, 1)
    end do
    do k = 2, rows, 2
      call row(wall(:, k), a, b)
      call row(wall(:, k + 1), b, a)
    end do
    !$omp end parallel
  contains
    subroutine row(cost, p, q)
      integer, intent(in) :: cost(cols), p(cols)
      integer, intent(inout) :: q(cols)
      integer :: i
      !$omp single
      q(1) = min(p(1), p(2)) + cost(1)
      q(cols) = min(p(cols - 1), p(cols)) + cost(cols)
      !$omp end single nowait
      !$omp do simd
      do i = 2, cols - 1
        q(i) = min(p(i - 1), p(i), p(i + 1)) + cost(i)
      end do
    end subroutine
  end subroutine

  subroutine bfs(nn, ne, start, edges, front, update, seen, cost, levels)
    integer, intent(in) :: nn, ne, start(nn + 1), edges(ne)
    integer, intent(inout) :: cost(nn)
    logical(1), intent(inout) :: front(nn), update(nn), seen(nn)
    integer, intent(out) :: levels
    logical :: more
    integer :: i, k, id
    !$omp parallel do
    do i = 1, nn
      front(i) = .false.
      update(i) = .false.
      seen(i) = .false.
      cost(i) = -1
    end do
    front(1) = .true.
    seen(1) = .true.
    cost(1) = 0
    levels = 0
    more = .true.
    do while (more)
      !$omp parallel do private(k, id)
      do i = 1, nn
        if (front(i)) then
          front(i) = .false.
          do k = start(i), start(i + 1) - 1
            id = edges(k)
            if (.not. seen(id)) then
              cost(id) = cost(i) + 1
              update(id) = .true.
            end if
          end do
        end if
      end do
      more = .false.
      !$omp parallel do reduction(.or.:more)
      do i = 1, nn
        if (update(i)) then
          front(i) = .true.
          seen(i) = .true.
          more = .true.
          update(i) = .false.
        end if
      end do
      levels = levels + 1
    end do
  end subroutine

  subroutine layer(nin, x, w, oldw, partial, y, delta)
    integer, intent(in) :: nin
    real, intent(in) :: x(nin), delta(hidden)
    real, intent(inout) :: w(hidden, nin), oldw(hidden, nin), partial(hidden, nin/16), y(hidden)
    real :: d, s(hidden)
    integer :: i, h
    s = 0
    !$omp parallel do private(h) reduction(+:s)
    do i = 1, nin
      do h = 1, hidden
        s(h) = s(h) + w(h, i)*x(i)
      end do
    end do
    y = 1/(1 + exp(-s))
    !$omp parallel do private(h, d)
    do i = 1, nin
      do h = 1, hidden
        d = 0.3*delta(h)*x(i) + 0.3*oldw(h, i)
        w(h, i) = w(h, i) + d
        oldw(h, i) = d
      end do
    end do
  end subroutine

  pure subroutine flux_contribution(mom, energy, p, vel, fm, fe)
    real, intent(in) :: energy, p, mom(3), vel(3)
    real, intent(out) :: fm(3, 3), fe(3)
    integer :: a
    do a = 1, 3
      fm(:, a) = vel*mom(a)
      fm(a, a) = fm(a, a) + p
    end do
    fe = vel*(energy + p)
  end subroutine
  pure real function pressure(rho, energy, speed2)
    real, intent(in) :: rho, energy, speed2
    pressure = 0.4*(energy - 0.5*rho*speed2)
  end function
  subroutine cfd_flux(nel, neighbours, normals, v, fluxes)
    integer, intent(in) :: nel, neighbours(nel, nbr)
    real, intent(in) :: normals(nel, 3, nbr), v(nel, 5)
    real, intent(out) :: fluxes(nel, 5)
    real :: rho, mom(3), e, vel(3), s2, p, c, fm(3, 3), fe(3), rho2, mom2(3), e2, vel2(3), s22, p2, c2, fm2(3, 3), fe2(3)
    real :: n(3), f(5), factor, size
    integer :: i, j, k, nb, d
    !$omp parallel do private(rho, mom, e, vel, s2, p, c, fm, fe, rho2, mom2, e2, vel2, s22, p2, c2, fm2, fe2, n, f, factor, &
    !$omp                     size, j, k, nb, d)
    do i = 1, nel
      rho = v(i, 1)
      mom = v(i, 2:4)
      e = v(i, 5)
      vel = mom/rho
      s2 = vel(1)**2 + vel(2)**2 + vel(3)**2
      p = pressure(rho, e, s2)
      c = sqrt(1.4*p/rho)
      call flux_contribution(mom, e, p, vel, fm, fe)
      f = 0
      do j = 1, nbr
        nb = neighbours(i, j)
        n = normals(i, :, j)
        size = sqrt(n(1)*n(1) + n(2)*n(2) + n(3)*n(3))
        if (nb >= 1) then
          rho2 = v(nb, 1)
          mom2 = v(nb, 2:4)
          e2 = v(nb, 5)
          vel2 = mom2/rho2
          s22 = vel2(1)**2 + vel2(2)**2 + vel2(3)**2
          p2 = pressure(rho2, e2, s22)
          c2 = sqrt(1.4*p2/rho2)
          call flux_contribution(mom2, e2, p2, vel2, fm2, fe2)
          factor = -size*0.2*0.5*(sqrt(s2) + sqrt(s22) + c + c2)
          f(1) = f(1) + factor*(rho - rho2)
          f(5) = f(5) + factor*(e - e2)
          f(2:4) = f(2:4) + factor*(mom - mom2)
          do d = 1, 3
            factor = 0.5*n(d)
            f(1) = f(1) + factor*(mom2(d) + mom(d))
            f(5) = f(5) + factor*(fe2(d) + fe(d))
            do k = 1, 3
              f(k + 1) = f(k + 1) + factor*(fm2(d, k) + fm(d, k))
            end do
          end do
        else if (nb == -1) then
          f(2:4) = f(2:4) + n*p
        else
          do d = 1, 3
            factor = 0.5*n(d)
            f(1) = f(1) + factor*(far(d + 1) + mom(d))
            f(5) = f(5) + factor*(far(5)*far(d + 1) + fe(d))
            do k = 1, 3
              f(k + 1) = f(k + 1) + factor*(far(d + 1)*far(k + 1)/far(1) + fm(d, k))
            end do
          end do
        end if
      end do
      fluxes(i, :) = f
    end do
  end subroutine
end module

program chips
  use timing
  use chips_twins
  implicit none
  integer :: n = 1000000, m = 512, i, k, nt, cols, rows = 49, nn, ne, levels, nin, nel
  real, allocatable :: a(:, :), b(:, :), c(:, :), d1(:, :), d2(:, :), d3(:, :), d4(:, :), a3(:, :, :), b3(:, :, :)
  integer, allocatable :: north(:), south(:), west(:), east(:), ref(:, :), h(:, :), wall(:, :), p(:), q(:)
  integer, allocatable :: start(:), edges(:), cost(:), near(:, :)
  logical(1), allocatable :: front(:), update(:), seen(:)
  real, allocatable :: x(:), w(:, :), ow(:, :), partial(:, :), y(:), delta(:), v(:, :), f(:, :)

  call argument(1, n)
  call argument(2, m)
  allocate (a(m, m), b(m, m), c(m, m))
  a = reshape([(real(40 + 80*value(i)), i=1, m*m)], [m, m])
  c = reshape([(real(value(3*i)), i=1, m*m)], [m, m])
  do while (more())
    call hotspot(m, 6, c, a, b)
  end do
  call report('hotspot', check4(m*m, a))

  allocate (north(m), south(m), west(m), east(m), d1(m, m), d2(m, m), d3(m, m), d4(m, m))
  do i = 1, m
    north(i) = max(i - 1, 1)
    south(i) = min(i + 1, m)
    west(i) = max(i - 1, 1)
    east(i) = min(i + 1, m)
  end do
  a = reshape([(real(exp(value(i))), i=1, m*m)], [m, m])
  do while (more())
    call srad(m, a, b, north, south, west, east, d1, d2, d3, d4, c)
  end do
  call report('srad', check4(m*m, b))

  nt = n/256
  allocate (a3(16, 16, nt), b3(16, 16, nt))
  a3 = reshape([(real(value(i)), i=1, 256*nt)], [16, 16, nt])
  do k = 1, nt
    do i = 1, 16
      a3(i, i, k) = a3(i, i, k) + 8
    end do
  end do
  do while (more())
    call lud_tiles(nt, a3, b3)
  end do
  call report('lud_tiles', check4(256*nt, b3))

  allocate (ref(m, m), h(0:m, 0:m))
  ref = reshape([(int(21*value(i + i/m)) - 10, i=1, m*m)], [m, m])
  h = 0
  do i = 1, m
    h(i, 0) = -4*i
    h(0, i) = -4*i
  end do
  do while (more())
    call needleman(m, 4, ref, h)
  end do
  call report('needleman', checki((m + 1)**2, h))

  cols = n/8
  allocate (wall(cols, rows), p(cols), q(cols))
  wall = reshape([(int(10*value(i + i/cols)), i=1, cols*rows)], [cols, rows])
  do while (more())
    call pathfinder(cols, rows, wall, p, q)
  end do
  call report('pathfinder', checki(cols, p))

  nn = n/8
  allocate (start(nn + 1), cost(nn), front(nn), update(nn), seen(nn))
  start(1) = 1
  do i = 1, nn
    start(i + 1) = start(i) + 2 + int(5*value(11*i))
  end do
  ne = start(nn + 1) - 1
  allocate (edges(ne))
  edges = [(1 + int(mod(int(i, 8)*2654435761_8 + 12345, int(nn, 8))), i=1, ne)]
  do while (more())
    call bfs(nn, ne, start, edges, front, update, seen, cost, levels)
  end do
  call report('bfs', checki(nn, cost) + levels)

  nin = 16*(n/128)
  allocate (x(nin), w(hidden, nin), ow(hidden, nin), partial(hidden, nin/16), y(hidden), delta(hidden))
  x = [(real(value(i) - 0.5d0), i=1, nin)]
  w = reshape([(real(1d-2*(value(7*i) - 0.5d0)), i=1, hidden*nin)], [hidden, nin])
  ow = 0
  delta = [(real(1d-4*(value(13*i) - 0.5d0)), i=1, hidden)]
  do while (more())
    call layer(nin, x, w, ow, partial, y, delta)
  end do
  call report('layer', check4(hidden, y) + check4(hidden*nin, abs(w)))

  nel = n/16
  allocate (near(nel, nbr), v(nel, 5), f(nel, 5))
  deallocate (a3)
  allocate (a3(nel, 3, nbr))
  near = reshape([(1 + int(mod(int(mod(i, nel) + 1, 8) + nint(200*(value(17*i) - 0.5d0)) + nel, int(nel, 8))), i=1, nel*nbr)], &
                 [nel, nbr])
  do i = 1, nel
    if (mod(i, 53) == 0) near(i, 2) = -1
    if (mod(i, 97) == 0) near(i, 3) = -2
  end do
  a3 = reshape([(real(value(3*i) - 0.5d0), i=1, nel*3*nbr)], [nel, 3, nbr])
  v = reshape([(real(0.5d0*value(i)), i=1, 5*nel)], [nel, 5])
  v(:, 1) = v(:, 1) + 1
  v(:, 5) = v(:, 5) + 3
  far = [1.4, 1.2, 0.05, 0.0, 3.2]
  do while (more())
    call cfd_flux(nel, near, a3, v, f)
  end do
  call report('cfd_flux', check4(5*nel, abs(f)))
end program
