// What stands for the argument STREAM of a reduction that the host computes
// (compiler/frontend/lenient/stream_arguments.cpp): true, when the work in the stream is done.
#include "core/location.h"
#include "cufrt/device.h"

#include <cstdint>

namespace {

bool waitForStream(std::int64_t handle) {
  cufrt::check(cufrt::api().cudaStreamSynchronize(reinterpret_cast<void *>(handle)), {nullptr, 0},
               "waiting for the stream of a reduction");
  return true;
}

} // namespace

extern "C" bool cufrt_on_stream_4(std::int32_t stream) { return waitForStream(stream); }
extern "C" bool cufrt_on_stream_8(std::int64_t stream) { return waitForStream(stream); }
