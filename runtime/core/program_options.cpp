// Constructors of objects call cufrt_prepare_program, so each of them may say it again.
#include "core/program_options.h"

#include <atomic>
#include <xmmintrin.h>

namespace cufrt {
namespace {

std::atomic<bool> zeroes{false};

// Of the MXCSR register (Intel's manual of the architecture, volume 1, 10.2.3): the masks of the
// exceptions follow their flags in the same order.
constexpr unsigned flushToZero = 1u << 15, denormalsAreZero = 1u << 6, firstMask = 7, flags = 0x3f;

// In the thread that runs the main program; threads that it starts inherit it. Numbers of kind 10
// are the older unit's.
void setFloatingPoint(unsigned traps, bool flushResults, bool flushOperands) {
  unsigned control = _mm_getcsr() & ~flags;
  control &= ~(traps << firstMask);
  control |= flushResults ? flushToZero : 0;
  control |= flushOperands ? denormalsAreZero : 0;
  _mm_setcsr(control);
  unsigned short older = 0;
  __asm__ volatile("fnclex\n\tfnstcw %0" : "=m"(older));
  older = static_cast<unsigned short>(older & ~traps);
  __asm__ volatile("fldcw %0" : : "m"(older));
}

} // namespace

bool zeroesDeviceMemory() { return zeroes; }

} // namespace cufrt

extern "C" void cufrt_prepare_program(uint64_t options) {
  if (options & CUFRT_ZERO_DEVICE_MEMORY)
    cufrt::zeroes = true;
  if (options & CUFRT_TRACEBACK)
    cufrt::installTraceback();
  auto traps = static_cast<unsigned>(options / CUFRT_TRAP_UNIT);
  bool flushResults = options & CUFRT_FLUSH_RESULTS, flushOperands = options & CUFRT_FLUSH_OPERANDS;
  if (traps || flushResults || flushOperands)
    cufrt::setFloatingPoint(traps, flushResults, flushOperands);
}
