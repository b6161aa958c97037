// See data_location.h.
#include "lower/data_location.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/IR/BuiltinOps.h"

namespace cufc {

using namespace mlir;

namespace {

// The attribute of the component that `part` selects.
std::optional<cuf::DataAttribute> selectedAttribute(hlfir::DesignateOp part) {
  auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(part.getMemref().getType()));
  if (!part.getComponent() || !record)
    return std::nullopt;
  return componentAttribute(part->getParentOfType<ModuleOp>(), record, *part.getComponent());
}

} // namespace

std::string componentKey(fir::RecordType record, llvm::StringRef component) {
  auto names = fir::NameUniquer::deconstruct(record.getName()).second;
  std::string key;
  for (const std::string &scope : names.modules)
    key += scope + "::";
  for (const std::string &scope : names.procs)
    key += scope + "::";
  return key + names.name + "%" + component.str();
}

std::optional<cuf::DataAttribute> componentAttribute(ModuleOp module, fir::RecordType record,
                                                     llvm::StringRef component) {
  auto components =
      module ? module->getAttrOfType<DictionaryAttr>(componentsAttribute) : DictionaryAttr();
  if (!components)
    return std::nullopt;
  auto attribute = components.getAs<cuf::DataAttributeAttr>(componentKey(record, component));
  return attribute ? std::optional(attribute.getValue()) : std::nullopt;
}

std::optional<cuf::DataAttribute> dataAttribute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
    return declare.getDataAttr() ? declare.getDataAttr() : dataAttribute(declare.getMemref());
  if (auto part = dyn_cast<hlfir::DesignateOp>(op))
    if (auto attribute = selectedAttribute(part))
      return attribute;
  if (isa<fir::BoxAddrOp, fir::LoadOp, fir::ConvertOp, fir::ReboxOp, fir::EmboxOp, fir::EmboxCharOp,
          fir::UnboxCharOp, hlfir::DesignateOp>(op))
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
