// Expressions of device code that a loop reads from the first element on and that is read once more
// before it, as MAXVAL(ABS(A)) is for want of a first value:
//
//   %e = hlfir.elemental { abs(a(i)) }           %first = abs(a(1))
//   %first = hlfir.apply %e, 1             ->    fir.do_loop %i { .. abs(a(%i)) .. }
//   fir.do_loop %i { .. hlfir.apply %e, %i .. }
//
// flang's own pass takes expressions apart that are read in one place. Others it stores, in memory
// of the device's heap if it does not know how large they are. An element is computed again where
// it is read, which is right as long as nothing is stored in between.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cufc {
namespace {

using namespace mlir;

constexpr size_t mostPlaces = 3; // in which an element is computed

// Whether an operation by itself stores nothing. Expressions are values, whatever flang
// says of the memory that they may get.
bool leavesMemory(Operation *op) {
  if (isa<hlfir::DestroyOp, hlfir::ElementalOp, hlfir::ApplyOp, hlfir::YieldElementOp,
          hlfir::DesignateOp, hlfir::DeclareOp, fir::ResultOp>(op) ||
      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isa<fir::DoLoopOp, fir::IfOp>(op))
    return true; // but for what is in it, which is asked, too
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && !effects.hasEffect<MemoryEffects::Write>() &&
         !effects.hasEffect<MemoryEffects::Free>();
}

bool storesNothing(Operation *op) {
  return !op->walk([](Operation *inside) {
              return leavesMemory(inside) ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

class RepeatedElement {
public:
  explicit RepeatedElement(hlfir::ElementalOp op) : op(op) {}

  bool run() {
    if (!applies())
      return false;
    fir::FirOpBuilder builder(op.getOperation(),
                              fir::getKindMapping(op->getParentOfType<ModuleOp>()));
    for (hlfir::ApplyOp place : places) {
      builder.setInsertionPoint(place);
      hlfir::YieldElementOp yield =
          hlfir::inlineElementalOp(place.getLoc(), builder, op, place.getIndices());
      place.replaceAllUsesWith(yield.getElementValue());
      yield.erase();
      place.erase();
    }
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      if (auto shape = dyn_cast<hlfir::ShapeOfOp>(user))
        shape.replaceAllUsesWith(op.getShape());
      user->erase();
    }
    op.erase();
    return true;
  }

private:
  bool applies() {
    if (op.isOrdered() || op.getMold() || !op.getTypeparams().empty() ||
        !fir::isa_trivial(hlfir::getFortranElementType(op.getType())))
      return false;
    for (Operation *user : op->getUsers())
      if (auto place = dyn_cast<hlfir::ApplyOp>(user))
        places.push_back(place);
      else if (!isa<hlfir::ShapeOfOp>(user) &&
               !(isa<hlfir::DestroyOp>(user) && user->getBlock() == op->getBlock()))
        return false;
    return places.size() > 1 && places.size() <= mostPlaces &&
           llvm::all_of(places, [&](hlfir::ApplyOp place) { return isOncePerElement(place); }) &&
           storesNothing(op) && nothingIsStored();
  }

  // Not in more loops than there are dimensions.
  bool isOncePerElement(hlfir::ApplyOp place) {
    size_t loops = 0;
    for (Operation *around = place->getParentOp(); around && around->getBlock();
         around = around->getParentOp()) {
      if (isa<fir::DoLoopOp, hlfir::ElementalOp>(around))
        ++loops;
      else if (!isa<fir::IfOp>(around))
        return false;
      if (around->getBlock() == op->getBlock())
        return loops <= place.getIndices().size();
    }
    return place->getBlock() == op->getBlock();
  }

  // From the expression to the last operation that reads it.
  bool nothingIsStored() {
    llvm::SmallPtrSet<Operation *, 4> waiting;
    for (hlfir::ApplyOp place : places)
      waiting.insert(op->getBlock()->findAncestorOpInBlock(*place));
    for (Operation *next = op->getNextNode(); next && !waiting.empty();
         next = next->getNextNode()) {
      waiting.erase(next);
      if (!storesNothing(next))
        return false;
    }
    return waiting.empty();
  }

  hlfir::ElementalOp op;
  llvm::SmallVector<hlfir::ApplyOp, 2> places;
};

struct RepeatedElements : PassWrapper<RepeatedElements, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RepeatedElements)
  llvm::StringRef getArgument() const override { return "cufc-repeated-elements"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::ElementalOp> expressions;
    getOperation().walk<WalkOrder::PreOrder>(
        [&](hlfir::ElementalOp op) { expressions.push_back(op); });
    for (hlfir::ElementalOp op : llvm::reverse(expressions)) // those of which others are made last
      RepeatedElement(op).run();
  }
};

} // namespace

std::unique_ptr<Pass> createRepeatedElements() { return std::make_unique<RepeatedElements>(); }

} // namespace cufc
