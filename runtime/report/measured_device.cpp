// See measured_device.h. All that copies goes through the table (cufrt/device.h): assignments,
// cudafor's routines, the copies that MPI calls need. On the host device a clock measures, on a
// GPU the profiler's records or, without it, events.
#include "report/measured_device.h"
#include "core/foreign_access.h"
#include "report/events.h"
#include "report/profiler.h"
#include "report/report.h"
#include "report/tallies.h"

namespace cufrt::report {
namespace {

const Device *plain = nullptr;

bool isOnDevice(const void *address) { return placeOf(address).home != Home::host; }

Direction directionOf(bool toDevice, bool fromDevice) {
  if (fromDevice)
    return toDevice ? Direction::deviceToDevice : Direction::deviceToHost;
  return toDevice ? Direction::hostToDevice : Direction::hostToHost;
}

Work copyOf(const void *to, const void *from, size_t bytes, int kind) {
  switch (kind) {
  case hostToHost:
    return transferWork(Direction::hostToHost, bytes);
  case hostToDevice:
    return transferWork(Direction::hostToDevice, bytes);
  case deviceToHost:
    return transferWork(Direction::deviceToHost, bytes);
  case deviceToDevice:
    return transferWork(Direction::deviceToDevice, bytes);
  default:
    return transferWork(directionOf(isOnDevice(to), isOnDevice(from)), bytes);
  }
}

// The width is in elements where an array is on a side.
Work blockCopyOf(const BlockCopy &copy) {
  size_t unit = 1;
  if (void *array = copy.sourceArray ? copy.sourceArray : copy.targetArray) {
    ChannelFormat format{};
    Extent extent{};
    unsigned flags = 0;
    if (plain->cudaArrayGetInfo(&format, &extent, &flags, array) == success)
      unit = static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
    else
      plain->cudaGetLastError();
  }
  bool toDevice = copy.targetArray || isOnDevice(copy.target.address);
  bool fromDevice = copy.sourceArray || isOnDevice(copy.source.address);
  return transferWork(directionOf(toDevice, fromDevice),
                      copy.extent.width * unit * copy.extent.height * copy.extent.depth);
}

Work fillOf(size_t bytes) { return transferWork(Direction::fill, bytes); }

void noteCurrentDevice() {
  int number = 0;
  if (!plain->isHost && plain->cudaGetDevice(&number) == success)
    noteDevice(number);
}

template <typename Run>
Error measureByClock(const Work &work, const Run &run) {
  Running running(work);
  int64_t start = clockReading();
  Error error = run();
  int64_t end = clockReading();
  if (error == success && !running.wasCaptured())
    note(work, end - start);
  return error;
}

template <typename Run>
Error measureByEvents(const Work &work, void *stream, const Run &run) {
  Bracket bracket(*plain, stream);
  Error error = run();
  bracket.close(work, error);
  promiseAgain();
  return error;
}

template <typename Run>
Error measure(const Work &work, void *stream, const Run &run) {
  if (plain->isHost)
    return measureByClock(work, run);
  noteCurrentDevice();
  if (!profiler::isActive())
    return measureByEvents(work, stream, run);
  profiler::Mark mark(work);
  Error error = run();
  promiseAgain();
  return error;
}

// Negative where the grid is left to the device.
int64_t threadsOf(const Launch &launch) {
  int64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] < 0 || launch.block[i] < 0)
      return -1;
    threads *= launch.grid[i] * launch.block[i];
  }
  return threads;
}

Error launch(const Launch &launch) {
  Error error =
      measure(kernelWork(launch.stub), launch.stream, [&] { return plain->launch(launch); });
  if (error == success)
    noteLaunch(launch.stub, threadsOf(launch));
  return error;
}

// No profiler's record says what a prefetch moves, nor does the host device move anything.
Error prefetch(const void *pointer, size_t bytes, int device, void *stream) {
  OriginScope origin(Origin::prefetch);
  Work work =
      transferWork(device == cpuDevice ? Direction::deviceToHost : Direction::hostToDevice, bytes);
  auto run = [&] { return plain->prefetch(pointer, bytes, device, stream); };
  if (!plain->isHost)
    return measureByEvents(work, stream, run);
  Error error = run();
  if (error == success)
    noteSubmitted(work);
  return error;
}

// A row: a function of the table, its parameters, the arguments that these are, what it does and in
// which stream.
#define CUFRT_MEASURED(name, parameters, arguments, work, stream)                                  \
  Error name parameters {                                                                          \
    return measure(work, stream, [&] { return plain->name arguments; });                           \
  }

CUFRT_MEASURED(cudaMemcpy, (void *to, const void *from, size_t bytes, int kind),
               (to, from, bytes, kind), copyOf(to, from, bytes, kind), nullptr)
CUFRT_MEASURED(cudaMemcpyAsync, (void *to, const void *from, size_t bytes, int kind, void *stream),
               (to, from, bytes, kind, stream), copyOf(to, from, bytes, kind), stream)
CUFRT_MEASURED(cudaMemcpy2D,
               (void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                size_t height, int kind),
               (to, toPitch, from, fromPitch, width, height, kind),
               copyOf(to, from, width *height, kind), nullptr)
CUFRT_MEASURED(cudaMemcpy2DAsync,
               (void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                size_t height, int kind, void *stream),
               (to, toPitch, from, fromPitch, width, height, kind, stream),
               copyOf(to, from, width *height, kind), stream)
