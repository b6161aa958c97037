// -Minfo and -Mneginfo for host code: what LLVM says of loops and calls, as notes at their lines.
#ifndef CUFC_DRIVER_LOOP_REPORT_H
#define CUFC_DRIVER_LOOP_REPORT_H

#include "base/diagnostics.h"
#include "codegen/cpu/host_kernels.h"

namespace llvm {
class LLVMContext;
}

namespace cufc {

struct LoopReport {
  bool done = false;   // what became of loops
  bool missed = false; // what did not, and why
};

// In place of the handler of `reportMessages`; code must have source lines. `diagnostics` must
// outlive the context's passes.
void reportLoops(llvm::LLVMContext &context, LoopReport wanted, Diagnostics &diagnostics);

// -Minfo: how the threads of each kernel run on the CPU.
void reportKernels(const HostKernels &kernels, const DeviceFacts &facts, const std::string &source,
                   Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_LOOP_REPORT_H
