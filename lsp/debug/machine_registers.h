// gdb's names of registers of the machine that programs run on.
#ifndef CUFLS_DEBUG_MACHINE_REGISTERS_H
#define CUFLS_DEBUG_MACHINE_REGISTERS_H

#include "base/host_machine.h"

namespace cufc::debug {

inline constexpr const char *stackRegister = thisMachine.isX86() ? "$rsp" : "$sp";
inline constexpr const char *frameRegister = thisMachine.isX86() ? "$rbp" : "$x29";

// Of a function's first arguments that are whole numbers or addresses, at its start.
inline constexpr const char *firstArgument = thisMachine.isX86() ? "$rdi" : "$x0";
inline constexpr const char *secondArgument = thisMachine.isX86() ? "$rsi" : "$x1";
inline constexpr const char *thirdArgument = thisMachine.isX86() ? "$rdx" : "$x2";

} // namespace cufc::debug
#endif // CUFLS_DEBUG_MACHINE_REGISTERS_H
