// CUDA attributes of components in module files: flang writes them as statements, which its parser
// knows outside of type definitions only, so that no file could use such a module.
#ifndef CUFC_FRONTEND_COMPONENT_ATTRIBUTES_H
#define CUFC_FRONTEND_COMPONENT_ATTRIBUTES_H

#include <string>
#include <string_view>

namespace cufc {

// `body` is what flang writes behind the header of a module file. In type definitions
//   real(8),allocatable::a(:)
//   attributes(device) a
// becomes
//   real(8),allocatable,device::a(:)
std::string withComponentAttributes(std::string_view body);

} // namespace cufc
#endif // CUFC_FRONTEND_COMPONENT_ATTRIBUTES_H
