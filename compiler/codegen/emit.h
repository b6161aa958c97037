// Machine code and text from LLVM modules.
#ifndef CUFC_CODEGEN_EMIT_H
#define CUFC_CODEGEN_EMIT_H

#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

enum class CodeForm { Assembly, Object };

// Assembly (PTX for a GPU) or an object file. Changes the module; emit a clone to keep it.
std::string emitCode(llvm::Module &module, llvm::TargetMachine &target, CodeForm form);

// LLVM's textual form.
std::string emitText(const llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_EMIT_H
