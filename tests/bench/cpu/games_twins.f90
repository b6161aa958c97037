! What games.cuf computes, in OpenMP.
module games_twins
  implicit none
  integer, parameter :: tile = 16, bits = 20, letters = 64, spheres = 24
  type sphere
    real :: x, y, z, r, shade
  end type
  type(sphere) :: scene(spheres)
  integer :: directions(bits, 2)
contains
  subroutine life(m, steps, a, b)
    integer, intent(in) :: m, steps
    integer(1), intent(inout) :: a(m, m), b(m, m)
    integer :: k
    do k = 1, steps, 2
      call life_step(m, a, b)
      call life_step(m, b, a)
    end do
  end subroutine
  subroutine life_step(n, a, b)
    integer, intent(in) :: n
    integer(1), intent(in) :: a(n, n)
    integer(1), intent(out) :: b(n, n)
    integer(1) :: row(0:n + 1), alive
    integer :: i, j, d, u
    !$omp parallel do private(i, d, u, row, alive)
    do j = 1, n
      d = modulo(j - 2, n) + 1
      u = modulo(j, n) + 1
      row(1:n) = a(:, d) + a(:, j) + a(:, u)
      row(0) = row(n)
      row(n + 1) = row(1)
      !$omp simd private(alive)
      do i = 1, n
        alive = row(i - 1) + row(i) + row(i + 1) - a(i, j)
        b(i, j) = merge(1_1, 0_1, alive == 3 .or. (alive == 2 .and. a(i, j) == 1))
      end do
    end do
  end subroutine

  subroutine floyd(n, d0, d)
    integer, intent(in) :: n
    real, intent(in) :: d0(n, n)
    real, intent(out) :: d(n, n)
    real :: c(n)
    integer :: i, j, k
    d = d0
    !$omp parallel private(c, k)
    do k = 1, n
      c = d(:, k)
      !$omp barrier
      !$omp do private(i)
      do j = 1, n
        !$omp simd
        do i = 1, n
          d(i, j) = min(d(i, j), c(i) + d(k, j))
        end do
      end do
    end do
    !$omp end parallel
  end subroutine

  subroutine sort_pieces(n, k0, keys, places)
    integer, intent(in) :: n
    real, intent(in) :: k0(n)
    real, intent(out) :: keys(n)
    integer, intent(out) :: places(n)
    real :: k(512), low, high
    integer :: v(512), base, size, stride, p, q, vl, vh
    logical :: up, swap
    !$omp parallel do private(k, low, high, v, size, stride, p, q, vl, vh, up, swap)
    do base = 0, n - 1, 512
      do p = 1, 512
        k(p) = k0(base + p)
        v(p) = base + p
      end do
      size = 2
      do while (size <= 512)
        stride = size/2
        do while (stride > 0)
          do q = 0, 511, 2*stride
            up = iand(q, size) == 0
            !$omp simd private(low, high, vl, vh, swap)
            do p = q + 1, q + stride
              low = k(p)
              high = k(p + stride)
              vl = v(p)
              vh = v(p + stride)
              swap = (low > high) .eqv. up
              k(p) = merge(high, low, swap)
              k(p + stride) = merge(low, high, swap)
              v(p) = merge(vh, vl, swap)
              v(p + stride) = merge(vl, vh, swap)
            end do
          end do
          stride = stride/2
        end do
        size = 2*size
      end do
      keys(base + 1:base + 512) = k
      places(base + 1:base + 512) = v
    end do
  end subroutine

  pure integer function hash(x)
    integer, intent(in) :: x
    integer(8) :: h
    h = iand(int(x, 8), 4294967295_8)
    h = iand(ieor(ishft(h, -16), h)*73244475_8, 4294967295_8)
    h = iand(ieor(ishft(h, -16), h)*73244475_8, 4294967295_8)
    hash = int(iand(ieor(ishft(h, -16), h), 16777215_8))
  end function
  subroutine ising(n, sweeps, s0, s, magnet)
    integer, intent(in) :: n, sweeps
    integer(1), intent(in) :: s0(n, n)
    integer(1), intent(out) :: s(n, n)
    integer, intent(out) :: magnet
    integer :: k, i, j, colour, im, ip, jm, jp, sum
    real :: u, table(-4:4)
    table = [(exp(-2*0.44*i), i=-4, 4)]
    s = s0
    do k = 1, sweeps
      do colour = 0, 1
        !$omp parallel do private(i, im, ip, jm, jp, sum, u)
        do j = 1, n
          jm = merge(n, j - 1, j == 1)
          jp = merge(1, j + 1, j == n)
          do i = 1 + mod(j + colour + 1, 2), n, 2
            im = merge(n, i - 1, i == 1)
            ip = merge(1, i + 1, i == n)
            sum = s(im, j) + s(ip, j) + s(i, jm) + s(i, jp)
            u = hash(i + n*j + 7919*(2*k + colour))/16777216.0
            if (u < table(sum*s(i, j))) s(i, j) = -s(i, j)
          end do
        end do
      end do
    end do
    magnet = 0
    !$omp parallel do private(i) reduction(+:magnet)
    do j = 1, n
      do i = 1, n
        magnet = magnet + s(i, j)
      end do
    end do
  end subroutine

  subroutine kuramoto(n, k, dt, omega, phase, new)
    integer, intent(in) :: n
    real, intent(in) :: k, dt
    real, intent(in), contiguous :: omega(:), phase(:)
    real, intent(out), contiguous :: new(:)
    real :: sn(n), cs(n), s, c, p
    integer :: i, j
    !$omp parallel private(j, s, c, p)
    !$omp do
    do i = 1, n
      sn(i) = sin(phase(i))
      cs(i) = cos(phase(i))
    end do
    !$omp do
    do i = 1, n
      s = 0
      c = 0
      !$omp simd reduction(+:s, c)
      do j = 1, n
        s = s + sn(j)/(1 + 0.01*abs(i - j))
        c = c + cs(j)/(1 + 0.01*abs(i - j))
      end do
      p = phase(i)
      new(i) = p + dt*(omega(i) + k/n*(s*cs(i) - c*sn(i)))
    end do
    !$omp end parallel
  end subroutine

  pure real(8) function hit(s, ox, oy, dx, dy, dz)
    type(sphere), intent(in) :: s
    real(8), intent(in) :: ox, oy, dx, dy, dz
    real(8) :: b, c, d
    b = (ox - s%x)*dx + (oy - s%y)*dy - s%z*dz
    c = (ox - s%x)**2 + (oy - s%y)**2 + s%z**2 - s%r**2
    d = b*b - c
    hit = -1
    if (d > 0) hit = -b - sqrt(d)
  end function
  subroutine render(nx, ny, image)
    integer, intent(in) :: nx, ny
    real, intent(out) :: image(nx, ny)
    real(8) :: dx, dy, dz, t, best, light, px, py, pz
    integer :: i, j, k, which
    !$omp parallel do private(i, k, which, dx, dy, dz, t, best, light, px, py, pz)
    do j = 1, ny
      !$omp simd private(k, which, dx, dy, dz, t, best, light, px, py, pz)
      do i = 1, nx
        dx = (i - 0.5d0*nx)/nx
        dy = (j - 0.5d0*ny)/ny
        dz = 1/sqrt(1 + dx*dx + dy*dy)
        dx = dx*dz
        dy = dy*dz
        best = 1d30
        which = 0
        do k = 1, spheres
          t = hit(scene(k), 0.1d0, -0.1d0, dx, dy, dz)
          if (t > 0 .and. t < best) then
            best = t
            which = k
          end if
        end do
        light = 0.1d0*(1 + dy)
        if (which > 0) then
          px = (0.1d0 + best*dx - scene(which)%x)/scene(which)%r
          py = (-0.1d0 + best*dy - scene(which)%y)/scene(which)%r
          pz = (best*dz - scene(which)%z)/scene(which)%r
          light = scene(which)%shade*max(0d0, 0.5d0*px - 0.7d0*py - 0.5d0*pz) + 0.05d0
        end if
        image(i, j) = real(light)
      end do
    end do
  end subroutine

  subroutine sobol(n, strike, total)
    integer, intent(in) :: n
    real(8), intent(in) :: strike
    real(8), intent(inout) :: total
    real(8) :: x, y
    integer :: i, k, g, a, b
    !$omp parallel do simd private(k, g, a, b, x, y) reduction(+:total)
    do i = 1, n
      g = ieor(i, ishft(i, -1))
      a = 0
      b = 0
      do k = 1, bits
        if (btest(g, k - 1)) then
          a = ieor(a, directions(k, 1))
          b = ieor(b, directions(k, 2))
        end if
      end do
      x = (a + 0.5d0)/1073741824d0
      y = (b + 0.5d0)/1073741824d0
      total = total + max(x*y + x - strike, 0d0)
    end do
  end subroutine

  subroutine local_alignments(np, a, b, score)
    integer, intent(in) :: np
    integer(1), intent(in) :: a(letters, np), b(letters, np)
    integer, intent(out) :: score(np)
    integer :: h(0:letters), e(letters), f, diag, new, best, p, i, j
    !$omp parallel do private(h, e, f, diag, new, best, i, j)
    do p = 1, np
      h = 0
      e = -1000
      best = 0
      do j = 1, letters
        diag = 0
        f = -1000
        do i = 1, letters
          e(i) = max(e(i) - 1, h(i) - 3)
          f = max(f - 1, h(i - 1) - 3)
          new = max(0, diag + merge(3, -2, a(i, p) == b(j, p)), e(i), f)
          diag = h(i)
          h(i) = new
          best = max(best, new)
        end do
      end do
      score(p) = best
    end do
  end subroutine
