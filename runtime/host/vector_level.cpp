// What generated code asks to choose between its variants (compiler/codegen/cpu/host_variants.cpp).
// It is zero, which every CPU can run, until the constructors of this library have run.
#include <cstdint>

extern "C" {

extern int32_t cufrt_vector_level;

int32_t cufrt_vector_level = [] {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return 4;
  return __builtin_cpu_supports("x86-64-v3") ? 3 : 0;
#else
  return 0;
#endif
}();

} // extern "C"
