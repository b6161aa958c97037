// Streams of the host device. All work is complete when the call that asked for it returns, unless
// the stream captures; so a stream is a handle and what it was created with.
#include "host/capture.h"
#include "host/handles.h"

namespace cufrt::host {
namespace {

constexpr unsigned nonBlocking = 1;                               // cudaStreamNonBlocking
constexpr int attachGlobal = 1, attachHost = 2, attachSingle = 4; // cudaMemAttach*

struct Stream {
  unsigned flags;
};

Handles<Stream> &streams() {
  static Handles<Stream> *instance = new Handles<Stream>;
  return *instance;
}

// The default stream and the values of cudaStreamLegacy and cudaStreamPerThread.
bool isSpecial(void *stream) { return reinterpret_cast<size_t>(stream) <= 2; }

Error wait(void *stream) {
  return isStream(stream) ? refuseCapture(stream) : errorInvalidResourceHandle;
}

} // namespace

bool isStream(void *stream) { return isSpecial(stream) || streams().contains(stream); }

bool isBlocking(void *stream) {
  Stream found{};
  return !streams().get(stream, found) || !(found.flags & nonBlocking);
}

Error cudaStreamCreate(void **stream) { return cudaStreamCreateWithFlags(stream, 0); }

Error cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  if (!stream || flags > nonBlocking)
    return errorInvalidValue;
  *stream = streams().create(Stream{flags});
  return success;
}

// There is one priority.
Error cudaStreamCreateWithPriority(void **stream, int flags, int) {
  return cudaStreamCreateWithFlags(stream, static_cast<unsigned>(flags));
}

Error cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = 0;
  return success;
}

Error cudaStreamGetFlags(void *stream, int *flags) {
  Stream found{};
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  if (!flags)
    return errorInvalidValue;
  streams().get(stream, found);
  *flags = static_cast<int>(found.flags);
  return success;
}

Error cudaStreamGetPriority(void *stream, int *priority) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  if (!priority)
    return errorInvalidValue;
  *priority = 0;
  return success;
}

Error cudaStreamDestroy(void *stream) {
  if (!streams().destroy(stream))
    return errorInvalidResourceHandle;
  forgetStream(stream);
  return success;
}

Error cudaStreamSynchronize(void *stream) { return wait(stream); }
Error cudaStreamQuery(void *stream) { return wait(stream); }

// Memory that all can use at any time needs no attaching.
Error cudaStreamAttachMemAsync(void *stream, void *pointer, size_t, int flags) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  bool known = flags == attachGlobal || flags == attachHost || flags == attachSingle;
  if (!pointer || !known || (flags == attachSingle && isSpecial(stream)))
    return errorInvalidValue;
  return success;
}

Error cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
  if (!function)
    return errorInvalidValue;
  return submit(stream, NodeType::hostFunction, [=] {
    function(data);
    return success;
  });
}

Error cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data,
                            int flags) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  if (!function || flags != 0)
    return errorInvalidValue;
  if (Error error = refuseCapture(stream))
    return error;
  function(stream, success, data);
  return success;
}

void forgetStreams() { streams().clear(); }

} // namespace cufrt::host
