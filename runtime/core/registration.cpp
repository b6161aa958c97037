// flang's own registration entry points (flang/Runtime/CUDA/registration.h), for objects that
// another flang compiled. They bring GPU code alone, one symbol at a time; each becomes a module
// record of our own. What is allocated here lives as long as the program.
#include "cufrt/abi.h"

#include <cstdint>

namespace {

cufrt_module *newModule(void *handle) {
  auto *module = new cufrt_module{};
  module->version = CUFRT_ABI_VERSION;
  module->handle = handle;
  return module;
}

} // namespace

extern "C" void *_FortranACUFRegisterModule(void *fatBinary) {
  cufrt_module *module = newModule(nullptr);
  module->fat_binary = fatBinary;
  cufrt_register_module(module);
  // The two functions below get this pointer back.
  return module->handle ? module->handle : module;
}

extern "C" void _FortranACUFRegisterFunction(void **handle, const char *stub, char *name) {
  cufrt_module *module = newModule(handle);
  module->kernels =
      new cufrt_kernel{stub, name, name, nullptr, nullptr, 0, 0, 1024, 0, nullptr, 0, 0, nullptr};
  module->kernel_count = 1;
  cufrt_register_module(module);
}

extern "C" void _FortranACUFRegisterVariable(void **handle, char *shadow, const char *name,
                                             int64_t bytes) {
  cufrt_module *module = newModule(handle);
  module->variables = new cufrt_variable{
      shadow, name, nullptr, static_cast<uint64_t>(bytes), CUFRT_DEVICE_VARIABLE, 0};
  module->variable_count = 1;
  cufrt_register_module(module);
}
