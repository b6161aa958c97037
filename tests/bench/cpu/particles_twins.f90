! What particles.cuf computes, in OpenMP.
module particle_twins
  implicit none
  type particle
    real :: x, y, z, u, v, w
  end type
  integer, parameter :: ng = 128
contains
  subroutine push_aos(n, dt, b, p)
    integer, intent(in) :: n
    real, intent(in) :: dt, b
    type(particle), intent(inout) :: p(n)
    real :: t, s, u, v, up, vp
    integer :: i
    t = 0.5*dt*b
    s = 2*t/(1 + t*t)
    !$omp parallel do private(u, v, up, vp)
    do i = 1, n
      u = p(i)%u - 0.5*dt*(p(i)%x - 0.5)
      v = p(i)%v - 0.5*dt*(p(i)%y - 0.5)
      up = u + v*t
      vp = v - u*t
      u = u + vp*s
      v = v - up*s
      p(i)%u = u - 0.5*dt*(p(i)%x - 0.5)
      p(i)%v = v - 0.5*dt*(p(i)%y - 0.5)
      p(i)%w = p(i)%w - dt*(p(i)%z - 0.5)
      p(i)%x = p(i)%x + dt*p(i)%u
      p(i)%y = p(i)%y + dt*p(i)%v
      p(i)%z = p(i)%z + dt*p(i)%w
      if (p(i)%x < 0) p(i)%x = p(i)%x + 1
      if (p(i)%x >= 1) p(i)%x = p(i)%x - 1
      if (p(i)%y < 0) p(i)%y = p(i)%y + 1
      if (p(i)%y >= 1) p(i)%y = p(i)%y - 1
    end do
  end subroutine
  subroutine push_soa(n, dt, b, x, y, z, pu, pv, pw)
    integer, intent(in) :: n
    real, intent(in) :: dt, b
    real, intent(inout) :: x(n), y(n), z(n), pu(n), pv(n), pw(n)
    real :: t, s, u, v, up, vp
    integer :: i
    t = 0.5*dt*b
    s = 2*t/(1 + t*t)
    !$omp parallel do simd private(u, v, up, vp)
    do i = 1, n
      u = pu(i) - 0.5*dt*(x(i) - 0.5)
      v = pv(i) - 0.5*dt*(y(i) - 0.5)
      up = u + v*t
      vp = v - u*t
      u = u + vp*s
      v = v - up*s
      pu(i) = u - 0.5*dt*(x(i) - 0.5)
      pv(i) = v - 0.5*dt*(y(i) - 0.5)
      pw(i) = pw(i) - dt*(z(i) - 0.5)
      x(i) = x(i) + dt*pu(i)
      y(i) = y(i) + dt*pv(i)
      z(i) = z(i) + dt*pw(i)
      if (x(i) < 0) x(i) = x(i) + 1
      if (x(i) >= 1) x(i) = x(i) - 1
      if (y(i) < 0) y(i) = y(i) + 1
      if (y(i) >= 1) y(i) = y(i) - 1
    end do
  end subroutine
  subroutine deposit(n, x, y, rho)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8), intent(inout) :: rho(0:ng - 1, 0:ng - 1)
    real(8) :: fx, fy
    integer :: i, ix, iy, jx, jy
    !$omp parallel do private(ix, iy, jx, jy, fx, fy) reduction(+:rho)
    do i = 1, n
      ix = int(x(i)*ng)
      iy = int(y(i)*ng)
      fx = x(i)*ng - ix
      fy = y(i)*ng - iy
      jx = mod(ix + 1, ng)
      jy = mod(iy + 1, ng)
      rho(ix, iy) = rho(ix, iy) + (1 - fx)*(1 - fy)
      rho(jx, iy) = rho(jx, iy) + fx*(1 - fy)
      rho(ix, jy) = rho(ix, jy) + (1 - fx)*fy
      rho(jx, jy) = rho(jx, jy) + fx*fy
    end do
  end subroutine
  subroutine gather_field(n, x, y, e, f)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n), e(2, 0:ng - 1, 0:ng - 1)
    real(8), intent(out) :: f(2, n)
    real(8) :: fx, fy
    integer :: i, ix, iy, jx, jy, c
    !$omp parallel do private(ix, iy, jx, jy, fx, fy, c)
    do i = 1, n
      ix = int(x(i)*ng)
      iy = int(y(i)*ng)
      fx = x(i)*ng - ix
      fy = y(i)*ng - iy
      jx = iand(ix + 1, ng - 1)
      jy = iand(iy + 1, ng - 1)
      do c = 1, 2
        f(c, i) = (1 - fx)*(1 - fy)*e(c, ix, iy) + fx*(1 - fy)*e(c, jx, iy) + (1 - fx)*fy*e(c, ix, jy) + fx*fy*e(c, jx, jy)
      end do
    end do
  end subroutine
  subroutine spmv_csr(n, rows, cols, a, x, y)
    integer, intent(in) :: n, rows(n + 1), cols(*)
    real(8), intent(in) :: a(*), x(n)
    real(8), intent(out) :: y(n)
    real(8) :: s
    integer :: i, k
    !$omp parallel do private(s, k)
    do i = 1, n
      s = 0
      do k = rows(i), rows(i + 1) - 1
        s = s + a(k)*x(cols(k))
      end do
      y(i) = s
    end do
  end subroutine
  subroutine spmv_ell(n, width, cols, a, x, y)
    integer, intent(in) :: n, width, cols(n, width)
    real(8), intent(in) :: a(n, width), x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k, first
    !$omp parallel do private(i, k)
    do first = 1, n, 512
      y(first:min(first + 511, n)) = 0
      do k = 1, width
        do i = first, min(first + 511, n)
          if (cols(i, k) > 0) y(i) = y(i) + a(i, k)*x(cols(i, k))
        end do
      end do
    end do
  end subroutine
  subroutine lennard_jones(n, nn, list, x, f)
    integer, intent(in) :: n, nn, list(n, nn)
    real, intent(in) :: x(4, n)
    real, intent(out) :: f(3, n)
    real :: px, py, pz, dx, dy, dz, r2, r6, s, fx, fy, fz
    integer :: i, j, k
    !$omp parallel do private(j, k, px, py, pz, dx, dy, dz, r2, r6, s, fx, fy, fz)
    do i = 1, n
      px = x(1, i)
      py = x(2, i)
      pz = x(3, i)
      fx = 0
      fy = 0
      fz = 0
      do k = 1, nn
        j = list(i, k)
        dx = px - x(1, j)
        dy = py - x(2, j)
        dz = pz - x(3, j)
        r2 = dx*dx + dy*dy + dz*dz
        if (r2 > 0.09) cycle
        r2 = 1/(r2 + 0.01)
        r6 = r2*r2*r2*1e-6
        s = r6*(2*r6 - 1)*r2
        fx = fx + s*dx
        fy = fy + s*dy
        fz = fz + s*dz
      end do
      f(1, i) = fx
      f(2, i) = fy
      f(3, i) = fz
    end do
  end subroutine
  subroutine scatter(n, place, x, y)
    integer, intent(in) :: n, place(n)
    real, intent(in) :: x(n)
    real, intent(inout) :: y(n)
    integer :: i
    !$omp parallel do simd
    do i = 1, n
      y(place(i)) = x(i) + 1
    end do
  end subroutine
  subroutine strided(n, step, x, y)
    integer, intent(in) :: n, step
    real(8), intent(in) :: x(*)
    real(8), intent(inout) :: y(n)
    integer :: i
    !$omp parallel do simd
    do i = 1, n
      y(i) = 2*x((i - 1)*step + 1) - x((i - 1)*step + 2)
    end do
  end subroutine
  subroutine triangles(ne, corner, nodes, xy, u, y)
    integer, intent(in) :: ne, corner(3, ne), nodes
    real(8), intent(in) :: xy(2, nodes), u(nodes)
    real(8), intent(inout) :: y(nodes)
    real(8) :: b(3), c(3), area, p, q
    integer :: e, k, n(3)
    !$omp parallel do private(b, c, area, p, q, k, n) reduction(+:y)
    do e = 1, ne
      n = corner(:, e)
      b(1) = xy(2, n(2)) - xy(2, n(3))
      b(2) = xy(2, n(3)) - xy(2, n(1))
      b(3) = xy(2, n(1)) - xy(2, n(2))
      c(1) = xy(1, n(3)) - xy(1, n(2))
      c(2) = xy(1, n(1)) - xy(1, n(3))
      c(3) = xy(1, n(2)) - xy(1, n(1))
      area = 0.5d0*abs(b(2)*c(3) - b(3)*c(2))
      p = b(1)*u(n(1)) + b(2)*u(n(2)) + b(3)*u(n(3))
      q = c(1)*u(n(1)) + c(2)*u(n(2)) + c(3)*u(n(3))
      do k = 1, 3
        y(n(k)) = y(n(k)) + (b(k)*p + c(k)*q)/(4*area)
      end do
    end do
  end subroutine
  subroutine faces(nf, cell, normal, u, flux)
    integer, intent(in) :: nf, cell(2, nf)
    real(8), intent(in) :: normal(3, nf), u(4, *)
    real(8), intent(out) :: flux(4, nf)
    real(8) :: vn, l(4), r(4)
    integer :: f
    !$omp parallel do private(vn, l, r)
    do f = 1, nf
      l = u(:, cell(1, f))
      r = u(:, cell(2, f))
      vn = 0.5d0*dot_product(normal(:, f), l(2:4)/l(1) + r(2:4)/r(1))
      if (vn > 0) then
        flux(:, f) = vn*l
      else
        flux(:, f) = vn*r
      end if
    end do
  end subroutine
