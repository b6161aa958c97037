// The constant records of places (cufrt_place) that calls of checks take.
#ifndef CUFC_CODEGEN_CPU_CHECK_PLACES_H
#define CUFC_CODEGEN_CPU_CHECK_PLACES_H

#include <map>
#include <string>
#include <tuple>

namespace llvm {
class Constant;
class GlobalVariable;
class Instruction;
class Module;
} // namespace llvm

namespace cufc {

class CheckPlaces {
public:
  explicit CheckPlaces(llvm::Module &module) : module(module) {}

  // Where an instruction is in the source, with the name of what it uses; the same for all on one
  // line that use one name.
  llvm::Constant *placeOf(const llvm::Instruction &instruction, const std::string &name);

  llvm::Constant *text(const std::string &value);

private:
  llvm::Module &module;
  std::map<std::tuple<std::string, std::string, unsigned, unsigned>, llvm::GlobalVariable *> places;
  std::map<std::string, llvm::GlobalVariable *> texts;
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_CHECK_PLACES_H
