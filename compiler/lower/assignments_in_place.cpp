// Assignments of elementwise expressions to allocatable arrays. flang computes the expression into
// a temporary and lets its run-time library compare shapes and copy:
//
//   %value = hlfir.elemental %shape {...}        if unallocated, or of another shape:
//   hlfir.assign %value to %array realloc   ->     cufrt_give_shape(%array, extents)
//                                                loop: %array(i) = ...
//
// That is the same if the expression reads nothing of the array, or just the element that it sets:
// then the array has the expression's shape (Fortran 2018, 10.2.1.2 and 10.2.1.3).
#include "lower/assignments_in_place.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/data_location.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cufc {
namespace {

using namespace mlir;

// What an address belongs to: a variable, and the names of components from there on.
struct Place {
  Value root;
  llvm::SmallVector<llvm::StringRef> components; // the innermost first
  Operation *declaration = nullptr;
  bool isPointee = false;
};

Place placeOf(Value value) {
  Place place;
  while (Operation *op = value.getDefiningOp()) {
    if (auto part = dyn_cast<hlfir::DesignateOp>(op); part && part.getComponent())
      place.components.push_back(*part.getComponent());
    if (isa<hlfir::DeclareOp, fir::DeclareOp>(op))
      place.declaration = op;
    place.isPointee |= isa<fir::LoadOp>(op) && fir::isPointerType(value.getType());
    if (!isa<hlfir::DesignateOp, hlfir::DeclareOp, fir::DeclareOp, fir::ConvertOp, fir::BoxAddrOp,
             fir::EmboxOp, fir::ReboxOp, fir::LoadOp>(op))
      break;
    value = op->getOperand(0);
  }
  place.root = value;
  return place;
}

// Parts of one variable share memory unless they are in different components of it.
bool mayOverlap(const Place &a, const Place &b) {
  if (a.root != b.root)
    return false;
  auto x = a.components.rbegin(), y = b.components.rbegin();
  for (; x != a.components.rend() && y != b.components.rend(); ++x, ++y)
    if (*x != *y)
      return false;
  return true;
}

bool hasAttribute(Operation *declaration, fir::FortranVariableFlagsEnum flag) {
  auto variable = dyn_cast<fir::FortranVariableOpInterface>(declaration);
  auto flags = variable ? variable.getFortranAttrs() : std::nullopt;
  return flags && bitEnumContainsAny(*flags, flag);
}

class Assignment {
public:
  Assignment(hlfir::AssignOp op, const DominanceInfo &dominance)
      : op(op), loc(op.getLoc()), dominance(dominance),
        builder(op.getOperation(), fir::getKindMapping(op->getParentOfType<ModuleOp>())) {}

  void run() {
    if (!applies() || !readsAllow())
      return;
    giveShape();
    setElements();
  }

private:
  bool applies() {
    value = op.getRhs().getDefiningOp<hlfir::ElementalOp>();
    if (!op.isAllocatableAssignment() || op.mustKeepLhsLengthInAllocatableAssignment() ||
        op.getTemporaryLhs() || !value || value.isOrdered() || value.getMold() ||
        value->getBlock() != op->getBlock() || op->getParentOfType<omp::WorkshareOp>())
      return false;
    array = op.getLhs();
    auto expression = cast<hlfir::ExprType>(value.getType());
    hlfir::Entity variable{array};
    return expression.getRank() > 0 && variable.isMutableBox() && !variable.isPolymorphic() &&
           fir::isa_trivial(expression.getElementType()) &&
           variable.getFortranElementType() == expression.getElementType() &&
           variable.getRank() == int(expression.getRank()) && isOwnVariable() && isKnownBefore() &&
           llvm::all_of(value->getUsers(), isExpected) && nothingIsWrittenBetween();
  }

  // The address of a component may be computed after the expression, and can be before.
  bool isKnownBefore() {
    auto part = array.getDefiningOp<hlfir::DesignateOp>();
    auto isBefore = [&](Value operand) { return dominance.properlyDominates(operand, value); };
    return isBefore(array) || (part && part.getComponent() && part.getIndices().empty() &&
                               llvm::all_of(part->getOperands(), isBefore));
  }

