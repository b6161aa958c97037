// See unsupported_calls.h.
#include "lower/unsupported_calls.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "lower/device_library.h"

namespace cufc {
namespace {

constexpr llvm::StringLiteral flangPrefix = "_FortranA";
constexpr llvm::StringLiteral listOutput = "_FortranAioBeginExternalListOutput";

struct Row {
  llvm::StringLiteral begin;
  llvm::StringLiteral name;
};

constexpr Row flangNames[] = {
#define CUF_RUNTIME_NAME(entry, name) {#entry, name},
#include "tables/runtime_names.def"
#undef CUF_RUNTIME_NAME
};

constexpr Row cNames[] = {
#define CUF_C_NAME(symbol, name) {#symbol, name},
#include "tables/runtime_names.def"
#undef CUF_C_NAME
};

llvm::StringRef calleeName(fir::CallOp call) {
  return call && call.getCallee() ? call.getCallee()->getLeafReference().getValue()
                                  : llvm::StringRef();
}

bool isOfDerivedType(mlir::Value box) {
  while (auto convert = box.getDefiningOp<fir::ConvertOp>())
    box = convert.getValue();
  return mlir::isa<fir::RecordType>(
      fir::unwrapSequenceType(fir::unwrapPassByRefType(box.getType())));
}

} // namespace

std::string sourceName(llvm::StringRef symbol) {
  bool ofFlang = symbol.consume_front(flangPrefix);
  if (!ofFlang) {
    for (const Row &row : cNames)
      if (symbol.starts_with(row.begin))
        return row.name.str();
    return {};
  }
  for (const Row &row : flangNames)
    if (symbol.starts_with(row.begin))
      return row.name.str();
  return symbol.str();
}

bool continuesStatement(llvm::StringRef symbol) {
  for (llvm::StringRef ofStack : {"PushValue", "ValueAt", "DestroyValueStack", "PushDescriptor",
                                  "DescriptorAt", "DestroyDescriptorStack"}) // a FORALL's
    if (llvm::StringRef name = symbol; name.consume_front(flangPrefix) && name.starts_with(ofStack))
      return true;
  return symbol.starts_with("_FortranAio") && !symbol.starts_with("_FortranAioBegin");
}

std::string unprintablePart(fir::CallOp call) {
  llvm::StringRef name = calleeName(call);
  if (!continuesStatement(name) || call.getNumOperands() == 0 ||
      calleeName(call.getOperand(0).getDefiningOp<fir::CallOp>()) != listOutput)
    return {};
  bool isDescriptor = name.ends_with("OutputDescriptor");
  if (name.ends_with("OutputDerivedType") || (isDescriptor && isOfDerivedType(call.getOperand(1))))
    return "a value of derived type";
  if (name.ends_with("EnableHandlers"))
    return "IOSTAT=, IOMSG= or ERR=";
  return hasDeviceVersion(name) ? "" : "a value of this type";
}

} // namespace cufc
