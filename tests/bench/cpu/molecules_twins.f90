! What molecules.cuf computes, in OpenMP.
module molecule_twins
  implicit none
  type su3
    complex(8) :: c(3, 3)
  end type
  type body
    real :: q(4), w(3), inertia(3)
  end type
contains
  subroutine dslash(nv, fwd, bwd, u, psi, chi)
    integer, intent(in) :: nv, fwd(nv, 4), bwd(nv, 4)
    complex, intent(in) :: u(nv, 3, 3, 4), psi(nv, 3)
    complex, intent(out) :: chi(nv, 3)
    complex :: acc(3)
    integer :: i, mu, a, b, f, g
    !$omp parallel do private(mu, a, b, f, g, acc)
    do i = 1, nv
      acc = (0., 0.)
      do mu = 1, 4
        f = fwd(i, mu)
        g = bwd(i, mu)
        do a = 1, 3
          do b = 1, 3
            acc(a) = acc(a) + u(i, a, b, mu)*psi(f, b) - conjg(u(g, b, a, mu))*psi(g, b)
          end do
        end do
      end do
      chi(i, :) = 0.5*acc
    end do
  end subroutine
  pure subroutine times(a, b, c)
    type(su3), intent(in) :: a, b
    type(su3), intent(out) :: c
    integer :: j, k
    do j = 1, 3
      c%c(:, j) = 0
      do k = 1, 3
        c%c(:, j) = c%c(:, j) + a%c(:, k)*b%c(k, j)
      end do
    end do
  end subroutine
  pure real(8) function trace_adjoint(a, b)
    complex(8), intent(in) :: a(3, 3), b(3, 3)
    trace_adjoint = sum(real(a)*real(b) + aimag(a)*aimag(b))
  end function
  subroutine plaquette(nv, fwd, links, total)
    integer, intent(in) :: nv, fwd(4, nv)
    type(su3), intent(in) :: links(4, nv)
    real(8), intent(inout) :: total
    type(su3) :: x, y
    integer :: i, mu, nu
    !$omp parallel do private(mu, nu, x, y) reduction(+:total)
    do i = 1, nv
      do mu = 1, 3
        do nu = mu + 1, 4
          call times(links(mu, i), links(nu, fwd(mu, i)), x)
          call times(links(nu, i), links(mu, fwd(nu, i)), y)
          total = total + trace_adjoint(x%c, y%c)
        end do
      end do
    end do
  end subroutine
  subroutine angles(na, n, atom, k, theta0, x, f, e)
    integer, intent(in) :: na, n, atom(3, na)
    real(8), intent(in) :: k, theta0, x(3, n)
    real(8), intent(inout) :: f(3, n)
    real(8), intent(out) :: e(na)
    real(8) :: a(3), b(3), fa(3), fb(3), ra, rb, c, s, theta, g
    integer :: m, i, j, l
    !$omp parallel do private(i, j, l, a, b, fa, fb, ra, rb, c, s, theta, g) reduction(+:f)
    do m = 1, na
      i = atom(1, m)
      j = atom(2, m)
      l = atom(3, m)
      a = x(:, i) - x(:, j)
      b = x(:, l) - x(:, j)
      ra = sqrt(sum(a**2))
      rb = sqrt(sum(b**2))
      c = max(-0.9999d0, min(0.9999d0, dot_product(a, b)/(ra*rb)))
      theta = acos(c)
      s = sqrt(1 - c*c)
      g = 2*k*(theta - theta0)/s
      fa = g*(b/rb - c*a/ra)/ra
      fb = g*(a/ra - c*b/rb)/rb
      e(m) = k*(theta - theta0)**2
      f(:, i) = f(:, i) + fa
      f(:, l) = f(:, l) + fb
      f(:, j) = f(:, j) - fa - fb
    end do
  end subroutine
  subroutine block_csr(nb, rows, cols, a, x, y)
    integer, intent(in) :: nb, rows(nb + 1), cols(*)
    real(8), intent(in) :: a(3, 3, *), x(3, nb)
    real(8), intent(out) :: y(3, nb)
    real(8) :: s1, s2, s3, x1, x2, x3
    integer :: r, k
    !$omp parallel do private(k, s1, s2, s3, x1, x2, x3)
    do r = 1, nb
      s1 = 0
      s2 = 0
      s3 = 0
      do k = rows(r), rows(r + 1) - 1
        x1 = x(1, cols(k))
        x2 = x(2, cols(k))
        x3 = x(3, cols(k))
        s1 = s1 + a(1, 1, k)*x1 + a(1, 2, k)*x2 + a(1, 3, k)*x3
        s2 = s2 + a(2, 1, k)*x1 + a(2, 2, k)*x2 + a(2, 3, k)*x3
        s3 = s3 + a(3, 1, k)*x1 + a(3, 2, k)*x2 + a(3, 3, k)*x3
      end do
      y(1, r) = s1
      y(2, r) = s2
      y(3, r) = s3
    end do
  end subroutine
  pure real function spline(q)
    real, intent(in) :: q
    if (q < 1) then
      spline = 1 - 1.5*q*q*(1 - 0.5*q)
    else if (q < 2) then
      spline = 0.25*(2 - q)**3
    else
      spline = 0
    end if
  end function
  subroutine sph_density(n, h, mass, x, first, list, rho, p)
    integer, intent(in) :: n, first(n + 1), list(*)
    real, intent(in) :: h, mass(n), x(3, n)
    real, intent(out) :: rho(n), p(n)
    real :: r, s
    integer :: i, j, k
    !$omp parallel do private(j, k, r, s)
    do i = 1, n
      s = mass(i)
      !$omp simd private(j, r) reduction(+:s)
      do k = first(i), first(i + 1) - 1
        j = list(k)
        r = sqrt((x(1, i) - x(1, j))**2 + (x(2, i) - x(2, j))**2 + (x(3, i) - x(3, j))**2)
        s = s + mass(j)*spline(r/h)
      end do
      s = s/(3.14159265*h**3)
      rho(i) = s
      p(i) = 100*((s/1000)**7 - 1)
    end do
  end subroutine
  pure subroutine hamilton(a, b, c)
    real, intent(in) :: a(4), b(4)
    real, intent(out) :: c(4)
    c(1) = a(1)*b(1) - a(2)*b(2) - a(3)*b(3) - a(4)*b(4)
    c(2) = a(1)*b(2) + a(2)*b(1) + a(3)*b(4) - a(4)*b(3)
    c(3) = a(1)*b(3) - a(2)*b(4) + a(3)*b(1) + a(4)*b(2)
    c(4) = a(1)*b(4) + a(2)*b(3) - a(3)*b(2) + a(4)*b(1)
  end subroutine
  subroutine rotations(n, dt, steps, in, out)
    integer, intent(in) :: n, steps
    real, intent(in) :: dt
    type(body), intent(in) :: in(n)
    type(body), intent(out) :: out(n)
    real :: q(4), w(3), j(3), t(3), dq(4)
    integer :: i, k
    !$omp parallel do private(k, q, w, j, t, dq)
    do i = 1, n
      q = in(i)%q
      w = in(i)%w
      j = in(i)%inertia
      do k = 1, steps
        t(1) = (j(2) - j(3))*w(2)*w(3)/j(1)
        t(2) = (j(3) - j(1))*w(3)*w(1)/j(2)
        t(3) = (j(1) - j(2))*w(1)*w(2)/j(3)
        w = w + dt*t
        call hamilton(q, [0., w(1), w(2), w(3)], dq)
        q = q + 0.5*dt*dq
        q = q/sqrt(dot_product(q, q))
      end do
      out(i)%q = q
      out(i)%w = w
      out(i)%inertia = j
    end do
  end subroutine
  subroutine structure_factor(n, nk, kv, x, s)
    integer, intent(in) :: n, nk
    real(8), intent(in) :: kv(3, nk), x(3, n)
    real(8), intent(out) :: s(nk)
    real(8) :: phase, c, d
    integer :: i, k
    !$omp parallel do private(i, phase, c, d)
    do k = 1, nk
      c = 0
      d = 0
      !$omp simd private(phase) reduction(+:c, d)
      do i = 1, n
        phase = kv(1, k)*x(1, i) + kv(2, k)*x(2, i) + kv(3, k)*x(3, i)
        c = c + cos(phase)
        d = d + sin(phase)
      end do
      s(k) = (c**2 + d**2)/n
    end do
  end subroutine
