// Makes a thread of a kernel resumable: it stops at each synchronising operation and goes on when
// it is called again.
#ifndef CUFC_CODEGEN_CPU_STATE_MACHINE_H
#define CUFC_CODEGEN_CPU_STATE_MACHINE_H

#include <cstdint>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace cufc {

// Whether the function calls a synchronising operation itself.
bool synchronises(const llvm::Function &function);

// `function` returns i32 and gets its frame (a cufrt_frame and what follows) in `frame`. Afterwards
// it returns 1 after it has stopped at an operation described in the frame, and 0 at its end.
// With `markPlaces` the frame also says, for debuggers, where it has stopped, and that it has
// ended. Returns the size of the frame in bytes, or 0 if the function has stack memory of a size
// that only some paths through it know.
uint64_t makeResumable(llvm::Function &function, llvm::Value &frame, bool markPlaces);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_STATE_MACHINE_H
