// Functions that run blocks of kernels are most of what the host's code generator has to do, and
// share nothing but names with each other and with the rest: processes of their own can make
// machine code of them.
#ifndef CUFC_CODEGEN_CPU_CODE_PARTS_H
#define CUFC_CODEGEN_CPU_CODE_PARTS_H

#include <memory>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace cufc {

using CodePart = std::vector<llvm::Function *>;

// Parts of a module before it is optimised, the same for each machine; none if it is too small to
// gain. What a part and the rest both name gets a hidden symbol that no other file has.
std::vector<CodePart> divideCode(llvm::Module &module);

// Moves a variable to a module of its own, behind such a symbol.
std::unique_ptr<llvm::Module> separate(llvm::GlobalVariable &variable);

// With the part's definitions alone.
std::unique_ptr<llvm::Module> copyOfPart(llvm::Module &module, const CodePart &part);

// Leaves the rest.
void dropParts(const std::vector<CodePart> &parts);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_CODE_PARTS_H
