// Look-ups in tables/device_math.def and among the functions of libm in
// tables/device_intrinsics*.toml.
#include "lower/device_library.h"
#include "llvm/ADT/StringMap.h"
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

// Module libm's functions with libdevice's names, which are empty for those that it lacks.
const llvm::StringMap<std::string> &libmNames() {
  static const llvm::StringMap<std::string> names = {
#define CUF_LIBM(name, libdevice) {#name, libdevice},
#include "tables/libm_names.inc"
#undef CUF_LIBM
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
  if (auto found = libmNames().find(libmName); found != libmNames().end())
    return found->second;
  return mathNames().contains(libmName) ? "__nv_" + libmName.str() : std::string();
}

bool hasDeviceVersion(llvm::StringRef symbol) {
  return symbol.starts_with("cufc_") || symbol.starts_with("llvm.") ||
         symbol.starts_with("__nv_") || mathNames().contains(symbol) ||
         libmNames().contains(symbol) || runtimeNames().contains(symbol);
}

} // namespace cufc