CUFRT_MEASURED(cudaMemcpyPeer,
               (void *to, int toDevice, const void *from, int fromDevice, size_t bytes),
               (to, toDevice, from, fromDevice, bytes),
               transferWork(Direction::deviceToDevice, bytes), nullptr)
CUFRT_MEASURED(cudaMemcpyPeerAsync,
               (void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                void *stream),
               (to, toDevice, from, fromDevice, bytes, stream),
               transferWork(Direction::deviceToDevice, bytes), stream)
CUFRT_MEASURED(cudaMemcpy3D, (const BlockCopy *copy), (copy), blockCopyOf(*copy), nullptr)
CUFRT_MEASURED(cudaMemcpy3DAsync, (const BlockCopy *copy, void *stream), (copy, stream),
               blockCopyOf(*copy), stream)
CUFRT_MEASURED(cudaMemcpy2DToArray,
               (void *to, size_t x, size_t y, const void *from, size_t fromPitch, size_t width,
                size_t height, int kind),
               (to, x, y, from, fromPitch, width, height, kind),
               transferWork(directionOf(true, isOnDevice(from)), width *height), nullptr)
CUFRT_MEASURED(cudaMemcpy2DToArrayAsync,
               (void *to, size_t x, size_t y, const void *from, size_t fromPitch, size_t width,
                size_t height, int kind, void *stream),
               (to, x, y, from, fromPitch, width, height, kind, stream),
               transferWork(directionOf(true, isOnDevice(from)), width *height), stream)
CUFRT_MEASURED(cudaMemcpy2DFromArray,
               (void *to, size_t toPitch, const void *from, size_t x, size_t y, size_t width,
                size_t height, int kind),
               (to, toPitch, from, x, y, width, height, kind),
               transferWork(directionOf(isOnDevice(to), true), width *height), nullptr)
CUFRT_MEASURED(cudaMemcpy2DFromArrayAsync,
               (void *to, size_t toPitch, const void *from, size_t x, size_t y, size_t width,
                size_t height, int kind, void *stream),
               (to, toPitch, from, x, y, width, height, kind, stream),
               transferWork(directionOf(isOnDevice(to), true), width *height), stream)
CUFRT_MEASURED(cudaMemcpy2DArrayToArray,
               (void *to, size_t toX, size_t toY, const void *from, size_t fromX, size_t fromY,
                size_t width, size_t height, int kind),
               (to, toX, toY, from, fromX, fromY, width, height, kind),
               transferWork(Direction::deviceToDevice, width *height), nullptr)
CUFRT_MEASURED(cudaMemset, (void *pointer, int value, size_t bytes), (pointer, value, bytes),
               fillOf(bytes), nullptr)
CUFRT_MEASURED(cudaMemsetAsync, (void *pointer, int value, size_t bytes, void *stream),
               (pointer, value, bytes, stream), fillOf(bytes), stream)
CUFRT_MEASURED(cudaMemset2D, (void *pointer, size_t pitch, int value, size_t width, size_t height),
               (pointer, pitch, value, width, height), fillOf(width *height), nullptr)
CUFRT_MEASURED(cudaMemset2DAsync,
               (void *pointer, size_t pitch, int value, size_t width, size_t height, void *stream),
               (pointer, pitch, value, width, height, stream), fillOf(width *height), stream)
CUFRT_MEASURED(cudaMemset3D, (const PitchedPointer *pointer, int value, const Extent *extent),
               (pointer, value, extent), fillOf(extent->width * extent->height * extent->depth),
               nullptr)
CUFRT_MEASURED(cudaMemset3DAsync,
               (const PitchedPointer *pointer, int value, const Extent *extent, void *stream),
               (pointer, value, extent, stream),
               fillOf(extent->width * extent->height * extent->depth), stream)
#undef CUFRT_MEASURED

} // namespace

const Device &measuredDevice(const Device &device) {
  static Device table;
  plain = &device;
  table = device;
  table.launch = launch;
  table.prefetch = prefetch;
#define CUFRT_MEASURED(name) table.name = name;
  CUFRT_MEASURED(cudaMemcpy)
  CUFRT_MEASURED(cudaMemcpyAsync)
  CUFRT_MEASURED(cudaMemcpy2D)
  CUFRT_MEASURED(cudaMemcpy2DAsync)
  CUFRT_MEASURED(cudaMemcpyPeer)
  CUFRT_MEASURED(cudaMemcpyPeerAsync)
  CUFRT_MEASURED(cudaMemcpy3D)
  CUFRT_MEASURED(cudaMemcpy3DAsync)
  CUFRT_MEASURED(cudaMemcpy2DToArray)
  CUFRT_MEASURED(cudaMemcpy2DToArrayAsync)
  CUFRT_MEASURED(cudaMemcpy2DFromArray)
  CUFRT_MEASURED(cudaMemcpy2DFromArrayAsync)
  CUFRT_MEASURED(cudaMemcpy2DArrayToArray)
  CUFRT_MEASURED(cudaMemset)
  CUFRT_MEASURED(cudaMemsetAsync)
  CUFRT_MEASURED(cudaMemset2D)
  CUFRT_MEASURED(cudaMemset2DAsync)
  CUFRT_MEASURED(cudaMemset3D)
  CUFRT_MEASURED(cudaMemset3DAsync)
#undef CUFRT_MEASURED
  return table;
}

} // namespace cufrt::report
