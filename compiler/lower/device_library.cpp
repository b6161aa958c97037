// Look-ups in tables/device_math.def.
#include "lower/device_library.h"
#include "llvm/ADT/StringSet.h"

namespace cufc {
namespace {

const llvm::StringSet<> &mathNames() {
  static const llvm::StringSet<> names = {
#define CUF_DEVICE_MATH(name) #name, #name "f",
#include "tables/device_math.def"
#undef CUF_DEVICE_MATH
  };
  return names;
}

const llvm::StringSet<> &runtimeNames() {
  static const llvm::StringSet<> names = {
#define CUF_DEVICE_RUNTIME(name) #name,
#define CUF_DEVICE_COMPLEX(name) #name, #name "f",
#include "tables/device_math.def"
#undef CUF_DEVICE_RUNTIME
#undef CUF_DEVICE_COMPLEX
  };
  return names;
}

} // namespace

std::string libdeviceName(llvm::StringRef libmName) {
  return mathNames().contains(libmName) ? "__nv_" + libmName.str() : std::string();
}

// The loads and stores that codegen/cache_hints.cpp defines.
static bool hasCacheHint(llvm::StringRef symbol) {
  for (llvm::StringRef prefix : {"__ldca_", "__ldcg_", "__ldcs_", "__ldlu_", "__ldcv_", "__stwb_",
                                 "__stcg_", "__stcs_", "__stwt_"})
    if (symbol.starts_with(prefix))
      return true;
  return false;
}

bool hasDeviceVersion(llvm::StringRef symbol) {
  symbol.consume_front("_QP"); // a procedure of our modules without BIND(C)
  return hasCacheHint(symbol) || symbol.starts_with("cufc_") || symbol.starts_with("llvm.") ||
         symbol.starts_with("__nv_") || mathNames().contains(symbol) ||
         runtimeNames().contains(symbol);
}

} // namespace cufc
