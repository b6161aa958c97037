/* What C makes of the arguments, and a caller in C. */
typedef struct { void *p; } handle;
typedef struct { int a; float b; short c[2]; } triple;
typedef struct { long a; int b; } pair;
typedef struct { double x, y; } vector;
typedef struct { long a[3]; } large;

typedef long function(int, int, int, int, int, int, int, pair, handle, triple, vector, pair, large, int);

long in_c(int i1, int i2, int i3, int i4, int i5, int i6, int i7, pair p, handle h, triple t, vector v, pair q, large l, int i8) {
  return i1 + 2 * i2 + 3 * i3 + 4 * i4 + 5 * i5 + 6 * i6 + 7 * i7 + 8 * i8 + 10 * p.a + 20 * p.b + 30 * (long)h.p + 40 * t.a +
         (int)(50 * t.b) + 60 * t.c[0] + 70 * t.c[1] + (int)(80 * v.x + 90 * v.y) + 100 * q.a + 200 * q.b + 300 * l.a[0] +
         400 * l.a[1] + 500 * l.a[2];
}

double reals_in_c(double r1, double r2, double r3, double r4, double r5, double r6, double r7, vector v, vector w, double r8) {
  return r1 + 2 * r2 + 3 * r3 + 4 * r4 + 5 * r5 + 6 * r6 + 7 * r7 + 8 * r8 + v.x + 2 * v.y + 3 * w.x + 4 * w.y + 9;
}

long behind_reals_in_c(double r1, double r2, double r3, double r4, double r5, double r6, double r7, double r8, double r9, pair p,
                       handle h) {
  return p.a + 2 * p.b + 3 * (long)h.p + (long)(r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8 + r9);
}

int calls_fortran(function *in_fortran) {
  pair p = {11, 12}, q = {13, 14};
  handle h = {(void *)5};
  triple t = {15, 16.5f, {17, 18}};
  vector v = {1.5, 2.5};
  large l = {{21, 22, 23}};
  return (int)in_fortran(1, 2, 3, 4, 5, 6, 7, p, h, t, v, q, l, 8);
}
