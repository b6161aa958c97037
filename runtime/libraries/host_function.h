// Functions of a library on the host device by their names, for modules whose table says that their
// back end is a table.
#ifndef CUFRT_LIBRARIES_HOST_FUNCTION_H
#define CUFRT_LIBRARIES_HOST_FUNCTION_H

#include <initializer_list>
#include <span>

namespace cufrt::libraries {

struct HostFunction {
  const char *name;
  void *address;
};

// Ends the program with a message if no table has it.
void *findFunction(const char *module, const char *name,
                   std::initializer_list<std::span<const HostFunction>> tables);

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_HOST_FUNCTION_H
