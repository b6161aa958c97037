// The records by which an object file makes its kernels and device data known to the runtime.
#ifndef CUFC_CODEGEN_REGISTRATION_H
#define CUFC_CODEGEN_REGISTRATION_H

#include "codegen/cpu/host_kernels.h"
#include "codegen/device_unit.h"
#include "lower/device_facts.h"
#include <string>

namespace llvm {
class Constant;
class GlobalVariable;
class Module;
} // namespace llvm

namespace cufc {

// Adds to the host module: the fat binary (may be empty), a cufrt_module record, a constructor that
// registers it and flang's allocators, and a body for the stub of every kernel. `hostKernels` are
// functions of the same module.
void addRegistration(llvm::Module &module, const DeviceFacts &facts, const HostKernels &hostKernels,
                     const std::string &fatBinary);

// The same for a file whose device code is linked with others': the constructor asks the program's
// link (linked_images.h, or nvcc's) to be called back with libcudart's handle of the linked code.
// `fatBinary` is relocatable, or empty.
void addLinkedRegistration(llvm::Module &module, const DeviceUnit &unit,
                           const HostKernels &hostKernels, const std::string &fatBinary);

// A record that completes those of other objects: host code of kernels that are `facts`.
void addHostCodeRegistration(llvm::Module &module, const DeviceFacts &facts,
                             const HostKernels &hostKernels);

// A table of cufrt_packed_kernel, null if there are none.
llvm::Constant *packedTable(llvm::Module &module, const std::vector<PackedKernel> &packed);

// The function that a linked object's constructor calls; nvcc's link defines functions of this
// name.
std::string linkFunction(const std::string &id);

// struct { int magic; int version; const void *data; void *unused; } as __cudaRegisterFatBinary
// takes it (fatbinary_section.h of the toolkit), with the data in the section that is named.
llvm::GlobalVariable *addFatBinary(llvm::Module &module, const std::string &fatBinary,
                                   const char *section, const std::string &name);

// Stands for the data while it is being made, and the data in its place.
inline constexpr const char *comingFatBinary = "coming";
llvm::GlobalVariable &fatBinaryOf(llvm::Module &module); // which has one
void replaceFatBinary(llvm::Module &module, const std::string &fatBinary);

} // namespace cufc
#endif // CUFC_CODEGEN_REGISTRATION_H
