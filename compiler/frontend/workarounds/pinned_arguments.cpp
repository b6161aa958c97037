// Pinned data is data of the host, which every procedure for the host takes (CUDA Fortran
// Programming Guide, "Pinned attribute"). flang's rule for arguments compares attributes alone: the
// dummies of a host,device procedure have the attribute DEVICE for it, and it lets data without an
// attribute through there, but not pinned data. The linker puts this in place of its rule (--wrap
// in compiler/CMakeLists.txt).
#include "base/workarounds.h"
#include "flang/Support/Fortran.h"
#include "llvm/Config/llvm-config.h"

namespace cufc {
using Fortran::common::CUDADataAttr;
using Attribute = std::optional<CUDADataAttr>;
} // namespace cufc

// The names follow from the linker's option: flang's function, and ours in its place. That of flang
// 23 takes one thing more.
#if LLVM_VERSION_MAJOR >= 23
#define CUFC_RULE(prefix)                                                                          \
  prefix##_ZN7Fortran6common26AreCompatibleCUDADataAttrsESt8optionalINS0_12CUDADataAttrEES3_NS0_7EnumSetINS0_9IgnoreTKRELm8EEEbbPKNS0_22LanguageFeatureControlEb
#define CUFC_VARIABLE_PARAMETER , bool isVariable
#define CUFC_VARIABLE_ARGUMENT , isVariable
#else
#define CUFC_RULE(prefix)                                                                          \
  prefix##_ZN7Fortran6common26AreCompatibleCUDADataAttrsESt8optionalINS0_12CUDADataAttrEES3_NS0_7EnumSetINS0_9IgnoreTKRELm8EEEbbPKNS0_22LanguageFeatureControlE
#define CUFC_VARIABLE_PARAMETER
#define CUFC_VARIABLE_ARGUMENT
#endif

extern "C" {
bool CUFC_RULE(__real_)(cufc::Attribute dummy, cufc::Attribute actual,
                        Fortran::common::IgnoreTKRSet ignored, bool unified, bool hostDevice,
                        const Fortran::common::LanguageFeatureControl *features
                            CUFC_VARIABLE_PARAMETER);

bool CUFC_RULE(__wrap_)(cufc::Attribute dummy, cufc::Attribute actual,
                        Fortran::common::IgnoreTKRSet ignored, bool unified, bool hostDevice,
                        const Fortran::common::LanguageFeatureControl *features
                            CUFC_VARIABLE_PARAMETER) {
  if (cufc::isMade(cufc::Workaround::PinnedArguments) && actual == cufc::CUDADataAttr::Pinned &&
      dummy != actual)
    actual.reset();
  return CUFC_RULE(__real_)(dummy, actual, ignored, unified, hostDevice,
                            features CUFC_VARIABLE_ARGUMENT);
}
}
