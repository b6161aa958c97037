// What options ask of code for the CPU beyond its optimisation level.
#ifndef CUFC_CODEGEN_HOST_CODE_OPTIONS_H
#define CUFC_CODEGEN_HOST_CODE_OPTIONS_H

#include "base/host_machine.h"
#include <string>
#include <vector>

namespace cufc {

// What IEEE arithmetic does not allow (LLVM language reference, "Fast-Math Flags").
struct RelaxedArithmetic {
  bool associative = false, reciprocal = false, approximate = false;
  bool finite = false; // no NaN and no infinity
  bool unsignedZeros = false;
  bool any() const { return associative || reciprocal || approximate || finite || unsignedZeros; }
};

// Exceptions of floating point that end the program; the bits are those of <fenv.h> on x86-64, in
// the interface to the runtime library everywhere.
enum FloatingPointTrap : unsigned {
  trapInvalid = 0x01,
  trapDenormal = 0x02,
  trapDivisionByZero = 0x04,
  trapOverflow = 0x08,
  trapUnderflow = 0x10,
  trapInexact = 0x20
};

struct HostCodeOptions {
  const HostMachine *machine = &thisMachine;
  std::string cpu;  // as LLVM calls it, native, or armv8.2-a+sve; empty: what every one can run
  std::string tune; // likewise; empty: as cpu
  std::vector<std::string> features; // "+avx2", "-fma"
  std::string codeModel;             // small, medium or large; empty: small
  bool vectorise = true;
  bool unroll = true;
  bool inlining = true;
  bool fuse = true; // a*b + c may be rounded once, where the CPU can
  RelaxedArithmetic relaxed;
  bool profile = false;   // procedures count their calls, for gprof
  bool findRaces = false; // accesses to memory are told to ThreadSanitizer
  bool traceback = false; // a program that dies prints its calls
  bool framePointers = false;
  unsigned traps = 0;         // FloatingPointTrap
  bool flushResults = false;  // denormal results become zero
  bool flushOperands = false; // and operands
  bool zeroDeviceMemory = false;
};

} // namespace cufc
#endif // CUFC_CODEGEN_HOST_CODE_OPTIONS_H
