// See scalar_place.h. Most scalars are constants or local variables; for these the driver, which
// takes a tenth of a microsecond, is not asked. Nor is the library for the mode of the handle that
// this thread has used last, which it takes a lock to answer.
#include "libraries/scalar_place.h"
#include "core/foreign_access.h"

extern "C" {
extern const char __executable_start, _end; // of the linker NOLINT(readability-identifier-naming)
}

namespace cufrt::libraries {
namespace {

enum Mode : int { onHost = 0, onDevice = 1 };

using Get = int (*)(void *handle, int *mode);
using Set = int (*)(void *handle, int mode);

std::atomic<unsigned> changes{0}; // of handles and modes, in all threads

struct KnownMode {
  const void *handle = nullptr;
  unsigned changes = 0;
  int mode = onHost;
};
thread_local KnownMode known;

void *found(Entry &entry) {
  void *address = entry.address.load(std::memory_order_acquire);
  if (!address) {
    address = entry.library.function(entry.name);
    entry.address.store(address, std::memory_order_release);
  }
  return address;
}

// In the frames of callers, of which a megabyte is looked at, or in the program's own data.
bool isSurelyOnHost(const void *scalar) {
  const char *at = static_cast<const char *>(scalar);
  const char *frame = static_cast<const char *>(__builtin_frame_address(0));
  return (at >= frame && at < frame + (1 << 20)) || (at >= &__executable_start && at < &_end);
}

// False for a wrong handle.
bool findMode(PointerMode &functions, void *handle, int &mode) {
  unsigned now = changes.load(std::memory_order_acquire);
  if (known.handle != handle || known.changes != now || !handle) {
    if (reinterpret_cast<Get>(found(functions.get))(handle, &mode) != 0)
      return false;
    known = {handle, now, mode};
  }
  mode = known.mode;
  return true;
}

} // namespace

ModeChange::~ModeChange() { changes.fetch_add(1, std::memory_order_release); }

ScalarPlace::ScalarPlace(PointerMode &functions, void *handle, const void *scalar)
    : functions(functions), handle(handle) {
  if (!scalar || !findMode(functions, handle, before))
    return; // the call itself reports a wrong handle
  bool sure = isSurelyOnHost(scalar);
  if (sure && before == onHost)
    return;
  Home home = sure ? Home::host : placeOf(scalar).home;
  // Managed memory is right in both modes; the program's choice decides when it is read.
  if (home == Home::managed || (home == Home::device) == (before == onDevice))
    return;
  int mode = home == Home::device ? onDevice : onHost;
  isChanged = reinterpret_cast<Set>(found(functions.set))(handle, mode) == 0;
}

ScalarPlace::~ScalarPlace() {
  if (isChanged)
    reinterpret_cast<Set>(found(functions.set))(handle, before);
}

AlignedNumber::AlignedNumber(const cufrt_complex8 *given, cufrt_complex8 *written)
    : chosen(const_cast<cufrt_complex8 *>(given)) {
  bool isAligned = reinterpret_cast<uintptr_t>(given) % 16 == 0;
  if (isAligned || (!isSurelyOnHost(given) && placeOf(given).home != Home::host))
    return;
  copy = *given;
  chosen = &copy;
  target = written;
}

} // namespace cufrt::libraries
