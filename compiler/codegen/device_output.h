// PRINT in device code: memory for its text. See runtime/device/output.cpp.
#ifndef CUFC_CODEGEN_DEVICE_OUTPUT_H
#define CUFC_CODEGEN_DEVICE_OUTPUT_H

namespace llvm {
class Module;
}

namespace cufc {

// Gives each procedure that prints memory for one statement; before runtime/device/ is linked.
void placeOutputStatements(llvm::Module &module);

// In the host device's kernels: the GPU's vprintf takes its arguments as a structure, and the
// host's C library has another one, so the runtime's function takes its place.
void useHostPrint(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_OUTPUT_H
