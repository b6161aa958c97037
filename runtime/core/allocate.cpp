// ALLOCATE and DEALLOCATE of data with a CUDA attribute (flang/Runtime/CUDA/allocatable.h and
// pointer.h).
//
// flang's runtime does the work through the registered allocators. Added here: messages that name
// the CUDA error, pinned memory that falls back to ordinary memory, initialisation on the device,
// and the device's copy of a module variable's descriptor ("Sync").
#include "core/allocators.h"
#include "core/copy.h"
#include "core/default_stream.h"
#include "core/descriptor.h"
#include "core/flang_runtime.h"
#include "core/section.h"
#include "core/transfer.h"
#include "report/work.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

extern "C" void *_FortranACUFGetAssociatedStream(void *pointer);

namespace cufrt {
namespace {

// What an ALLOCATE statement says besides the object.
struct Statement {
  int64_t *stream;
  bool *pinned;
  bool hasStat;
  const CFI_cdesc_t *errorMessage;
  Location where;
};

enum class ObjectKind { allocatable, pointer };

void *initialiseOnHost(void *to, const void *from, size_t bytes) {
  return std::memcpy(to, from, bytes);
}

// The default initial values, which are made on the host: flang 22 would write those of a component
// that has a type of its own where the object is (flang-rt, InitializeTicket). In the stream of the
// allocation, if there is one: elsewhere the memory need not exist yet.
void initialiseOnDevice(const CFI_cdesc_t &object, Location where) {
  size_t bytes = sectionOf(object).bytes();
  if (bytes == 0)
    return;
  void *image = std::calloc(bytes, 1);
  if (!image)
    fatal(where.file, where.line, "no memory for initial values of %zu bytes", bytes);
  DescriptorStorage storage;
  CFI_cdesc_t &onHost = storage.descriptor();
  copyDescriptor(onHost, object);
  onHost.base_addr = image;
  _FortranAInitialize(onHost, where.file, where.line);
  report::OriginScope origin(report::Origin::assignment);
  Queue queue(_FortranACUFGetAssociatedStream(object.base_addr));
  check(queue.finish(queue.copy(object.base_addr, image, bytes)), where,
        "initialising %zu bytes on the device", bytes);
  std::free(image);
}

// Other types have no initial values.
bool hasDerivedType(CFI_cdesc_t &object) {
  const void **type = dynamicTypeOf(object);
  return type && *type;
}

// While it lives the object seems to have no derived type, and flang does not initialise it.
class WithoutType {
public:
  WithoutType(CFI_cdesc_t &object, bool hides) : place(hides ? dynamicTypeOf(object) : nullptr) {
    if (place)
      type = std::exchange(*place, nullptr);
  }
  ~WithoutType() {
    if (place)
      *place = type;
  }
  WithoutType(const WithoutType &) = delete;
  WithoutType &operator=(const WithoutType &) = delete;

private:
  const void **place, *type = nullptr;
};

int callFlang(ObjectKind kind, CFI_cdesc_t &object, const Statement &statement, bool hasStat) {
  Location where = statement.where;
  const CFI_cdesc_t *message = hasStat && statement.hasStat ? statement.errorMessage : nullptr;
  if (kind == ObjectKind::pointer)
    return _FortranAPointerAllocate(object, hasStat, message, where.file, where.line,
                                    initialiseOnHost);
  return _FortranAAllocatableAllocate(object, statement.stream, hasStat, message, where.file,
                                      where.line, initialiseOnHost);
}

// Blank-padded, as a Fortran character variable is.
void setErrorMessage(const CFI_cdesc_t *message, const char *text) {
  if (!message || !message->base_addr)
    return;
  auto *to = static_cast<char *>(message->base_addr);
  size_t length = std::min(std::strlen(text), message->elem_len);
  std::fill(std::copy_n(text, length, to), to + message->elem_len, ' ');
}

void describe(char *text, size_t capacity, Error error, size_t bytes) {
  std::snprintf(text, capacity, "allocating %zu bytes failed with %s: %s", bytes,
                api().errorName(error), api().errorString(error));
}

// flang counts the memory as freed. Returns the value of STAT=.
int reportFailedFree(Error error, const CFI_cdesc_t *errorMessage) {
  char text[512];
  std::snprintf(text, sizeof text, "freeing memory failed with %s: %s", api().errorName(error),
                api().errorString(error));
  api().cudaGetLastError(); // the program handles it
  setErrorMessage(errorMessage, text);
  return error;
}

int reportFailure(ObjectKind kind, CFI_cdesc_t &object, const Statement &statement, int status,
                  Error error) {
  if (error == success) // flang found the reason, and words it: "already allocated"
    return callFlang(kind, object, statement, statement.hasStat);
  char text[512];
  Section section = sectionOf(object);
  describe(text, sizeof text, error, section.bytes());
  if (!statement.hasStat)
    fatal(statement.where.file, statement.where.line, "%s", text);
  api().cudaGetLastError(); // the program handles it through STAT=
  setErrorMessage(statement.errorMessage, text);
  return status;
}

// True if pinned memory could not be had and ordinary memory is to be tried: the program asked with
// PINNED= to be told.
bool fallBackFromPinned(CFI_cdesc_t &object, const Statement &statement) {
  if (!statement.pinned || allocatorOf(object) != pinnedAllocator || object.base_addr)
    return false;
  setAllocator(object, defaultAllocator);
  api().cudaGetLastError();
  return true;
}

// Who gives the object its default initial value.
enum class Initial { byFlang, onDevice, none };

int callFlang(ObjectKind kind, CFI_cdesc_t &object, const Statement &statement, Initial initial) {
  WithoutType hidden(object, initial != Initial::byFlang);
  return callFlang(kind, object, statement, true);
}

int allocate(ObjectKind kind, CFI_cdesc_t &object, const Statement &statement, Initial initial) {
  if (statement.pinned)
    *statement.pinned = false;
  clearAllocationError();
  int status = callFlang(kind, object, statement, initial);
  bool isPinned = allocatorOf(object) == pinnedAllocator;
  if (status != 0 && lastAllocationError() != success && fallBackFromPinned(object, statement)) {
    clearAllocationError();
    status = callFlang(kind, object, statement, initial);
    isPinned = false;
  }
  if (status != 0)
    return reportFailure(kind, object, statement, status, lastAllocationError());
  if (statement.pinned)
    *statement.pinned = isPinned;
  if (initial == Initial::onDevice && hasDerivedType(object))
    initialiseOnDevice(object, statement.where);
  return 0;
}

Initial initialOf(bool onDevice) { return onDevice ? Initial::onDevice : Initial::byFlang; }

Direction directionInto(const CFI_cdesc_t &object, bool sourceIsDevice) {
  bool toHost = allocatorOf(object) == defaultAllocator || allocatorOf(object) == pinnedAllocator;
  if (!sourceIsDevice)
    return Direction::hostToDevice;
  return toHost ? Direction::deviceToHost : Direction::deviceToDevice;
}

void assignSource(const CFI_cdesc_t &object, const CFI_cdesc_t &source, bool sourceIsDevice,
                  Location where) {
  _FortranACUFDataTransferDescDescNoRealloc(
      const_cast<CFI_cdesc_t *>(&object), const_cast<CFI_cdesc_t *>(&source),
      static_cast<unsigned>(directionInto(object, sourceIsDevice)), where.file, where.line);
}

int allocateFrom(ObjectKind kind, CFI_cdesc_t &object, const CFI_cdesc_t &source,
                 const Statement &statement, bool sourceIsDevice) {
  bool isDevice = allocatorOf(object) == deviceAllocator;
  int status = allocate(kind, object, statement, isDevice ? Initial::none : Initial::byFlang);
  if (status == 0)
    assignSource(object, source, sourceIsDevice, statement.where);
  return status;
}

// flang asks for it also where only the SOURCE= is a module variable.
int synced(int status, CFI_cdesc_t &object, Location where) {
  if (status == 0)
    syncIfGlobal(object, where);
  return status;
}

} // namespace
} // namespace cufrt

