// The entry points of code that was compiled with -gpu=check or -Mbounds (cufrt/abi.h), but for
// cufrt_check_access (shared_checks.cpp).
#include "cufrt/device.h"
#include "host/fault.h"
#include "host/memory_table.h"
#include "host/shared_checks.h"

#include <cstdio>
#include <cstdlib>

using namespace cufrt;
using namespace cufrt::host;

namespace {

enum Mistake {
  subscript = 100,
  substring = 200,
  dummy = 300
}; // the dimension is added to a subscript's

CheckedThread currentThread() {
  SharedChecks *block = SharedChecks::current();
  return isGuarded() && block ? block->thread() : CheckedThread{};
}

// From an address to the end of what it points into; 0 if that is not known.
size_t roomAt(const void *address, SharedChecks *block) {
  if (size_t room = block ? block->bytesFrom(static_cast<const char *>(address)) : 0)
    return room;
  Range range = rangeAt(address);
  return range.place == Place::device ? range.bytes : 0;
}

// Ends the kernel, or in host code the program.
[[noreturn]] void stop() {
  abandonBlock();
  std::exit(EXIT_FAILURE);
}

void reportSubscript(const cufrt_place &place, int64_t dimension, int64_t index, int64_t lower,
                     int64_t extent) {
  if (!beginReport(place, nullptr, subscript + static_cast<int>(dimension)))
    return;
  printPlace(place);
  std::fprintf(reportStream(), ": error: subscript %lld of array '%s' is %lld, outside of %lld:",
               static_cast<long long>(dimension), place.name, static_cast<long long>(index),
               static_cast<long long>(lower));
  if (extent < 0)
    std::fputc('*', reportStream());
  else
    std::fprintf(reportStream(), "%lld", static_cast<long long>(lower + extent - 1));
  printKernel(currentThread());
  endReport();
}

} // namespace

extern "C" {

void cufrt_check_thread(int32_t x, int32_t y, int32_t z, const cufrt_shared_variable *variables) {
  SharedChecks::current()->setThread({x, y, z}, variables);
}

void cufrt_check_local(const void *address, uint64_t bytes, void *set, const char *name) {
  SharedChecks::current()->locals.enter(
      {static_cast<const char *>(address), bytes, static_cast<uint8_t *>(set), name});
}

void cufrt_check_leave(const void *address) {
  SharedChecks::current()->locals.leave(static_cast<const char *>(address));
}

void cufrt_check_unset(uint64_t offset, uint64_t bytes, uint64_t whole, const cufrt_place *place) {
  SharedChecks::current()->reportUnsetLocal(*place, place->name, offset, bytes, whole);
}

void cufrt_check_sync(const cufrt_place *place) { SharedChecks::current()->arrive(*place); }

void cufrt_check_dummy(const char *file, int32_t line, int32_t column, const char *name,
                       const void *address, int64_t bytes) {
  if (bytes <= 0)
    return;
  SharedChecks *block = isGuarded() ? SharedChecks::current() : nullptr;
  if (block && block->isKnownRoom(address, bytes))
    return;
  size_t room = roomAt(address, block);
  if (!room || static_cast<int64_t>(room) >= bytes) {
    if (block && room && !block->bytesFrom(static_cast<const char *>(address)))
      block->noteRoom(address, bytes);
    return;
  }
  cufrt_place place{file, name, line, column};
  if (beginReport(place, nullptr, dummy)) {
    printPlace(place);
    std::fprintf(reportStream(),
                 ": error: dummy array '%s' has %lld bytes, and its actual argument %zu", name,
                 static_cast<long long>(bytes), room);
    printKernel(currentThread());
    endReport();
  }
}

void cufrt_check_subscript(const char *file, int32_t line, int32_t column, const char *name,
                           int64_t dimension, int64_t index, int64_t lower, int64_t extent) {
  reportSubscript({file, name, line, column}, dimension, index, lower, extent);
  stop();
}

void cufrt_check_section(const char *file, int32_t line, int32_t column, const char *name,
                         int64_t dimension, int64_t first, int64_t last, int64_t stride,
                         int64_t lower, int64_t extent) {
  int64_t count = stride ? (last - first + stride) / stride : 0;
  if (count <= 0)
    return;
  for (int64_t index : {first, first + (count - 1) * stride})
    if (index < lower || (extent >= 0 && index - lower >= extent)) {
      reportSubscript({file, name, line, column}, dimension, index, lower, extent);
      stop();
    }
}

void cufrt_check_substring(const char *file, int32_t line, int32_t column, const char *name,
                           int64_t first, int64_t last, int64_t length) {
  if (first > last || (first >= 1 && last <= length))
    return;
  cufrt_place place{file, name, line, column};
  if (beginReport(place, nullptr, substring)) {
    printPlace(place);
    std::fprintf(reportStream(), ": error: substring %lld:%lld of '%s' is outside of 1:%lld",
                 static_cast<long long>(first), static_cast<long long>(last), name,
                 static_cast<long long>(length));
    printKernel(currentThread());
    endReport();
  }
  stop();
}

} // extern "C"
