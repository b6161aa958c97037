// See call.h.
#include "mpi/call.h"
#include "cufrt/device.h"
#include "mpi/pmpi.h" // generated
#include "mpi/windows.h"

namespace cufrt::mpi {

Status::Status(void *given) : chosen(static_cast<int *>(given)) {
  if (given && !is(Sentinel::statusIgnore, given))
    return;
  if (valueOf(Constant::statusSize) > largest)
    fatal(nullptr, 0, "a status of the MPI library has %d integers, more than %d",
          valueOf(Constant::statusSize), largest);
  chosen = own;
}

// Counted in elements first: a count of bytes may be too large for an INTEGER.
size_t bytesOf(const int *status, Handle datatype, size_t elementBytes) {
  int count = 0, error = 0;
  Handle byte = valueOf(Constant::byte);
  auto *given = const_cast<int *>(status);
  pmpi_get_count_(given, &datatype, &count, &error);
  if (error == noError && count >= 0 && count != valueOf(Constant::undefined))
    return static_cast<size_t>(count) * elementBytes;
  pmpi_get_count_(given, &byte, &count, &error);
  bool isKnown = error == noError && count >= 0 && count != valueOf(Constant::undefined);
  return isKnown ? static_cast<size_t>(count) : everything;
}

void *Call::add(void *address, Parts in, Parts out) {
  operation.buffers.emplace_back(operation.call, address, std::move(in), std::move(out));
  return operation.buffers.back().address();
}

void *Call::addUnstaged(void *address) {
  if (placeOf(address).home != Home::host && !takesDeviceMemory())
    fatal(
        nullptr, 0,
        "%s: device memory is not possible here, since the MPI library is not CUDA-aware; give it "
        "host memory",
        operation.call);
  return add(address, {}, {});
}

void Call::begin() {
  for (const Buffer &buffer : operation.buffers)
    buffer.fetch();
}

void Call::finish(const int *error) {
  if (*error == noError)
    operation.deliver(nullptr);
}

void Call::finish(const int *error, const int *status, Handle datatype) {
  operation.isCounted = true;
  operation.datatype = datatype;
  if (*error == noError)
    operation.deliver(status);
}

void Call::finishBytes(const int *error, int64_t bytes) {
  if (*error != noError || bytes <= 0)
    return;
  for (const Buffer &buffer : operation.buffers)
    if (buffer.writes())
      buffer.deliver(static_cast<size_t>(bytes));
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

void Call::keepWithRequest(const int *error, const int *request, Handle datatype) {
  operation.isCounted = true;
  operation.datatype = datatype;
  keepWithRequest(error, request);
}

void Call::keepPersistent(const int *error, const int *request) {
  operation.isPersistent = true;
  operation.isActive = false;
  keepWithRequest(error, request);
}

void Call::keepPersistent(const int *error, const int *request, Handle datatype) {
  operation.isCounted = true;
  operation.datatype = datatype;
  keepPersistent(error, request);
}

void Call::keepPartitioned(const int *error, const int *request, int partitions) {
  operation.partitions = partitions;
  keepPersistent(error, request);
}

void Call::keepWithWindow(const int *error, Handle window, int target) {
  if (mustBeKept(error))
    addToWindow(window, target, std::move(operation));
}

void Call::keepWithFile(const int *error, Handle file, Handle datatype) {
  operation.isCounted = true;
  operation.datatype = datatype;
  if (mustBeKept(error))
    addToFile(file, std::move(operation));
}

void missing(const char *name) { fatal(nullptr, 0, "the MPI library has no %s", name); }

} // namespace cufrt::mpi
