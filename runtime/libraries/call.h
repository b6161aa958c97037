// What every call of a CUDA library goes through. On a GPU the library is opened at the first call
// and its function looked up once; on the host device a function of ours does the work before the
// call returns. All of it may be used from any thread.
#ifndef CUFRT_LIBRARIES_CALL_H
#define CUFRT_LIBRARIES_CALL_H

#include "cufrt/device.h"
#include "host/arena.h"
#include "report/library_call.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace cufrt::libraries {

// libFILE.so.VERSION, searched as the program's own libraries are, then in the toolkit's folder.
class Library {
public:
  constexpr Library(const char *module, const char *file, std::initializer_list<int> versions)
      : module(module), file(file) {
    for (int version : versions)
      numbers[count++] = version;
  }
  // Ends the program with a message if the library or the function is not there.
  void *function(const char *name);

  const char *const module; // as programs know it

private:
  void *open() const;

  const char *const file;
  std::array<int, 8> numbers{};
  int count = 0;
  std::atomic<void *> handle{nullptr};
};

// A function of a library.
struct Entry {
  constexpr Entry(Library &library, const char *name) : library(library), name(name) {}
  Library &library;
  const char *const name;
  std::atomic<void *> address{nullptr};
};

// While one lives, the function runs: on the host device this thread may use device memory, and
// the report of CUF_REPORT=1 measures it.
class Call {
public:
  explicit Call(Entry &entry);
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  bool isOnHost() const { return work.has_value(); }

  template <typename Function>
  Function function() {
    void *known = entry.address.load(std::memory_order_acquire);
    return reinterpret_cast<Function>(known ? known : find());
  }

  // The value of a variable of the library, which is an address; null for a number without a name.
  template <size_t count>
  void *value(const char *const (&names)[count], int number) {
    bool isKnown = number > 0 && static_cast<size_t>(number) < count;
    return isKnown ? *static_cast<void **>(entry.library.function(names[number])) : nullptr;
  }

private:
  void *find();

  Entry &entry;
  std::optional<host::DeviceWork> work;
  std::optional<report::LibraryCall> measured; // if there will be a report
};

// Keeps an allocation of the host device accessible, for threads of other libraries too.
class Opened {
public:
  explicit Opened(const void *address)
      : address(address), isHeld(address && host::holdOpen(address)) {}
  ~Opened() {
    if (isHeld)
      host::letClose(address);
  }
  Opened(const Opened &) = delete;
  Opened &operator=(const Opened &) = delete;

private:
  const void *address;
  bool isHeld;
};

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_CALL_H
