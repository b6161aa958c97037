// See device_library.h: look-ups in tables/device_math.def and among the functions of libm in
// tables/device_intrinsics*.toml, and the device's part of flang's run-time library. Its bitcode is
// part of the compiler, so that no file can be missing.
#include "lower/device_library.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

struct EmbeddedFile {
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

#include "tables/device_library.inc"

// What the library defines. Reading only the declarations takes less than a millisecond.
llvm::StringSet<> definedNames() {
  llvm::StringSet<> names;
  llvm::LLVMContext context;
  for (llvm::MemoryBufferRef part : deviceLibrary()) {
    llvm::Expected<std::unique_ptr<llvm::Module>> module =
        llvm::getLazyBitcodeModule(part, context, /*ShouldLazyLoadMetadata=*/true);
    if (!module)
      llvm::report_fatal_error(module.takeError());
    for (const llvm::Function &function : **module)
      if (!function.isDeclaration() && !function.hasLocalLinkage())
        names.insert(function.getName());
  }
  return names;
}

const llvm::StringSet<> &libraryNames() {
  static const llvm::StringSet<> names = definedNames();
  return names;
}

#define CUF_TEXT(name) #name

const llvm::StringSet<> &mathNames() {
  static const llvm::StringSet<> names = {
#define CUF_DEVICE_MATH(name) #name, CUF_TEXT(name##f),
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
#define CUF_DEVICE_COMPLEX(name) #name, CUF_TEXT(name##f),
#include "tables/device_math.def"
#undef CUF_DEVICE_RUNTIME
#undef CUF_DEVICE_COMPLEX
  };
  return names;
}

#undef CUF_TEXT

} // namespace

std::string libdeviceName(llvm::StringRef libmName) {
  if (auto found = libmNames().find(libmName); found != libmNames().end())
    return found->second;
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
  // A procedure of our modules without BIND(C), whose name gets an underscore later.
  if (symbol.consume_front("_QP") && libraryNames().contains((symbol + "_").str()))
    return true;
  // The state of the floating-point unit, which GPUs do not have.
  if (symbol.starts_with("llvm.set.") || symbol.starts_with("llvm.get."))
    return false;
  return hasCacheHint(symbol) || symbol.starts_with("cufc_") || symbol.starts_with("llvm.") ||
         symbol.starts_with("cufrt_check_") || // left out of GPU code
         symbol.starts_with("__nv_") || mathNames().contains(symbol) ||
         libmNames().contains(symbol) || runtimeNames().contains(symbol) ||
         libraryNames().contains(symbol);
}

llvm::ArrayRef<llvm::MemoryBufferRef> deviceLibrary() {
  static const llvm::SmallVector<llvm::MemoryBufferRef> parts = [] {
    llvm::SmallVector<llvm::MemoryBufferRef> result;
    for (const EmbeddedFile &file : embeddedFiles)
      result.emplace_back(llvm::StringRef(reinterpret_cast<const char *>(file.bytes), file.size),
                          file.name);
    return result;
  }();
  return parts;
}

} // namespace cufc
