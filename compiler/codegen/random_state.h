// Room for the seed of random_number in device code (runtime/device/random.cpp).
#ifndef CUFC_CODEGEN_RANDOM_STATE_H
#define CUFC_CODEGEN_RANDOM_STATE_H

namespace llvm {
class Module;
}

namespace cufc {

struct DeviceFacts;

// Gives each kernel that uses random numbers a seed of its own, zero when a thread starts. Call it
// on a device module that is to become machine code, with all procedures that its kernels call.
void placeRandomStates(llvm::Module &module, const DeviceFacts &facts);

} // namespace cufc

#endif // CUFC_CODEGEN_RANDOM_STATE_H
