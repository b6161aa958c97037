// The kernels and device variables of all objects in the program.
//
// Constructors add modules before main, dlopen may add some later, and launches look kernels up
// from any thread; a mutex guards the tables. Modules are never removed.
#ifndef CUFRT_CORE_MODULE_REGISTRY_H
#define CUFRT_CORE_MODULE_REGISTRY_H

#include "cufrt/abi.h"

#include <vector>

namespace cufrt {

// Null if no module has it.
const cufrt_kernel *findKernel(const void *stub);
const cufrt_variable *findVariable(const void *shadow);

std::vector<const cufrt_variable *> registeredVariables();

// A variable of an object that has no module record. It must live as long as the program.
void addVariable(const cufrt_variable &variable);

std::vector<cufrt_module *> registeredModules();

// Whether any was compiled with -gpu=check, whose checks the CPU makes.
bool hasCheckedKernels();

} // namespace cufrt
#endif // CUFRT_CORE_MODULE_REGISTRY_H
