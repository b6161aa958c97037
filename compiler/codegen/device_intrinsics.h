// Bodies of the device procedures that runtime/modules/cudadevice.py adds to module cudadevice.
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
