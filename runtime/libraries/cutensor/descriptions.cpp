// Handles, descriptions of tensors, preferences and what only a GPU has.
#include "libraries/cutensor/cutensor.h"

#include <algorithm>
#include <cstring>

namespace cufrt::libraries::cutensor {

#define SET_OF(Object, name)                                                                       \
  LiveObjects<Object> &name() {                                                                    \
    static auto *instance = new LiveObjects<Object>;                                               \
    return *instance;                                                                              \
  }
SET_OF(Context, contexts)
SET_OF(Tensor, tensors)
SET_OF(Operation, operations)
SET_OF(Preference, preferences)
SET_OF(Plan, plans)

} // namespace cufrt::libraries::cutensor

namespace cufrt::cutensor_v2 {

using namespace cufrt::libraries;
using namespace cufrt::libraries::cutensor;

namespace {

template <auto &objects>
int destroy(void *handle) {
  return objects().destroy(handle) ? ok : invalidValue;
}

int known(void *handle) { return contexts().find(handle) ? ok : notInitialized; }

// Plans are made at once, so that there is nothing to keep in files.
int ofFile(void *handle, const char *name) {
  return known(handle) ? notInitialized : name && *name ? ok : invalidValue;
}

} // namespace

int cutensorCreate(void **handle) {
  *handle = contexts().create();
  return ok;
}
int cutensorDestroy(void *handle) { return contexts().destroy(handle) ? ok : notInitialized; }

int cutensorHandleResizePlanCache(void *handle, int entries) {
  return known(handle) ? notInitialized : entries >= 0 ? ok : invalidValue;
}
int cutensorHandleWritePlanCacheToFile(void *handle, const char *name) {
  return ofFile(handle, name);
}
int cutensorHandleReadPlanCacheFromFile(void *handle, const char *name, int *count) {
  if (count)
    *count = 0;
  return ofFile(handle, name);
}
int cutensorWriteKernelCacheToFile(void *handle, const char *name) { return ofFile(handle, name); }
int cutensorReadKernelCacheFromFile(void *handle, const char *name) { return ofFile(handle, name); }

int cutensorCreateTensorDescriptor(void *handle, void **desc, int modes, const long long *extents,
                                   long long *strides, int type, int alignment) {
  if (!contexts().find(handle))
    return notInitialized;
  bool right = desc && modes >= 0 && (modes == 0 || extents) && alignment > 0 &&
               (alignment & (alignment - 1)) == 0;
  if (!right || std::any_of(extents, extents + modes, [](long long extent) { return extent <= 0; }))
    return invalidValue;
  if (!isKnownData(type))
    return notSupported;
  void *made = tensors().create();
  Tensor &tensor = *tensors().find(made);
  tensor.type = type;
  tensor.extents.assign(extents, extents + modes);
  int64_t next = 1;
  for (int i = 0; i < modes; ++i) {
    tensor.strides.push_back(strides ? strides[i] : next);
    next *= extents[i];
  }
  *desc = made;
  return ok;
}
int cutensorDestroyTensorDescriptor(void *desc) { return destroy<tensors>(desc); }

int cutensorCreatePlanPreference(void *handle, void **pref, int algorithm, int mode) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!pref || algorithm < -6 || mode < 0 || mode > 1)
    return invalidValue;
  *pref = preferences().create();
  return ok;
}
int cutensorDestroyPlanPreference(void *pref) { return destroy<preferences>(pref); }
int cutensorPlanPreferenceSetAttribute(void *handle, void *pref, int attribute, const void *value,
                                       size_t bytes) {
  if (!contexts().find(handle))
    return notInitialized;
  return preferences().find(pref) && attribute >= 0 && attribute <= 5 && value &&
                 bytes >= sizeof(int)
             ? ok
             : invalidValue;
}

