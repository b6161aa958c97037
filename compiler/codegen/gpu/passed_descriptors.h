// Descriptors of module data as arguments of a kernel's second entry.
#ifndef CUFC_CODEGEN_GPU_PASSED_DESCRIPTORS_H
#define CUFC_CODEGEN_GPU_PASSED_DESCRIPTORS_H

#include "codegen/described_arrays.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// Those of `all` that the kernel or a function that it calls reads, in their order, as many as have
// room behind its own arguments.
std::vector<DescribedArray> passedDescriptors(const std::vector<DescribedArray> &all,
                                              const llvm::Function &kernel);

// A copy of the kernel that takes them by value behind its own arguments.
llvm::Function *cloneWithDescriptors(llvm::Function &kernel,
                                     const std::vector<DescribedArray> &descriptors,
                                     const std::string &name);

// Gives the entry its arguments in place of the variables with these symbols, the first of which is
// behind the `own` arguments of the kernel, also where a function that has been inlined read them.
void readPassedDescriptors(llvm::Function &entry, unsigned own,
                           const std::vector<std::string> &variables);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_PASSED_DESCRIPTORS_H
