// Address spaces of device code (NVPTX usage guide, "Address Spaces").
#ifndef CUFC_CODEGEN_ADDRESS_SPACES_H
#define CUFC_CODEGEN_ADDRESS_SPACES_H

namespace llvm {
class GlobalVariable;
}

namespace cufc {

inline constexpr unsigned genericSpace = 0; // all there is on the host
inline constexpr unsigned globalSpace = 1;
inline constexpr unsigned sharedSpace = 3;
inline constexpr unsigned constantSpace = 4;

// Replaces a variable by one of the same name in another address space and returns that.
llvm::GlobalVariable *moveToAddressSpace(llvm::GlobalVariable &variable, unsigned space);

} // namespace cufc
#endif // CUFC_CODEGEN_ADDRESS_SPACES_H