end module

program particles
  use particle_twins
  use timing
  implicit none
  integer :: n = 400000, nr = 200000, np = 30000, nn = 40, m = 200, nz, ne, i, j, k
  type(particle), allocatable :: p(:)
  real, allocatable :: x(:), y(:), z(:), u(:), v(:), w(:), pos(:, :), force(:, :)
  real(8), allocatable :: px(:), py(:), rho(:, :), e(:, :, :), f(:, :), a(:), vx(:), vy(:), ae(:, :), xy(:, :), cells(:, :)
  integer, allocatable :: rows(:), cols(:), list(:, :), colse(:, :), place(:), corner(:, :)

  allocate (p(n))
  do i = 1, n
    p(i) = particle(real(value(i)), real(value(3*i)), real(value(5*i)), real(value(7*i) - 0.5), real(value(11*i) - 0.5), 0.1)
  end do
  x = p%x
  y = p%y
  z = p%z
  u = p%u
  v = p%v
  w = p%w
  do while (more())
    call push_aos(n, 0.01, 2.0, p)
  end do
  call report('push_aos', check4(n, p%x) + check4(n, p%v) + check4(n, p%w))
  do while (more())
    call push_soa(n, 0.01, 2.0, x, y, z, u, v, w)
  end do
  call report('push_soa', check4(n, x) + check4(n, v) + check4(n, w))
  px = [(modulo(value(i) + i*0.6180339887d0, 1d0), i=1, n)]
  py = [(modulo(value(3*i) + i*0.4142135d0, 1d0), i=1, n)]
  allocate (rho(0:ng - 1, 0:ng - 1), f(2, n))
  e = reshape([(value(i), i=1, 2*ng*ng)], [2, ng, ng])
  do while (more())
    rho = 0
    call deposit(n, px, py, rho)
  end do
  call report('deposit', check8(ng*ng, rho))
  do while (more())
    call gather_field(n, px, py, e, f)
  end do
  call report('gather_field', check8(2*n, f))

  allocate (rows(nr + 1))
  rows(1) = 1
  do i = 1, nr
    rows(i + 1) = rows(i) + 4 + mod(i, 9)
  end do
  nz = rows(nr + 1) - 1
  allocate (cols(nz))
  do i = 1, nr
    do k = rows(i), rows(i + 1) - 1
      j = k - rows(i)
      cols(k) = modulo(i + j*j*j*3 - 20, nr) + 1
    end do
  end do
  a = [(value(i), i=1, nz)]
  vx = [(value(3*i), i=1, nr)]
  vy = 0*vx
  do while (more())
    call spmv_csr(nr, rows, cols, a, vx, vy)
  end do
  call report('spmv_csr', check8(nr, vy))
  do while (more())
    call spmv_csr(nr, rows, cols, a, vx, vy)
  end do
  call report('spmv_warp', check8(nr, vy))
  allocate (colse(nr, 12), ae(nr, 12))
  ae = 0
  colse = 0
  do i = 1, nr
    do k = rows(i), rows(i + 1) - 1
      colse(i, k - rows(i) + 1) = cols(k)
      ae(i, k - rows(i) + 1) = a(k)
    end do
  end do
  do while (more())
    call spmv_ell(nr, 12, colse, ae, vx, vy)
  end do
  call report('spmv_ell', check8(nr, vy))
  allocate (list(np, nn), pos(4, np), force(3, np))
  do i = 1, np
    pos(:, i) = real([modulo(i*0.6180339887d0, 1d0), modulo(i*0.754877666d0, 1d0), i/real(np, 8), 0d0])
    list(i, :) = [(modulo(i + (k - nn/2)*(1 + mod(i, 3)) + merge(1, 0, k >= nn/2) - 2, np) + 1, k=1, nn)]
  end do
  do while (more())
    call lennard_jones(np, nn, list, pos, force)
  end do
  call report('lennard_jones', check4(3*np, force))
  place = [(1 + int(modulo(int(i, 8)*7919, int(n, 8))), i=1, n)]
  do while (more())
    call scatter(n, place, x, y)
  end do
  call report('scatter', check4(n, y))
  do while (more())
    call strided(nz/5, 5, a, ae)
  end do
  call report('strided', check8(nr*12, ae))
  ne = 2*(m - 1)**2
  allocate (corner(3, ne))
  k = 0
  do j = 1, m - 1
    do i = 1, m - 1
      k = k + 2
      corner(:, k - 1) = [i + (j - 1)*m, i + 1 + (j - 1)*m, i + j*m]
      corner(:, k) = [i + 1 + (j - 1)*m, i + 1 + j*m, i + j*m]
    end do
  end do
  xy = reshape([((i + 0.3d0*value(i + j), j + 0.3d0*value(3*i + 7*j), i=1, m), j=1, m)], [2, m*m])
  do while (more())
    vy(:m*m) = 0
    call triangles(ne, corner, m*m, xy, vx, vy)
  end do
  call report('triangles', check8(m*m, vy))
  deallocate (corner, f)
  allocate (corner(2, n), f(4, n))
  corner(1, :) = [(1 + modulo(i + mod(i, 5)*101, n), i=1, n)]
  corner(2, :) = [(1 + modulo(i + mod(i, 7)*57, n), i=1, n)]
  xy = reshape([(value(i) - 0.5d0, i=1, 3*n)], [3, n])
  cells = reshape([(value(i) + 0.5d0, i=1, 4*n)], [4, n])
  do while (more())
    call faces(n, corner, xy, cells, f)
  end do
  call report('faces', check8(4*n, f))
end program
