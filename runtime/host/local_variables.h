// Local variables of the threads of a block whose addresses are known beyond their procedure, under
// -gpu=check: where they are, and which of their bytes have been set. Code sets and asks for the
// latter itself where it names the variable (codegen/cpu/local_checks.h of the compiler).
//
// Used by one thread of the host at a time.
#ifndef CUFRT_HOST_LOCAL_VARIABLES_H
#define CUFRT_HOST_LOCAL_VARIABLES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cufrt::host {

struct LocalVariable {
  const char *address;
  uint64_t bytes;
  uint8_t *set; // a 1 for each byte that has been
  const char *name;
};

class LocalVariables {
public:
  // Of a block that begins, or that was abandoned.
  void clear() { list.clear(); }

  // From now on, until `leave`, the memory is that of a variable.
  void enter(const LocalVariable &variable);
  void leave(const char *address);

  // The one that `address` points into, or null.
  const LocalVariable *find(const char *address) const;

private:
  std::vector<LocalVariable> list; // by address
};

} // namespace cufrt::host
#endif // CUFRT_HOST_LOCAL_VARIABLES_H
