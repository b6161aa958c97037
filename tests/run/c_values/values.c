/* Structures and complex numbers by value, from and to Fortran. */
#include <complex.h>

typedef struct { float a, b, c; } reals;
typedef struct { int i; double x; } mixed;
typedef struct { double x[5]; } large;

reals turn_reals(reals);
mixed turn_mixed(mixed);
large turn_large(large, int);

reals c_reals(reals p) {
  reals turned = turn_reals(p), result = {turned.b, turned.c, turned.a};
  return result;
}
mixed c_mixed(mixed p) { return turn_mixed(p); }
/* Whoever is called may change its copy. */
large c_large(large p, int n) {
  large turned = turn_large(p, n);
  p.x[0] = -1;
  return turned;
}
double complex c_complex8(double complex z) { return z * I; }
float complex c_complex4(float complex z) { return z * I; }
