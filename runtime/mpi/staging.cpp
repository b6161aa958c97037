// See staging.h.
#include "mpi/staging.h"
#include "core/default_stream.h"
#include "core/location.h"
#include "cufrt/device.h"
#include "mpi/host_blocks.h"

#include <algorithm>
#include <cstring>

namespace cufrt::mpi {
namespace {

constexpr size_t sparseFrom = size_t{16} << 20; // bytes; below it pinned memory is always had
constexpr size_t sparseRatio = 8;               // bytes spanned for each byte of data
constexpr size_t largestPitch = 0x7fffffff;     // cudaDevAttrMaxPitch of all GPUs

// Copies in the device that the memory belongs to: the default stream is that of the current
// device.
class CurrentDevice {
public:
  explicit CurrentDevice(int wanted) {
    if (api().isHost || api().cudaGetDevice(&before) != success || before == wanted)
      return;
    changed = api().cudaSetDevice(wanted) == success;
  }
  CurrentDevice(const CurrentDevice &) = delete;
  ~CurrentDevice() {
    if (changed)
      api().cudaSetDevice(before);
  }

private:
  int before = 0;
  bool changed = false;
};

Error copyBytes(char *to, const char *from, size_t bytes, int kind, void *stream) {
  return api().cudaMemcpyAsync(to, from, bytes, kind, stream);
}

// A copy of parts of a buffer to the host or back. Pieces with gaps between them, such as a row of
// a matrix, lie side by side in pinned memory on their way: a copy of two dimensions to memory with
// the same gaps would take its time for each piece.
class PartsCopy {
public:
  PartsCopy(char *to, const char *from, bool toHost, void *stream, const char *call)
      : to(to), from(from), toHost(toHost), stream(stream), call(call) {}
  PartsCopy(const PartsCopy &) = delete;
  ~PartsCopy() {
    for (const Packed &pieces : packed)
      givePinned(pieces.memory, pieces.run.bytes * pieces.run.count);
  }

  Error begin(const Run &run) {
    auto stride = static_cast<size_t>(std::max<ptrdiff_t>(run.stride, 0));
    if (run.count == 1)
      return copyBytes(to + run.offset, from + run.offset, run.bytes, copyDefault, stream);
    if (stride >= run.bytes && stride <= largestPitch)
      return beginPacked(run, stride);
    for (size_t i = 0; i < run.count; ++i) {
      ptrdiff_t offset = run.offset + static_cast<ptrdiff_t>(i) * run.stride;
      Error error = copyBytes(to + offset, from + offset, run.bytes, copyDefault, stream);
      if (error != success)
        return error;
    }
    return success;
  }

  Error finish() {
    Error error = api().cudaStreamSynchronize(stream);
    if (error == success && toHost)
      for (const Packed &pieces : packed)
        for (size_t i = 0; i < pieces.run.count; ++i)
          std::memcpy(to + placeOfPiece(pieces.run, i), pieces.memory + i * pieces.run.bytes,
                      pieces.run.bytes);
    return error;
  }

private:
  struct Packed {
    Run run;
    char *memory;
  };

  static ptrdiff_t placeOfPiece(const Run &run, size_t number) {
    return run.offset + static_cast<ptrdiff_t>(number) * run.stride;
  }

  Error beginPacked(const Run &run, size_t stride) {
    char *memory = takePinned(run.bytes * run.count, call);
    packed.push_back({run, memory});
    if (toHost)
      return api().cudaMemcpy2DAsync(memory, run.bytes, from + run.offset, stride, run.bytes,
                                     run.count, copyDefault, stream);
    for (size_t i = 0; i < run.count; ++i)
      std::memcpy(memory + i * run.bytes, from + placeOfPiece(run, i), run.bytes);
    return api().cudaMemcpy2DAsync(to + run.offset, stride, memory, run.bytes, run.bytes, run.count,
                                   copyDefault, stream);
  }

