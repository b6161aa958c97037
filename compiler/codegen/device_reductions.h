// Bodies of the functions that combine one value of every thread of a grid: see lower/reductions.h.
#ifndef CUFC_CODEGEN_DEVICE_REDUCTIONS_H
#define CUFC_CODEGEN_DEVICE_REDUCTIONS_H

namespace llvm {
class Module;
}

namespace cufc {

// Defines every cufc_reduce_<operation>_<type>[.<operation>_<type>]... and
// cufc_gather_<operation>_<type> that the module declares.
void defineDeviceReductions(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_REDUCTIONS_H
