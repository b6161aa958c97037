! What weather.cuf computes, in OpenMP.
module weather_twins
  implicit none
  integer, parameter :: nlev = 40
contains
  pure real(8) function qsat(t, p)
    real(8), intent(in) :: t, p
    real(8) :: es
    es = 610.78d0*exp(17.27d0*(t - 273.16d0)/(t - 35.86d0))
    qsat = 0.622d0*es/(p - 0.378d0*es)
  end function
  subroutine warm_rain(dt, p, t, qv, qc, tn, qn, cn, rain)
    real(8), intent(in) :: dt
    real(8), intent(in), contiguous :: p(:, :), t(:, :), qv(:, :), qc(:, :)
    real(8), intent(out), contiguous :: tn(:, :), qn(:, :), cn(:, :), rain(:)
    integer, parameter :: chunk = 64
    real(8) :: qs, dq, auto, fall(chunk), evap, tk, vapor, cloud
    integer :: i, i0, l, k
    !$omp parallel do private(i, l, k, qs, dq, auto, fall, evap, tk, vapor, cloud)
    do i0 = 0, size(t, 1) - 1, chunk
      fall = 0
      do k = size(t, 2), 1, -1
        !$omp simd private(i, qs, dq, auto, evap, tk, vapor, cloud)
        do l = 1, min(chunk, size(t, 1) - i0)
          i = i0 + l
          tk = t(i, k)
          vapor = qv(i, k)
          cloud = qc(i, k)
          qs = qsat(tk, p(i, k))
          dq = (vapor - qs)/(1 + 1.35d7*qs/tk**2)
          if (dq < 0) dq = max(dq, -cloud)
          vapor = vapor - dq
          cloud = cloud + dq
          tk = tk + 2490d0*dq
          auto = 0
          if (cloud > 5d-4) auto = dt*1d-3*(cloud - 5d-4)
          cloud = cloud - auto
          fall(l) = fall(l) + auto
          if (fall(l) > 0 .and. vapor < qs) then
            evap = min(fall(l), dt*1d-2*sqrt(fall(l))*(qs - vapor))
            fall(l) = fall(l) - evap
            vapor = vapor + evap
            tk = tk - 2490d0*evap
          end if
          tn(i, k) = tk
          qn(i, k) = vapor
          cn(i, k) = cloud
        end do
      end do
      do l = 1, min(chunk, size(t, 1) - i0)
        rain(i0 + l) = fall(l)
      end do
    end do
  end subroutine
  subroutine sea_density(nx, ny, nz, wet, s, t, rho)
    integer, intent(in) :: nx, ny, nz
    integer(1), intent(in) :: wet(nx, ny)
    real(8), intent(in) :: s(nx, ny, nz), t(nx, ny, nz)
    real(8), intent(out) :: rho(nx, ny, nz)
    real(8) :: tt, ss, r0, bulk, p
    integer :: i, j, k
    !$omp parallel do collapse(2) private(i, tt, ss, r0, bulk, p)
    do k = 1, nz
      do j = 1, ny
        !$omp simd private(tt, ss, r0, bulk, p)
        do i = 1, nx
          if (wet(i, j) /= 0) then
            tt = t(i, j, k)
            ss = s(i, j, k)
            p = 10*k
            r0 = 999.842594d0 + tt*(6.793952d-2 + tt*(-9.09529d-3 + tt*(1.001685d-4 + tt*(-1.120083d-6 &
               + tt*6.536332d-9)))) &
               + ss*(0.824493d0 + tt*(-4.0899d-3 + tt*(7.6438d-5 + tt*(-8.2467d-7 + tt*5.3875d-9)))) &
               + ss*sqrt(ss)*(-5.72466d-3 + tt*(1.0227d-4 - tt*1.6546d-6)) + 4.8314d-4*ss*ss
            bulk = 19652.21d0 + tt*(148.4206d0 + tt*(-2.327105d0 + tt*(1.360477d-2 - tt*5.155288d-5))) &
                 + ss*(54.6746d0 + tt*(-0.603459d0 + tt*(1.09987d-2 - tt*6.1670d-5))) &
                 + p*(3.239908d0 + tt*1.43713d-3)
            rho(i, j, k) = r0/(1 - p/bulk) - 1000
          else
            rho(i, j, k) = 0
          end if
        end do
      end do
    end do
  end subroutine
  subroutine zonal(nlon, nlat, t, anomaly, deviation)
    integer, intent(in) :: nlon, nlat
    real(8), intent(in) :: t(nlon, nlat)
    real(8), intent(out) :: anomaly(nlon, nlat), deviation(nlat)
    real(8) :: s, mean
    integer :: i, j
    !$omp parallel do private(i, s, mean)
    do j = 1, nlat
      s = 0
      !$omp simd reduction(+:s)
      do i = 1, nlon
        s = s + t(i, j)
      end do
      mean = s/nlon
      s = 0
      !$omp simd reduction(+:s)
      do i = 1, nlon
        s = s + (t(i, j) - mean)**2
        anomaly(i, j) = t(i, j) - mean
      end do
      deviation(j) = sqrt(s/nlon)
    end do
  end subroutine
  subroutine residual(n, shift, wet, u, f, worst, squares, bad)
    integer, intent(in) :: n
    real, intent(in) :: shift, u(n, n), f(n, n)
    logical(1), intent(in) :: wet(n, n)
    real, intent(out) :: worst
    real(8), intent(out) :: squares
    integer, intent(out) :: bad
    real :: r
    integer :: i, j
    worst = 0
    squares = 0
    bad = 0
    !$omp parallel do private(i, r) reduction(max:worst) reduction(+:squares, bad)
    do j = 2, n - 1
      !$omp simd private(r) reduction(max:worst) reduction(+:squares, bad)
      do i = 2, n - 1
        r = f(i, j) - (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - (4 + shift)*u(i, j))
        worst = max(worst, merge(abs(r), 0.0, wet(i, j)))
        if (wet(i, j)) squares = squares + r*r
        if (abs(r) > 0.5 .and. wet(i, j)) bad = bad + 1
      end do
    end do
  end subroutine
  pure real function strain(g)
    real, intent(in) :: g(3, 3)
    integer :: i, j
    strain = 0
    do j = 1, 3
      do i = 1, 3
        strain = strain + (0.5*(g(i, j) + g(j, i)))**2
      end do
    end do
    strain = sqrt(2*strain)
  end function
  subroutine smagorinsky(nx, ny, nz, h, u, nut)
    integer, intent(in) :: nx, ny, nz
    real, intent(in) :: h, u(nx, ny, nz, 3)
    real, intent(inout) :: nut(nx, ny, nz)
    real :: g(3, 3)
    integer :: i, j, k, c
    !$omp parallel do collapse(2) private(i, c, g)
    do k = 2, nz - 1
      do j = 2, ny - 1
        !$omp simd private(c, g)
        do i = 2, nx - 1
          do c = 1, 3
            g(1, c) = (u(i + 1, j, k, c) - u(i - 1, j, k, c))/(2*h)
            g(2, c) = (u(i, j + 1, k, c) - u(i, j - 1, k, c))/(2*h)
            g(3, c) = (u(i, j, k + 1, c) - u(i, j, k - 1, c))/(2*h)
          end do
          nut(i, j, k) = (0.17*h)**2*strain(g)
        end do
      end do
    end do
  end subroutine
  ! Sixteen columns together.
  subroutine ppm_column(n, q, cr, qn)
    integer, intent(in) :: n
    real(8), intent(in) :: q(n, nlev), cr(n, 0:nlev)
    real(8), intent(out) :: qn(n, nlev)
    integer, parameter :: w = 16
    real(8) :: a(w, 0:nlev + 1), dm(w, 0:nlev + 1), edge(w, 0:nlev), flux(w, 0:nlev), al, ar, a6, c, lo, hi
    integer :: i, i0, k, l
    !$omp parallel do private(i, k, l, a, dm, edge, flux, al, ar, a6, c, lo, hi)
    do i0 = 0, n - 1, w
      l = min(w, n - i0)
      do k = 1, nlev
        a(:l, k) = q(i0 + 1:i0 + l, k)
      end do
      a(:l, 0) = a(:l, 1)
      a(:l, nlev + 1) = a(:l, nlev)
      dm(:, 0) = 0
      dm(:, nlev + 1) = 0
      do k = 1, nlev
        !$omp simd private(c, lo, hi)
        do i = 1, l
          c = 0.5d0*(a(i, k + 1) - a(i, k - 1))
          lo = a(i, k) - min(a(i, k - 1), a(i, k), a(i, k + 1))
          hi = max(a(i, k - 1), a(i, k), a(i, k + 1)) - a(i, k)
          dm(i, k) = sign(min(abs(c), 2*lo, 2*hi), c)
        end do
      end do
      do k = 0, nlev
        do i = 1, l
          edge(i, k) = 0.5d0*(a(i, k) + a(i, k + 1)) - (dm(i, k + 1) - dm(i, k))/6
        end do
      end do
      flux(:, 0) = 0
      flux(:, nlev) = 0
      do k = 1, nlev
        !$omp simd private(al, ar, a6, c)
        do i = 1, l
          al = edge(i, k - 1)
          ar = edge(i, k)
          if ((ar - a(i, k))*(a(i, k) - al) <= 0) then
            al = a(i, k)
            ar = a(i, k)
          else
            a6 = 6*(a(i, k) - 0.5d0*(al + ar))
            if ((ar - al)*a6 > (ar - al)**2) then
              al = 3*a(i, k) - 2*ar
            else if ((ar - al)*a6 < -(ar - al)**2) then
              ar = 3*a(i, k) - 2*al
            end if
          end if
          a6 = 6*(a(i, k) - 0.5d0*(al + ar))
          c = cr(i0 + i, k)
          if (c > 0 .and. k < nlev) flux(i, k) = c*(ar - 0.5d0*c*(ar - al - (1 - 2*c/3)*a6))
          c = -cr(i0 + i, k - 1)
          if (c >= 0 .and. k > 1) flux(i, k - 1) = -c*(al + 0.5d0*c*(ar - al + (1 - 2*c/3)*a6))
        end do
      end do
      do k = 1, nlev
        do i = 1, l
          qn(i0 + i, k) = a(i, k) - flux(i, k) + flux(i, k - 1)
        end do
      end do
    end do
  end subroutine
