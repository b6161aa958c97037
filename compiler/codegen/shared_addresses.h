// Addresses of elements that lie at constant distances.
#ifndef CUFC_CODEGEN_SHARED_ADDRESSES_H
#define CUFC_CODEGEN_SHARED_ADDRESSES_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

// Writes base[extend(i + constant)] as (base[extend(i)])[constant], so that neighbours have one
// address and the constant is part of the instruction.
void shareAddresses(llvm::Module &module, llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_SHARED_ADDRESSES_H