  char *to;
  const char *from;
  const bool toHost;
  void *stream;
  const char *call;
  std::vector<Packed> packed;
};

bool mustBeStaged(Home home) {
  if (home == Home::host || takesDeviceMemory())
    return false;
  // On the host device managed memory is the host's own.
  return home == Home::device || !api().isHost;
}

Range both(Range a, Range b) {
  if (a.begin == a.end)
    return b;
  if (b.begin == b.end)
    return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

} // namespace

bool isOrdinary(const void *address) {
  Home home = placeOf(address).home;
  if (home == Home::host)
    return !deviceInUse() || !is(Sentinel::bottom, address);
  const Device *device = deviceInUse();
  if (device && device->isHost)
    return home == Home::managed;
  return takesDeviceMemory();
}

Buffer::Buffer(const char *call, void *address, Parts in, Parts out)
    : call(call), user(static_cast<char *>(address)), given(user), in(std::move(in)),
      out(std::move(out)), place(placeOf(address)) {
  if (is(Sentinel::bottom, address) || (api().isHost && takesDeviceMemory()))
    hold();
  else if (mustBeStaged(place.home))
    stage();
}

Buffer::Buffer(Buffer &&other) noexcept
    : call(other.call), user(other.user), given(other.given), in(std::move(other.in)),
      out(std::move(other.out)), block(std::move(other.block)), place(other.place),
      begun(std::move(other.begun)), held(std::move(other.held)) {
  other.held.clear();
}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(call, other.call);
  std::swap(user, other.user);
  std::swap(given, other.given);
  std::swap(in, other.in);
  std::swap(out, other.out);
  std::swap(block, other.block);
  std::swap(place, other.place);
  std::swap(begun, other.begun);
  std::swap(held, other.held);
  return *this;
}

Buffer::~Buffer() {
  for (const void *address : held)
    endAccess(address);
}

void Buffer::stage() {
  size_t data = std::max(bytesIn(in), bytesIn(out));
  if (data == 0)
    return;
  Range range = both(rangeOf(in), rangeOf(out));
  auto bytes = static_cast<size_t>(range.end - range.begin);
  block = Block(bytes, bytes >= sparseFrom && bytes / sparseRatio >= data, call);
  given = block.memory() - range.begin;
}

// Without staging the library uses device memory itself. Blocks at absolute addresses, behind
// MPI_BOTTOM, may lie in several allocations.
void Buffer::hold() {
  if (!is(Sentinel::bottom, user)) {
    if (beginAccess(user))
      held.push_back(user);
    return;
  }
  for (const Parts *parts : {&in, &out})
    for (const Part &part : *parts)
      for (const Run &run : runsOf(part, everything)) {
        // The library takes such offsets for addresses. NOLINTNEXTLINE(performance-no-int-to-ptr)
        auto *address = reinterpret_cast<void *>(run.offset);
        if (mustBeStaged(placeOf(address).home))
          fatal(nullptr, 0,
                "%s: the datatype has addresses of device memory, which the MPI library does not "
                "take; give the call the array and displacements within it",
                call);
        if (beginAccess(address))
          held.push_back(address);
      }
}

void Buffer::noteOrder() {
  if (!isStaged() || !writes())
    return;
  CurrentDevice current(place.device);
  begun.note(streamOf(user));
}

void Buffer::copy(const Parts &parts, size_t bytes, char *host, bool toHost) const {
  if (!isStaged() || parts.empty() || bytes == 0)
    return;
  CurrentDevice current(place.device);
  void *stream = !toHost && begun ? begun.streamBehind(place.device) : nullptr;
  if (!stream)
    stream = streamOf(user);
  PartsCopy copies(toHost ? host : user, toHost ? user : host, toHost, stream, call);
  bool any = false;
  Error error = success;
  for (const Part &part : parts) {
    for (const Run &run : runsOf(part, bytes)) {
      if (error == success)
        error = copies.begin(run);
      any = true;
    }
    bytes -= std::min(bytes, part.count * part.layout->size);
  }
  if (any && error == success)
    error = copies.finish();
  check(error, {nullptr, 0}, "%s: copying a device buffer %s the host", call,
        toHost ? "to" : "from");
}

} // namespace cufrt::mpi
