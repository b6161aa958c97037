// Streams of the host device. All work is complete when the call that asked for it returns, so a
// stream is only a handle that can be valid or not.
#include "host/functions.h"
#include "host/handles.h"

namespace cufrt::host {
namespace {

constexpr unsigned nonBlocking = 1; // cudaStreamNonBlocking

struct Stream {};

Handles<Stream> &streams() {
  static Handles<Stream> *instance = new Handles<Stream>;
  return *instance;
}

// The default stream and the values of cudaStreamLegacy and cudaStreamPerThread.
bool isSpecial(void *stream) { return reinterpret_cast<size_t>(stream) <= 2; }

Error whetherStream(void *stream) {
  return isStream(stream) ? success : errorInvalidResourceHandle;
}

} // namespace

bool isStream(void *stream) { return isSpecial(stream) || streams().contains(stream); }

Error cudaStreamCreate(void **stream) { return cudaStreamCreateWithFlags(stream, 0); }

Error cudaStreamCreateWithFlags(void **stream, unsigned flags) {
  if (!stream || flags > nonBlocking)
    return errorInvalidValue;
  *stream = streams().create(Stream{});
  return success;
}

Error cudaStreamDestroy(void *stream) {
  return streams().destroy(stream) ? success : errorInvalidResourceHandle;
}

Error cudaStreamSynchronize(void *stream) { return whetherStream(stream); }
Error cudaStreamQuery(void *stream) { return whetherStream(stream); }

Error cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
  if (!isStream(stream) || cudaEventQuery(event) != success)
    return errorInvalidResourceHandle;
  return flags > 1 ? errorInvalidValue : success;
}

void forgetStreams() { streams().clear(); }

} // namespace cufrt::host
