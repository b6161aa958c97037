! What signals.cuf computes, in OpenMP.
module signal_twins
  implicit none
  integer, parameter :: letters = 48
contains
  subroutine joint_histogram(n, a, b, mask, counts)
    integer, intent(in) :: n
    integer(1), intent(in) :: a(n), b(n)
    logical(1), intent(in) :: mask(n)
    integer, intent(inout) :: counts(256)
    integer :: i, k
    !$omp parallel do private(k) reduction(+:counts)
    do i = 1, n
      if (mask(i)) then
        k = 16*(a(i)/8) + b(i)/8 + 1
        counts(k) = counts(k) + 1
      end if
    end do
  end subroutine
  pure subroutine adder(a, b, c, s, carry)
    integer(8), intent(in) :: a, b, c
    integer(8), intent(out) :: s, carry
    s = ieor(ieor(a, b), c)
    carry = ior(iand(a, b), iand(c, ieor(a, b)))
  end subroutine
  pure integer(8) function next_word(l, c, r, dl, d, dr, ul, u, ur)
    integer(8), intent(in) :: l, c, r, dl, d, dr, ul, u, ur
    integer(8) :: s1, s2, s3, c1, c2, c3, o, t
    call adder(ior(shiftl(d, 1), shiftr(dl, 63)), d, ior(shiftr(d, 1), shiftl(dr, 63)), s1, c1)
    call adder(ior(shiftl(c, 1), shiftr(l, 63)), 0_8, ior(shiftr(c, 1), shiftl(r, 63)), s2, c2)
    call adder(ior(shiftl(u, 1), shiftr(ul, 63)), u, ior(shiftr(u, 1), shiftl(ur, 63)), s3, c3)
    call adder(s1, s2, s3, o, t)
    next_word = iand(iand(ieor(ieor(c1, c2), ieor(c3, t)), not(ior(iand(c1, c2), iand(c3, t)))), ior(o, c))
  end function
  subroutine life_bits(nw, n, w, new)
    integer, intent(in) :: nw, n
    integer(8), intent(in) :: w(nw, n)
    integer(8), intent(out) :: new(nw, n)
    integer :: i, j, d, u
    !$omp parallel do private(i, d, u)
    do j = 1, n
      d = modulo(j - 2, n) + 1
      u = modulo(j, n) + 1
      new(1, j) = next_word(w(nw, j), w(1, j), w(2, j), w(nw, d), w(1, d), w(2, d), w(nw, u), w(1, u), w(2, u))
      !$omp simd
      do i = 2, nw - 1
        new(i, j) = next_word(w(i - 1, j), w(i, j), w(i + 1, j), w(i - 1, d), w(i, d), w(i + 1, d), &
                              w(i - 1, u), w(i, u), w(i + 1, u))
      end do
      i = nw
      new(i, j) = next_word(w(i - 1, j), w(i, j), w(1, j), w(i - 1, d), w(i, d), w(1, d), w(i - 1, u), w(i, u), w(1, u))
    end do
  end subroutine
  ! Columns into a line with edges repeated, then along the line.
  subroutine morphology(nx, ny, a, b)
    integer, intent(in) :: nx, ny
    integer(2), intent(in) :: a(nx, ny)
    integer(2), intent(out) :: b(nx, ny)
    integer(2) :: most(-1:nx + 2), least(-1:nx + 2)
    integer :: i, j, j1, j2, j3, j4
    !$omp parallel do private(i, j1, j2, j3, j4, most, least)
    do j = 1, ny
      j1 = max(j - 2, 1)
      j2 = max(j - 1, 1)
      j3 = min(j + 1, ny)
      j4 = min(j + 2, ny)
      do i = 1, nx
        most(i) = max(a(i, j1), a(i, j2), a(i, j), a(i, j3), a(i, j4))
        least(i) = min(a(i, j1), a(i, j2), a(i, j), a(i, j3), a(i, j4))
      end do
      most(-1:0) = most(1)
      most(nx + 1:nx + 2) = most(nx)
      least(-1:0) = least(1)
      least(nx + 1:nx + 2) = least(nx)
      do i = 1, nx
        b(i, j) = max(most(i - 2), most(i - 1), most(i), most(i + 1), most(i + 2)) &
                  - min(least(i - 2), least(i - 1), least(i), least(i + 1), least(i + 2))
      end do
    end do
  end subroutine
  subroutine transform(n, w, x, y)
    integer, intent(in) :: n
    complex(8), intent(in) :: w(n/2)
    complex(8), intent(inout) :: x(n), y(n)
    integer :: m
    m = 1
    do while (m < n)
      call butterfly(n, m, w, x, y)
      call butterfly(n, 2*m, w, y, x)
      m = 4*m
    end do
  end subroutine
  subroutine butterfly(n, m, w, x, y)
    integer, intent(in) :: n, m
    complex(8), intent(in) :: w(0:n/2 - 1), x(0:n - 1)
    complex(8), intent(inout) :: y(0:n - 1)
    complex(8) :: a, b
    integer :: j, k
    if (m < 64) then
      !$omp parallel do private(k, a, b)
      do j = 0, n/2/m - 1
        do k = 0, m - 1
          a = x(k + j*m)
          b = x(k + j*m + n/2)
          y(k + 2*j*m) = sqrt(0.5d0)*(a + b)
          y(k + 2*j*m + m) = sqrt(0.5d0)*w(j*m)*(a - b)
        end do
      end do
    else
      !$omp parallel do collapse(2) private(a, b)
      do j = 0, n/2/m - 1
        do k = 0, m - 1
          a = x(k + j*m)
          b = x(k + j*m + n/2)
          y(k + 2*j*m) = sqrt(0.5d0)*(a + b)
          y(k + 2*j*m + m) = sqrt(0.5d0)*w(j*m)*(a - b)
        end do
      end do
    end if
  end subroutine
  subroutine cluster_sums(n, nc, x, label, sums)
    integer, intent(in) :: n, nc
    real, intent(in) :: x(n, 3)
    integer(1), intent(in) :: label(n)
    real(8), intent(inout) :: sums(4, nc)
    integer :: i, c
    !$omp parallel do private(c) reduction(+:sums)
    do i = 1, n
      c = label(i)
      sums(1, c) = sums(1, c) + x(i, 1)
      sums(2, c) = sums(2, c) + x(i, 2)
      sums(3, c) = sums(3, c) + x(i, 3)
      sums(4, c) = sums(4, c) + 1
    end do
  end subroutine
  ! Sixteen pairs together.
  subroutine align(np, a, b, score)
    integer, intent(in) :: np
    integer(1), intent(in) :: a(np, letters), b(np, letters)
    integer, intent(out) :: score(np)
    integer, parameter :: w = 16
    integer :: row(w, 0:letters), diag(w), best(w), p, p0, i, j, l, h
    !$omp parallel do private(row, diag, best, p, i, j, l, h)
    do p0 = 0, np - 1, w
      l = min(w, np - p0)
      row = 0
      best = 0
      do i = 1, letters
        diag = 0
        do j = 1, letters
          !$omp simd private(h)
          do p = 1, l
            h = max(0, diag(p) + merge(2, -1, a(p0 + p, i) == b(p0 + p, j)), row(p, j) - 2, row(p, j - 1) - 2)
            diag(p) = row(p, j)
            row(p, j) = h
            best(p) = max(best(p), h)
          end do
        end do
      end do
      score(p0 + 1:p0 + l) = best(:l)
    end do
  end subroutine
  subroutine asian_options(n, steps, drift, vol, total)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: drift, vol
    real(8), intent(inout) :: total
    real(8) :: u1, u2, r, logs, mean
    integer(8) :: state
    integer :: i, k
    !$omp parallel do private(k, state, u1, u2, r, logs, mean) reduction(+:total)
    do i = 1, n
      state = i*2654435761_8 + 12345
      logs = 0
      mean = 0
      do k = 1, steps
        state = iand(state*25214903917_8 + 11, 281474976710655_8)
        u1 = (state + 1)/281474976710657d0
        state = iand(state*25214903917_8 + 11, 281474976710655_8)
        u2 = state/281474976710656d0
        r = sqrt(-2*log(u1))
        logs = logs + drift + vol*r*cos(6.283185307179586d0*u2)
        mean = mean + exp(logs)
        logs = logs + drift + vol*r*sin(6.283185307179586d0*u2)
        mean = mean + exp(logs)
      end do
      total = total + max(mean/(2*steps) - 1, 0d0)
    end do
  end subroutine
  subroutine plume(n, wind, c, ground, cells)
    integer, intent(in) :: n
    real(8), intent(in) :: wind
    real(8), intent(out) :: c(n, n), ground
    integer, intent(out) :: cells
    real(8) :: x, y, sy
    integer :: i, j
    ground = 0
    cells = 0
    !$omp parallel do private(i, x, y, sy) reduction(+:ground, cells)
    do j = 1, n
      !$omp simd private(x, y, sy) reduction(+:ground, cells)
      do i = 1, n
        x = 10d0*i
        y = 5d0*(j - n/2)
        sy = 0.22d0*x/sqrt(1 + 1d-4*x)
        c(i, j) = 0.5d0*(erf((y + 50)/(1.4142135623731d0*sy)) - erf((y - 50)/(1.4142135623731d0*sy)))/wind*tanh(x/500)
        if (abs(atan2(y, x)) < 0.3d0) then
          ground = ground + c(i, j)
          cells = cells + 1
        end if
      end do
    end do
  end subroutine
