// What flang's runtime does with memory of its own on the host, for objects on the device: copies
// of non-contiguous arguments, assignment of derived types, default initial values.
//
// Each entry point has the parameters of its counterpart in flang/Runtime/assign.h and
// derived-api.h, so that the compiler only changes the name it calls.
#include "core/allocators.h"
#include "core/copy.h"
#include "core/default_stream.h"
#include "core/descriptor.h"
#include "core/flang_runtime.h"
#include "core/foreign_access.h"
#include "core/reallocate.h"
#include "core/transfer.h"
#include "report/work.h"

#include <cstdlib>
#include <cstring>

namespace Fortran::runtime {

// Not installed by flang (flang-rt/runtime/terminator.h, assign-impl); declared with the same
// names. NOLINTBEGIN(readability-identifier-naming)
class Descriptor;

struct Terminator {
  const char *sourceFileName;
  int sourceLine;
};

void Assign(Descriptor &to, const Descriptor &from, Terminator &terminator, int flags,
            CufrtInitialise copy);
// NOLINTEND(readability-identifier-naming)

} // namespace Fortran::runtime

namespace cufrt {
namespace {

// MaybeReallocate, NeedFinalization and ComponentCanBeDefinedAssignment of flang-rt's AssignFlags:
// those of _FortranAAssign.
constexpr int assignmentFlags = 1 | 2 | 8;

// Descriptors of sections, and of variables that are not allocatable, name no allocator.
MemoryKind kindOf(const CFI_cdesc_t &array) {
  int allocator = allocatorOf(array);
  bool isManaged = allocator == managedAllocator || allocator == unifiedAllocator ||
                   (array.base_addr && placeOf(array.base_addr).home == Home::managed);
  return isManaged ? MemoryKind::managed : MemoryKind::device;
}

// Both sides may be on the host or on the device; the components of one object can be on both.
void *copyAnywhere(void *to, const void *from, size_t bytes) {
  report::OriginScope origin(report::Origin::assignment);
  Queue queue = Queue::of(to, from);
  check(queue.finish(queue.copy(to, from, bytes)), {nullptr, 0}, "assigning %zu bytes", bytes);
  return to;
}

void setDense(CFI_cdesc_t &array) {
  Section dense = denseSection(nullptr, sectionOf(array));
  for (int i = 0; i < array.rank; ++i) {
    array.dim[i].lower_bound = 1;
    array.dim[i].sm = dense.stride[i];
  }
}

} // namespace
} // namespace cufrt

using namespace cufrt;

// Sets the memory in which a component is to be allocated.
extern "C" void cufrt_choose_allocator(CFI_cdesc_t &object, int32_t position) {
  if (!object.base_addr || object.attribute == CFI_attribute_pointer)
    setAllocator(object, position);
}

// For a component that does not know its derived type.
extern "C" void cufrt_tell_type(CFI_cdesc_t &object, const void *type) {
  const void **known = dynamicTypeOf(object);
  if (known && !*known)
    *known = type;
}

// A managed component that flang's runtime has allocated in the host's memory: moves it.
extern "C" void cufrt_manage_component(CFI_cdesc_t &object, const char *file, int line) {
  void *before = object.base_addr;
  if (!before || allocatorOf(object) != defaultAllocator || placeOf(before).home != Home::host)
    return;
  size_t bytes = sectionOf(object).bytes();
  check(allocateMemory(&object.base_addr, bytes ? bytes : 1, MemoryKind::managed), {file, line},
        "allocating %zu bytes for a managed component", bytes);
  std::memcpy(object.base_addr, before, bytes);
  setAllocator(object, managedAllocator);
  std::free(before);
}

