// See device_sections.h. flang asks nothing of the gaps of an argument whose dummy has
// IGNORE_TKR(C).
#include "frontend/workarounds/device_sections.h"

namespace cufc {
namespace {

using namespace Fortran;
using common::IgnoreTKR;

bool refusesGaps(const semantics::ObjectEntityDetails &object) {
  return object.isDummy() && object.cudaDataAttr() == common::CUDADataAttr::Device &&
         (object.IsAssumedShape() || object.IsAssumedRank()) &&
         !object.ignoreTKR().test(IgnoreTKR::Contiguous);
}

void setTakesGaps(semantics::ObjectEntityDetails &dummy, bool takes) {
  common::IgnoreTKRSet ignored = dummy.ignoreTKR();
  dummy.set_ignoreTKR(takes ? ignored.set(IgnoreTKR::Contiguous)
                            : ignored.reset(IgnoreTKR::Contiguous));
}

} // namespace

void DeviceSections::add(semantics::Scope &scope) {
  for (auto &[name, symbol] : scope)
    if (auto *object = symbol->detailsIf<semantics::ObjectEntityDetails>();
        object && refusesGaps(*object)) {
      setTakesGaps(*object, true);
      dummies.push_back(object);
    }
  for (semantics::Scope &child : scope.children())
    add(child);
}

DeviceSections::~DeviceSections() {
  for (semantics::ObjectEntityDetails *dummy : dummies)
    setTakesGaps(*dummy, false);
}

} // namespace cufc
