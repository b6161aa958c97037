! What images.cuf computes, in OpenMP.
module image_twins
  implicit none
  real :: taps(-4:4)
  integer, parameter :: nk = 16
contains
  subroutine monte_carlo(n, tries, inside)
    integer, intent(in) :: n, tries
    integer, intent(out) :: inside(n)
    integer :: s, i, k, c
    real :: x, y
    !$omp parallel do private(s, k, c, x, y)
    do i = 1, n
      s = ieor(i*747796405, 12345)
      c = 0
      do k = 1, tries
        s = ieor(s, ishft(s, 13))
        s = ieor(s, ishft(s, -17))
        s = ieor(s, ishft(s, 5))
        x = iand(s, 16777215)/16777216.0
        s = ieor(s, ishft(s, 13))
        s = ieor(s, ishft(s, -17))
        s = ieor(s, ishft(s, 5))
        y = iand(s, 16777215)/16777216.0
        if (x*x + y*y < 1) c = c + 1
      end do
      inside(i) = c
    end do
  end subroutine
  pure integer function mixed(k)
    integer, intent(in) :: k
    mixed = ieor(k, shiftr(k, 16))*73244475
    mixed = ieor(mixed, shiftr(mixed, 15))*668265261
    mixed = ieor(mixed, shiftr(mixed, 16))
  end function
  subroutine hash(n, keys, h)
    integer, intent(in) :: n, keys(n)
    integer, intent(out) :: h(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      h(i) = iand(mixed(keys(i)), 1048575)
    end do
  end subroutine
  subroutine hash64(n, keys, h)
    integer, intent(in) :: n
    integer(8), intent(in) :: keys(n)
    integer(8), intent(out) :: h(n)
    integer(8) :: z
    integer :: i
    !$omp parallel do private(z)
    do i = 1, n
      z = keys(i) + 7046029254386353131_8
      z = ieor(z, shiftr(z, 30))*4658895280553007687_8
      z = ieor(z, shiftr(z, 27))*7723592293110705685_8
      h(i) = ieor(z, shiftr(z, 31))
    end do
  end subroutine
  subroutine euclid(n, a, b, g)
    integer, intent(in) :: n, a(n), b(n)
    integer, intent(out) :: g(n)
    integer :: i, x, y, t
    !$omp parallel do private(x, y, t)
    do i = 1, n
      x = a(i)
      y = b(i)
      do while (y /= 0)
        t = mod(x, y)
        x = y
        y = t
      end do
      g(i) = x
    end do
  end subroutine
  subroutine hamming(n, a, b, d)
    integer, intent(in) :: n
    integer(8), intent(in) :: a(4, n), b(4)
    integer, intent(out) :: d(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      d(i) = popcnt(ieor(a(1, i), b(1))) + popcnt(ieor(a(2, i), b(2))) + popcnt(ieor(a(3, i), b(3))) &
             + popcnt(ieor(a(4, i), b(4)))
    end do
  end subroutine
  pure subroutine sort2(a, b)
    real, intent(inout) :: a, b
    real :: t
    t = min(a, b)
    b = max(a, b)
    a = t
  end subroutine
  subroutine median3x3(m, a, b)
    integer, intent(in) :: m
    real, intent(in) :: a(m, m)
    real, intent(inout) :: b(m, m)
    real :: p(9)
    integer :: i, j
    !$omp parallel do private(i, p)
    do j = 2, m - 1
      !$omp simd private(p)
      do i = 2, m - 1
        p(1) = a(i - 1, j - 1)
        p(2) = a(i, j - 1)
        p(3) = a(i + 1, j - 1)
        p(4) = a(i - 1, j)
        p(5) = a(i, j)
        p(6) = a(i + 1, j)
        p(7) = a(i - 1, j + 1)
        p(8) = a(i, j + 1)
        p(9) = a(i + 1, j + 1)
        call sort2(p(2), p(3)); call sort2(p(5), p(6)); call sort2(p(8), p(9))
        call sort2(p(1), p(2)); call sort2(p(4), p(5)); call sort2(p(7), p(8))
        call sort2(p(2), p(3)); call sort2(p(5), p(6)); call sort2(p(8), p(9))
        p(4) = max(p(1), p(4))
        p(6) = min(p(6), p(9))
        call sort2(p(5), p(8))
        p(7) = max(p(4), p(7))
        p(5) = max(p(2), p(5))
        p(3) = min(p(3), p(6))
        p(5) = min(p(5), p(8))
        call sort2(p(5), p(3))
        p(5) = max(p(7), p(5))
        b(i, j) = min(p(5), p(3))
      end do
    end do
  end subroutine
  subroutine blur_rows(m, a, b)
    integer, intent(in) :: m
    real, intent(in) :: a(m, m)
    real, intent(out) :: b(m, m)
    real :: s, t(-3:m + 4)
    integer :: i, j, k
    !$omp parallel do private(i, k, s, t)
    do j = 1, m
      t(1:m) = a(:, j)
      t(-3:0) = a(1, j)
      t(m + 1:) = a(m, j)
      !$omp simd private(s, k)
      do i = 1, m
        s = 0
        do k = -4, 4
          s = s + taps(k)*t(i + k)
        end do
        b(i, j) = s
      end do
    end do
  end subroutine
  subroutine blur_columns(m, a, b)
    integer, intent(in) :: m
    real, intent(in) :: a(m, m)
    real, intent(out) :: b(m, m)
    real :: s
    integer :: i, j, k
    !$omp parallel do private(i, k, s)
    do j = 1, m
      !$omp simd private(s, k)
      do i = 1, m
        s = 0
        do k = -4, 4
          s = s + taps(k)*a(i, min(max(j + k, 1), m))
        end do
        b(i, j) = s
      end do
    end do
  end subroutine
  subroutine rotate(m, angle, a, b)
    integer, intent(in) :: m
    real, intent(in) :: angle, a(m, m)
    real, intent(out) :: b(m, m)
    real :: x, y, fx, fy, c, s
    integer :: i, j, ix, iy
    c = cos(angle)
    s = sin(angle)
    !$omp parallel do private(i, x, y, fx, fy, ix, iy)
    do j = 1, m
      do i = 1, m
        x = c*(i - 0.5*m) - s*(j - 0.5*m) + 0.5*m
        y = s*(i - 0.5*m) + c*(j - 0.5*m) + 0.5*m
        ix = floor(x)
        iy = floor(y)
        if (ix >= 1 .and. ix < m .and. iy >= 1 .and. iy < m) then
          fx = x - ix
          fy = y - iy
          b(i, j) = (1 - fy)*((1 - fx)*a(ix, iy) + fx*a(ix + 1, iy)) + fy*((1 - fx)*a(ix, iy + 1) + fx*a(ix + 1, iy + 1))
        else
          b(i, j) = 0
        end if
      end do
    end do
  end subroutine
  subroutine kmeans(n, x, centers, label)
    integer, intent(in) :: n
    real, intent(in) :: x(n, 3), centers(3, nk)
    integer, intent(out) :: label(n)
    real :: d, least
    integer :: i, k, own
    !$omp parallel do simd private(k, d, least, own)
    do i = 1, n
      least = huge(least)
      own = 0
      do k = 1, nk
        d = (x(i, 1) - centers(1, k))**2 + (x(i, 2) - centers(2, k))**2 + (x(i, 3) - centers(3, k))**2
        if (d < least) then
          least = d
          own = k
        end if
      end do
      label(i) = own
    end do
  end subroutine
  subroutine sobel(m, a, b)
    integer, intent(in) :: m
    integer(1), intent(in) :: a(m, m)
    integer(1), intent(inout) :: b(m, m)
    integer :: i, j, gx, gy
    !$omp parallel do private(i, gx, gy)
    do j = 2, m - 1
      !$omp simd private(gx, gy)
      do i = 2, m - 1
        gx = a(i + 1, j - 1) + 2*a(i + 1, j) + a(i + 1, j + 1) - a(i - 1, j - 1) - 2*a(i - 1, j) - a(i - 1, j + 1)
        gy = a(i - 1, j + 1) + 2*a(i, j + 1) + a(i + 1, j + 1) - a(i - 1, j - 1) - 2*a(i, j - 1) - a(i + 1, j - 1)
        b(i, j) = int(min(abs(gx) + abs(gy), 127), 1)
      end do
    end do
  end subroutine
  subroutine gray(n, rgb, g)
    integer, intent(in) :: n
    integer(1), intent(in) :: rgb(3, n)
    integer(1), intent(out) :: g(n)
    integer :: i
    !$omp parallel do simd
    do i = 1, n
      g(i) = int((77*iand(int(rgb(1, i)), 255) + 150*iand(int(rgb(2, i)), 255) + 29*iand(int(rgb(3, i)), 255))/512, 1)
    end do
  end subroutine
  pure real function normal_cdf(x)
    real, intent(in) :: x
    real :: k
    k = 1/(1 + 0.2316419*abs(x))
    normal_cdf = 0.39894228*exp(-0.5*x*x)*k*(0.31938153 + k*(-0.356563782 + k*(1.781477937 + k*(-1.821255978 + k*1.330274429))))
    if (x > 0) normal_cdf = 1 - normal_cdf
  end function
  subroutine black_scholes(n, s, k, t, call_, put)
    integer, intent(in) :: n
    real, intent(in) :: s(n), k(n), t(n)
    real, intent(out) :: call_(n), put(n)
    real :: d1, d2, root, e
    integer :: i
    !$omp parallel do simd private(d1, d2, root, e)
    do i = 1, n
      root = sqrt(t(i))
      d1 = (log(s(i)/k(i)) + (0.02 + 0.5*0.3*0.3)*t(i))/(0.3*root)
      d2 = d1 - 0.3*root
      e = exp(-0.02*t(i))
      call_(i) = s(i)*normal_cdf(d1) - k(i)*e*normal_cdf(d2)
      put(i) = k(i)*e*(1 - normal_cdf(d2)) - s(i)*(1 - normal_cdf(d1))
    end do
  end subroutine
  subroutine gamma_correct(n, a, b)
    integer, intent(in) :: n
    real, intent(in) :: a(n)
    real, intent(out) :: b(n)
    integer :: i
    !$omp parallel do simd
    do i = 1, n
      if (a(i) <= 0.0031308) then
        b(i) = 12.92*a(i)
      else
        b(i) = 1.055*a(i)**(1/2.4) - 0.055
      end if
    end do
  end subroutine
  subroutine waves(n, t, x, y)
    integer, intent(in) :: n
    real, intent(in) :: t, x(n)
    real, intent(out) :: y(n)
    integer :: i, k
    real :: s
    !$omp parallel do simd private(s, k)
    do i = 1, n
      s = 0
      do k = 1, 8
        s = s + sin(k*x(i) - 0.5*k*t)/k
      end do
      y(i) = s*exp(-x(i))
    end do
  end subroutine
  subroutine ring(m, open, a, hit)
    integer, intent(in) :: m
    logical, intent(in) :: open(m, m)
    logical, intent(out) :: hit(m, m)
    real, intent(inout) :: a(m, m)
    real :: r
    integer :: i, j
    !$omp parallel do private(i, r)
    do j = 1, m
      do i = 1, m
        r = (i - m/2)**2 + (j - m/2)**2
        hit(i, j) = open(i, j) .and. r > (m/4)**2 .and. r < (m/2)**2
        if (hit(i, j)) then
          a(i, j) = a(i, j)*0.5
        else if (.not. open(i, j)) then
          a(i, j) = 0
        end if
      end do
    end do
  end subroutine
  subroutine search(n, nt, table, x, place)
    integer, intent(in) :: n, nt
    real, intent(in) :: table(nt), x(n)
    integer, intent(out) :: place(n)
    integer :: i, lo, hi, mid
    !$omp parallel do private(lo, hi, mid)
    do i = 1, n
      lo = 1
      hi = nt
      do while (hi - lo > 1)
        mid = (lo + hi)/2
        if (table(mid) <= x(i)) then
          lo = mid
        else
          hi = mid
        end if
      end do
      place(i) = lo
    end do
  end subroutine
  subroutine shortest(m, k, d)
    integer, intent(in) :: m, k
    integer, intent(inout) :: d(m, m)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, m
      !$omp simd
      do i = 1, m
        d(i, j) = min(d(i, j), d(i, k) + d(k, j))
      end do
    end do
  end subroutine
  subroutine first_hit(n, nt, x, y, hit)
    integer, intent(in) :: n, nt
    real, intent(in) :: x(n), y(nt)
    integer, intent(out) :: hit(n)
    integer :: i, k
    !$omp parallel do private(k)
    do i = 1, n
      hit(i) = 0
      do k = 1, nt
        if (abs(x(i) - y(k)) < 0.01) then
          hit(i) = k
          exit
        end if
      end do
    end do
  end subroutine
end module

program images
  use image_twins
  use timing
  implicit none
  integer :: n = 1000000, m = 1024, nt = 1024, i, j, k
  real, allocatable :: a(:, :), b(:, :), x(:), y(:), z(:), u(:), v(:), p(:, :), centers(:, :), table(:)
  integer, allocatable :: ia(:), ib(:), ic(:), d(:, :), i2(:, :)
  integer(8), allocatable :: h(:), hk(:), words(:, :), pattern(:)
  integer(1), allocatable :: pa(:, :), pb(:, :), rgb(:, :), g(:)
  logical, allocatable :: open(:, :), hit(:, :)

  allocate (ia(4*n), ib(4*n), ic(n), h(n))
  do while (more())
    call monte_carlo(8192, 200, ia)
  end do
  call report('monte_carlo', checki(8192, ia))
  ia = [(i*3 + 1, i=1, 4*n)]
  do while (more())
    call hash(4*n, ia, ib)
  end do
  call report('hash', checki(4*n, ib))
  hk = [(int(value(i)*1d18, 8) + i, i=1, n)]
  do while (more())
    call hash64(n, hk, h)
  end do
  call report('hash64', sum(real(iand(h, 1048575_8), 8)))
  ia = [(mod(i*37, 30011) + 1, i=1, n)]
  ib = [(mod(i*53, 20011) + 1, i=1, n)]
  do while (more())
    call euclid(n, ia, ib, ic)
  end do
  call report('euclid', checki(n, ic))
  words = reshape([(i*7046029254386353_8, i=1, 4*n)], [4, n])
  pattern = [123456789012_8, -5_8, 77777777777777_8, 0_8]
  do while (more())
    call hamming(n, words, pattern, ic)
  end do
  call report('hamming', checki(n, ic))
  a = reshape([(real(value(i)), i=1, m*m)], [m, m])
  b = a
  do while (more())
    call median3x3(m, a, b)
  end do
  call report('median3x3', check4(m*m, b))
  taps = [0.02, 0.05, 0.12, 0.2, 0.22, 0.2, 0.12, 0.05, 0.02]
  do while (more())
    call blur_rows(m, a, b)
  end do
  call report('blur_rows', check4(m*m, b))
  do while (more())
    call blur_columns(m, a, b)
  end do
  call report('blur_columns', check4(m*m, b))
  do while (more())
    call rotate(m, 0.3, a, b)
  end do
  call report('rotate', check4(m*m, b))
  p = reshape([(real(modulo(i*0.6180339887d0, 1d0)), i=1, 3*n)], [n, 3])
  centers = reshape([(real(value(i)), i=1, 3*nk)], [3, nk])
  do while (more())
    call kmeans(n, p, centers, ic)
  end do
  call report('kmeans', checki(n, ic))
  pa = reshape([(int(100*value(i), 1), i=1, m*m)], [m, m])
  allocate (pb(m, m), g(2*n))
  pb = 0
  do while (more())
    call sobel(m, pa, pb)
  end do
  call report('sobel', checki(m*m, int(pb)))
  rgb = reshape([(int(mod(i*7, 256) - 128, 1), i=1, 6*n)], [3, 2*n])
  do while (more())
    call gray(2*n, rgb, g)
  end do
  call report('gray', checki(2*n, int(g)))
  x = [(real(5 + 25*value(i)), i=1, n)]
  y = [(real(1 + 99*value(3*i)), i=1, n)]
  z = [(real(0.25 + 9*value(5*i)), i=1, n)]
  u = 0*x
  v = 0*x
  do while (more())
    call black_scholes(n, x, y, z, u, v)
  end do
  call report('black_scholes', check4(n, u) + check4(n, v))
  x = [(real(value(i)), i=1, n)]
  do while (more())
    call gamma_correct(n, x, y)
  end do
  call report('gamma_correct', check4(n, y))
  do while (more())
    call waves(n, 0.7, x, y)
  end do
  call report('waves', check4(n, y))
  allocate (hit(m, m))
  open = reshape([(value(i) > 0.3, i=1, m*m)], [m, m])
  do while (more())
    call ring(m, open, a, hit)
  end do
  call report('ring', check4(m*m, a) + count(hit))
  table = [(real((i - 1)/1024d0)**2, i=1, nt)]
  x = [(real(modulo(i*0.6180339887d0, 1d0)), i=1, n)]
  do while (more())
    call search(n, nt, table, x, ic)
  end do
  call report('search', checki(n, ic))
  i2 = reshape([((merge(0, 1 + mod(i*7 + j*13, 1000), i == j), i=1, m), j=1, m)], [m, m])
  do while (more())
    d = i2
    do k = 1, 16
      call shortest(m, k, d)
    end do
  end do
  call report('shortest', checki(m*m, d))
  table = [(real(modulo(i*0.7548776662d0, 1d0)), i=1, nt)]
  do while (more())
    call first_hit(n, nt, x, table, ic)
  end do
  call report('first_hit', checki(n, ic))
end program
