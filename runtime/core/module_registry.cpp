// See module_registry.h. Every module is also handed to libcudart at once, whatever device is
// chosen later: that is what the objects of nvcc do, and it starts nothing on the GPU.
#include "core/module_registry.h"
#include "core/choose_device.h"
#include "cufrt/device.h"

#include <mutex>
#include <unordered_map>

namespace cufrt {
namespace {

struct Registry {
  std::mutex mutex;
  cufrt_module *first = nullptr;
  std::unordered_map<const void *, const cufrt_kernel *> kernels;
  std::unordered_map<const void *, const cufrt_variable *> variables;
};

// Lives until the process ends, since destructors of the program may still launch and free.
Registry &registry() {
  static Registry *instance = new Registry;
  return *instance;
}

void addToTables(cufrt_module &module) {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  module.next = all.first;
  all.first = &module;
  for (uint64_t i = 0; i < module.kernel_count; ++i) {
    const cufrt_kernel &kernel = module.kernels[i];
    // The link of a program registers kernels again whose objects lack host code.
    if (all.kernels.emplace(kernel.stub, &kernel).second || kernel.run_block ||
        kernel.resume_thread)
      all.kernels[kernel.stub] = &kernel;
  }
  for (uint64_t i = 0; i < module.variable_count; ++i)
    all.variables.emplace(module.variables[i].shadow, &module.variables[i]);
}

template <typename Value>
Value *find(std::unordered_map<const void *, Value *> &table, const void *key) {
  std::lock_guard lock(registry().mutex);
  auto found = table.find(key);
  return found == table.end() ? nullptr : found->second;
}

} // namespace

const cufrt_kernel *findKernel(const void *stub) { return find(registry().kernels, stub); }

const cufrt_variable *findVariable(const void *shadow) {
  return find(registry().variables, shadow);
}

std::vector<const cufrt_variable *> registeredVariables() {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  std::vector<const cufrt_variable *> variables;
  for (const auto &[shadow, variable] : all.variables)
    variables.push_back(variable);
  return variables;
}

void addVariable(const cufrt_variable &variable) {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  all.variables.emplace(variable.shadow, &variable);
}

std::vector<cufrt_module *> registeredModules() {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  std::vector<cufrt_module *> modules;
  for (cufrt_module *module = all.first; module; module = module->next)
    modules.push_back(module);
  return modules;
}

bool hasCheckedKernels() {
  for (const cufrt_module *module : registeredModules())
    for (uint64_t i = 0; i < module->kernel_count; ++i)
      if (module->kernels[i].flags & CUFRT_CHECKED)
        return true;
  return false;
}

} // namespace cufrt

extern "C" void cufrt_register_module(cufrt_module *module) {
  using namespace cufrt;
  if (module->version != CUFRT_ABI_VERSION)
    fatal(nullptr, 0,
          "an object of this program was compiled for version %u of the runtime library, which is "
          "version %d; compile it again",
          module->version, CUFRT_ABI_VERSION);
  addToTables(*module);
  if (const Device *cuda = cudaDevice())
    cuda->registerModule(*module);
  moduleWasAdded(*module);
}
