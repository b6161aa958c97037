// Address spaces of device code (NVPTX usage guide, "Address Spaces").
#ifndef CUFC_CODEGEN_ADDRESS_SPACES_H
#define CUFC_CODEGEN_ADDRESS_SPACES_H

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace cufc {

inline constexpr unsigned genericSpace = 0; // all there is on the host
inline constexpr unsigned globalSpace = 1;
inline constexpr unsigned sharedSpace = 3;
inline constexpr unsigned constantSpace = 4;

// Replaces a variable by one of the same name in another address space and returns that.
llvm::GlobalVariable *moveToAddressSpace(llvm::GlobalVariable &variable, unsigned space);

// Shared variables fill whole words: LLVM makes atomic operations on smaller types out of some on
// the word around them.
void padSharedVariables(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_ADDRESS_SPACES_H
