// Device data in expressions that the host computes: what is read is copied to the host first (CUDA
// Fortran reference, "Implicit Data Transfer in Expressions").
//
//   x = a_d(i) + b_d(j), if (a_d(i) > 0)   one element each
//   c = x * a_d(:,3) + b                   the section that the expression reads
//   print *, a_d(2:5), trim(text_d)        the argument of a routine of flang's run-time library
//
// flang lowers all of these as if the host could read device memory. Managed data it can.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/device_computation.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cufc {
namespace {

using namespace mlir;

fir::FirOpBuilder builderAt(Operation *op) {
  return fir::FirOpBuilder(op, fir::getKindMapping(op->getParentOfType<ModuleOp>()));
}

void transferToHost(fir::FirOpBuilder &builder, Location loc, Value from, Value to) {
  for (Value *text : {&from, &to})
    if (isa<fir::BoxCharType>(text->getType()))
      *text = hlfir::genVariableBox(loc, builder, hlfir::Entity{*text});
  cuf::DataTransferOp::create(
      builder, loc, from, to, /*shape=*/Value{},
      cuf::DataTransferKindAttr::get(builder.getContext(), cuf::DataTransferKind::DeviceHost));
}

// The shape of a device array with its bounds, for a copy of it.
Value shapeOfCopy(fir::FirOpBuilder &builder, Location loc, hlfir::Entity array,
                  ArrayRef<Value> extents) {
  llvm::SmallVector<Value> parts;
  for (auto [bounds, extent] : llvm::zip(hlfir::genBounds(loc, builder, array), extents)) {
    parts.push_back(builder.createConvert(loc, builder.getIndexType(), bounds.first));
    parts.push_back(extent);
  }
  return fir::ShapeShiftOp::create(
      builder, loc, fir::ShapeShiftType::get(builder.getContext(), extents.size()), parts);
}

// A copy on the host of device data, with its bounds. Arrays, and texts of a length that is not
// constant, are on the heap.
struct HostCopy {
  HostCopy(fir::FirOpBuilder &builder, Location loc, hlfir::Entity variable) {
    variable = hlfir::derefPointersAndAllocatables(loc, builder, variable);
    Type type = hlfir::getFortranElementOrSequenceType(variable.getType());
    llvm::SmallVector<Value> lengths, extents, unknown;
    if (variable.isCharacter())
      hlfir::genLengthParameters(loc, builder, variable, lengths);
    bool knownLength = !fir::hasDynamicSize(hlfir::getFortranElementType(type));
    Value shape;
    if (variable.isArray()) {
      extents = hlfir::getIndexExtents(loc, builder, hlfir::genShape(loc, builder, variable));
      for (auto [extent, known] : llvm::zip(extents, cast<fir::SequenceType>(type).getShape()))
        if (known == fir::SequenceType::getUnknownExtent())
          unknown.push_back(extent);
      shape = shapeOfCopy(builder, loc, variable, extents);
    }
    Value memory;
    if (variable.isArray() || !knownLength)
      memory = heap = fir::AllocMemOp::create(
          builder, loc, type, ".copy", knownLength ? ValueRange() : ValueRange(lengths), unknown);
    else
      memory = builder.createTemporary(loc, type);
    value = hlfir::DeclareOp::create(builder, loc, memory, "cufc.copy", shape, lengths).getBase();
    transferToHost(builder, loc, variable, value);
  }

  // Frees it when `op` has read it and what `op` yields has been used: an elemental may be computed
  // where it is used.
  void freeAfter(Operation *op) {
    if (!heap)
      return;
    Operation *last = lastUse(op);
    OpBuilder builder(last);
    if (last->hasTrait<OpTrait::IsTerminator>()) {
      Region *cleanup = cleanupOf(last);
      if (!cleanup)
        return;
      if (cleanup->empty()) {
        builder.createBlock(cleanup);
        fir::FirEndOp::create(builder, last->getLoc());
      }
      builder.setInsertionPoint(cleanup->front().getTerminator());
    } else {
      builder.setInsertionPointAfter(last);
    }
    fir::FreeMemOp::create(builder, last->getLoc(), heap);
  }

  Value value, heap;

private:
  // Also of addresses made of the results, such as one that MERGE has chosen.
  static Operation *lastUse(Operation *op) {
    Operation *last = op;
    for (Operation *direct : op->getUsers()) {
      Operation *user = op->getBlock()->findAncestorOpInBlock(*direct);
      if (!user)
        continue;
      bool isAddress =
          user == direct &&
          isa<hlfir::DeclareOp, fir::ConvertOp, arith::SelectOp, fir::EmboxOp, hlfir::AsExprOp>(
              user);
      Operation *later = isAddress ? lastUse(user) : user;
      if (last->isBeforeInBlock(later))
        last = later;
    }
    return last;
  }

