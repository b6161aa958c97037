// Makes the kernels and variables of a module known to libcudart exactly as the objects of nvcc do,
// so that CUDA C and CUDA Fortran can launch each other's kernels.
#include "cuda/back_end.h"
#include "cuda/host_runtime.h"

#include <cstdlib>

namespace cufrt::cuda {
namespace {

// The fat binaries to be unregistered when the process exits, which must happen before libcudart's
// own destructors: atexit handlers run in reverse order, and libcudart is set up by then.
struct Registered {
  void **handle;
  Registered *next;
};
Registered *registered = nullptr;

void unregisterAll() {
  for (; registered; registered = registered->next)
    __cudaUnregisterFatBinary(registered->handle);
}

void registerKernel(void **handle, const cufrt_kernel &kernel) {
  __cudaRegisterFunction(handle, static_cast<const char *>(kernel.stub),
                         const_cast<char *>(kernel.name), kernel.name, -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
}

void registerVariable(void **handle, const cufrt_variable &variable) {
  char *name = const_cast<char *>(variable.name);
  if (variable.kind == CUFRT_MANAGED_VARIABLE)
    __cudaRegisterManagedVar(handle, static_cast<void **>(variable.shadow), name, name, 0,
                             variable.bytes, 0, 0);
  else
    __cudaRegisterVar(handle, static_cast<char *>(variable.shadow), name, name, 0, variable.bytes,
                      variable.kind == CUFRT_CONSTANT_VARIABLE, 0);
}

} // namespace

void unregisterAtExit(void **handle) {
  if (!registered)
    std::atexit(unregisterAll);
  registered = new Registered{handle, registered};
}

void registerModule(cufrt_module &module) {
  if (module.flags & CUFRT_USES_HEAP)
    wantHeap();
  bool ownBinary = module.fat_binary != nullptr;
  if (ownBinary) {
    module.handle = __cudaRegisterFatBinary(const_cast<void *>(module.fat_binary));
    unregisterAtExit(static_cast<void **>(module.handle));
  }
  auto **handle = static_cast<void **>(module.handle);
  if (!handle)
    return; // host code only
  for (uint64_t i = 0; i < module.kernel_count; ++i)
    registerKernel(handle, module.kernels[i]);
  for (uint64_t i = 0; i < module.variable_count; ++i)
    registerVariable(handle, module.variables[i]);
  registerPacked(handle, module.packed, module.packed_count);
  if (ownBinary)
    __cudaRegisterFatBinaryEnd(handle);
}

// libcudart sets the pointers of managed variables when the module is loaded, which this forces
// now, as nvcc's objects do before the first use of such a variable.
Error placeManagedVariables(cufrt_module &module) {
  __cudaInitModule(static_cast<void **>(module.handle));
  for (uint64_t i = 0; i < module.variable_count; ++i) {
    const cufrt_variable &variable = module.variables[i];
    if (variable.kind == CUFRT_MANAGED_VARIABLE && !*static_cast<void **>(variable.shadow))
      return errorInvalidSymbol;
  }
  return success;
}

} // namespace cufrt::cuda
