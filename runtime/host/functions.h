// The CUDA runtime functions of the host device, one for each row of cufrt/api.def. They return an
// error and leave it to the table (host/device.cpp) to remember it.
//
// Everything is complete when a function returns: streams order nothing that is not in order
// already, and an event has happened when it is recorded. Only streams that capture
// (host/capture.h) keep work for later.
#ifndef CUFRT_HOST_FUNCTIONS_H
#define CUFRT_HOST_FUNCTIONS_H

#include "cufrt/device.h"

namespace cufrt::host {

#define CUFRT_API(name, parameters) Error name parameters;
#include "cufrt/api.def"
#undef CUFRT_API

Error launch(const Launch &launch);
Error getFunctionAttributes(FunctionAttributes &attributes, const void *stub);
Error getProperties(DeviceProperties &properties, int device);
Error pointerAttributes(PointerAttributes &attributes, const void *pointer);
Error prefetch(const void *pointer, size_t bytes, int device, void *stream);
Error advise(const void *pointer, size_t bytes, int advice, int device);
const char *errorName(Error error);
const char *errorString(Error error);
void registerModule(cufrt_module &module);
Error placeManagedVariables(cufrt_module &module);

// Whether the handle is that of a stream; null and the two special handles of CUDA are.
bool isStream(void *stream);

// For cudaDeviceReset: no handle is valid any more.
void forgetStreams();
void forgetEvents();
void forgetArrays();

} // namespace cufrt::host
#endif // CUFRT_HOST_FUNCTIONS_H
