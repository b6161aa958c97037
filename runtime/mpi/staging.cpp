// See staging.h.
#include "mpi/staging.h"
#include "core/default_stream.h"
#include "cufrt/device.h"
#include "mpi/current_device.h"

#include <algorithm>

namespace cufrt::mpi {
namespace {

constexpr size_t sparseFrom = size_t{16} << 20; // bytes; below it pinned memory is always had
constexpr size_t sparseRatio = 8;               // bytes spanned for each byte of data

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

bool isOrdinary(const PlacedAddress &buffer) {
  Home home = buffer.place.home;
  if (home == Home::host)
    return !deviceInUse() || !is(Sentinel::bottom, buffer.address);
  const Device *device = deviceInUse();
  if (device && device->isHost)
    return home == Home::managed;
  return takesDeviceMemory();
}

Buffer::Buffer(const char *call, const PlacedAddress &placed, Parts in, Parts out,
               size_t mostPacked)
    : call(call), user(static_cast<char *>(placed.address)), given(user), in(std::move(in)),
      out(std::move(out)), place(placed.place) {
  if (is(Sentinel::bottom, user) || (api().isHost && takesDeviceMemory()))
    hold();
  else if (mustBeStaged(place.home))
    stage(mostPacked);
}

Buffer::Buffer(Buffer &&other) noexcept
    : call(other.call), user(other.user), given(other.given), in(std::move(other.in)),
      out(std::move(other.out)), packed(std::move(other.packed)), block(std::move(other.block)),
      place(other.place), begun(std::move(other.begun)), held(std::move(other.held)) {
  other.held.clear();
}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(call, other.call);
  std::swap(user, other.user);
  std::swap(given, other.given);
  std::swap(in, other.in);
  std::swap(out, other.out);
  std::swap(packed, other.packed);
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

void Buffer::stage(size_t mostPacked) {
  size_t data = std::max(bytesIn(in), bytesIn(out));
  if (data == 0)
    return;
  if (mostPacked > 0 && pack(mostPacked)) {
    block = Block(data, false, call);
    given = block.memory();
    return;
  }
  Range range = both(rangeOf(in), rangeOf(out));
  auto bytes = static_cast<size_t>(range.end - range.begin);
  block = Block(bytes, bytes >= sparseFrom && bytes / sparseRatio >= data, call);
  given = block.memory() - range.begin;
}

// Only where there are gaps: otherwise the call stays as the program made it.
bool Buffer::pack(size_t most) {
  const Parts &parts = in.empty() ? out : in;
  bool haveGaps = false;
  size_t offset = 0;
  std::vector<Elements> elements;
  for (const Part &part : parts) {
    const Layout &layout = *part.layout;
    if (!layout.isOfOneKind())
      return false;
    haveGaps = haveGaps || layout.hasGaps();
    elements.push_back({part.count * layout.size / layout.basicBytes, layout.basic, offset});
    if (elements.back().count > most || (offset > most && parts.size() > 1))
      return false;
    offset += part.count * layout.size;
  }
  if (haveGaps)
    packed = std::move(elements);
  return haveGaps;
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

void Buffer::copy(Copies &copies, const Parts &parts, size_t bytes, char *host, bool toHost) const {
  if (!isStaged() || bytes == 0 || bytesIn(parts) == 0)
    return;
  CurrentDevice current(place.device);
  void *stream = !toHost && begun ? begun.streamBehind(place.device) : nullptr;
  if (!stream)
    stream = streamOf(user);
  copies.begin({call, user, host, isPacked() && host == given, toHost, place.device, stream}, parts,
               bytes);
}

} // namespace cufrt::mpi
