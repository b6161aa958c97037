// Descriptors of module data as arguments of a kernel's second entry.
#ifndef CUFC_CODEGEN_PASSED_DESCRIPTORS_H
#define CUFC_CODEGEN_PASSED_DESCRIPTORS_H

#include "lower/device_facts.h"
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace cufc {

// A descriptor of module data that the host alone writes, and what is known of its array.
struct PassedDescriptor {
  llvm::GlobalVariable *variable;
  KernelArgumentFacts array;
};

// Those that the kernel or a function that it calls reads, in the order of the facts, as many as
// have room behind its own arguments.
std::vector<PassedDescriptor> passedDescriptors(llvm::Module &module, const DeviceFacts &facts,
                                                const llvm::Function &kernel);

// A copy of the kernel that takes them by value behind its own arguments.
llvm::Function *cloneWithDescriptors(llvm::Function &kernel,
                                     const std::vector<PassedDescriptor> &descriptors,
                                     const std::string &name);

// Gives the entry its arguments in place of the variables with these symbols, the first of which is
// behind the `own` arguments of the kernel, also where a function that has been inlined read them.
void readPassedDescriptors(llvm::Function &entry, unsigned own,
                           const std::vector<std::string> &variables);

} // namespace cufc
#endif // CUFC_CODEGEN_PASSED_DESCRIPTORS_H
