// Bodies of the loads and stores with cache hints: __ldca and the like of flang's cudadevice, and
// __ldg, which this project's cudadevice adds.
#ifndef CUFC_CODEGEN_CACHE_HINTS_H
#define CUFC_CODEGEN_CACHE_HINTS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace cufc {

// Gives each of them that is declared its body: PTX with the cache operator for a GPU, an ordinary
// access for the host.
void defineCacheHints(llvm::Module &module, bool forGpu);

} // namespace cufc
#endif // CUFC_CODEGEN_CACHE_HINTS_H
