// The code generator is still driven by LLVM's legacy pass manager.
#include "codegen/emit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

std::string emitCode(llvm::Module &module, llvm::TargetMachine &target, CodeForm form) {
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
