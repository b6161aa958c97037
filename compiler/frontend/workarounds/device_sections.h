// Sections of device data for assumed-shape dummies. Private to frontend/.
#ifndef CUFC_FRONTEND_DEVICE_SECTIONS_H
#define CUFC_FRONTEND_DEVICE_SECTIONS_H

#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include <vector>

namespace cufc {

// While this lives, the assumed-shape dummies on the device of the procedures in `scope` and its
// children take sections with gaps, whose descriptors have strides. flang refuses them if their
// first dimension is known to have gaps, and then finds no specific procedure for a generic name.
class DeviceSections {
public:
  explicit DeviceSections(Fortran::semantics::Scope &scope) { add(scope); }
  ~DeviceSections();
  DeviceSections(const DeviceSections &) = delete;
  DeviceSections &operator=(const DeviceSections &) = delete;

private:
  void add(Fortran::semantics::Scope &scope);

  std::vector<Fortran::semantics::ObjectEntityDetails *> dummies;
};

} // namespace cufc
#endif // CUFC_FRONTEND_DEVICE_SECTIONS_H
