// Assignments between host and device data (flang/Runtime/CUDA/memory.h).
//
// flang converts types and checks ranks before it calls; what arrives here has equal element types.
// An allocatable on the left takes the shape of the right, as in any Fortran assignment.
#include "core/transfer.h"
#include "core/copy.h"
#include "core/default_stream.h"
#include "core/descriptor.h"
#include "core/fill.h"
#include "core/reallocate.h"
#include "report/work.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

namespace cufrt {
namespace {

const char *directionName(Direction direction) {
  switch (direction) {
  case Direction::hostToDevice:
    return "host to device";
  case Direction::deviceToHost:
    return "device to host";
  case Direction::deviceToDevice:
    return "device to device";
  }
  return "unknown";
}

bool isCharacter(const CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  return to.type == CFI_type_char && from.type == CFI_type_char;
}

// An allocated array of no elements has an address, an unallocated one has none.
bool isAbsent(const CFI_cdesc_t &object) {
  return !object.base_addr &&
         (object.attribute != CFI_attribute_other || sectionOf(object).bytes() != 0);
}

void requireTransferable(const CFI_cdesc_t &to, const CFI_cdesc_t &from, Location where) {
  if (isAbsent(from))
    fatal(where.file, where.line, "the right side of the assignment is not allocated");
  if (isAbsent(to))
    fatal(where.file, where.line, "the left side of the assignment is not allocated");
  if (to.elem_len != from.elem_len && !isCharacter(to, from))
    fatal(where.file, where.line,
          "elements of %zu bytes cannot be transferred to elements of %zu bytes", from.elem_len,
          to.elem_len);
}

void requireSameShape(const Section &to, const Section &from, Location where) {
  if (to.rank != from.rank)
    fatal(where.file, where.line, "an array of rank %d is assigned to one of rank %d", from.rank,
          to.rank);
  for (int i = 0; i < to.rank; ++i)
    if (to.extent[i] != from.extent[i])
      fatal(where.file, where.line,
            "dimension %d has %lld elements on the left of the assignment and %lld on the right",
            i + 1, static_cast<long long>(to.extent[i]), static_cast<long long>(from.extent[i]));
}

bool isLongerVector(const Section &from, const Section &to) {
  return to.rank == 1 && from.rank == 1 && from.extent[0] > to.extent[0];
}

// As other compilers have it, the left side takes the first elements of a vector that is longer.
// That is a mistake, and said once.
Section firstElements(const Section &from, const Section &to, Location where) {
  static std::atomic<bool> isSaid = false;
  if (!isSaid.exchange(true))
    warn(where.file, where.line,
         "the assignment takes the first %lld of %lld elements on the right",
         static_cast<long long>(to.extent[0]), static_cast<long long>(from.extent[0]));
  Section first = from;
  first.extent[0] = to.extent[0];
  return first;
}

void broadcast(const Section &to, const void *value, Direction direction, Location where) {
  report::OriginScope origin(report::Origin::assignment);
  std::vector<char> element(to.elementBytes);
  Queue queue = Queue::of(value, to.base);
  check(queue.finish(queue.copy(element.data(), value, to.elementBytes)), where,
        "reading the value to assign");
  if (direction == Direction::deviceToHost)
    fillOnHost(to, element.data());
  else
    check(fillOnDevice(to, element.data()), where, "assigning a value to %zu bytes on the device",
          to.bytes());
}

void transferSections(const Section &to, const Section &from, Direction direction, Location where) {
  check(copySection(to, from, direction), where, "copying %zu bytes from %s", from.bytes(),
        directionName(direction));
}

void transferSection(const Section &destination, const Section &source, Direction direction,
                     Location where) {
  if (source.rank == 0 && destination.rank > 0)
    return broadcast(destination, source.base, direction, where);
  if (isLongerVector(source, destination))
    return transferSections(destination, firstElements(source, destination, where), direction,
                            where);
  requireSameShape(destination, source, where);
  transferSections(destination, source, direction, where);
}

// Characters of another length are cut or padded with blanks on the host.
void transferCharacters(const Section &destination, const Section &source, Direction direction,
                        Location where) {
  std::vector<char> values(source.bytes());
  Direction fetch = direction == Direction::hostToDevice ? direction : Direction::deviceToHost;
  transferSections(denseSection(values.data(), source), source, fetch, where);
  size_t length = destination.elementBytes, kept = std::min(length, source.elementBytes);
  Section adjusted = source;
  adjusted.elementBytes = length;
  std::vector<char> padded(adjusted.bytes(), ' ');
  for (size_t i = 0; i < adjusted.elements(); ++i)
    std::memcpy(padded.data() + i * length, values.data() + i * source.elementBytes, kept);
  Direction store = direction == Direction::deviceToDevice ? Direction::hostToDevice : direction;
  transferSection(destination, denseSection(padded.data(), adjusted), store, where);
}

void transfer(CFI_cdesc_t &to, const CFI_cdesc_t &from, Direction direction, Location where) {
  requireTransferable(to, from, where);
  Section destination = sectionOf(to), source = sectionOf(from);
  if (to.elem_len != from.elem_len)
    transferCharacters(destination, source, direction, where);
  else
    transferSection(destination, source, direction, where);
}

// Of the mode that the compiler passes: a text of deferred length takes that of the right side.
constexpr unsigned takesLengthBit = 0x100;

void transferWithReallocation(CFI_cdesc_t &to, const CFI_cdesc_t &from, unsigned mode,
                              Location where) {
  auto direction = static_cast<Direction>(mode & ~takesLengthBit);
  bool takesLength = mode & takesLengthBit;
  bool otherLength = takesLength && to.base_addr && from.base_addr && to.elem_len != from.elem_len;
  if (!otherLength && !needsReallocation(to, from))
    return transfer(to, from, direction, where);
  // The source may be part of what is replaced, so the old memory goes last.
  DescriptorStorage storage;
  CFI_cdesc_t &replacement = storage.descriptor();
  allocateLike(replacement, to, from, where, takesLength);
  transfer(replacement, from, direction, where);
  replaceAllocation(to, replacement, where);
  syncIfGlobal(to, where);
}

} // namespace
} // namespace cufrt

