// A kernel's block function becomes several: for blocks of likely sizes (known_blocks.h) and for
// all others, and each of these for several processors (host_variants.h). Then the loops over
// threads get their shape (thread_loops.h).
#include "codegen/cpu/block_code.h"
#include "base/host_machine.h"
#include "codegen/cpu/host_variants.h"
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/thread_loops.h"
#include "codegen/host_code_options.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <set>

namespace cufc {
namespace {

using namespace llvm;

bool isForEveryX86(const TargetMachine &host) {
  return host.getTargetTriple().isX86() && host.getTargetCPU() == hostMachines[0].baseline &&
         host.getTargetFeatureString().empty();
}

// The forms for processors, unless the user has named one or there are none.
Function *withVariants(Function &block, const TargetMachine &host) {
  if (!isForEveryX86(host))
    return &block;
  Function *choice = addVariants(block);
  leaveThreadLoops(block);
  return choice;
}

// With code of their own for blocks of the likely sizes, but not on old processors.
void chooseCode(Function &block, const TargetMachine &host, HostKernel &kernel) {
  std::vector<KnownBlock> known;
  for (const BlockSize &size : kernel.likelyBlocks)
    if (gainsFromSize(block, size))
      known.push_back({size, forBlocksOf(size, block)});
  Function *code = withVariants(block, host);
  for (KnownBlock &one : known)
    if (isForEveryX86(host))
      one.function = variantsOrElse(*one.function, block);
  if (!known.empty())
    code = chooseBySize(known, *code);
  kernel.runBlock = code->getName();
}

} // namespace

void tuneBlockFunctions(Module &module, const TargetMachine &host, HostKernels &kernels) {
  for (auto &[name, kernel] : kernels)
    if (!kernel.runBlock.empty())
      module.getFunction(kernel.runBlock)->addFnAttr(blockFunctionMark);
  if (isForEveryX86(host)) {
    keepProductsApart(module);
  } else if (host.getTargetTriple().isX86()) {
    const std::string features = host.getTargetFeatureString().str();
    for (Function &function : module)
      if (!function.isDeclaration())
        function.addFnAttr("target-features",
                           features + (features.empty() ? "" : ",") + withoutGathers);
  }
  std::set<std::string> done; // several kernels may have one function
  for (auto &[name, kernel] : kernels)
    if (!kernel.runBlock.empty() && done.insert(kernel.runBlock).second)
      chooseCode(*module.getFunction(kernel.runBlock), host, kernel);
  shapeThreadLoops(module, host);
}

} // namespace cufc
