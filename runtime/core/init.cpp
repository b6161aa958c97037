// The start of a Fortran main program.
//
// The device is chosen at once only if a managed variable has to be in place before host code
// touches it; otherwise a program that never uses the device never waits for it.
#include "core/module_registry.h"
#include "cufrt/device.h"

extern "C" void _FortranACUFRegisterAllocator();

namespace {

bool hasManagedVariable() {
  for (const cufrt_module *module : cufrt::registeredModules())
    for (uint64_t i = 0; i < module->variable_count; ++i)
      if (module->variables[i].kind == CUFRT_MANAGED_VARIABLE)
        return true;
  return false;
}

} // namespace

extern "C" void _FortranACUFInit() {
  _FortranACUFRegisterAllocator();
  if (hasManagedVariable())
    cufrt::api();
}