end module

program weather
  use timing
  use weather_twins
  implicit none
  integer :: i, k, m = 768, nc = 4096, nz = 32, nlon = 1440, nlat = 721, bad, lx = 96, lz = 40, mx = 256
  real(8), allocatable :: p(:, :), t(:, :), qv(:, :), qc(:, :), tn(:, :), qn(:, :), cn(:, :), rain(:)
  integer(1), allocatable :: wet(:, :)
  logical(1), allocatable :: open(:, :)
  real(8), allocatable :: a3(:, :, :), b3(:, :, :), c3(:, :, :), dev(:)
  real, allocatable :: r(:, :), s(:, :), v4(:, :, :, :), nut(:, :, :)
  real(8) :: squares
  real :: worst

  allocate (p(nc, nz), t(nc, nz), qv(nc, nz), qc(nc, nz), tn(nc, nz), qn(nc, nz), cn(nc, nz), rain(nc))
  do k = 1, nz
    do i = 1, nc
      p(i, k) = 1d5*exp(-0.05d0*k)
      t(i, k) = 300 - 2*k + 4*value(i + k)
      qv(i, k) = 0.02d0*exp(-0.1d0*k)*(0.5d0 + value(3*i + k))
      qc(i, k) = 1d-3*value(5*i + 7*k)
    end do
  end do
  do while (more())
    call warm_rain(20d0, p, t, qv, qc, tn, qn, cn, rain)
  end do
  call report('warm_rain', check8(nc*nz, tn) + 1d4*check8(nc*nz, qn) + 1d4*check8(nc*nz, cn) + 1d5*sum(rain))

  allocate (wet(mx, mx), a3(mx, mx, 4), b3(mx, mx, 4), c3(mx, mx, 4))
  wet = reshape([(int(merge(1, 0, value(i/8) > 0.3d0), 1), i=1, mx*mx)], [mx, mx])
  a3 = reshape([(33 + 3*value(i), i=1, 4*mx*mx)], [mx, mx, 4])
  b3 = reshape([(20*value(3*i), i=1, 4*mx*mx)], [mx, mx, 4])
  do while (more())
    call sea_density(mx, mx, 4, wet, a3, b3, c3)
  end do
  call report('sea_density', check8(4*mx*mx, c3))

  deallocate (t, tn)
  allocate (t(nlon, nlat), tn(nlon, nlat), dev(nlat))
  t = reshape([(280 + 20*value(i), i=1, nlon*nlat)], [nlon, nlat])
  do while (more())
    call zonal(nlon, nlat, t, tn, dev)
  end do
  call report('zonal', check8(nlon*nlat, tn) + check8(nlat, dev))

  allocate (open(m, m), r(m, m), s(m, m))
  open = reshape([(logical(value(i/4) > 0.25d0, 1), i=1, m*m)], [m, m])
  r = reshape([(real(value(i)), i=1, m*m)], [m, m])
  s = reshape([(real(value(3*i)), i=1, m*m)], [m, m])
  do while (more())
    call residual(m, 0.3, open, r, s, worst, squares, bad)
  end do
  call report('residual', 1d4*worst + squares + bad)

  allocate (v4(lx, lx, lz, 3), nut(lx, lx, lz))
  v4 = reshape([(real(value(i)), i=1, 3*lx*lx*lz)], [lx, lx, lz, 3])
  nut = 0
  do while (more())
    call smagorinsky(lx, lx, lz, 0.1, v4, nut)
  end do
  call report('smagorinsky', 1d4*check4(lx*lx*lz, nut))

  deallocate (p, qv, qn)
  allocate (p(nc, nlev), qv(nc, 0:nlev), qn(nc, nlev))
  p = reshape([(value(7*i + i/97), i=1, nc*nlev)], [nc, nlev])
  qv = reshape([(0.8d0*(value(3*i) - 0.5d0), i=1, nc*(nlev + 1))], [nc, nlev + 1])
  do while (more())
    call ppm_column(nc, p, qv, qn)
  end do
  call report('ppm_column', check8(nc*nlev, qn))
end program