int cutensorEstimateWorkspaceSize(void *handle, void *desc, void *pref, int preference,
                                  long long *bytes) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!operations().find(desc) || !preferences().find(pref) || preference < 1 || preference > 3 ||
      !bytes)
    return invalidValue;
  *bytes = 0;
  return ok;
}

int cutensorCreatePlan(void *handle, void **plan, void *desc, void *pref, unsigned long long) {
  if (!contexts().find(handle))
    return notInitialized;
  Operation *operation = operations().find(desc);
  if (!operation || !preferences().find(pref) || !plan)
    return invalidValue;
  *plan = plans().create();
  plans().find(*plan)->operation = *operation;
  return ok;
}
int cutensorDestroyPlan(void *plan) { return destroy<plans>(plan); }
int cutensorPlanGetAttribute(void *handle, void *plan, int attribute, void *value, size_t bytes) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!plans().find(plan) || attribute != 0 || !value || bytes != sizeof(uint64_t))
    return invalidValue;
  std::memset(value, 0, bytes); // the workspace that it needs
  return ok;
}

int cutensorDestroyOperationDescriptor(void *desc) { return destroy<operations>(desc); }
int cutensorOperationDescriptorSetAttribute(void *handle, void *desc, int attribute,
                                            const void *value, size_t bytes) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!operations().find(desc) || !value || attribute < 0 || attribute > 6)
    return invalidValue;
  return attribute == 0 && bytes == sizeof(int) ? ok : notSupported; // padding is not there
}
int cutensorOperationDescriptorGetAttribute(void *handle, void *desc, int attribute, void *value,
                                            size_t bytes) {
  if (!contexts().find(handle))
    return notInitialized;
  Operation *operation = operations().find(desc);
  if (!operation || !value || attribute < 0 || attribute > 6)
    return invalidValue;
  if (attribute > 1)
    return notSupported;
  if (bytes != sizeof(int))
    return invalidValue;
  int found = attribute == 1 ? operation->scalarType : 0;
  std::memcpy(value, &found, sizeof found);
  return ok;
}

const char *cutensorGetErrorString(int status) {
  switch (status) {
  case 0:
    return "CUTENSOR_STATUS_SUCCESS";
  case 1:
    return "CUTENSOR_STATUS_NOT_INITIALIZED";
  case 3:
    return "CUTENSOR_STATUS_ALLOC_FAILED";
  case 7:
    return "CUTENSOR_STATUS_INVALID_VALUE";
  case 8:
    return "CUTENSOR_STATUS_ARCH_MISMATCH";
  case 11:
    return "CUTENSOR_STATUS_MAPPING_ERROR";
  case 13:
    return "CUTENSOR_STATUS_EXECUTION_FAILED";
  case 14:
    return "CUTENSOR_STATUS_INTERNAL_ERROR";
  case 15:
    return "CUTENSOR_STATUS_NOT_SUPPORTED";
  case 16:
    return "CUTENSOR_STATUS_LICENSE_ERROR";
  case 17:
    return "CUTENSOR_STATUS_CUBLAS_ERROR";
  case 18:
    return "CUTENSOR_STATUS_CUDA_ERROR";
  case 19:
    return "CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE";
  case 20:
    return "CUTENSOR_STATUS_INSUFFICIENT_DRIVER";
  case 21:
    return "CUTENSOR_STATUS_IO_ERROR";
  default:
    return "CUTENSOR_STATUS_UNKNOWN";
  }
}

// Of the library that the interfaces describe.
size_t cutensorGetVersion() { return 20000; }
size_t cutensorGetCudartVersion() { return 12000; }

// Nothing is told.
int cutensorLoggerSetLevel(int level) { return level >= 0 && level <= 5 ? ok : invalidValue; }
int cutensorLoggerOpenFile(const char *name) { return name && *name ? ok : invalidValue; }
int cutensorLoggerSetMask(int) { return ok; }
int cutensorLoggerForceDisable() { return ok; }

} // namespace cufrt::cutensor_v2