  static Region *cleanupOf(Operation *terminator) {
    if (auto yield = dyn_cast<hlfir::YieldOp>(terminator))
      return &yield.getCleanup();
    if (auto elements = dyn_cast<hlfir::ElementalAddrOp>(terminator))
      return &elements.getCleanup();
    return nullptr;
  }
};

bool isElementwise(Operation *op) { return isa<hlfir::ElementalOp, hlfir::ElementalAddrOp>(op); }

// The outermost array expression that reads elements of an array from outside of it.
Operation *expressionAround(hlfir::DesignateOp element) {
  Operation *outermost = nullptr;
  for (Operation *op = element->getParentOp(); op; op = op->getParentOp())
    if (isElementwise(op) && !op->getRegion(0).isAncestor(element.getMemref().getParentRegion()))
      outermost = op;
  return outermost;
}

// Whether an element is what an assignment sets, by a vector subscript.
bool isSet(hlfir::DesignateOp element) {
  return llvm::any_of(element->getUsers(), [](Operation *user) {
    return isa<hlfir::YieldOp>(user) && isa<hlfir::ElementalAddrOp>(user->getParentOp());
  });
}

// Whether nobody knows the last extent of an array, so that only its elements can be copied.
bool isAssumedSize(Value array) {
  auto declare = array.getDefiningOp<hlfir::DeclareOp>();
  Operation *shape = declare && declare.getShape() ? declare.getShape().getDefiningOp() : nullptr;
  return shape &&
         isa_and_nonnull<fir::AssumedSizeExtentOp>(shape->getOperands().back().getDefiningOp());
}

// Arrays of which array expressions read element by element become copies, made before the
// expression.
void copyArrays(func::FuncOp function) {
  llvm::MapVector<std::pair<Operation *, Value>, llvm::SmallVector<hlfir::DesignateOp>> reads;
  function.walk([&](hlfir::DesignateOp part) {
    if (part.getIndices().empty() || isa<fir::BaseBoxType>(part.getType()) ||
        !isOnlyOnDevice(part.getMemref()) || isSet(part) || isAssumedSize(part.getMemref()))
      return;
    if (Operation *expression = expressionAround(part))
      reads[{expression, part.getMemref()}].push_back(part);
  });
  for (auto &[read, parts] : reads) {
    fir::FirOpBuilder builder = builderAt(read.first);
    HostCopy copy(builder, read.first->getLoc(), hlfir::Entity{read.second});
    for (hlfir::DesignateOp part : parts)
      part.getMemrefMutable().assign(copy.value);
    copy.freeAfter(read.first);
  }
}

// Routines of flang's run-time library that get data and do not read it.
bool readsNothing(llvm::StringRef routine) {
  static constexpr llvm::StringRef beginnings[] = {
      "CUF",          "Allocatable",   "Pointer",   "Initialize",  "Destroy",     "Finalize",
      "Size",         "Lbound",        "Ubound",    "LBound",      "UBound",      "Shape",
      "IsContiguous", "IsAssumedSize", "MoveAlloc", "SameTypeAs",  "ExtendsType", "StorageSize",
      "CopyIn",       "CopyOut",       "ClassIs",   "ElementSize", "Rank",        "ioInput",
      "ioBegin",      "ioSet",         "ioGet",     "ioEnable",    "ioInquire",   "ioEnd",
      "Assign",       "TemporaryCopy"};
  return llvm::any_of(beginnings,
                      [&](llvm::StringRef beginning) { return routine.starts_with(beginning); });
}

bool readsOperand(fir::CallOp call, unsigned operand) {
  llvm::StringRef name =
      call.getCallee() ? call.getCallee()->getLeafReference().getValue() : llvm::StringRef();
  if (!name.consume_front("_FortranA"))
    return false;
  if (name.ends_with("AllocateSource"))
    return operand == 1;
  return !readsNothing(name);
}

// Whether an operation reads the data of an operand, if that is a variable.
bool readsOperand(Operation *op, unsigned operand) {
  if (auto call = dyn_cast<fir::CallOp>(op))
    return readsOperand(call, operand);
  if (isa<hlfir::AssignOp>(op))
    return operand == 0;
  if (isa<arith::SelectOp>(op)) // of the addresses of texts or structures, for MERGE
    return operand > 0;
  if (auto assign = dyn_cast_or_null<hlfir::RegionAssignOp>(op->getParentOp());
      assign && isa<hlfir::YieldOp>(op))
    return !assign.getLhsRegion().isAncestor(op->getParentRegion());
  return isa<hlfir::YieldOp>(op)
             ? !isa<hlfir::ElementalAddrOp>(op->getParentOp())
             : isTransformational(op) ||
                   isa<hlfir::AsExprOp, hlfir::ConcatOp, hlfir::SetLengthOp, hlfir::CharExtremumOp,
                       hlfir::CharTrimOp, hlfir::CmpCharOp, hlfir::IndexOp, hlfir::YieldElementOp>(
                       op);
}

// The variable or section of which `value` is a descriptor or an address.
hlfir::Entity variableBehind(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto declare = dyn_cast<hlfir::DeclareOp>(op))
      return hlfir::Entity{declare.getBase()};
    if (!isa<fir::ConvertOp, fir::BoxAddrOp, fir::UnboxCharOp, fir::EmboxCharOp>(op))
      break;
    value = op->getOperand(0);
  }
  return hlfir::Entity{value};
}

