// See floating_point_control.h.
#include "core/floating_point_control.h"

#include <cstdio>

namespace cufrt {

#if defined(__aarch64__)

// Of FPCR (Arm Architecture Reference Manual, C5.2): FZ is about operands and results alike, and
// the bits of traps are zero whatever is written where there are none.
void startFloatingPoint(unsigned traps, bool flushResults, bool flushOperands) {
  constexpr FloatingPointControl flushToZero = 1U << 24;
  constexpr unsigned invalid = 8,
                     denormal = 15; // division, overflow, underflow, inexact are 9 to 12
  FloatingPointControl enabled = 0;
  enabled |= (traps & 1U) << invalid;
  enabled |= (traps >> 1 & 1U) << denormal;
  enabled |= (traps >> 2 & 0xfU) << (invalid + 1);
  FloatingPointControl control = floatingPointControl() | enabled;
  if (flushResults || flushOperands)
    control |= flushToZero;
  setFloatingPointControl(control);
  if ((floatingPointControl() & enabled) != enabled)
    std::fputs("cufrt: -Ktrap: this processor has no traps of floating point; the program goes on "
               "without them\n",
               stderr);
}

#else

// Of MXCSR (Intel's manual of the architecture, volume 1, 10.2.3): the masks of the exceptions
// follow their flags in the same order. Numbers of kind 10 are the older unit's.
void startFloatingPoint(unsigned traps, bool flushResults, bool flushOperands) {
  constexpr unsigned flushToZero = 1U << 15, denormalsAreZero = 1U << 6, firstMask = 7,
                     flags = 0x3f;
  unsigned control = floatingPointControl() & ~flags;
  control &= ~(traps << firstMask);
  control |= flushResults ? flushToZero : 0;
  control |= flushOperands ? denormalsAreZero : 0;
  setFloatingPointControl(control);
  unsigned short older = 0;
  __asm__ volatile("fnclex\n\tfnstcw %0" : "=m"(older));
  older = static_cast<unsigned short>(older & ~traps);
  __asm__ volatile("fldcw %0" : : "m"(older));
}

#endif

} // namespace cufrt
