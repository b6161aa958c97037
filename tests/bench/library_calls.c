// The C side of library_calls.cuf: the same calls without our layer, whose weak symbols have the
// libraries' names; so these are looked up.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*Gemm)(void *, int, int, int, int, int, const double *, const double *, int,
                    const double *, int, const double *, double *, int);
typedef int (*Exec)(int, void *, void *, int);

// The library is loaded already: the program has called it.
static void *function(const char *const *libraries, const char *name) {
  for (; *libraries; ++libraries) {
    void *library = dlopen(*libraries, RTLD_NOW | RTLD_NOLOAD);
    void *found = library ? dlsym(library, name) : NULL;
    if (found)
      return found;
  }
  fprintf(stderr, "%s is in no library that is loaded\n", name);
  exit(1);
}

void c_gemm(void *handle, int n, const double *a, const double *b, double *c, int calls) {
  static const char *const libraries[] = {"libcublas.so.13", "libcublas.so.12", NULL};
  static Gemm gemm;
  double one = 1, zero = 0;
  if (!gemm)
    gemm = (Gemm)function(libraries, "cublasDgemm_v2");
  for (int i = 0; i < calls; ++i)
    gemm(handle, 0, 0, n, n, n, &one, a, n, b, n, &zero, c, n);
}

void c_exec(int plan, void *x, void *y, int calls) {
  static const char *const libraries[] = {"libcufft.so.12", "libcufft.so.11", NULL};
  static Exec exec;
  if (!exec)
    exec = (Exec)function(libraries, "cufftExecZ2Z");
  for (int i = 0; i < calls; ++i)
    exec(plan, x, y, -1);
}
