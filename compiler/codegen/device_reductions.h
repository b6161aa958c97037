// Bodies of the functions that combine one value of every thread of a grid: see lower/reductions.h.
#ifndef CUFC_CODEGEN_DEVICE_REDUCTIONS_H
#define CUFC_CODEGEN_DEVICE_REDUCTIONS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cufc {

// An attribute of a kernel's argument that is the workspace of a reduction: nothing else is there.
inline constexpr const char *reductionWorkspace = "cufc-reduction-workspace";

// Whether a function is one of those below, which write only there and to shared memory of theirs.
bool isReduction(const llvm::Function &function);

// Defines every cufc_reduce_<operation>_<type>[.<operation>_<type>]... and
// cufc_gather_<operation>_<type> that the module declares.
void defineDeviceReductions(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_REDUCTIONS_H
