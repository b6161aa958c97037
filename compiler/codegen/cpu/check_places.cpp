// See check_places.h.
#include "codegen/cpu/check_places.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cufc {

using namespace llvm;

Constant *CheckPlaces::placeOf(const Instruction &instruction, const std::string &name) {
  std::string file;
  unsigned line = 0, column = 0;
  if (const DILocation *place = instruction.getDebugLoc()) {
    file = place->getFilename();
    if (StringRef folder = place->getDirectory(); !folder.empty() && !file.starts_with('/'))
      file = (folder + "/" + file).str();
    line = place->getLine();
    column = place->getColumn();
  }
  GlobalVariable *&record = places[{file, name, line, column}];
  if (record)
    return record;
  IRBuilder<> builder(module.getContext());
  Constant *fields = ConstantStruct::getAnon(
      {text(file), text(name), builder.getInt32(line), builder.getInt32(column)});
  record = new GlobalVariable(module, fields->getType(), true, GlobalValue::PrivateLinkage, fields,
                              "cufc.place");
  return record;
}

Constant *CheckPlaces::text(const std::string &value) {
  GlobalVariable *&known = texts[value];
  if (!known)
    known = IRBuilder<>(module.getContext()).CreateGlobalString(value, "", 0, &module);
  return known;
}

} // namespace cufc
