// Mathematical functions of REAL(10) and COMPLEX(10). flang converts their arguments to 128 bits
// and calls these names; REAL(16) itself is refused, so that what comes here has come from 80 bits
// and the C library's functions of long double lose nothing. On aarch64 there is no REAL(10), and
// flang's own library has these names for REAL(16), which is C's long double.
#if defined(__x86_64__)

using Real = __float128;
using Extended = _Complex long double;

// As flang passes it: in memory.
struct Complex {
  Real real, imaginary;

  operator Extended() const {
    Extended z;
    __real__ z = static_cast<long double>(real);
    __imag__ z = static_cast<long double>(imaginary);
    return z;
  }
};

static Complex complexOf(Extended z) { return {__real__ z, __imag__ z}; }

#define REAL_FUNCTION(Name, function)                                                              \
  extern "C" long double function(long double);                                                    \
  extern "C" Real _FortranA##Name##F128(Real x) { return function(static_cast<long double>(x)); }

#define REAL_FUNCTION_OF_TWO(Name, function)                                                       \
  extern "C" long double function(long double, long double);                                       \
  extern "C" Real _FortranA##Name##F128(Real x, Real y) {                                          \
    return function(static_cast<long double>(x), static_cast<long double>(y));                     \
  }

#define BESSEL_FUNCTION(Name, function)                                                            \
  extern "C" long double function(int, long double);                                               \
  extern "C" Real _FortranA##Name##F128(int n, Real x) {                                           \
    return function(n, static_cast<long double>(x));                                               \
  }

#define INTEGER_FUNCTION(Name, function, Integer)                                                  \
  extern "C" Integer function(long double);                                                        \
  extern "C" Integer _FortranA##Name##F128(Real x) { return function(static_cast<long double>(x)); }

#define COMPLEX_FUNCTION(Name, function)                                                           \
  extern "C" Extended function(Extended);                                                          \
  extern "C" Complex _FortranA##Name##F128(Complex z) { return complexOf(function(z)); }

REAL_FUNCTION(Acos, acosl)
REAL_FUNCTION(Acosh, acoshl)
REAL_FUNCTION(Asin, asinl)
REAL_FUNCTION(Asinh, asinhl)
REAL_FUNCTION(Atan, atanl)
REAL_FUNCTION(Atanh, atanhl)
REAL_FUNCTION(Ceil, ceill)
REAL_FUNCTION(Cos, cosl)
REAL_FUNCTION(Cosh, coshl)
REAL_FUNCTION(Erf, erfl)
REAL_FUNCTION(Erfc, erfcl)
REAL_FUNCTION(Exp, expl)
REAL_FUNCTION(Floor, floorl)
REAL_FUNCTION(J0, j0l)
REAL_FUNCTION(J1, j1l)
REAL_FUNCTION(Lgamma, lgammal)
REAL_FUNCTION(Log, logl)
REAL_FUNCTION(Log10, log10l)
REAL_FUNCTION(Nearbyint, nearbyintl)
REAL_FUNCTION(Round, roundl)
REAL_FUNCTION(Sin, sinl)
REAL_FUNCTION(Sinh, sinhl)
REAL_FUNCTION(Sqrt, sqrtl)
REAL_FUNCTION(Tan, tanl)
REAL_FUNCTION(Tanh, tanhl)
REAL_FUNCTION(Tgamma, tgammal)
REAL_FUNCTION(Trunc, truncl)
REAL_FUNCTION(Y0, y0l)
REAL_FUNCTION(Y1, y1l)
REAL_FUNCTION_OF_TWO(Atan2, atan2l)
REAL_FUNCTION_OF_TWO(Hypot, hypotl)
REAL_FUNCTION_OF_TWO(Pow, powl)
REAL_FUNCTION_OF_TWO(Remainder, remainderl)
BESSEL_FUNCTION(Jn, jnl)
BESSEL_FUNCTION(Yn, ynl)
INTEGER_FUNCTION(Llround, llroundl, long long)
INTEGER_FUNCTION(Lround, lroundl, long)
COMPLEX_FUNCTION(CAcos, cacosl)
COMPLEX_FUNCTION(CAcosh, cacoshl)
COMPLEX_FUNCTION(CAsin, casinl)
COMPLEX_FUNCTION(CAsinh, casinhl)
COMPLEX_FUNCTION(CAtan, catanl)
COMPLEX_FUNCTION(CAtanh, catanhl)
COMPLEX_FUNCTION(CCos, ccosl)
COMPLEX_FUNCTION(CCosh, ccoshl)
COMPLEX_FUNCTION(CExp, cexpl)
COMPLEX_FUNCTION(CLog, clogl)
COMPLEX_FUNCTION(CSin, csinl)
COMPLEX_FUNCTION(CSinh, csinhl)
COMPLEX_FUNCTION(CSqrt, csqrtl)
COMPLEX_FUNCTION(CTan, ctanl)
COMPLEX_FUNCTION(CTanh, ctanhl)

extern "C" {
long double fmal(long double, long double, long double);
long double cabsl(Extended);
Extended cpowl(Extended, Extended);

Real _FortranAFmaF128(Real x, Real y, Real z) {
  return fmal(static_cast<long double>(x), static_cast<long double>(y),
              static_cast<long double>(z));
}
Real _FortranACAbsF128(Complex z) { return cabsl(z); }
Complex _FortranACPowF128(Complex x, Complex y) { return complexOf(cpowl(x, y)); }
}

#endif
