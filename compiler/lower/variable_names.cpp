// See variable_names.h.
#include "lower/variable_names.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"

namespace cufc {

using namespace mlir;

std::string variableName(Value variable) {
  Operation *op = variable.getDefiningOp();
  if (!op)
    return "";
  if (auto declare = dyn_cast<hlfir::DeclareOp>(op)) {
    auto [kind, names] = fir::NameUniquer::deconstruct(declare.getUniqName());
    using Kind = fir::NameUniquer::NameKind;
    return kind == Kind::VARIABLE || kind == Kind::CONSTANT ? names.name : "";
  }
  if (auto designate = dyn_cast<hlfir::DesignateOp>(op)) {
    std::string base = variableName(designate.getMemref());
    if (std::optional<llvm::StringRef> component = designate.getComponent();
        component && base.size())
      base += "%" + component->str();
    return base;
  }
  bool isView = isa<fir::LoadOp, fir::ConvertOp, fir::BoxAddrOp, fir::ReboxOp, fir::EmboxOp>(op);
  return isView ? variableName(op->getOperand(0)) : "";
}

} // namespace cufc
