// Bodies of the device procedures that compiler/tables/device_intrinsics*.toml gives to cufc.
#ifndef CUFC_CODEGEN_DEVICE_INTRINSICS_H
#define CUFC_CODEGEN_DEVICE_INTRINSICS_H

namespace llvm {
class Module;
}

namespace cufc {

// Defines every declared function whose name begins with "cufc_".
void defineDeviceIntrinsics(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_INTRINSICS_H
