// See component_allocators.h. Only descriptors get an allocator; components that are types without
// a descriptor are searched for such.
#include "lower/component_allocators.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"

namespace cufc {
namespace {

using namespace mlir;

// Of runtime/core/allocators.h.
int allocatorOf(cuf::DataAttribute attribute) {
  switch (attribute) {
  case cuf::DataAttribute::Pinned:
    return 1;
  case cuf::DataAttribute::Managed:
    return 3;
  case cuf::DataAttribute::Unified:
    return 4;
  default:
    return 2;
  }
}

// Of a component: flang lowers no others that are descriptors.
fir::FortranVariableFlagsAttr flagsOf(Type component) {
  auto box = dyn_cast<fir::BaseBoxType>(component);
  if (!box)
    return {};
  auto flag = isa<fir::PointerType>(box.getEleTy()) ? fir::FortranVariableFlagsEnum::pointer
                                                    : fir::FortranVariableFlagsEnum::allocatable;
  return fir::FortranVariableFlagsAttr::get(component.getContext(), flag);
}

Value componentOf(fir::FirOpBuilder &builder, Location loc, hlfir::Entity variable,
                  const fir::RecordType::TypePair &part) {
  return hlfir::DesignateOp::create(builder, loc, builder.getRefType(part.second), variable,
                                    part.first, Value{}, hlfir::DesignateOp::Subscripts{},
                                    ValueRange{}, std::nullopt, Value{}, ValueRange{},
                                    flagsOf(part.second));
}

} // namespace

void chooseAllocator(fir::FirOpBuilder &builder, Location loc, Value box,
                     cuf::DataAttribute attribute) {
  Value kind = builder.createIntegerConstant(loc, builder.getI32Type(), allocatorOf(attribute));
  Value pointer = builder.createConvert(loc, fir::LLVMPointerType::get(builder.getI8Type()), box);
  callRuntime(builder, loc, "cufrt_choose_allocator", {pointer, kind}, {});
}

void chooseComponentAllocators(fir::FirOpBuilder &builder, Location loc, hlfir::Entity variable) {
  auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(variable.getType()));
  if (!record)
    return;
  auto attributeOf = [&](const fir::RecordType::TypePair &part) {
    return componentAttribute(builder.getModule(), record, part.first);
  };
  if (!llvm::any_of(record.getTypeList(), [&](const auto &part) {
        return isa<fir::RecordType>(hlfir::getFortranElementType(part.second)) || attributeOf(part);
      }))
    return;
  OpBuilder::InsertionGuard guard(builder);
  if (variable.isArray()) {
    Value shape = hlfir::genShape(loc, builder, variable);
    hlfir::LoopNest loops = hlfir::genLoopNest(loc, builder, shape);
    builder.setInsertionPointToStart(loops.body);
    variable = hlfir::getElementAt(loc, builder, variable, loops.oneBasedIndices);
  }
  for (const auto &part : record.getTypeList()) {
    bool isBox = isa<fir::BaseBoxType>(part.second);
    auto attribute = attributeOf(part);
    if (isBox ? !attribute : !isa<fir::RecordType>(part.second))
      continue;
    Value component = componentOf(builder, loc, variable, part);
    if (isBox)
      chooseAllocator(builder, loc, component, *attribute);
    else
      chooseComponentAllocators(builder, loc, hlfir::Entity{component});
  }
}

} // namespace cufc
