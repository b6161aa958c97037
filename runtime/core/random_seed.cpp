// RANDOM_SEED with integers that are not of the default kind
// (compiler/frontend/lenient/lenient_calls.cpp). flang's run-time library looks at the kind of an
// array's elements itself.
#include "flang/ISO_Fortran_binding.h"

#include <cstdint>

extern "C" {
void _FortranARandomSeedSize(const CFI_cdesc_t *size, const char *source, int line);
void _FortranARandomSeedPut(const CFI_cdesc_t *put, const char *source, int line);
void _FortranARandomSeedGet(const CFI_cdesc_t *get, const char *source, int line);

void cufrt_random_seed_put_4_(const CFI_cdesc_t *seed) { _FortranARandomSeedPut(seed, nullptr, 0); }
void cufrt_random_seed_put_8_(const CFI_cdesc_t *seed) { _FortranARandomSeedPut(seed, nullptr, 0); }
void cufrt_random_seed_get_4_(const CFI_cdesc_t *seed) { _FortranARandomSeedGet(seed, nullptr, 0); }
void cufrt_random_seed_get_8_(const CFI_cdesc_t *seed) { _FortranARandomSeedGet(seed, nullptr, 0); }
}

namespace {

template <typename Integer>
void setSize(Integer *size, CFI_type_t type) {
  CFI_CDESC_T(0) memory;
  auto *scalar = reinterpret_cast<CFI_cdesc_t *>(&memory);
  CFI_establish(scalar, size, CFI_attribute_other, type, sizeof *size, 0, nullptr);
  _FortranARandomSeedSize(scalar, nullptr, 0);
}

} // namespace

extern "C" void cufrt_random_seed_size_4_(std::int32_t *size) { setSize(size, CFI_type_int32_t); }
extern "C" void cufrt_random_seed_size_8_(std::int64_t *size) { setSize(size, CFI_type_int64_t); }