using namespace cufrt;

// The four forms of ALLOCATE, for allocatables and for pointers.
#define CUFRT_ALLOCATE(Name, kind)                                                                 \
  extern "C" int _FortranACUF##Name##Allocate(CFI_cdesc_t &object, int64_t *stream, bool *pinned,  \
                                              bool hasStat, const CFI_cdesc_t *errorMessage,       \
                                              const char *file, int line, bool deviceInit) {       \
    return allocate(kind, object, {stream, pinned, hasStat, errorMessage, {file, line}},           \
                    initialOf(deviceInit));                                                        \
  }                                                                                                \
  extern "C" int _FortranACUF##Name##AllocateSync(                                                 \
      CFI_cdesc_t &object, int64_t *stream, bool *pinned, bool hasStat,                            \
      const CFI_cdesc_t *errorMessage, const char *file, int line, bool deviceInit) {              \
    Statement statement{stream, pinned, hasStat, errorMessage, {file, line}};                      \
    return synced(allocate(kind, object, statement, initialOf(deviceInit)), object,                \
                  statement.where);                                                                \
  }                                                                                                \
  extern "C" int _FortranACUF##Name##AllocateSource(                                               \
      CFI_cdesc_t &object, const CFI_cdesc_t &source, int64_t *stream, bool *pinned, bool hasStat, \
      const CFI_cdesc_t *errorMessage, const char *file, int line, bool sourceIsDevice) {          \
    Statement statement{stream, pinned, hasStat, errorMessage, {file, line}};                      \
    return allocateFrom(kind, object, source, statement, sourceIsDevice);                          \
  }                                                                                                \
  extern "C" int _FortranACUF##Name##AllocateSourceSync(                                           \
      CFI_cdesc_t &object, const CFI_cdesc_t &source, int64_t *stream, bool *pinned, bool hasStat, \
      const CFI_cdesc_t *errorMessage, const char *file, int line, bool sourceIsDevice) {          \
    Statement statement{stream, pinned, hasStat, errorMessage, {file, line}};                      \
    return synced(allocateFrom(kind, object, source, statement, sourceIsDevice), object,           \
                  statement.where);                                                                \
  }

CUFRT_ALLOCATE(Allocatable, ObjectKind::allocatable)
CUFRT_ALLOCATE(Pointer, ObjectKind::pointer)

// flang calls this for allocatables; a pointer's descriptor is told apart by its attribute, so that
// the compiler may use it for both.
extern "C" int _FortranACUFAllocatableDeallocate(CFI_cdesc_t &object, bool hasStat,
                                                 const CFI_cdesc_t *errorMessage, const char *file,
                                                 int line) {
  bool isPointer = object.attribute == CFI_attribute_pointer;
  auto deallocate = isPointer ? _FortranAPointerDeallocate : _FortranAAllocatableDeallocate;
  Deallocation statement({file, line}, hasStat);
  int status = deallocate(object, hasStat, errorMessage, file, line);
  if (status == 0 && statement.error() != success)
    return reportFailedFree(statement.error(), errorMessage);
  if (status == 0)
    syncIfGlobal(object, {file, line});
  return status;
}
