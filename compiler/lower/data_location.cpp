// See data_location.h.
#include "lower/data_location.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"

namespace cufc {

using namespace mlir;

std::optional<cuf::DataAttribute> dataAttribute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
    return declare.getDataAttr() ? declare.getDataAttr() : dataAttribute(declare.getMemref());
  if (isa<fir::BoxAddrOp, fir::LoadOp, fir::ConvertOp, fir::ReboxOp, fir::EmboxOp,
          hlfir::DesignateOp>(op))
    return dataAttribute(op->getOperand(0));
  return std::nullopt;
}

bool isOnDevice(Value value) {
  auto attribute = dataAttribute(value);
  return attribute && *attribute != cuf::DataAttribute::Pinned;
}

bool isOnlyOnDevice(Value value) {
  auto attribute = dataAttribute(value);
  return attribute &&
         (*attribute == cuf::DataAttribute::Device || *attribute == cuf::DataAttribute::Constant);
}

} // namespace cufc
