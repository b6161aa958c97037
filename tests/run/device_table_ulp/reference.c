// Functions of real(4) and real(8) in extended precision, as the sum of two doubles, for
// device_table_ulp. The numbers are those of the calls in functions.cuf.
#define _GNU_SOURCE
#include <math.h>

static long double sine_of_pi(long double x) {
  long double whole = rintl(x), sine = sinl(M_PIl * (x - whole));
  return fmodl(whole, 2) == 0 ? sine : -sine;
}

static long double function(int number, long double x, long double y, long double z) {
  switch (number) {
  case 1:
    return acosl(x);
  case 2:
    return asinl(x);
  case 3:
    return atanl(x);
  case 4:
    return cosl(x);
  case 5:
    return coshl(x);
  case 6:
    return expl(x);
  case 7:
    return logl(x);
  case 8:
    return log10l(x);
  case 9:
    return sinl(x);
  case 10:
    return sinhl(x);
  case 11:
    return sqrtl(x);
  case 12:
    return tanl(x);
  case 13:
    return tanhl(x);
  case 14:
    return acoshl(x);
  case 15:
    return asinhl(x);
  case 16:
    return atanhl(x);
  case 17:
    return erfl(x);
  case 18:
    return erfcl(x);
  case 19:
    return cbrtl(x);
  case 20:
    return exp10l(x);
  case 21:
    return exp2l(x);
  case 22:
    return expm1l(x);
  case 23:
    return lgammal(x);
  case 24:
    return log1pl(x);
  case 25:
    return log2l(x);
  case 26:
    return tgammal(x);
  case 27:
    return atan2l(x, y);
  case 28:
    return hypotl(x, y);
  case 29:
    return powl(x, y);
  case 30:
    return 1 / sqrtl(x);
  case 31:
    return sine_of_pi(x);
  case 32:
    return sine_of_pi(0.5L - fabsl(x - 2 * rintl(x / 2)));
  case 33:
    return fmodl(x, y);
  case 34:
    return remainderl(x, y);
  case 35:
    return fmal(x, y, z);
  case 36:
    return tgammal(x);
  case 37:
    return lgammal(x);
  default:
    return NAN;
  }
}

void reference(int number, double x, double y, double z, double *high, double *low) {
  long double value = function(number, x, y, z);
  *high = (double)value;
  *low = (double)(value - *high);
}
