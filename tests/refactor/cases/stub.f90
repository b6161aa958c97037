! refactorings: module-stub
module work
  use kinds_mod, only: dp, wp => working
  use geo, only: point, area, scale_all, limit, tol, is_inside, grid
  implicit none
  real(dp) :: z
  type(point) :: origin
contains
  subroutine run(n, x)
    integer, intent(in) :: n
    real(dp), intent(inout) :: x(:)
    type(point) :: p
    real(wp) :: local(limit)
    p%x = 1.0_dp
    p%label = 'abc'
    p%near%index = n
    p%weights(n) = real(n, dp)
    x(1) = area(p) + tol
    grid(n, 1) = x(2)
    if (is_inside(p, inclusive=.true.)) x = 0.0_wp
    call scale_all(x, n, 2.0_dp)
    call scale_all(local, 3, factor=2.0, how=area)
  end subroutine run
end module work
program main
  use work, only: run
  use other
  implicit none
  real(8) :: x(3), y
  x = 1.0
  counter = counter + 1
  y = mean(x) + sum(x)
  if (mean(x) > 3.0) print *, verbose, y
  call report(n=3, text='done')
  call run(3, x)
end program main
