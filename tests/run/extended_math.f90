! Functions of REAL(10) and COMPLEX(10), which build systems find by SELECTED_REAL_KIND(18).
! SKIP-AARCH64: such processors have no REAL(10)
program extended_math
  implicit none
  integer, parameter :: xp = selected_real_kind(18)
  real(xp) :: x, y, tiny_part
  complex(xp) :: z, w
  integer :: failures
  failures = 0
  x = 0.3_xp
  y = 1.7_xp
  z = cmplx(0.4_xp, -0.8_xp, xp)
  w = cmplx(1.2_xp, 0.5_xp, xp)
  tiny_part = epsilon(x)
  if (xp /= 10) failures = failures + 1
  call equal('sin', sin(x) ** 2 + cos(x) ** 2, 1.0_xp)
  call equal('tan', tan(x), sin(x) / cos(x))
  call equal('exp', exp(log(y)), y)
  call equal('log10', log10(1000.0_xp), 3.0_xp)
  call equal('sqrt', sqrt(y) ** 2, y)
  call equal('power', y ** x, exp(x * log(y)))
  call equal('asin', asin(sin(x)), x)
  call equal('acos', acos(cos(x)), x)
  call equal('atan', atan(tan(x)), x)
  call equal('atan2', atan2(x, y), atan(x / y))
  call equal('sinh', cosh(x) ** 2 - sinh(x) ** 2, 1.0_xp)
  call equal('tanh', atanh(tanh(x)), x)
  call equal('asinh', asinh(sinh(x)), x)
  call equal('acosh', acosh(cosh(y)), y)
  call equal('gamma', gamma(y + 1), y * gamma(y))
  call equal('log_gamma', log_gamma(y), log(gamma(y)))
  call equal('erf', erf(x) + erfc(x), 1.0_xp)
  call equal('hypot', hypot(3.0_xp, 4.0_xp), 5.0_xp)
  call equal('bessel_j', bessel_jn(2, y), 2 / y * bessel_j1(y) - bessel_j0(y))
  call equal('bessel_y', bessel_yn(2, y), 2 / y * bessel_y1(y) - bessel_y0(y))
  call equal('abs', abs(z) ** 2, real(z) ** 2 + aimag(z) ** 2)
  call same('exp of complex', exp(log(z)), z)
  call same('sqrt of complex', sqrt(z) ** 2, z)
  call same('sin of complex', sin(z) ** 2 + cos(z) ** 2, (1.0_xp, 0.0_xp))
  call same('sinh of complex', cosh(z) ** 2 - sinh(z) ** 2, (1.0_xp, 0.0_xp))
  call same('tan of complex', tan(z), sin(z) / cos(z))
  call same('tanh of complex', tanh(z), sinh(z) / cosh(z))
  call same('asin of complex', asin(sin(z)), z)
  call same('atan of complex', atan(tan(z)), z)
  call same('asinh of complex', asinh(sinh(z)), z)
  call same('power of complex', z ** w, exp(w * log(z)))
  if (nint(2.6_xp) /= 3 .or. anint(-2.6_xp) /= -3.0_xp) failures = failures + 1
  ! That no precision is lost: a sum that REAL(8) cannot hold.
  if (sqrt(1.0_xp + 4 * tiny_part) == 1.0_xp) failures = failures + 1
  print *, merge('PASS', 'FAIL', failures == 0)
contains
  subroutine equal(name, found, expected)
    character(*), intent(in) :: name
    real(xp), intent(in) :: found, expected
    if (abs(found - expected) > 40 * tiny_part * max(1.0_xp, abs(expected))) then
      failures = failures + 1
      print *, name, found, expected
    end if
  end subroutine
  subroutine same(name, found, expected)
    character(*), intent(in) :: name
    complex(xp), intent(in) :: found, expected
    call equal(name, real(found), real(expected))
    call equal(name, aimag(found), aimag(expected))
  end subroutine
end program