using namespace cufrt;

extern "C" void _FortranACUFDataTransferPtrPtr(void *to, void *from, size_t bytes, unsigned mode,
                                               const char *file, int line) {
  Section source{static_cast<char *>(from), bytes, 0, {}, {}};
  Section destination{static_cast<char *>(to), bytes, 0, {}, {}};
  transferSections(destination, source, static_cast<Direction>(mode), {file, line});
}

// `to` is contiguous memory of `bytes`.
extern "C" void _FortranACUFDataTransferPtrDesc(void *to, CFI_cdesc_t *from, size_t bytes,
                                                unsigned mode, const char *file, int line) {
  Section source = sectionOf(*from);
  if (isAbsent(*from))
    fatal(file, line, "the right side of the assignment is not allocated");
  if (source.bytes() == bytes)
    return transferSections(denseSection(to, source), source, static_cast<Direction>(mode),
                            {file, line});
  if (source.bytes() < bytes)
    fatal(file, line, "the right side of the assignment has %zu bytes, the left side %zu",
          source.bytes(), bytes);
  // flang passes the part of a larger contiguous object that it wants.
  _FortranACUFDataTransferPtrPtr(to, source.base, bytes, mode, file, line);
}

extern "C" void _FortranACUFDataTransferDescDesc(CFI_cdesc_t *to, CFI_cdesc_t *from, unsigned mode,
                                                 const char *file, int line) {
  transferWithReallocation(*to, *from, mode, {file, line});
}

extern "C" void _FortranACUFDataTransferDescDescNoRealloc(CFI_cdesc_t *to, CFI_cdesc_t *from,
                                                          unsigned mode, const char *file,
                                                          int line) {
  transfer(*to, *from, static_cast<Direction>(mode), {file, line});
}

// The source is a scalar on the host, or an array constant.
extern "C" void _FortranACUFDataTransferCstDesc(CFI_cdesc_t *to, CFI_cdesc_t *from, unsigned mode,
                                                const char *file, int line) {
  transferWithReallocation(*to, *from, mode, {file, line});
}

// The left side is a module variable. Its descriptor on the device follows a reallocation, not each
// transfer: that would cost another copy.
extern "C" void _FortranACUFDataTransferGlobalDescDesc(CFI_cdesc_t *to, CFI_cdesc_t *from,
                                                       unsigned mode, const char *file, int line) {
  transferWithReallocation(*to, *from, mode, {file, line});
}

extern "C" void _FortranACUFMemsetDescriptor(CFI_cdesc_t *descriptor, void *value, const char *file,
                                             int line) {
  check(fillOnDevice(sectionOf(*descriptor), value), {file, line},
        "assigning a value to an array on the device");
}
