// What SharedChecks does with local variables of threads: see local_variables.h.
#include "host/shared_checks.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace cufrt::host {
namespace {

constexpr int unset = 500;

} // namespace

// Functions of flang's run-time library have no lines, and copy what is not set.
void SharedChecks::accessLocal(const char *address, uint64_t size, int32_t kind,
                               const cufrt_place &place) {
  const LocalVariable *variable = locals.find(address);
  auto offset = variable ? static_cast<uint64_t>(address - variable->address) : 0;
  if (!variable || size > variable->bytes - offset)
    return;
  uint8_t *set = variable->set + offset;
  bool reads = kind == CUFRT_READ || kind == CUFRT_ATOMIC_READ || kind == CUFRT_ATOMIC_UPDATE;
  if (reads && place.line && std::memchr(set, 0, size))
    reportUnsetLocal(place, variable->name, offset, size, variable->bytes);
  if (reads ? place.line != 0 : kind != CUFRT_READ_PARTS)
    std::memset(set, 1, size); // also what was read: it is said once
}

void SharedChecks::reportUnsetLocal(const cufrt_place &place, const char *name, uint64_t offset,
                                    uint64_t size, uint64_t whole) {
  if (!beginReport(place, nullptr, unset))
    return;
  printPlace(place);
  std::fputs(": error: ", reportStream());
  printThread(index);
  auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  if (size == whole)
    std::fprintf(reportStream(), " reads local variable '%s'", name);
  else if (size && offset % size == 0 && whole % size == 0)
    std::fprintf(reportStream(), " reads element %llu of local array '%s'",
                 number(offset / size + 1), name);
  else
    std::fprintf(reportStream(), " reads bytes %llu to %llu of local variable '%s'",
                 number(offset + 1), number(offset + size), name);
  std::fputs(", which it has not set", reportStream());
  printKernel(thread());
  endReport();
}

uint64_t SharedChecks::bytesFrom(const char *address) const {
  if (const LocalVariable *variable = locals.find(address))
    return variable->bytes - static_cast<uint64_t>(address - variable->address);
  auto offset = static_cast<uint64_t>(address - static_cast<const char *>(block->shared));
  if (offset >= sharedBytes)
    return 0;
  for (const cufrt_shared_variable *each = variables; each && each->name; ++each)
    if (offset - each->offset < each->bytes)
      return each->bytes - (offset - each->offset);
  return sharedBytes - offset;
}

} // namespace cufrt::host
