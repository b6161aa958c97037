// See windows.h. The public copy and the device may both have changed since they were equal, in
// different places; a third copy, of how they were, tells which bytes are whose.
#include "mpi/windows.h"
#include "mpi/call.h"
#include "mpi/pmpi.h" // generated

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace cufrt::mpi {
namespace {

constexpr int allTargets = -1, untilFreed = -2;
constexpr size_t granule = 64; // bytes that are compared at once

struct Pending {
  int target;
  Operation operation;
};

// The memory of a window: held, or staged with its public copy at `memory.address()`.
struct Exposed {
  void *base;
  size_t bytes;
  Buffer memory;
  Block equal; // how both were when they were last made equal
};

struct Window {
  std::vector<Pending> pending;
  std::vector<Operation> attached; // memory of a dynamic window
  std::optional<Exposed> exposed;
};

struct Windows {
  std::mutex mutex;
  std::unordered_map<Handle, Window> known;
  std::atomic<size_t> count{0};
};

Windows &windows() {
  static Windows *instance = new Windows;
  return *instance;
}

Window *find(Handle window) {
  Windows &all = windows();
  if (all.count.load(std::memory_order_relaxed) == 0)
    return nullptr;
  std::lock_guard lock(all.mutex);
  auto found = all.known.find(window);
  return found == all.known.end() ? nullptr : &found->second;
}

Window &make(Handle window) {
  Windows &all = windows();
  std::lock_guard lock(all.mutex);
  Window &made = all.known[window];
  all.count.store(all.known.size(), std::memory_order_relaxed);
  return made;
}

// Copies those bytes of `from` to `to` that differ from `before`.
void copyChanged(char *to, const char *from, const char *before, size_t bytes) {
  for (size_t at = 0; at < bytes; at += granule) {
    size_t part = std::min(granule, bytes - at);
    if (std::memcmp(from + at, before + at, part) == 0)
      continue;
    for (size_t i = at; i < at + part; ++i)
      if (from[i] != before[i])
        to[i] = from[i];
  }
}

// What the device has stored becomes visible to other ranks.
void publish(Exposed &exposed) {
  auto *shown = static_cast<char *>(exposed.memory.address());
  Block now(exposed.bytes, false, "MPI_Win_create");
  Copies copies;
  exposed.memory.fetchTo(copies, now.memory());
  copies.finish();
  copyChanged(shown, now.memory(), exposed.equal.memory(), exposed.bytes);
  copyChanged(exposed.equal.memory(), now.memory(), exposed.equal.memory(), exposed.bytes);
}

// What other ranks have written becomes visible to the device. A window that others write to must
// not be stored to by its owner meanwhile, in whatever place, so that whole granules can be copied.
void receive(Exposed &exposed) {
  auto *shown = static_cast<const char *>(exposed.memory.address());
  char *equal = exposed.equal.memory();
  Parts changed;
  for (size_t at = 0; at < exposed.bytes; at += granule) {
    size_t part = std::min(granule, exposed.bytes - at);
    if (std::memcmp(shown + at, equal + at, part) == 0)
      continue;
    std::memcpy(equal + at, shown + at, part);
    if (!changed.empty() && changed.back().offset + changed.back().count == at)
      changed.back().count += part;
    else
      changed.push_back({static_cast<ptrdiff_t>(at), part, layoutOfBytes()});
  }
  Copies copies;
  exposed.memory.deliverFrom(copies, equal, changed);
  copies.finish();
}

// The memory of a window that is staged, or null.
Exposed *stagedMemory(Window *window) {
  if (!window || !window->exposed)
    return nullptr;
  return window->exposed->memory.isStaged() ? &*window->exposed : nullptr;
}

void publish(Window *window) {
  if (Exposed *exposed = stagedMemory(window))
    publish(*exposed);
}

void receive(Window *window) {
  if (Exposed *exposed = stagedMemory(window))
    receive(*exposed);
}

// The operations on this window, or those with one target, are complete.
void complete(Window *window, int target) {
  if (!window)
    return;
  std::vector<Pending> ended, left;
  {
    std::lock_guard lock(windows().mutex);
    for (Pending &pending : window->pending)
      (target == allTargets || pending.target == target ? ended : left)
          .push_back(std::move(pending));
    window->pending = std::move(left);
  }
  Copies copies;
  for (Pending &pending : ended)
    pending.operation.deliver(copies, nullptr);
  copies.finish();
}

void create(Call &call, void *base, size_t bytes, const int *window, Buffer memory) {
  Window &made = make(*window);
  made.exposed.emplace(Exposed{base, bytes, std::move(memory), Block()});
  Exposed &exposed = *made.exposed;
  if (!exposed.memory.isStaged())
    return;
  exposed.equal = Block(bytes, false, call.name());
  std::memcpy(exposed.equal.memory(), exposed.memory.address(), bytes);
}

} // namespace

void addToWindow(Handle window, int target, Operation operation) {
  Window &known = make(window);
  std::lock_guard lock(windows().mutex);
  if (target == untilFreed)
    known.attached.push_back(std::move(operation));
  else
    known.pending.push_back({target, std::move(operation)});
}

} // namespace cufrt::mpi

using namespace cufrt::mpi;

