// See operations.h.
#include "mpi/operations.h"
#include "mpi/call.h"
#include "mpi/pmpi.h" // generated

#include <atomic>
#include <mutex>
#include <unordered_map>

namespace cufrt::mpi {
namespace {

struct Table {
  std::mutex mutex;
  std::unordered_map<Handle, Operation> byRequest;
  std::unordered_map<Handle, Operation> byFile;
  std::vector<std::pair<Handle, Operation>> detached;
  std::atomic<size_t> requests{0}; // in byRequest, and detached
};

Table &table() {
  static Table *instance = new Table; // what is left is of no use at the end of the process
  return *instance;
}

void recount(Table &all) {
  all.requests.store(all.byRequest.size() + all.detached.size(), std::memory_order_relaxed);
}

std::optional<Operation> take(std::unordered_map<Handle, Operation> &map, Handle key) {
  auto node = map.extract(key);
  if (node.empty())
    return std::nullopt;
  return std::move(node.mapped());
}

// The elements of one partition of a buffer, which is as many elements of equal partitions.
Parts partOf(const Parts &whole, int partition, int partitions) {
  Parts parts;
  for (const Part &part : whole) {
    size_t count = part.count / static_cast<size_t>(partitions);
    ptrdiff_t offset = static_cast<ptrdiff_t>(count) * partition * part.layout->extent;
    parts.push_back({part.offset + offset, count, part.layout});
  }
  return parts;
}

bool wasCancelled(const int *status) {
  int flag = 0, error = 0;
  pmpi_test_cancelled_(const_cast<int *>(status), &flag, &error);
  return flag != 0;
}

} // namespace

void Operation::noteOrder() {
  for (Buffer &buffer : buffers)
    buffer.noteOrder();
}

void Operation::deliver(const int *status) {
  Copies copies;
  deliver(copies, status);
  copies.finish();
}

void Operation::deliver(Copies &copies, const int *status) {
  bool writes = false;
  for (const Buffer &buffer : buffers)
    writes = writes || (buffer.writes() && buffer.isStaged());
  if (!writes || isDelivered || (isCancelled && status && wasCancelled(status)))
    return;
  isDelivered = true;
  if (partitions > 0) {
    for (int i = 0; i < partitions; ++i)
      deliverPartition(copies, i);
    return;
  }
  for (const Buffer &buffer : buffers)
    if (buffer.writes())
      buffer.deliver(copies, isCounted && status ? bytesOf(status) : everything);
}

void Operation::fetchPartition(Copies &copies, int partition) const {
  for (const Buffer &buffer : buffers)
    buffer.fetch(copies, partOf(buffer.read(), partition, partitions));
}

void Operation::deliverPartition(Copies &copies, int partition) {
  arrived.resize(static_cast<size_t>(partitions));
  if (partition < 0 || partition >= partitions || arrived[static_cast<size_t>(partition)])
    return;
  arrived[static_cast<size_t>(partition)] = true;
  for (const Buffer &buffer : buffers)
    buffer.deliver(copies, partOf(buffer.written(), partition, partitions));
}

bool anyOperation() { return table().requests.load(std::memory_order_relaxed) != 0; }

// A library may give several operations that were complete at once the same request.
void addOperation(Handle request, Operation operation) {
  Table &all = table();
  std::optional<Operation> complete;
  {
    std::lock_guard lock(all.mutex);
    complete = take(all.byRequest, request);
    all.byRequest.emplace(request, std::move(operation));
    recount(all);
  }
  if (complete && complete->isActive && !complete->isCounted)
    complete->deliver(nullptr);
}

Operation *findOperation(Handle request) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  auto found = all.byRequest.find(request);
  return found == all.byRequest.end() ? nullptr : &found->second;
}

std::optional<Operation> takeOperation(Handle request) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  auto operation = take(all.byRequest, request);
  recount(all);
  return operation;
}

void detachOperation(Handle request) {
  completeDetached(false);
  Table &all = table();
  std::lock_guard lock(all.mutex);
  auto operation = take(all.byRequest, request);
  if (operation)
    all.detached.emplace_back(request, std::move(*operation));
  recount(all);
}

void completeDetached(bool waits) {
  Table &all = table();
  std::vector<std::pair<Handle, Operation>> looked, left;
  {
    std::lock_guard lock(all.mutex);
    looked.swap(all.detached);
  }
  for (auto &[request, operation] : looked) {
    Handle handle = request;
    int ended = 1, error = 0;
    Status status(nullptr);
    if (waits)
      pmpi_wait_(&handle, status.data(), &error);
    else
      pmpi_test_(&handle, &ended, status.data(), &error);
    if (!ended)
      left.emplace_back(request, std::move(operation));
    else if (error == noError)
      operation.deliver(status.data());
  }
  std::lock_guard lock(all.mutex);
  for (auto &entry : left)
    all.detached.push_back(std::move(entry));
  recount(all);
}

void addToFile(Handle file, Operation operation) {
  std::lock_guard lock(table().mutex);
  table().byFile.insert_or_assign(file, std::move(operation));
}

std::optional<Operation> takeFromFile(Handle file) {
  std::lock_guard lock(table().mutex);
  return take(table().byFile, file);
}

} // namespace cufrt::mpi