end module

program molecules
  use timing
  use molecule_twins
  implicit none
  integer :: i, j, k, l, m, nv, side = 12, na = 30000, n = 20000, nb = 40000, mu
  integer, allocatable :: fwd(:, :), bwd(:, :), near(:, :), atom(:, :), rows(:), cols(:), first(:), list(:)
  complex, allocatable :: u(:, :, :, :), psi(:, :), chi(:, :)
  type(su3), allocatable :: links(:, :)
  type(body), allocatable :: bodies(:), turned(:)
  real(8), allocatable :: total, x(:, :), f(:, :), e(:), a(:, :, :), v(:, :), y(:, :), kv(:, :), s(:)
  real, allocatable :: mass(:), x4(:, :), rho(:), p(:)
  integer :: band(-3:3) = [-900, -30, -1, 0, 1, 30, 900]
  integer :: around(16) = [2, -2, 929, -1, 1, -30, 30, -900, 900, -31, 31, -29, 29, 901, -901, 899]

  allocate (total)
  nv = side**4
  allocate (fwd(nv, 4), bwd(nv, 4), u(nv, 3, 3, 4), psi(nv, 3), chi(nv, 3))
  do i = 0, nv - 1
    m = 1
    do mu = 1, 4
      k = mod(i/m, side)
      fwd(i + 1, mu) = i + 1 + m*(mod(k + 1, side) - k)
      bwd(i + 1, mu) = i + 1 + m*(mod(k + side - 1, side) - k)
      m = m*side
    end do
  end do
  u = reshape([(cmplx(value(i) - 0.5d0, value(3*i) - 0.5d0), i=1, 36*nv)], [nv, 3, 3, 4])
  psi = reshape([(cmplx(value(5*i), value(7*i)), i=1, 3*nv)], [nv, 3])
  do while (more())
    call dslash(nv, fwd, bwd, u, psi, chi)
  end do
  call report('dslash', sum(real(real(chi), 8)) + 2*sum(real(aimag(chi), 8)) + 10*sum(real(abs(chi), 8)))

  side = 8
  nv = side**4
  allocate (near(4, nv), links(4, nv))
  do i = 0, nv - 1
    m = 1
    do mu = 1, 4
      k = mod(i/m, side)
      near(mu, i + 1) = i + 1 + m*(mod(k + 1, side) - k)
      do j = 1, 3
        links(mu, i + 1)%c(:, j) = [(cmplx(value(i*36 + 9*mu + 3*j + l), value(3*i + 5*j + 7*l + mu), 8), l=1, 3)]
      end do
      m = m*side
    end do
  end do
  do while (more())
    total = 0
    call plaquette(nv, near, links, total)
  end do
  call report('plaquette', total)

  allocate (x(3, n), f(3, n), e(na), atom(3, na))
  x = reshape([(value(i*7 + i/1009), i=1, 3*n)], [3, n])
  do i = 1, na
    j = 1 + int(mod(i*7919_8, int(n, 8)))
    atom(:, i) = [j, 1 + mod(j + 3, n), 1 + mod(j + 10 + i/n, n)]
  end do
  do while (more())
    f = 0
    call angles(na, n, atom, 10d0, 1.9d0, x, f, e)
  end do
  call report('angles', check8(3*n, f) + check8(na, e))

  allocate (rows(nb + 1), cols(7*nb), a(3, 3, 7*nb), v(3, nb), y(3, nb))
  k = 1
  do i = 1, nb
    rows(i) = k
    do l = -3, 3
      j = i + band(l)
      if (j < 1 .or. j > nb) cycle
      cols(k) = j
      k = k + 1
    end do
  end do
  rows(nb + 1) = k
  a = reshape([(value(i) - 0.3d0, i=1, 63*nb)], [3, 3, 7*nb])
  v = reshape([(value(3*i), i=1, 3*nb)], [3, nb])
  do while (more())
    call block_csr(nb, rows, cols, a, v, y)
  end do
  call report('block_csr', check8(3*nb, y))

  allocate (mass(n), x4(3, n), rho(n), p(n), first(n + 1), list(32*n))
  mass = [(real(1 + 0.1*value(i)), i=1, n)]
  do i = 1, n
    x4(:, i) = [0.1*mod(i, 30), 0.1*mod(i/30, 30), 0.1*(i/900)] + 0.03*[real(value(i)), real(value(3*i)), real(value(5*i))]
  end do
  k = 1
  do i = 1, n
    first(i) = k
    do l = 1, 20 + mod(i, 13)
      j = i + around(mod(l, 16) + 1)*(l/16 + 1)
      list(k) = 1 + modulo(j - 1, n)
      k = k + 1
    end do
  end do
  first(n + 1) = k
  do while (more())
    call sph_density(n, 0.13, mass, x4, first, list, rho, p)
  end do
  call report('sph_density', check4(n, rho) + check4(n, p))

  allocate (bodies(n), turned(n))
  do i = 1, n
    bodies(i) = body([1., 0., 0., 0.], [real(value(i)), real(value(3*i)), real(value(5*i))], &
                     [1 + real(value(i)), 2 + real(value(7*i)), 3 + real(value(2*i))])
  end do
  do while (more())
    call rotations(n, 0.01, 8, bodies, turned)
  end do
  call report('rotations', &
              sum([(real(turned(i)%q(1) + 2*turned(i)%q(2) + 3*turned(i)%q(4) + turned(i)%w(1) &
                         - 2*turned(i)%w(3), 8)*(1 + mod(i, 7)), i=1, n)]))

  allocate (kv(3, 60), s(60))
  kv = reshape([(real(mod(i*7, 11) - 5, 8), i=1, 180)], [3, 60])
  do while (more())
    call structure_factor(2000, 60, kv, x, s)
  end do
  call report('structure_factor', check8(60, s))
end program