// The copy in the form that an operand has.
Value inFormOf(fir::FirOpBuilder &builder, Location loc, hlfir::Entity copy, Type type) {
  Value value = copy;
  if (isa<fir::BaseBoxType>(type))
    value = hlfir::genVariableBox(loc, builder, copy);
  else if (isa<fir::BoxCharType>(type))
    value = hlfir::genVariableBoxChar(loc, builder, copy);
  else
    value = hlfir::genVariableRawAddress(loc, builder, copy);
  return builder.createConvert(loc, type, value);
}

// Where flang has made a loop over the characters of a text, all of it is copied before the loop.
void copyTexts(func::FuncOp function) {
  llvm::SmallVector<fir::CoordinateOp> characters;
  function.walk([&](fir::CoordinateOp character) {
    if (isOnlyOnDevice(character.getRef()) &&
        isa<fir::CharacterType>(hlfir::getFortranElementType(character.getRef().getType())))
      characters.push_back(character);
  });
  for (fir::CoordinateOp character : characters) {
    Value text = character.getRef();
    Operation *loop = text.getParentBlock()->findAncestorOpInBlock(*character);
    loop = loop ? loop : character;
    fir::FirOpBuilder builder = builderAt(loop);
    HostCopy copy(builder, loop->getLoc(), variableBehind(text));
    character.getRefMutable().assign(
        inFormOf(builder, loop->getLoc(), hlfir::Entity{copy.value}, text.getType()));
    copy.freeAfter(loop);
  }
}

void copyOperand(Operation *op, OpOperand &operand) {
  fir::FirOpBuilder builder = builderAt(op);
  Location loc = op->getLoc();
  HostCopy copy(builder, loc, variableBehind(operand.get()));
  if (isa<fir::CallOp, arith::SelectOp>(op))
    operand.set(inFormOf(builder, loc, hlfir::Entity{copy.value}, operand.get().getType()));
  else
    operand.set(copy.value);
  copy.freeAfter(op);
}

void copyOperands(func::FuncOp function) {
  llvm::SmallVector<OpOperand *> operands;
  function.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (!fir::isa_trivial(operand.get().getType()) &&
          !isa<hlfir::ExprType>(operand.get().getType()) &&
          readsOperand(op, operand.getOperandNumber()) && isOnlyOnDevice(operand.get()))
        operands.push_back(&operand);
  });
  for (OpOperand *operand : operands)
    copyOperand(operand->getOwner(), *operand);
}

void copyLoaded(func::FuncOp function) {
  llvm::SmallVector<fir::LoadOp> loads;
  function.walk([&](fir::LoadOp load) {
    if (!isa<fir::BaseBoxType>(load.getType()) && isOnlyOnDevice(load.getMemref()))
      loads.push_back(load);
  });
  for (fir::LoadOp load : loads) {
    fir::FirOpBuilder builder = builderAt(load);
    HostCopy copy(builder, load.getLoc(), variableBehind(load.getMemref()));
    load.getMemrefMutable().assign(
        inFormOf(builder, load.getLoc(), hlfir::Entity{copy.value}, load.getMemref().getType()));
    copy.freeAfter(load);
  }
}

} // namespace

void copyHostReads(ModuleOp module, cuf::ProcAttribute procedures) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (procedureAttribute(function) != procedures)
      continue;
    copyArrays(function);
    copyTexts(function);
    copyOperands(function);
    copyLoaded(function);
  }
}

} // namespace cufc