end module

program signals
  use timing
  use signal_twins
  implicit none
  integer :: i, j, np = 1024, nf = 65536, ni = 500000, gx = 1440, gy = 1020, cells
  integer, allocatable :: counts(:), score(:)
  real(8), allocatable :: total, sums(:, :), c(:, :)
  real, allocatable :: x3(:, :)
  integer(1), allocatable :: g1(:), g2(:), label(:), sa(:, :), sb(:, :)
  logical(1), allocatable :: mask(:)
  integer(8), allocatable :: w(:, :), new(:, :)
  integer(2), allocatable :: im(:, :), edge(:, :)
  complex(8), allocatable :: tw(:), z(:), z2(:)
  real(8) :: ground

  allocate (g1(ni), g2(ni), mask(ni), counts(256))
  g1 = [(int(127*value(i), 1), i=1, ni)]
  g2 = [(int(127*value(i/9 + 5*i), 1), i=1, ni)]
  mask = [(logical(value(11*i) > 0.2d0, 1), i=1, ni)]
  do while (more())
    counts = 0
    call joint_histogram(ni, g1, g2, mask, counts)
  end do
  call report('joint_histogram', checki(256, counts))

  allocate (w(128, 4096), new(128, 4096))
  do j = 1, 4096
    do i = 1, 128
      w(i, j) = ieor(ishft(int(2d9*value(i + 64*j), 8), 33), ieor(int(4d9*value(3*i + 7*j), 8), ishft(int(1d9*value(i*j), 8), 14)))
    end do
  end do
  do while (more())
    call life_bits(128, 4096, w, new)
  end do
  call report('life_bits', sum([(real(sum(popcnt(new(:, j))), 8)*(1 + mod(j, 7)), j=1, 4096)]))

  allocate (im(gx, gy), edge(gx, gy))
  im = reshape([(int(1000*value(i), 2), i=1, gx*gy)], [gx, gy])
  do while (more())
    call morphology(gx, gy, im, edge)
  end do
  call report('morphology', sum([(real(edge(1 + mod(i, gx), 1 + i/gx), 8)*(1 + mod(i, 7)), i=0, gx*gy - 1)]))

  allocate (tw(nf/2), z(nf), z2(nf))
  tw = [(exp(cmplx(0, -6.283185307179586d0*i/nf, 8)), i=0, nf/2 - 1)]
  z = [(cmplx(value(i), value(3*i), 8), i=1, nf)]
  do while (more())
    call transform(nf, tw, z, z2)
  end do
  call report('transform', check8(nf, real(z, 8)) + 2*check8(nf, aimag(z)))

  allocate (x3(ni/2, 3), label(ni/2), sums(4, 16))
  x3 = reshape([(real(value(i)), i=1, 3*(ni/2))], [ni/2, 3])
  label = [(int(1 + 16*value(13*i), 1), i=1, ni/2)]
  do while (more())
    sums = 0
    call cluster_sums(ni/2, 16, x3, label, sums)
  end do
  call report('cluster_sums', check8(64, sums))

  allocate (sa(np, letters), sb(np, letters), score(np))
  sa = reshape([(int(4*value(7*i + i/97), 1), i=1, np*letters)], [np, letters])
  sb = reshape([(int(4*value(5*i + i/61), 1), i=1, np*letters)], [np, letters])
  do while (more())
    call align(np, sa, sb, score)
  end do
  call report('align', checki(np, score))

  allocate (total)
  do while (more())
    total = 0
    call asian_options(10000, 5, 0.001d0, 0.05d0, total)
  end do
  call report('asian_options', total)

  allocate (c(480, 480))
  do while (more())
    call plume(480, 3d0, c, ground, cells)
  end do
  call report('plume', check8(480*480, c) + ground + cells)
end program
