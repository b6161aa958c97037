// random_number and random_seed in device code: Philox4x32-10 (Salmon and others, "Parallel random
// numbers: as easy as 1, 2, 3", 2011), which makes four words from a key and a counter. The key and
// the lower half of the counter are the seed, four integers; the upper half is the number of the
// thread in the grid, so that the threads' sequences differ. Each number takes one count.
//
// The seed is a variable of the kernel, for which codegen/random_state.cpp makes room.
#include "philox.h"

namespace cufc_device {
namespace {

struct RandomState {
  uint32_t key[2];
  uint32_t count[2];
};
constexpr int seedWords = 4;

extern "C" RandomState *__cufc_random_state(void);

uint64_t threadNumber() {
  uint64_t block = __nvvm_read_ptx_sreg_ctaid_z();
  block = block * __nvvm_read_ptx_sreg_nctaid_y() + __nvvm_read_ptx_sreg_ctaid_y();
  block = block * __nvvm_read_ptx_sreg_nctaid_x() + __nvvm_read_ptx_sreg_ctaid_x();
  uint64_t thread = block * __nvvm_read_ptx_sreg_ntid_z() + __nvvm_read_ptx_sreg_tid_z();
  thread = thread * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y();
  return thread * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

// The first 64 of the 128 bits.
uint64_t nextBits(RandomState &state) {
  uint64_t thread = threadNumber();
  uint32_t x[4] = {state.count[0], state.count[1], static_cast<uint32_t>(thread),
                   static_cast<uint32_t>(thread >> 32)};
  uint32_t key[2] = {state.key[0], state.key[1]};
  philoxRounds(x, key);
  if (++state.count[0] == 0)
    ++state.count[1];
  return static_cast<uint64_t>(x[0]) << 32 | x[1];
}

void setSeed(RandomState &state, const uint32_t *words) {
  for (int i = 0; i < 2; ++i) {
    state.key[i] = words[i];
    state.count[i] = words[2 + i];
  }
}

} // namespace

CUFC_ENTRY void _FortranARandomNumber(const Array &harvest, const char *, int) {
  if (elements(harvest) == 0)
    return;
  RandomState &state = *__cufc_random_state();
  Position position;
  do {
    char *place = address(harvest, position);
    uint64_t bits = nextBits(state);
    if (harvest.elem_len == 4)
      *reinterpret_cast<float *>(place) = static_cast<float>(bits >> 40) * 0x1p-24f;
    else if (harvest.elem_len == 8)
      *reinterpret_cast<double *>(place) = static_cast<double>(bits >> 11) * 0x1p-53;
    else
      __builtin_trap();
  } while (position.advance(harvest));
}

CUFC_ENTRY void _FortranARandomSeedSize(const Array *size, const char *, int) {
  storeInteger(static_cast<char *>(size->base_addr), size->elem_len, seedWords);
}

CUFC_ENTRY void _FortranARandomSeedGet(const Array *seed, const char *, int) {
  const RandomState &state = *__cufc_random_state();
  const uint32_t words[seedWords] = {state.key[0], state.key[1], state.count[0], state.count[1]};
  Position position;
  for (uint32_t word : words) {
    storeInteger(address(*seed, position), seed->elem_len, static_cast<int32_t>(word));
    if (!position.advance(*seed))
      return;
  }
}

// What a shorter array lacks is zero.
CUFC_ENTRY void _FortranARandomSeedPut(const Array *seed, const char *, int) {
  uint32_t words[seedWords] = {};
  Position position;
  Index given = elements(*seed);
  for (int i = 0; i < seedWords && i < given; ++i) {
    words[i] = static_cast<uint32_t>(integerAt(address(*seed, position), seed->elem_len));
    position.advance(*seed);
  }
  setSeed(*__cufc_random_state(), words);
}

CUFC_ENTRY void _FortranARandomSeedDefaultPut() {
  const uint32_t words[seedWords] = {};
  setSeed(*__cufc_random_state(), words);
}

} // namespace cufc_device
