// The pointer mode that a call needs on a GPU, by where its scalars are. Programs give the module's
// routines scalars in host or device memory as they like, so the mode of the handle follows them
// for the time of the call.
#ifndef CUFRT_LIBRARIES_SCALAR_PLACE_H
#define CUFRT_LIBRARIES_SCALAR_PLACE_H

#include "libraries/call.h"
#include "libraries/types.h"

namespace cufrt::libraries {

// The two functions of a library; the modes are 0 for the host and 1 for the device in all of them.
struct PointerMode {
  constexpr PointerMode(Library &library, const char *getName, const char *setName)
      : get(library, getName), set(library, setName) {}
  Entry get, set;
};

// The mode of a handle is asked for once and remembered, until one of these lives: in calls that
// make or free handles, or set a mode. A library that the program links may change the mode of a
// handle too, and must set it back before it returns, as cuBLAS's users do.
class ModeChange {
public:
  ModeChange() = default;
  ~ModeChange();
  ModeChange(const ModeChange &) = delete;
  ModeChange &operator=(const ModeChange &) = delete;
};

class ScalarPlace {
public:
  ScalarPlace(PointerMode &functions, void *handle, const void *scalar);
  ~ScalarPlace();
  ScalarPlace(const ScalarPlace &) = delete;
  ScalarPlace &operator=(const ScalarPlace &) = delete;

private:
  PointerMode &functions;
  void *const handle;
  int before = 0;
  bool isChanged = false;
};

// A complex number of the program's, which is aligned as its parts are. CUDA's libraries read and
// write it as one of 16 bytes, so a number in host memory that does not lie so is given as a copy.
class AlignedNumber {
public:
  explicit AlignedNumber(const cufrt_complex8 *given) : AlignedNumber(given, nullptr) {}
  explicit AlignedNumber(cufrt_complex8 *given) : AlignedNumber(given, given) {}
  ~AlignedNumber() {
    if (target)
      *target = copy;
  }
  AlignedNumber(const AlignedNumber &) = delete;
  AlignedNumber &operator=(const AlignedNumber &) = delete;

  cufrt_complex8 *address() { return chosen; }

private:
  AlignedNumber(const cufrt_complex8 *given, cufrt_complex8 *written);

  cufrt_complex8 *chosen;
  cufrt_complex8 *target = nullptr;
  alignas(16) cufrt_complex8 copy{};
};

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_SCALAR_PLACE_H
