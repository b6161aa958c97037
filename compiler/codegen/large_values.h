// Structures of more than 16 bytes that procedures of host code pass by value on aarch64.
#ifndef CUFC_CODEGEN_LARGE_VALUES_H
#define CUFC_CODEGEN_LARGE_VALUES_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Passes them as C does. For other machines nothing changes.
void passLargeValues(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_LARGE_VALUES_H
