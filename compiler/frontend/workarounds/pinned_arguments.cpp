// Pinned data is data of the host, which every procedure for the host takes (CUDA Fortran
// Programming Guide, "Pinned attribute"). flang's rule for arguments compares attributes alone: the
// dummies of a host,device procedure have the attribute DEVICE for it, and it lets data without an
// attribute through there, but not pinned data. The linker puts this in place of its rule (--wrap
// in compiler/CMakeLists.txt).
#include "base/workarounds.h"
#include "flang/Support/Fortran.h"

namespace cufc {
using Fortran::common::CUDADataAttr;
using Attribute = std::optional<CUDADataAttr>;
} // namespace cufc

// The names follow from the linker's option: flang's function, and ours in its place.
extern "C" {
bool __real__ZN7Fortran6common26AreCompatibleCUDADataAttrsESt8optionalINS0_12CUDADataAttrEES3_NS0_7EnumSetINS0_9IgnoreTKRELm8EEEbbPKNS0_22LanguageFeatureControlE(
    cufc::Attribute, cufc::Attribute, Fortran::common::IgnoreTKRSet, bool, bool,
    const Fortran::common::LanguageFeatureControl *);

bool __wrap__ZN7Fortran6common26AreCompatibleCUDADataAttrsESt8optionalINS0_12CUDADataAttrEES3_NS0_7EnumSetINS0_9IgnoreTKRELm8EEEbbPKNS0_22LanguageFeatureControlE(
    cufc::Attribute dummy, cufc::Attribute actual, Fortran::common::IgnoreTKRSet ignored,
    bool unified, bool hostDevice, const Fortran::common::LanguageFeatureControl *features) {
  if (cufc::isMade(cufc::Workaround::PinnedArguments) && actual == cufc::CUDADataAttr::Pinned &&
      dummy != actual)
    actual.reset();
  return __real__ZN7Fortran6common26AreCompatibleCUDADataAttrsESt8optionalINS0_12CUDADataAttrEES3_NS0_7EnumSetINS0_9IgnoreTKRELm8EEEbbPKNS0_22LanguageFeatureControlE(
      dummy, actual, ignored, unified, hostDevice, features);
}
}