end module

program games
  use timing
  use games_twins
  implicit none
  integer :: n = 1000000, m = 512, i, k, nf, ns, nk, np, magnet, v1(bits), v2(bits)
  integer(1), allocatable :: a(:, :), b(:, :), s0(:, :), s(:, :), sa(:, :), sb(:, :)
  real, allocatable :: d0(:, :), d(:, :), k0(:), keys(:), omega(:), phase(:), new(:), image(:, :)
  integer, allocatable :: places(:), score(:)
  real(8), allocatable :: total
  type(sphere) :: all(spheres)

  call argument(1, n)
  call argument(2, m)
  allocate (a(m, m), b(m, m))
  a = reshape([(int(merge(1, 0, value(i + i/m) > 0.6d0), 1), i=1, m*m)], [m, m])
  do while (more())
    call life(m, 4, a, b)
  end do
  call report('life_tiles', sum([(real(a(1 + mod(i, m), 1 + i/m), 8)*(1 + mod(i, 7)), i=0, m*m - 1)]))

  nf = 16*max(1, m/48)
  allocate (d0(nf, nf), d(nf, nf))
  d0 = reshape([(real(1 + 100*value(i + i/nf)), i=1, nf*nf)], [nf, nf])
  do i = 1, nf
    d0(i, i) = 0
  end do
  do while (more())
    call floyd(nf, d0, d)
  end do
  call report('floyd', check4(nf*nf, d))

  ns = 512*(n/8/512)
  allocate (k0(ns), keys(ns), places(ns))
  k0 = [(real(mod(int(i, 8)*2654435761_8, 1000003_8)), i=1, ns)]
  do while (more())
    call sort_pieces(ns, k0, keys, places)
  end do
  call report('sort_pieces', check4(ns, keys) + checki(ns, places))

  allocate (s0(m, m), s(m, m))
  s0 = reshape([(int(merge(1, -1, value(i + i/m) > 0.4d0), 1), i=1, m*m)], [m, m])
  do while (more())
    call ising(m, 2, s0, s, magnet)
  end do
  call report('ising', real(magnet, 8))

  nk = n/500
  allocate (omega(nk), phase(nk), new(nk))
  omega = [(real(value(i) - 0.5d0), i=1, nk)]
  phase = [(real(6.28d0*value(3*i)), i=1, nk)]
  do while (more())
    call kuramoto(nk, 2.0, 0.1, omega, phase, new)
  end do
  call report('kuramoto', check4(nk, new))

  do k = 1, spheres
    all(k) = sphere(real(4*value(3*k) - 2), real(4*value(7*k) - 2), real(4 + 3*value(11*k)), real(0.3 + 0.4*value(13*k)), &
                    real(0.5 + 0.5*value(17*k)))
  end do
  scene = all
  allocate (image(m, m))
  do while (more())
    call render(m, m, image)
  end do
  call report('render', check4(m*m, image))

  v1 = [(ishft(1, 30 - k), k=1, bits)]
  v2(1) = ishft(1, 29)
  do k = 2, bits
    v2(k) = ieor(v2(k - 1), ishft(v2(k - 1), -1))
  end do
  directions(:, 1) = v1
  directions(:, 2) = v2
  allocate (total)
  do while (more())
    total = 0
    call sobol(n/4, 0.6d0, total)
  end do
  call report('sobol', total)

  np = n/1000
  allocate (sa(letters, np), sb(letters, np), score(np))
  sa = reshape([(int(4*value(7*i + i/97), 1), i=1, np*letters)], [letters, np])
  sb = reshape([(int(4*value(5*i + i/61), 1), i=1, np*letters)], [letters, np])
  do while (more())
    call local_alignments(np, sa, sb, score)
  end do
  call report('local_alignments', checki(np, score))
end program
