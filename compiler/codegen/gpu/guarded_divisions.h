// Divisions that not all threads need.
#ifndef CUFC_CODEGEN_GPU_GUARDED_DIVISIONS_H
#define CUFC_CODEGEN_GPU_GUARDED_DIVISIONS_H

namespace llvm {
class Module;
}

namespace cufc {

// Has divisions, roots and their like computed under the condition that their results are used
// under. In optimised device code, as one of the last things.
void divideUnderConditions(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_GUARDED_DIVISIONS_H
