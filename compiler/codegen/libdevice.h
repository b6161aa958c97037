// Mathematics of device code: names of libm and LLVM become libdevice's, and libdevice is linked.
#ifndef CUFC_CODEGEN_LIBDEVICE_H
#define CUFC_CODEGEN_LIBDEVICE_H

#include "base/diagnostics.h"
#include <string>

namespace llvm {
class Module;
}

namespace cufc {

// Replaces calls of libm functions and of LLVM's math intrinsics that NVPTX has no instruction for
// by calls of libdevice. Rounding to integer becomes LLVM instructions. With `fast`, single
// precision uses the fast variants where libdevice has them.
void mapToLibdevice(llvm::Module &module, bool fast);

struct Rounding {
  bool precise; // square roots and divisions of single precision are rounded correctly
  bool flushes; // denormal numbers of single precision are zero
};

// Links what the module calls of libdevice. `path` may be empty if there is no toolkit; then a call
// is an error that names the function.
bool linkLibdevice(llvm::Module &module, const std::string &path, Rounding rounding,
                   Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CODEGEN_LIBDEVICE_H