// Makes `copy` a contiguous copy of `original` in memory of the same kind.
extern "C" void _FortranACUFCopyInAssign(CFI_cdesc_t &copy, const CFI_cdesc_t &original,
                                         const char *file, int line) {
  copyDescriptor(copy, original);
  copy.attribute = CFI_attribute_allocatable;
  setDense(copy);
  size_t bytes = sectionOf(copy).bytes();
  check(allocateMemory(&copy.base_addr, bytes ? bytes : 1, kindOf(original)), {file, line},
        "allocating %zu bytes for a contiguous copy of an argument", bytes);
  check(copySection(sectionOf(copy), sectionOf(original), Direction::deviceToDevice), {file, line},
        "copying an argument of %zu bytes", bytes);
}

// The same unless `original` is contiguous; says whether `copy` was made.
extern "C" bool cufrt_copy_in(CFI_cdesc_t &copy, const CFI_cdesc_t &original, const char *file,
                              int line) {
  if (isContiguous(sectionOf(original)))
    return false;
  _FortranACUFCopyInAssign(copy, original, file, line);
  return true;
}

// Copies `copy` back, unless `original` is null, and frees it.
extern "C" void _FortranACUFCopyOutAssign(CFI_cdesc_t *original, CFI_cdesc_t &copy,
                                          const char *file, int line) {
  // A kernel may still write the copy, in a stream that the copy back does not wait for.
  check(api().cudaDeviceSynchronize(), {file, line}, "waiting for an argument to be complete");
  if (original)
    check(copySection(sectionOf(*original), sectionOf(copy), Direction::deviceToDevice),
          {file, line}, "copying an argument back");
  check(freeMemory(copy.base_addr, kindOf(copy)), {file, line}, "freeing a copy of an argument");
  copy.base_addr = nullptr;
}

// Intrinsic assignment where the object, or a component of it, is on the device. The descriptors of
// components are on the host.
extern "C" void _FortranACUFAssign(CFI_cdesc_t &to, const CFI_cdesc_t &from, const char *file,
                                   int line) {
  using namespace Fortran::runtime;
  Terminator terminator{file, line};
  Assign(reinterpret_cast<Descriptor &>(to), reinterpret_cast<const Descriptor &>(from), terminator,
         assignmentFlags, copyAnywhere);
}

// ALLOCATE of an object on the host, of which the compiler prepares the components and assigns them
// what SOURCE= says.
extern "C" int cufrt_allocate_object(CFI_cdesc_t &object, bool hasStat, const CFI_cdesc_t *message,
                                     const char *file, int line) {
  auto initialise = [](void *to, const void *from, size_t bytes) {
    return std::memcpy(to, from, bytes);
  };
  return _FortranAAllocatableAllocate(object, nullptr, hasStat, message, file, line, initialise);
}

// The parts of an assignment to an allocatable object with components on the device, whose new
// elements are prepared by the compiler between the second and the third (core/reallocate.h).
extern "C" bool cufrt_needs_reallocation(const CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  return needsReallocation(to, from);
}

extern "C" void cufrt_allocate_like(CFI_cdesc_t &replacement, const CFI_cdesc_t &to,
                                    const CFI_cdesc_t &from, const char *file, int line) {
  allocateLike(replacement, to, from, {file, line});
}

extern "C" void cufrt_replace_allocation(CFI_cdesc_t &to, const CFI_cdesc_t &replacement,
                                         const char *file, int line) {
  replaceAllocation(to, replacement, {file, line});
}

// Gives a device object of derived type its default initial value, which is made on the host.
extern "C" void _FortranACUFInitialize(const CFI_cdesc_t &object, const char *file, int line) {
  Section section = sectionOf(object);
  void *image = std::calloc(section.bytes() + 1, 1);
  if (!image)
    fatal(file, line, "no memory for initial values of %zu bytes", section.bytes());
  DescriptorStorage storage;
  CFI_cdesc_t &onHost = storage.descriptor();
  copyDescriptor(onHost, object);
  setDense(onHost);
  onHost.base_addr = image;
  _FortranAInitialize(onHost, file, line);
  check(copySection(section, sectionOf(onHost), Direction::hostToDevice), {file, line},
        "initialising %zu bytes on the device", section.bytes());
  std::free(image);
}
