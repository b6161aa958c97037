// The code generator is still driven by LLVM's legacy pass manager.
#include "codegen/emit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {
namespace {

// While it lives, LLVM's loop strength reduction is off. For a GPU it gives each address of an
// unrolled loop a counter of its own: twice as many registers here and there, and ptxas has a
// reduction that knows how many there are.
class PlainLoops {
public:
  explicit PlainLoops(bool wanted) {
    auto &options = llvm::cl::getRegisteredOptions();
    auto found = options.find("disable-lsr");
    if (wanted && found != options.end() && found->second->getNumOccurrences() == 0)
      option = static_cast<llvm::cl::opt<bool> *>(found->second);
    if (option)
      option->setValue(true);
  }
  ~PlainLoops() {
    if (option)
      option->setValue(false);
  }
  PlainLoops(const PlainLoops &) = delete;
  PlainLoops &operator=(const PlainLoops &) = delete;

private:
  llvm::cl::opt<bool> *option = nullptr;
};

} // namespace

std::string emitCode(llvm::Module &module, llvm::TargetMachine &target, CodeForm form) {
  PlainLoops plain(target.getTargetTriple().isNVPTX());
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  llvm::CodeGenFileType type = form == CodeForm::Assembly ? llvm::CodeGenFileType::AssemblyFile
                                                          : llvm::CodeGenFileType::ObjectFile;
  if (target.addPassesToEmitFile(passes, stream, nullptr, type))
    return {};
  passes.run(module);
  return {buffer.begin(), buffer.end()};
}

std::string emitText(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace cufc
