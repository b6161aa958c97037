// Sines and cosines of the same angle.
#ifndef CUFC_CODEGEN_GPU_SINES_COSINES_H
#define CUFC_CODEGEN_GPU_SINES_COSINES_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

// Has libdevice compute both at once where one call comes after the other in any case: the angle is
// reduced once. For modules in which the calls have libdevice's names, which is not linked yet.
void joinSinesAndCosines(llvm::Module &module, llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_SINES_COSINES_H