  // No other name of the memory can be in the expression.
  bool isOwnVariable() {
    target = placeOf(array);
    using Flag = fir::FortranVariableFlagsEnum;
    return target.declaration && !target.isPointee &&
           !hasAttribute(target.declaration,
                         Flag::target | Flag::pointer | Flag::fortran_volatile) &&
           !dataAttribute(array);
  }

  static bool isExpected(Operation *user) { return isa<hlfir::AssignOp, hlfir::DestroyOp>(user); }

  bool nothingIsWrittenBetween() {
    for (Operation *next = value->getNextNode(); next != op; next = next->getNextNode())
      if (!next || (!isa<hlfir::ElementalOp, hlfir::DestroyOp>(next) && mayWrite(next)))
        return false;
    return true;
  }

  static bool mayWrite(Operation *op) {
    if (isMemoryEffectFree(op))
      return false;
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return !effects || !effects.onlyHasEffect<MemoryEffects::Read>();
  }

  bool readsAllow() {
    return !value.getRegion()
                .walk([&](Operation *inner) {
                  return isHarmless(inner) ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  bool isHarmless(Operation *inner) {
    if (auto load = dyn_cast<fir::LoadOp>(inner))
      return isOtherMemory(load.getMemref()) || isOwnElement(load.getMemref());
    if (auto call = dyn_cast<fir::CallOp>(inner))
      return isHarmlessCall(call);
    return isa<hlfir::YieldElementOp, hlfir::ApplyOp, hlfir::AssociateOp, hlfir::EndAssociateOp,
               hlfir::NoReassocOp>(inner) ||
           isMemoryEffectFree(inner);
  }

  bool isOtherMemory(Value address) { return !mayOverlap(placeOf(address), target); }

  // The element of the whole array, at the indices of the expression.
  bool isOwnElement(Value address) {
    auto element = address.getDefiningOp<hlfir::DesignateOp>();
    ValueRange indices = value.getIndices();
    if (!element || element.getComponent() || element.getComplexPart() ||
        !element.getSubstring().empty() || element.getIndices().size() != indices.size())
      return false;
    auto box = element.getMemref().getDefiningOp<fir::LoadOp>();
    if (!box || !isSameArray(box.getMemref()))
      return false;
    for (auto [dimension, index] : llvm::enumerate(element.getIndices()))
      if (!isIndex(index, indices[dimension], box, dimension))
        return false;
    return true;
  }

  // The address of the same descriptor.
  bool isSameArray(Value reference) {
    if (reference == array)
      return true;
    auto a = reference.getDefiningOp<hlfir::DesignateOp>(),
         b = array.getDefiningOp<hlfir::DesignateOp>();
    return a && b && a.getMemref() == b.getMemref() && a.getComponent() == b.getComponent() &&
           a.getIndices().empty() && b.getIndices().empty();
  }

  // index, or index + (lower bound - 1)
  static bool isIndex(Value subscript, Value index, fir::LoadOp box, unsigned dimension) {
    auto sum = subscript.getDefiningOp<arith::AddIOp>();
    if (!sum || (sum.getLhs() != index && sum.getRhs() != index))
      return false;
    Value shift = sum.getLhs() == index ? sum.getRhs() : sum.getLhs();
    auto difference = shift.getDefiningOp<arith::SubIOp>();
    if (!difference || fir::getIntIfConstant(difference.getRhs()) != 1)
      return false;
    auto bounds = difference.getLhs().getDefiningOp<fir::BoxDimsOp>();
    return bounds && difference.getLhs() == bounds.getResult(0) && bounds.getVal() == box &&
           fir::getIntIfConstant(bounds.getDim()) == int64_t(dimension);
  }

  // Procedures that take values alone are mathematics. Others must be pure and cannot see the array
  // but by their arguments: it is neither a module's nor, for an internal procedure, its host's.
  bool isHarmlessCall(fir::CallOp call) {
    if (!call.getCallee())
      return false;
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, *call.getCallee());
    auto isValue = [](Type type) { return fir::isa_trivial(type); };
    if (callee && callee->hasAttr(fir::FIROpsDialect::getFirRuntimeAttrName()))
      return llvm::all_of(call.getOperandTypes(), isValue);
    using Flag = fir::FortranProcedureFlagsEnum;
    auto flags = call.getProcedureAttrs();
    return flags && bitEnumContainsAny(*flags, Flag::pure) && callee &&
           !callee->hasAttr(fir::getHostSymbolAttrName()) && isLocal() &&
           llvm::all_of(call.getOperands(), [&](Value operand) {
             return isValue(operand.getType()) || isOtherMemory(operand) || isOwnElement(operand);
           });
  }

  // A variable of the procedure or a dummy argument, which while it is set is referred to through
  // that argument alone (Fortran 2018, 15.5.2.13).
  bool isLocal() {
    if (isa<BlockArgument>(target.root) || target.root.getDefiningOp<fir::AllocaOp>())
      return true;
    auto global = target.root.getDefiningOp<fir::AddrOfOp>();
    return global && !fir::NameUniquer::deconstruct(global.getSymbol().getRootReference())
                          .second.procs.empty();
  }

  void giveShape() {
    if (!dominance.properlyDominates(array, value))
      array.getDefiningOp()->moveBefore(value);
    builder.setInsertionPoint(value);
    extents = hlfir::getIndexExtents(loc, builder, value.getShape());
    Value box = fir::LoadOp::create(builder, loc, array);
    Value differs = builder.genIsNullAddr(loc, fir::BoxAddrOp::create(builder, loc, box));
    for (auto [dimension, extent] : llvm::enumerate(extents)) {
      Value number = builder.createIntegerConstant(loc, builder.getIndexType(), dimension);
      Type index = builder.getIndexType();
      Value has =
          fir::BoxDimsOp::create(builder, loc, index, index, index, box, number).getResult(1);
      Value other = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, has, extent);
      differs = arith::OrIOp::create(builder, loc, differs, other);
    }
    auto branch = fir::IfOp::create(builder, loc, differs, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    callGiveShape();
  }

  void callGiveShape() {
    Type number = builder.getI64Type();
    Value list =
        builder.createTemporary(loc, fir::SequenceType::get({int64_t(extents.size())}, number));
    for (auto [dimension, extent] : llvm::enumerate(extents)) {
      Value at = builder.createIntegerConstant(loc, builder.getIndexType(), dimension);
      Value place = fir::CoordinateOp::create(builder, loc, builder.getRefType(number), list, at);
      fir::StoreOp::create(builder, loc, builder.createConvert(loc, number, extent), place);
    }
    Type pointer = fir::LLVMPointerType::get(builder.getI8Type());
    callRuntime(builder, loc, "cufrt_give_shape",
                {builder.createConvert(loc, pointer, array),
                 builder.createConvert(loc, pointer, list),
                 fir::factory::locationToFilename(builder, loc),
                 fir::factory::locationToLineNo(builder, loc, builder.getI32Type())},
                {});
  }

  void setElements() {
    builder.setInsertionPoint(op);
    hlfir::Entity whole{fir::LoadOp::create(builder, loc, array).getResult()};
    hlfir::LoopNest nest = hlfir::genLoopNest(loc, builder, extents, /*isUnordered=*/true);
    builder.setInsertionPointToStart(nest.body);
    hlfir::YieldElementOp yield =
        hlfir::inlineElementalOp(loc, builder, value, nest.oneBasedIndices);
    Value element = yield.getElementValue();
    yield.erase();
    hlfir::AssignOp::create(builder, loc, element,
                            hlfir::getElementAt(loc, builder, whole, nest.oneBasedIndices));
    for (Operation *user : llvm::to_vector(value->getUsers()))
      user->erase(); // the assignment is one
    value.erase();
  }

  hlfir::AssignOp op;
  Location loc;
  const DominanceInfo &dominance;
  fir::FirOpBuilder builder;
  hlfir::ElementalOp value;
  Value array; // the address of its descriptor
  Place target;
  llvm::SmallVector<Value> extents;
};

struct AssignmentsInPlace : PassWrapper<AssignmentsInPlace, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AssignmentsInPlace)
  llvm::StringRef getArgument() const override { return "cufc-assignments-in-place"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::AssignOp> assignments;
    getOperation().walk([&](hlfir::AssignOp op) { assignments.push_back(op); });
    for (hlfir::AssignOp op : assignments)
      Assignment(op, getAnalysis<DominanceInfo>()).run();
  }
};

} // namespace

std::unique_ptr<Pass> createAssignmentsInPlace() { return std::make_unique<AssignmentsInPlace>(); }

} // namespace cufc
