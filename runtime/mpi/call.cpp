// See call.h.
#include "mpi/call.h"
#include "cufrt/device.h"
#include "mpi/pmpi.h" // generated
#include "mpi/windows.h"

#include <algorithm>
#include <limits>

namespace cufrt::mpi {

Status::Status(void *given) : chosen(static_cast<int *>(given)) {
  if (given && !is(Sentinel::statusIgnore, given))
    return;
  if (valueOf(Constant::statusSize) > largest)
    fatal(nullptr, 0, "a status of the MPI library has %d integers, more than %d",
          valueOf(Constant::statusSize), largest);
  chosen = own;
}

// A count of bytes may be too large for an INTEGER; the other procedure came with MPI 3.0. The
// datatype of the call may be gone when its message arrives, so bytes are asked for.
size_t bytesOf(const int *status) {
  int count = 0, error = 0;
  int64_t large = 0;
  Handle byte = valueOf(Constant::byte);
  auto *given = const_cast<int *>(status);
  if (pmpi_get_elements_x_) {
    pmpi_get_elements_x_(given, &byte, &large, &error);
  } else {
    pmpi_get_count_(given, &byte, &count, &error);
    large = count;
  }
  bool isKnown = error == noError && large >= 0 && large != valueOf(Constant::undefined);
  return isKnown ? static_cast<size_t>(large) : everything;
}

const Buffer &Call::addBuffer(const PlacedAddress &placed, Parts in, Parts out, size_t mostPacked) {
  operation.buffers.emplace_back(operation.call, placed, std::move(in), std::move(out), mostPacked);
  return operation.buffers.back();
}

void *Call::add(const PlacedAddress &placed, Parts in, Parts out) {
  return addBuffer(placed, std::move(in), std::move(out), 0).address();
}

template <typename Count>
void *Call::add(const PlacedAddress &placed, Parts in, Parts out, Message<Count> &message) {
  constexpr auto most = static_cast<size_t>(std::numeric_limits<Count>::max());
  const Buffer &buffer = addBuffer(placed, std::move(in), std::move(out), most);
  if (buffer.isPacked()) {
    const Buffer::Elements &packed = buffer.packedAs().front();
    message = {static_cast<Count>(packed.count), packed.datatype};
  }
  return buffer.address();
}

template <typename Count, typename Displacement>
void *Call::add(const PlacedAddress &placed, Parts in, Parts out,
                Messages<Count, Displacement> &messages) {
  struct Arrays {
    std::vector<Count> counts;
    std::vector<Displacement> displacements;
    std::vector<Handle> datatypes;
  };
  constexpr auto most = std::min(static_cast<size_t>(std::numeric_limits<Count>::max()),
                                 static_cast<size_t>(std::numeric_limits<Displacement>::max()));
  const Buffer &buffer = addBuffer(placed, std::move(in), std::move(out), most);
  if (!buffer.isPacked())
    return buffer.address();
  auto arrays = std::make_shared<Arrays>();
  auto packed = buffer.packedAs().begin(); // of the blocks that are not empty
  for (int i = 0; i < messages.blocks; ++i) {
    bool isEmpty = messages.counts[i] <= 0;
    arrays->counts.push_back(isEmpty ? messages.counts[i] : static_cast<Count>(packed->count));
    arrays->displacements.push_back(isEmpty ? 0 : static_cast<Displacement>(packed->offset));
    arrays->datatypes.push_back(isEmpty ? messages.datatypes[i] : packed->datatype);
    packed += isEmpty ? 0 : 1;
  }
  messages = {arrays->counts.data(), arrays->displacements.data(), arrays->datatypes.data(),
              messages.blocks};
  operation.arrays.push_back(std::move(arrays));
  return buffer.address();
}

template void *Call::add(const PlacedAddress &, Parts, Parts, Message<int> &);
template void *Call::add(const PlacedAddress &, Parts, Parts, Message<int64_t> &);
template void *Call::add(const PlacedAddress &, Parts, Parts, Messages<int, int> &);
template void *Call::add(const PlacedAddress &, Parts, Parts, Messages<int, int64_t> &);
template void *Call::add(const PlacedAddress &, Parts, Parts, Messages<int64_t, int64_t> &);

void *Call::addUnstaged(const PlacedAddress &placed) {
  if (placed.place.home != Home::host && !takesDeviceMemory())
    fatal(
        nullptr, 0,
        "%s: device memory is not possible here, since the MPI library is not CUDA-aware; give it "
        "host memory",
        operation.call);
  return add(placed, {}, {});
}

void Call::begin() {
  Copies copies;
  for (const Buffer &buffer : operation.buffers)
    buffer.fetch(copies);
  copies.finish();
}

void Call::finish(const int *error, const int *status) {
  if (*error == noError)
    operation.deliver(status);
}

void Call::finishBytes(const int *error, int64_t bytes) {
  if (*error != noError || bytes <= 0)
    return;
  Copies copies;
  for (const Buffer &buffer : operation.buffers)
    if (buffer.writes())
      buffer.deliver(copies, static_cast<size_t>(bytes));
  copies.finish();
}

// Without device memory there is nothing to keep.
bool Call::mustBeKept(const int *error) const {
  if (*error != noError)
    return false;
  for (const Buffer &buffer : operation.buffers)
    if (buffer.isStaged() || buffer.isHeld())
      return true;
  return false;
}

void Call::keepWithRequest(const int *error, const int *request) {
  if (!mustBeKept(error))
    return;
  if (!operation.isPersistent)
    operation.noteOrder();
  addOperation(*request, std::move(operation));
}

void Call::keepPersistent(const int *error, const int *request) {
  operation.isPersistent = true;
  operation.isActive = false;
  keepWithRequest(error, request);
}

void Call::keepPartitioned(const int *error, const int *request, int partitions) {
  operation.partitions = partitions;
  keepPersistent(error, request);
}

void Call::keepWithWindow(const int *error, Handle window, int target) {
  if (mustBeKept(error))
    addToWindow(window, target, std::move(operation));
}

void Call::keepWithFile(const int *error, Handle file) {
  if (mustBeKept(error))
    addToFile(file, std::move(operation));
}

void missing(const char *name) { fatal(nullptr, 0, "the MPI library has no %s", name); }

} // namespace cufrt::mpi
