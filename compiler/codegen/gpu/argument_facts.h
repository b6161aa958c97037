// What Fortran's rules say of a kernel's arguments, as LLVM attributes.
#ifndef CUFC_CODEGEN_GPU_ARGUMENT_FACTS_H
#define CUFC_CODEGEN_GPU_ARGUMENT_FACTS_H

#include "lower/device_facts.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

// Marks pointer arguments of kernels `noalias` where Fortran 2018, 15.5.2.13 forbids other names
// for the same data, so that loads may be moved and go through the read-only cache. Where it
// optimises, variables are in registers then; the launch bounds are noted in any case.
void applyArgumentFacts(llvm::Module &module, llvm::TargetMachine &target, const DeviceFacts &facts,
                        bool optimises);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_ARGUMENT_FACTS_H
