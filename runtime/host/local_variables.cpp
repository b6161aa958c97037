// See local_variables.h. Procedures end in the reverse order of their calls and frames of threads
// are made in the order of their addresses, so what is entered or left is near an end of the list.
#include "host/local_variables.h"

#include <algorithm>

namespace cufrt::host {
namespace {

bool isBefore(const LocalVariable &variable, const char *address) {
  return variable.address < address;
}

} // namespace

void LocalVariables::enter(const LocalVariable &variable) {
  auto at = std::lower_bound(list.begin(), list.end(), variable.address, isBefore);
  if (at != list.end() && at->address == variable.address)
    *at = variable;
  else
    list.insert(at, variable);
}

void LocalVariables::leave(const char *address) {
  auto at = std::lower_bound(list.begin(), list.end(), address, isBefore);
  if (at != list.end() && at->address == address)
    list.erase(at);
}

const LocalVariable *LocalVariables::find(const char *address) const {
  auto next = std::lower_bound(list.begin(), list.end(), address + 1, isBefore);
  if (next == list.begin())
    return nullptr;
  const LocalVariable &found = *--next;
  return static_cast<uint64_t>(address - found.address) < found.bytes ? &found : nullptr;
}

} // namespace cufrt::host
