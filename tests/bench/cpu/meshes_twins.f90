! Twins of meshes.cuf with OpenMP.
module mesh_twins
  implicit none
  type cell
    real(8) :: rho, u, v, p
  end type
  integer, parameter :: ex(9) = [0, 1, 0, -1, 0, 1, -1, -1, 1], ey(9) = [0, 0, 1, 0, -1, 1, 1, -1, -1]
  real, parameter :: weight(9) = [4/9., 1/9., 1/9., 1/9., 1/9., 1/36., 1/36., 1/36., 1/36.]
  real(8), allocatable :: heat(:, :), next(:, :)
  integer :: side
contains
  subroutine numbered7(nx, ny, nz, a, b)
    integer, intent(in) :: nx, ny, nz
    real(8), intent(in) :: a(nx, ny, nz)
    real(8), intent(inout) :: b(nx, ny, nz)
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i)
    do k = 2, nz - 1
      do j = 2, ny - 1
        do i = 2, nx - 1
          b(i, j, k) = a(i, j, k) + 0.1d0*(a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k) &
            + a(i, j, k - 1) + a(i, j, k + 1) - 6*a(i, j, k))
        end do
      end do
    end do
  end subroutine
  subroutine life(n, a, b)
    integer, intent(in) :: n, a(n, n)
    integer, intent(out) :: b(n, n)
    integer :: i, j, l, r, d, u, sum
    !$omp parallel do private(i, l, r, d, u, sum)
    do j = 1, n
      d = mod(j - 2 + n, n) + 1
      u = mod(j, n) + 1
      do i = 1, n
        l = merge(n, i - 1, i == 1)
        r = merge(1, i + 1, i == n)
        sum = a(l, d) + a(i, d) + a(r, d) + a(l, j) + a(r, j) + a(l, u) + a(i, u) + a(r, u)
        b(i, j) = merge(1, 0, sum == 3 .or. (sum == 2 .and. a(i, j) == 1))
      end do
    end do
  end subroutine
  subroutine periodic(n, c, u, old, new)
    integer, intent(in) :: n
    real(8), intent(in) :: c, u(n, n), old(n, n)
    real(8), intent(out) :: new(n, n)
    integer :: i, j, jp, jm
    !$omp parallel do private(i, jp, jm)
    do j = 1, n
      jp = j + 1
      if (jp > n) jp = 1
      jm = j - 1
      if (jm < 1) jm = n
      new(1, j) = 2*u(1, j) - old(1, j) + c*(u(2, j) + u(n, j) + u(1, jp) + u(1, jm) - 4*u(1, j))
      do i = 2, n - 1
        new(i, j) = 2*u(i, j) - old(i, j) + c*(u(i + 1, j) + u(i - 1, j) + u(i, jp) + u(i, jm) - 4*u(i, j))
      end do
      new(n, j) = 2*u(n, j) - old(n, j) + c*(u(1, j) + u(n - 1, j) + u(n, jp) + u(n, jm) - 4*u(n, j))
    end do
  end subroutine
  subroutine of_module()
    integer :: i, j
    !$omp parallel do private(i)
    do j = 2, side - 1
      do i = 2, side - 1
        next(i, j) = 0.25d0*(heat(i - 1, j) + heat(i + 1, j) + heat(i, j - 1) + heat(i, j + 1))
      end do
    end do
  end subroutine
  subroutine assumed(a, b)
    real, intent(in) :: a(:, :)
    real, intent(inout) :: b(:, :)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 2, size(a, 2) - 1
      do i = 2, size(a, 1) - 1
        b(i, j) = a(i, j) + 0.2*(a(i - 1, j) - 2*a(i, j) + a(i + 1, j)) + 0.2*(a(i, j - 1) - 2*a(i, j) + a(i, j + 1))
      end do
    end do
  end subroutine
  subroutine cells(n, dt, q, r)
    integer, intent(in) :: n
    real(8), intent(in) :: dt
    type(cell), intent(in) :: q(n, n)
    type(cell), intent(inout) :: r(n, n)
    real(8) :: c, f
    integer :: i, j
    !$omp parallel do private(i, c, f)
    do j = 2, n - 1
      do i = 2, n - 1
        c = sqrt(1.4d0*q(i, j)%p/q(i, j)%rho)
        f = dt*(abs(q(i, j)%u) + abs(q(i, j)%v) + c)
        r(i, j)%rho = q(i, j)%rho - f*(q(i + 1, j)%rho - q(i - 1, j)%rho)
        r(i, j)%u = q(i, j)%u - f*(q(i + 1, j)%p - q(i - 1, j)%p)/q(i, j)%rho
        r(i, j)%v = q(i, j)%v - f*(q(i, j + 1)%p - q(i, j - 1)%p)/q(i, j)%rho
        r(i, j)%p = q(i, j)%p
      end do
    end do
  end subroutine
  subroutine edges(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n)
    real(8), intent(out) :: b(n, n)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, n
      b(1, j) = a(2, j)
      b(n, j) = a(n - 1, j)
      if (j == 1) then
        b(2:n - 1, j) = 1
      else if (j == n) then
        b(2:n - 1, j) = 0
      else
        do i = 2, n - 1
          b(i, j) = 0.25d0*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
        end do
      end if
    end do
  end subroutine
  subroutine directions(n, omega, f, g)
    integer, intent(in) :: n
    real, intent(in) :: omega, f(n, n, 9)
    real, intent(inout) :: g(n, n, 9)
    real :: rho, u, v, e, eq
    integer :: i, j, k, ii, jj
    !$omp parallel do private(i, k, ii, jj, rho, u, v, e, eq)
    do j = 1, n
      do i = 1, n
        rho = 0
        u = 0
        v = 0
        do k = 1, 9
          rho = rho + f(i, j, k)
          u = u + ex(k)*f(i, j, k)
          v = v + ey(k)*f(i, j, k)
        end do
        u = u/rho
        v = v/rho
        do k = 1, 9
          ii = i + ex(k)
          if (ii < 1) ii = n
          if (ii > n) ii = 1
          jj = j + ey(k)
          if (jj < 1) jj = n
          if (jj > n) jj = 1
          e = ex(k)*u + ey(k)*v
          eq = weight(k)*rho*(1 + 3*e + 4.5*e*e - 1.5*(u*u + v*v))
          g(ii, jj, k) = f(i, j, k) + omega*(eq - f(i, j, k))
        end do
      end do
    end do
  end subroutine
  subroutine dot_atomic(n, a, b, total)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8), intent(inout) :: total
    integer :: i
    !$omp parallel do simd reduction(+:total)
    do i = 1, n
      total = total + a(i)*b(i)
    end do
  end subroutine
  subroutine largest_change(n, a, b, change)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n)
    real, intent(inout) :: b(n, n), change
    real :: new
    integer :: i, j
    !$omp parallel do private(i, new) reduction(max:change)
    do j = 2, n - 1
      !$omp simd private(new) reduction(max:change)
      do i = 2, n - 1
        new = 0.25*(a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
        b(i, j) = new
        change = max(change, abs(new - a(i, j)))
      end do
    end do
  end subroutine
  subroutine materials(n, kind, t, k)
    integer, intent(in) :: n, kind(n)
    real(8), intent(in) :: t(n)
    real(8), intent(out) :: k(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      select case (kind(i))
      case (1)
        k(i) = 2.1d0 + 0.01d0*t(i)
      case (2)
        k(i) = 15 - 0.002d0*t(i) + 1d-6*t(i)**2
      case (3)
        k(i) = 400/(1 + 0.001d0*t(i))
      case default
        k(i) = 0.03d0
      end select
    end do
  end subroutine
  subroutine trilinear(n, l, x, y, z, a, b)
    integer, intent(in) :: n, l
    real, intent(in) :: x(n), y(n), z(n), a(l, l, l)
    real, intent(out) :: b(n)
    real :: fx, fy, fz
    integer :: p, i, j, k
    !$omp parallel do simd private(i, j, k, fx, fy, fz)
    do p = 1, n
      i = int(x(p))
      j = int(y(p))
      k = int(z(p))
      fx = x(p) - i
      fy = y(p) - j
      fz = z(p) - k
      b(p) = (1 - fz)*((1 - fy)*((1 - fx)*a(i, j, k) + fx*a(i + 1, j, k)) + fy*((1 - fx)*a(i, j + 1, k) + fx*a(i &
            + 1, j + 1, k))) &
           + fz*((1 - fy)*((1 - fx)*a(i, j, k + 1) + fx*a(i + 1, j, k + 1)) + fy*((1 - fx)*a(i, j + 1, k + 1) &
            + fx*a(i + 1, j + 1, k + 1)))
    end do
  end subroutine
  subroutine back_traced(n, dt, u, v, c, d)
    integer, intent(in) :: n
    real, intent(in) :: dt, u(n, n), v(n, n), c(n, n)
    real, intent(out) :: d(n, n)
    real :: x, y, fx, fy
    integer :: i, j, i0, j0
    !$omp parallel do private(i, i0, j0, x, y, fx, fy)
    do j = 1, n
      !$omp simd private(i0, j0, x, y, fx, fy)
      do i = 1, n
        x = min(max(i - dt*u(i, j), 1.0), n - 0.001)
        y = min(max(j - dt*v(i, j), 1.0), n - 0.001)
        i0 = int(x)
        j0 = int(y)
        fx = x - i0
        fy = y - j0
        d(i, j) = (1 - fx)*(1 - fy)*c(i0, j0) + fx*(1 - fy)*c(i0 + 1, j0) + (1 - fx)*fy*c(i0, j0 + 1) + fx*fy*c(i0 &
            + 1, j0 + 1)
      end do
    end do
  end subroutine
  subroutine arrhenius(n, dt, t, a, b, heat_)
    integer, intent(in) :: n
    real(8), intent(in) :: dt, t(n), a(n)
    real(8), intent(out) :: b(n), heat_(n)
    real(8) :: rate, back
    integer :: i
    !$omp parallel do simd private(rate, back)
    do i = 1, n
      rate = 1d3*exp(-4000/t(i))*a(i)
      back = 2d2*exp(-6000/t(i))
      b(i) = a(i) + dt*(rate - back)
      heat_(i) = dt*(rate - back)*100
    end do
  end subroutine
  subroutine schroedinger(n, dt, psi, v, new)
    integer, intent(in) :: n
    real(8), intent(in) :: dt, v(n)
    complex(8), intent(in) :: psi(n)
    complex(8), intent(inout) :: new(n)
    integer :: i
    !$omp parallel do simd
    do i = 2, n - 1
      new(i) = psi(i) - (0, 1)*dt*(-0.5d0*(psi(i + 1) - 2*psi(i) + psi(i - 1)) + v(i)*psi(i))
    end do
  end subroutine
  subroutine marching(n, l, a, b)
    integer, intent(in) :: n, l
    real(8), intent(in) :: a(n, n, l)
    real(8), intent(inout) :: b(n, n, l)
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i)
    do k = 2, l - 1
      do j = 2, n - 1
        do i = 2, n - 1
          b(i, j, k) = a(i, j, k - 1) + a(i, j, k + 1) + a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j &
            + 1, k) - 6*a(i, j, k)
        end do
      end do
    end do
  end subroutine
  subroutine neighbours(n, list, a, b)
    integer, intent(in) :: n, list(6, n)
    real, intent(in) :: a(n)
    real, intent(out) :: b(n)
    real :: s
    integer :: i, k
    !$omp parallel do private(k, s)
    do i = 1, n
      s = -6*a(i)
      do k = 1, 6
        s = s + a(list(k, i))
      end do
      b(i) = s
    end do
  end subroutine
  subroutine crossed(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n)
    real(8), intent(inout) :: b(n, n)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, n
      do i = 1, n
        b(i, j) = b(i, j) + 2*a(i, j)
      end do
    end do
  end subroutine
  subroutine while_stride(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp parallel do simd
    do i = 1, n
      y(i) = sqrt(abs(x(i)))*0.5d0 + y(i)
    end do
  end subroutine
  subroutine wide_index(n, x, y)
    integer(8), intent(in) :: n
    real, intent(in) :: x(n)
    real, intent(inout) :: y(n)
    integer(8) :: i
    !$omp parallel do simd
    do i = 1, n
      y(i) = y(i) + 3*x(i)*x(i)
    end do
  end subroutine
  subroutine lower_rank(n, a, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, 32)
    real(8), intent(inout) :: c(n, n)
    real(8) :: s(n)
    integer :: i, j, k
    !$omp parallel do private(i, k, s) schedule(guided)
    do j = 1, n
      s(j:) = 0
      do k = 1, 32
        do i = j, n
          s(i) = s(i) + a(i, k)*a(j, k)
        end do
      end do
      c(j:, j) = c(j:, j) - s(j:)
    end do
  end subroutine
  subroutine fields_e(n, hz, ex_, ey_)
    integer, intent(in) :: n
    real, intent(in) :: hz(n, n)
    real, intent(inout) :: ex_(n, n), ey_(n, n)
    integer :: i, j
    !$omp parallel do private(i)
    do j = 1, n
      if (j > 1) then
        do i = 1, n
          ex_(i, j) = ex_(i, j) + 0.5*(hz(i, j) - hz(i, j - 1))
        end do
      end if
      do i = 2, n
        ey_(i, j) = ey_(i, j) - 0.5*(hz(i, j) - hz(i - 1, j))
      end do
    end do
  end subroutine
end module

program meshes
  use timing
  use mesh_twins
  implicit none
  integer :: n = 400000, m = 512, l = 96, i, j
  real(8), allocatable :: a(:, :), b(:, :), c(:, :), u(:), v(:), w(:), h(:), a3(:, :, :), b3(:, :, :), total
  real, allocatable :: f(:, :, :), g(:, :, :), r(:, :), s(:, :), x(:), y(:), z(:), t(:), p3(:, :, :), change
  integer, allocatable :: alive(:, :), born(:, :), kind(:), list(:, :)
  complex(8), allocatable :: psi(:), phi(:)
  type(cell), allocatable :: q(:, :), qn(:, :)
  call argument(1, n)
  call argument(2, m)
  allocate (a(m, m), b(m, m), c(m, m), u(n), v(n), w(n), a3(l, l, l), b3(l, l, l), total, change)
  allocate (f(m, m, 9), g(m, m, 9), r(m, m), s(m, m), x(n), y(n), z(n), t(n), p3(l, l, l))
  allocate (alive(m, m), born(m, m), kind(n), list(6, n), psi(n), phi(n), q(m, m), qn(m, m))
  a3 = reshape([(value(i), i=1, l**3)], [l, l, l])
  b3 = 0
  do while (more())
    call numbered7(l, l, l, a3, b3)
  end do
  call report('numbered7', check8(l**3, b3))
  alive = reshape([(int(2*value(i)), i=1, m*m)], [m, m])
  do while (more())
    call life(m, alive, born)
  end do
  call report('life', checki(m*m, born))
  a = reshape([(value(i), i=1, m*m)], [m, m])
  b = a
  do while (more())
    call periodic(m, 0.2d0, a, b, c)
  end do
  call report('periodic', check8(m*m, c))
  side = m
  allocate (heat(m, m), next(m, m))
  heat = a
  next = 0
  do while (more())
    call of_module()
  end do
  c = next
  call report('of_module', check8(m*m, c))
  r = a
  s = 0
  do while (more())
    call assumed(r, s)
  end do
  call report('assumed', check4(m*m, s))
  do j = 1, m
    do i = 1, m
      q(i, j) = cell(1 + value(i*j), value(i + j) - 0.5d0, value(3*i + j) - 0.5d0, 1 + value(i + 5*j))
      qn(i, j) = cell(0, 0, 0, 0)
    end do
  end do
  do while (more())
    call cells(m, 1d-3, q, qn)
  end do
  call report('cells', sum(qn%rho) + 2*sum(qn%u) + 3*sum(qn%v))
  do while (more())
    call edges(m, a, c)
  end do
  call report('edges', check8(m*m, c))
  f = reshape([(real(0.1 + 0.01*value(i)), i=1, 9*m*m)], [m, m, 9])
  g = 0
  do while (more())
    call directions(m, 1.2, f, g)
  end do
  call report('directions', check4(9*m*m, g))
  u = [(value(i), i=1, n)]
  v = [(value(3*i), i=1, n)]
  do while (more())
    total = 0
    call dot_atomic(n, u, v, total)
  end do
  call report('dot_atomic', total)
  do while (more())
    change = 0
    call largest_change(m, r, s, change)
  end do
  call report('largest_change', check4(m*m, s) + change)
  kind = [(mod(i*7, 4), i=1, n)]
  u = 300 + 100*u
  do while (more())
    call materials(n, kind, u, w)
  end do
  call report('materials', check8(n, w))
  x = [(real(1 + (l - 2)*value(i)), i=1, n)]
  y = [(real(1 + (l - 2)*value(3*i)), i=1, n)]
  z = [(real(1 + (l - 2)*value(5*i)), i=1, n)]
  p3 = a3
  do while (more())
    call trilinear(n, l, x, y, z, p3, t)
  end do
  call report('trilinear', check4(n, t))
  f(:, :, 1) = r
  f(:, :, 2) = 1 - r
  do while (more())
    call back_traced(m, 2.5, f(:, :, 1), f(:, :, 2), r, s)
  end do
  call report('back_traced', check4(m*m, s))
  u = [(300 + 1000*value(i), i=1, n)]
  allocate (h(n))
  do while (more())
    call arrhenius(n, 1d-3, u, v, w, h)
  end do
  call report('arrhenius', check8(n, w) + check8(n, h))
  psi = [(cmplx(value(i), value(3*i), 8), i=1, n)]
  phi = 0
  do while (more())
    call schroedinger(n, 1d-3, psi, v, phi)
  end do
  call report('schroedinger', sum(real(phi)) + 2*sum(aimag(phi)))
  b3 = 0
  do while (more())
    call marching(l, l, a3, b3)
  end do
  call report('marching', check8(l**3, b3))
  do i = 1, n
    list(:, i) = [max(1, i - 1), min(n, i + 1), max(1, i - 70), min(n, i + 70), max(1, i - 4900), min(n, i + 4900)]
  end do
  x = [(real(value(i)), i=1, n)]
  do while (more())
    call neighbours(n, list, x, y)
  end do
  call report('neighbours', check4(n, y))
  do while (more())
    c = 1
    call crossed(m, a, c)
  end do
  call report('crossed', check8(m*m, c))
  do while (more())
    w = 1
    call while_stride(n, u, w)
  end do
  call report('while_stride', check8(n, w))
  do while (more())
    y = 1
    call wide_index(int(n, 8), x, y)
  end do
  call report('wide_index', check4(n, y))
  do while (more())
    c = 0
    call lower_rank(m, a, c)
  end do
  call report('lower_rank', check8(m*m, c))
  do while (more())
    f(:, :, 2) = 0
    f(:, :, 3) = 0
    call fields_e(m, r, f(:, :, 2), f(:, :, 3))
  end do
  call report('fields_e', check4(m*m, f(:, :, 2)) + check4(m*m, f(:, :, 3)))
end program