extern "C" {

void cufrt_pmpi_win_create_(void *base, int64_t *size, int *unit, int *info, int *comm, int *window,
                            int *ierror) {
  int own = noError, *error = ierror ? ierror : &own;
  if (isOrdinary(base) || *size <= 0)
    return pmpi_win_create_(base, size, unit, info, comm, window, error);
  Call call("MPI_Win_create");
  Parts whole = byteRange(0, *size);
  Buffer memory(call.name(), base, whole, whole);
  Copies copies;
  memory.fetch(copies);
  copies.finish();
  pmpi_win_create_(memory.address(), size, unit, info, comm, window, error);
  if (*error == noError)
    create(call, base, static_cast<size_t>(*size), window, std::move(memory));
}

// The library's address of device memory must be that of the program: it counts the targets'
// displacements from 0.
void cufrt_pmpi_win_attach_(int *window, void *base, int64_t *size, int *ierror) {
  int own = noError, *error = ierror ? ierror : &own;
  if (isOrdinary(base))
    return pmpi_win_attach_(window, base, size, error);
  Call call("MPI_Win_attach");
  call.addUnstaged(base);
  pmpi_win_attach_(window, base, size, error);
  call.keepWithWindow(error, *window, untilFreed);
}

void cufrt_pmpi_win_free_(int *window, int *ierror) {
  int own = noError, *error = ierror ? ierror : &own;
  Handle before = *window;
  Window *known = find(before);
  publish(known);
  pmpi_win_free_(window, error);
  if (!known || *error != noError)
    return;
  complete(known, allTargets);
  receive(known);
  Windows &all = windows();
  std::lock_guard lock(all.mutex);
  all.known.erase(before);
  all.count.store(all.known.size(), std::memory_order_relaxed);
}

void cufrt_pmpi_win_fence_(int *assertion, int *window, int *ierror) {
  int own = noError, *error = ierror ? ierror : &own;
  Window *known = find(*window);
  publish(known);
  pmpi_win_fence_(assertion, window, error);
  complete(known, allTargets);
  receive(known);
}

void cufrt_pmpi_win_complete_(int *window, int *ierror) {
  int own = noError;
  pmpi_win_complete_(window, ierror ? ierror : &own);
  complete(find(*window), allTargets);
}

void cufrt_pmpi_win_post_(int *group, int *assertion, int *window, int *ierror) {
  int own = noError;
  publish(find(*window));
  pmpi_win_post_(group, assertion, window, ierror ? ierror : &own);
}

void cufrt_pmpi_win_wait_(int *window, int *ierror) {
  int own = noError;
  pmpi_win_wait_(window, ierror ? ierror : &own);
  receive(find(*window));
}

void cufrt_pmpi_win_test_(int *window, int *flag, int *ierror) {
  int own = noError;
  pmpi_win_test_(window, flag, ierror ? ierror : &own);
  if (*flag)
    receive(find(*window));
}

// The standard publishes what the owner has stored at the end of its epoch. Programs that expect
// one memory synchronise by other means and begin an epoch next.
void cufrt_pmpi_win_lock_(int *kind, int *rank, int *assertion, int *window, int *ierror) {
  int own = noError;
  Window *known = find(*window);
  publish(known);
  pmpi_win_lock_(kind, rank, assertion, window, ierror ? ierror : &own);
  receive(known);
}

void cufrt_pmpi_win_lock_all_(int *assertion, int *window, int *ierror) {
  int own = noError;
  Window *known = find(*window);
  publish(known);
  pmpi_win_lock_all_(assertion, window, ierror ? ierror : &own);
  receive(known);
}

void cufrt_pmpi_win_unlock_(int *rank, int *window, int *ierror) {
  int own = noError;
  Window *known = find(*window);
  publish(known);
  pmpi_win_unlock_(rank, window, ierror ? ierror : &own);
  complete(known, *rank);
}

void cufrt_pmpi_win_unlock_all_(int *window, int *ierror) {
  int own = noError;
  Window *known = find(*window);
  publish(known);
  pmpi_win_unlock_all_(window, ierror ? ierror : &own);
  complete(known, allTargets);
}

void cufrt_pmpi_win_flush_(int *rank, int *window, int *ierror) {
  int own = noError;
  pmpi_win_flush_(rank, window, ierror ? ierror : &own);
  complete(find(*window), *rank);
}

void cufrt_pmpi_win_flush_all_(int *window, int *ierror) {
  int own = noError;
  pmpi_win_flush_all_(window, ierror ? ierror : &own);
  complete(find(*window), allTargets);
}

void cufrt_pmpi_win_flush_local_(int *rank, int *window, int *ierror) {
  int own = noError;
  pmpi_win_flush_local_(rank, window, ierror ? ierror : &own);
  complete(find(*window), *rank);
}

void cufrt_pmpi_win_flush_local_all_(int *window, int *ierror) {
  int own = noError;
  pmpi_win_flush_local_all_(window, ierror ? ierror : &own);
  complete(find(*window), allTargets);
}

void cufrt_pmpi_win_sync_(int *window, int *ierror) {
  int own = noError;
  Window *known = find(*window);
  publish(known);
  pmpi_win_sync_(window, ierror ? ierror : &own);
  receive(known);
}

// The address and the model of a window are those of the device's memory.
void cufrt_pmpi_win_get_attr_(int *window, int *key, int64_t *value, int *flag, int *ierror) {
  int own = noError;
  pmpi_win_get_attr_(window, key, value, flag, ierror ? ierror : &own);
  const Exposed *exposed = stagedMemory(find(*window));
  if (!exposed || !*flag)
    return;
  if (*key == valueOf(Constant::winBase))
    *value = reinterpret_cast<int64_t>(exposed->base);
  else if (*key == valueOf(Constant::winModel))
    *value = valueOf(Constant::winSeparate);
}

} // extern "C"
