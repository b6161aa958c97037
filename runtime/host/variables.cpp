// See variables.h. Modules are registered before the first kernel runs, so the values found then
// are the initial ones. A variable without an initial value may be large; the linker puts it behind
// the part of its segment that is in the file, so that it is known to start as zeros and needs no
// copy.
#include "host/variables.h"
#include "host/functions.h"

#include <cstring>
#include <link.h>
#include <map>
#include <mutex>
#include <vector>

namespace cufrt::host {
namespace {

struct Variable {
  size_t bytes;
  bool isManaged;
  std::vector<char> initial; // empty for zeros
};

struct Variables {
  std::mutex mutex;
  std::map<char *, Variable> byAddress;
};

Variables &variables() {
  static Variables *instance = new Variables;
  return *instance;
}

// The variable that the address lies in, or null; the caller holds the mutex.
std::pair<char *const, Variable> *entryOf(char *address) {
  auto &all = variables().byAddress;
  auto after = all.upper_bound(address);
  if (after == all.begin())
    return nullptr;
  auto &entry = *std::prev(after);
  return static_cast<size_t>(address - entry.first) < entry.second.bytes ? &entry : nullptr;
}

struct ZeroSearch {
  uintptr_t begin, end;
  bool found;
};

// Called for each loaded object: whether the range lies behind the file's part of a segment.
int findInSegments(dl_phdr_info *object, size_t, void *argument) {
  auto &search = *static_cast<ZeroSearch *>(argument);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto &segment = object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && search.begin >= start + segment.p_filesz &&
        search.end <= start + segment.p_memsz)
      search.found = true;
  }
  return search.found;
}

bool startsAsZeros(const void *address, size_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(address);
  ZeroSearch search{begin, begin + bytes, false};
  dl_iterate_phdr(findInSegments, &search);
  return search.found;
}

} // namespace

void registerModule(cufrt_module &module) {
  Variables &all = variables();
  std::lock_guard lock(all.mutex);
  for (uint64_t i = 0; i < module.variable_count; ++i) {
    const cufrt_variable &variable = module.variables[i];
    auto *storage = static_cast<char *>(variable.host_storage);
    if (!storage)
      continue;
    bool isManaged = variable.kind == CUFRT_MANAGED_VARIABLE;
    Variable &entry = all.byAddress[storage];
    entry = {variable.bytes, isManaged, {}};
    if (!isManaged && !startsAsZeros(storage, variable.bytes))
      entry.initial.assign(storage, storage + variable.bytes);
  }
}

size_t bytesOfVariableAt(const void *address) {
  Variables &all = variables();
  std::lock_guard lock(all.mutex);
  auto *at = static_cast<char *>(const_cast<void *>(address));
  auto *entry = entryOf(at);
  return entry ? entry->second.bytes - static_cast<size_t>(at - entry->first) : 0;
}

bool isManagedVariableAt(const void *address) {
  std::lock_guard lock(variables().mutex);
  auto *entry = entryOf(static_cast<char *>(const_cast<void *>(address)));
  return entry && entry->second.isManaged;
}

void resetVariables() {
  Variables &all = variables();
  std::lock_guard lock(all.mutex);
  for (auto &[start, variable] : all.byAddress) {
    if (variable.isManaged)
      continue;
    if (variable.initial.empty())
      std::memset(start, 0, variable.bytes);
    else
      std::memcpy(start, variable.initial.data(), variable.bytes);
  }
}

} // namespace cufrt::host
