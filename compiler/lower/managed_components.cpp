// Managed components in memory of the host. Objects that flang's run-time library makes or assigns
// (array constructors, results of elemental functions, polymorphic variables) have them, since its
// type information knows no attributes. Host code may use them as they are; where it hands one to a
// kernel or to a procedure it is moved to managed memory:
//
//   %c = hlfir.designate %object{"v"}        %c = hlfir.designate %object{"v"}
//   ...                                      fir.call @cufrt_manage_component(%c)
//   cuf.kernel_launch @k(... %c ...)         ...
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cufc {
namespace {

using namespace mlir;

bool isAllocatable(Type component) {
  auto box = dyn_cast<fir::BaseBoxType>(component);
  return box && isa<fir::HeapType>(box.getEleTy());
}

bool isManaged(ModuleOp module, fir::RecordType record, const fir::RecordType::TypePair &part) {
  return isAllocatable(part.second) &&
         componentAttribute(module, record, part.first) == cuf::DataAttribute::Managed;
}

bool hasManagedParts(ModuleOp module, Type type) {
  auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(type));
  return record && llvm::any_of(record.getTypeList(), [&](const auto &part) {
           return isManaged(module, record, part) ||
                  (!isa<fir::BaseBoxType>(part.second) && hasManagedParts(module, part.second));
         });
}

bool isManagedComponent(hlfir::DesignateOp part) {
  auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(part.getMemref().getType()));
  return part.getComponent() && record && isAllocatable(fir::unwrapRefType(part.getType())) &&
         componentAttribute(part->getParentOfType<ModuleOp>(), record, *part.getComponent()) ==
             cuf::DataAttribute::Managed;
}

// Whether a kernel or a procedure gets the value or something made of it.
class Uses {
public:
  bool reachOtherCode(Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      if (!seen.insert(user).second)
        return false;
      if (isa<cuf::KernelLaunchOp>(user))
        return true;
      if (auto call = dyn_cast<fir::CallOp>(user))
        return isOfProgram(call);
      if (auto store = dyn_cast<fir::StoreOp>(user))
        return store.getValue() == value && reachOtherCode(store.getMemref());
      return isa<fir::LoadOp, fir::BoxAddrOp, fir::EmboxOp, fir::ReboxOp, fir::ConvertOp,
                 hlfir::DeclareOp, hlfir::DesignateOp>(user) &&
             llvm::any_of(user->getResults(), [&](Value made) { return reachOtherCode(made); });
    });
  }

private:
  static bool isOfProgram(fir::CallOp call) {
    if (!call.getCallee())
      return true;
    llvm::StringRef name = call.getCallee()->getLeafReference();
    return !name.starts_with("_FortranA") && !name.starts_with("cufrt_");
  }

  llvm::SmallPtrSet<Operation *, 8> seen;
};

class Mover {
public:
  explicit Mover(Operation *op)
      : module(op->getParentOfType<ModuleOp>()), loc(op->getLoc()),
        builder(op, fir::getKindMapping(module)) {}

  void moveAfter(hlfir::DesignateOp component) {
    builder.setInsertionPointAfter(component);
    move(component);
  }

  // A kernel finds the components of its arguments by itself.
  void moveAllOf(Value argument) {
    std::optional<hlfir::Entity> variable = variableOf(argument);
    if (variable && hasManagedParts(module, variable->getType()) &&
        !fir::isPolymorphicType(variable->getType()))
      moveParts(hlfir::derefPointersAndAllocatables(loc, builder, *variable));
  }

private:
  static std::optional<hlfir::Entity> variableOf(Value argument) {
    while (Operation *op = argument.getDefiningOp()) {
      if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
        return hlfir::Entity{declare.getBase()};
      if (isa<hlfir::DesignateOp>(op))
        return hlfir::Entity{argument};
      if (!isa<fir::LoadOp, fir::BoxAddrOp, fir::EmboxOp, fir::ReboxOp, fir::ConvertOp>(op))
        break;
      argument = op->getOperand(0);
    }
    return std::nullopt;
  }

  void move(Value component) {
    Value descriptor =
        builder.createConvert(loc, fir::LLVMPointerType::get(builder.getI8Type()), component);
    callRuntime(builder, loc, "cufrt_manage_component",
                {descriptor, fir::factory::locationToFilename(builder, loc),
                 fir::factory::locationToLineNo(builder, loc, builder.getI32Type())},
                {});
  }

  void moveParts(hlfir::Entity variable) {
    OpBuilder::InsertionGuard guard(builder);
    if (variable.isArray()) {
      Value shape = hlfir::genShape(loc, builder, variable);
      hlfir::LoopNest loops = hlfir::genLoopNest(loc, builder, shape);
      builder.setInsertionPointToStart(loops.body);
      variable = hlfir::getElementAt(loc, builder, variable, loops.oneBasedIndices);
    }
    auto record = cast<fir::RecordType>(hlfir::getFortranElementType(variable.getType()));
    for (const auto &part : record.getTypeList()) {
      bool managed = isManaged(module, record, part);
      if (!managed && (isa<fir::BaseBoxType>(part.second) || !hasManagedParts(module, part.second)))
        continue;
      Value component = partOf(variable, part, managed);
      if (managed)
        move(component);
      else
        moveParts(hlfir::Entity{component});
    }
  }

  Value partOf(hlfir::Entity variable, const fir::RecordType::TypePair &part, bool isAllocatable) {
    fir::FortranVariableFlagsAttr flags;
    if (isAllocatable)
      flags = fir::FortranVariableFlagsAttr::get(builder.getContext(),
                                                 fir::FortranVariableFlagsEnum::allocatable);
    Value shape;
    if (auto array = dyn_cast<fir::SequenceType>(part.second)) {
      llvm::SmallVector<Value> extents;
      for (int64_t extent : array.getShape())
        extents.push_back(builder.createIntegerConstant(loc, builder.getIndexType(), extent));
      shape = builder.genShape(loc, extents);
    }
    return hlfir::DesignateOp::create(builder, loc, builder.getRefType(part.second), variable,
                                      part.first, shape, hlfir::DesignateOp::Subscripts{},
                                      ValueRange{}, std::nullopt, Value{}, ValueRange{}, flags);
  }

  ModuleOp module;
  Location loc;
  fir::FirOpBuilder builder;
};

} // namespace

void moveManagedComponents(ModuleOp module) {
  if (!module->hasAttr(componentsAttribute))
    return;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (procedureAttribute(function) != cuf::ProcAttribute::Host)
      continue;
    llvm::SmallVector<hlfir::DesignateOp> components;
    function.walk([&](hlfir::DesignateOp part) {
      if (isManagedComponent(part) && Uses().reachOtherCode(part))
        components.push_back(part);
    });
    llvm::SmallVector<cuf::KernelLaunchOp> launches;
    function.walk([&](cuf::KernelLaunchOp launch) { launches.push_back(launch); });
    for (hlfir::DesignateOp part : components)
      Mover(part).moveAfter(part);
    for (cuf::KernelLaunchOp launch : launches)
      for (Value argument : launch.getArgs())
        Mover(launch).moveAllOf(argument);
  }
}

} // namespace cufc
