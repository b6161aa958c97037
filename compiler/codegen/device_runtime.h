// Device versions of flang_rt's entry points that lowering calls for ordinary arithmetic.
#ifndef CUFC_CODEGEN_DEVICE_RUNTIME_H
#define CUFC_CODEGEN_DEVICE_RUNTIME_H

namespace llvm {
class Module;
}

namespace cufc {

// Gives every declared entry point of tables/device_math.def (CUF_DEVICE_RUNTIME) a body.
// `extendedReals`: whether the host has REAL(10).
void defineDeviceRuntime(llvm::Module &module, bool extendedReals);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_RUNTIME_H
