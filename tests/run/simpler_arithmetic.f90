! Complex numbers over real ones and times such, and powers of 2 and -1.
! FLAGS: -Mnofma
module arithmetic
  implicit none
contains
  subroutine quotients(z, r, q)
    complex(8), intent(in) :: z(:)
    real(8), intent(in) :: r(:)
    complex(8), intent(out) :: q(:)
    q = z/r
  end subroutine
  subroutine products(z, r, q, p)
    complex(8), intent(in) :: z(:)
    real(8), intent(in) :: r(:)
    complex(8), intent(out) :: q(:), p(:)
    q = z*r
    p = r*z
  end subroutine
  elemental complex(8) function product_of(z, r)
    complex(8), intent(in) :: z
    real(8), intent(in) :: r
    real(8) :: nothing
    nothing = 0*abs(r)
    product_of = cmplx(z%re*r - z%im*nothing, z%re*nothing + z%im*r, 8)
  end function
  elemental complex(8) function quotient(z, r)
    complex(8), intent(in) :: z
    real(8), intent(in) :: r
    real(8) :: ratio
    ratio = sign(0d0, r)
    quotient = cmplx((z%re + z%im*ratio)/r, (z%im - z%re*ratio)/r, 8)
  end function
  pure integer(8) function power(base, n)
    integer(8), intent(in) :: base, n
    integer(8) :: i
    power = 1
    do i = 1, abs(n)
      power = power*base
    end do
    if (n < 0) power = 1/max(power, -1_8)
    if (n < 0 .and. base == 2) power = 0
  end function
end module

program simpler_arithmetic
  use arithmetic
  use, intrinsic :: ieee_arithmetic
  implicit none
  complex(8) :: z(40), q(40), w(40)
  complex(4) :: small
  real(8) :: r(40), infinity
  integer :: n, failures = 0
  integer(8) :: long
  real(8), parameter :: values(5) = [0d0, 1.25d0, -3d0, -7.7d0, 1d-300]

  do n = 1, 40
    z(n) = cmplx(values(1 + modulo(n, 5)), values(1 + modulo(n/5, 5)), 8)
    if (n > 25) z(n) = -z(n)
    r(n) = values(2 + modulo(n*7/3, 4))
  end do
  call quotients(z, r, q)
  w = quotient(z, r)
  call check('quotients', all(transfer(q, [0_8]) == transfer(w, [0_8])))
  call products(z, r, q, w)
  call check('products', all(transfer(q, [0_8]) == transfer(product_of(z, r), [0_8])))
  call check('products from the left', all(transfer(q, [0_8]) == transfer(w, [0_8])))
  small = (1.0, -3.0)
  call check('4 bytes', small/2.0 == (0.5, -1.5) .and. small/2 == (0.5, -1.5))
  infinity = ieee_value(infinity, ieee_positive_inf)
  z(1) = (1d0, -2d0)
  r(1) = 0
  call quotients(z(:1), r(:1), q(:1))
  call check('by zero', q(1)%re == infinity .and. q(1)%im == -infinity)
  z(1) = cmplx(infinity, 2d0, 8)
  r(1) = 4
  call quotients(z(:1), r(:1), q(:1))
  call check('infinity', q(1)%re == infinity)
  r(1) = infinity
  z(1) = (1d0, 2d0)
  call quotients(z(:1), r(:1), q(:1))
  call check('by infinity', q(1) == (0d0, 0d0))
  do n = -3, 40
    long = n
    if (n < 31) call check('2**n', 2**n == int(power(2_8, long)))
    call check('2_8**n', 2_8**long == power(2_8, long))
    call check('(-1)**n', (-1)**n == merge(1, -1, modulo(n, 2) == 0))
    call check('3**n', n < 0 .or. n > 30 .or. 3_8**long == power(3_8, long))
    if (n >= 32) call check('beyond', 2**n == 0)
  end do
  n = 31
  call check('the last', 2**n == -huge(n) - 1)
  if (failures == 0) print '(a)', 'PASS'
contains
  subroutine check(what, good)
    character(*), intent(in) :: what
    logical, intent(in) :: good
    if (good) return
    failures = failures + 1
    print '(2a)', 'FAIL ', what
  end subroutine
end program
