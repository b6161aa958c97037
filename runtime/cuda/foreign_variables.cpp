// Variables of CUDA C objects, for symbols by name: libcudart finds a variable by its shadow only,
// which nvcc makes local to its object. cufc links with --wrap=__cudaRegisterVar, so what those
// objects register is noted here on its way. Linked in by that option alone.
#include "core/module_registry.h"
#include "cuda/host_runtime.h"

extern "C" {

void __real___cudaRegisterVar(void **handle, char *shadow, char *name, const char *deviceName,
                              int isExternal, size_t bytes, int isConstant, int isGlobal);

void __wrap___cudaRegisterVar(void **handle, char *shadow, char *name, const char *deviceName,
                              int isExternal, size_t bytes, int isConstant, int isGlobal) {
  if (!cufrt::findVariable(shadow))
    cufrt::addVariable(
        *new cufrt_variable{shadow, deviceName, nullptr, bytes,
                            isConstant ? CUFRT_CONSTANT_VARIABLE : CUFRT_DEVICE_VARIABLE, 0});
  __real___cudaRegisterVar(handle, shadow, name, deviceName, isExternal, bytes, isConstant,
                           isGlobal);
}
}
