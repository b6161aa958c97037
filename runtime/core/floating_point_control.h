// The processor's register that says which exceptions of floating point trap, and whether denormal
// numbers count as zero. A thread has the register of the one that started it.
#ifndef CUFRT_CORE_FLOATING_POINT_CONTROL_H
#define CUFRT_CORE_FLOATING_POINT_CONTROL_H

#include <cstdint>

namespace cufrt {

#if defined(__aarch64__)

using FloatingPointControl = uint64_t;                    // FPCR
inline constexpr FloatingPointControl controlAtStart = 0; // of a process

inline FloatingPointControl floatingPointControl() {
  FloatingPointControl control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}

inline void setFloatingPointControl(FloatingPointControl control) {
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}

#else

using FloatingPointControl = uint32_t; // MXCSR
inline constexpr FloatingPointControl controlAtStart = 0x1f80;

inline FloatingPointControl floatingPointControl() { return __builtin_ia32_stmxcsr(); }

inline void setFloatingPointControl(FloatingPointControl control) {
  __builtin_ia32_ldmxcsr(control);
}

#endif

// In the thread that runs the main program; threads that it starts inherit it. The bits of `traps`
// are those of <fenv.h> on x86-64. Where the processor cannot trap, a line on stderr says so.
void startFloatingPoint(unsigned traps, bool flushResults, bool flushOperands);

} // namespace cufrt
#endif // CUFRT_CORE_FLOATING_POINT_CONTROL_H
