! MAXVAL, MINVAL, MAXLOC and MINLOC of host code, which the runtime library computes in blocks: as loops do, with the first
! of equal values, signs of zeros, infinities and NaNs.
module loops
  use, intrinsic :: ieee_arithmetic
  use, intrinsic :: iso_fortran_env
  implicit none
  integer :: failures = 0
contains
  pure logical function better(x, best, greatest)
    real(8), intent(in) :: x, best
    logical, intent(in) :: greatest
    better = merge(x > best, x < best, greatest) .or. (ieee_is_nan(best) .and. .not. ieee_is_nan(x))
  end function

  subroutine search(x, greatest, place, value)
    real(8), intent(in) :: x(:)
    logical, intent(in) :: greatest
    integer, intent(out) :: place
    real(8), intent(out) :: value
    integer :: i
    place = 0
    value = merge(-huge(value), huge(value), greatest)
    do i = 1, size(x)
      if (i > 1) then
        if (.not. better(x(i), value, greatest)) cycle
      end if
      place = i
      value = x(i)
    end do
  end subroutine

  pure logical function same(x, y)
    real(8), intent(in) :: x, y
    same = transfer(x, 0_int64) == transfer(y, 0_int64)
  end function

  subroutine check(what, good)
    character(*), intent(in) :: what
    logical, intent(in) :: good
    if (good) return
    failures = failures + 1
    print '(2a)', 'FAIL ', what
  end subroutine

  subroutine compare(x)
    real(8), intent(in) :: x(:)
    integer :: place
    real(8) :: value
    real(4) :: y(size(x))
    y = real(x, 4)
    call search(x, .true., place, value)
    call check('maxloc', maxloc(x, dim=1) == place .and. maxloc(y, dim=1) == place)
    call check('maxval', same(maxval(x), value))
    if (size(x) > 0) call check('maxval of 4 bytes', same(real(maxval(y), 8), value))
    call search(x, .false., place, value)
    call check('minloc', minloc(x, dim=1) == place .and. minloc(y, 1, kind=8) == place)
    call check('minval', same(minval(x), value))
    if (size(x) > 0) call check('minval of 4 bytes', same(real(minval(y), 8), value))
  end subroutine
end module

program extremes
  use loops
  implicit none
  real(8), allocatable :: x(:), w(:, :)
  integer, allocatable :: k(:)
  integer(8), allocatable :: long(:)
  real(8) :: nan, infinity
  real(8) :: three(3) = [1, 3, 2]
  integer :: n, i, kind, place

  nan = ieee_value(nan, ieee_quiet_nan)
  infinity = ieee_value(infinity, ieee_positive_inf)
  do n = 0, 5000, 1
    if (n > 150 .and. mod(n, 631) /= 0) cycle
    do kind = 1, 8
      x = [(real(modulo(i*7919, 1009), 8), i=1, n)]
      select case (kind)
      case (2)
        x = -x
      case (3)
        x = merge(0d0, -0d0, mod(x, 2d0) < 1)
      case (4)
        where (mod(x, 3d0) < 2) x = nan
      case (5)
        x = nan
      case (6)
        x = merge(-infinity, nan, x > 900)
      case (7)
        x = merge(infinity, nan, x > 900)
      case (8)
        x = [(real(i, 8), i=1, n)]
      end select
      call compare(x)
      call compare(x(n:1:-1))
      call compare(x(2::3))
    end do
    k = [(modulo(i*7919, 1009) - 500, i=1, n)]
    long = k
    place = 0
    do i = 1, n
      if (place == 0) place = i
      if (k(i) > k(place)) place = i
    end do
    call check('maxloc of integers', maxloc(k, 1) == place .and. maxloc(long, 1) == place .and. maxloc(-k, 1) >= min(n, 1))
    call check('minloc of integers', minloc(-k, 1) == place .and. minloc(-long, 1) == place)
    if (n > 0) call check('of expressions', maxloc(abs(x), 1) == maxloc(x, 1) .and. maxval(2*k) == 2*maxval(k))
  end do
  w = reshape([(real(modulo(i*37, 101), 8), i=1, 60)], [10, 6])
  call check('matrix', maxval(w) == maxval([w]) .and. minval(w(2:9:3, 2:5)) == minval([w(2:9:3, 2:5)]))
  call check('dimensions', all(maxval(w, dim=2) == [(maxval(w(i, :)), i=1, 10)]) .and. all(maxloc(w) == findloc(w, maxval(w))))
  call check('masks', maxval(w, mask=w < 50) == maxval(merge(w, 0d0, w < 50)))
  call check('masks of places', maxloc(w(:, 1), 1, mask=w(:, 1) < 50) == maxloc(merge(w(:, 1), 0d0, w(:, 1) < 50), 1))
  call check('from behind', maxloc([1, 3, 3], 1, back=.true.) == 3 .and. maxloc(real([(mod(i, 3), i=1, 60)]), 1, back=.true.) == 59)
  call check('short', maxval(three) == 3 .and. maxloc(three, 1) == 2)
  if (failures == 0) print '(a)', 'PASS'
end program
