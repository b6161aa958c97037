// removeSerialLoops of directive_body.h. A counted loop that flang lowers to branches is
//
//   before:  trips = ...; store trips, T; store first, V; br header
//   header:  t = load T; cond_br (t > 0), body, exit
//   latch:   store (load T) - 1, T; store (load V) + step, V; br header
//
// with the body's blocks between header and latch, and the next loop of the nest in the body. What
// is left: before -> body, and latch -> the end of the region.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/directive_body.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cufc {
namespace {

using namespace mlir;

class Loops {
public:
  explicit Loops(cuf::KernelOp directive) : region(directive.getRegion()) {}

  bool remove(size_t count) {
    end = endOfRegion();
    Block *block = &region.front();
    for (size_t i = 0; i < count; ++i)
      if (!end || !(block = removeLoop(block, region.getArgument(i))))
        return false;
    IRRewriter rewriter(region.getContext());
    (void)eraseUnreachableBlocks(rewriter, region);
    return true;
  }

private:
  // A new block with the region's terminator, to which the others that end it lead.
  Block *endOfRegion() {
    llvm::SmallVector<fir::FirEndOp> ends;
    for (Block &block : region)
      if (auto terminator = dyn_cast<fir::FirEndOp>(block.getTerminator()))
        ends.push_back(terminator);
    if (ends.empty())
      return nullptr;
    OpBuilder builder(region.getContext());
    Block *last = builder.createBlock(&region);
    fir::FirEndOp::create(builder, ends.front().getLoc());
    for (fir::FirEndOp terminator : ends) {
      builder.setInsertionPoint(terminator);
      cf::BranchOp::create(builder, terminator.getLoc(), last);
      terminator.erase();
    }
    return last;
  }

  // Removes the loop that begins in `block` or behind it, so that its variable is `number`. The
  // first block of its body.
  Block *removeLoop(Block *block, Value number) {
    llvm::SmallVector<Block *> before;
    cf::CondBranchOp header;
    for (; !header; block = block->getSuccessor(0)) {
      if (llvm::is_contained(before, block) || block == end)
        return nullptr;
      if (auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator())) {
        header = branch;
        break;
      }
      if (!isa<cf::BranchOp>(block->getTerminator()))
        return nullptr;
      before.push_back(block);
    }
    Value trips = tripVariable(header);
    if (!trips)
      return nullptr;
    Value variable;
    for (Block *latch : llvm::to_vector(header->getBlock()->getPredecessors()))
      if (!llvm::is_contained(before, latch)) {
        variable = dropCounting(*latch, trips);
        replaceTerminator(latch, end);
      }
    if (!variable)
      return nullptr;
    for (Block *earlier : before)
      setVariable(*earlier, variable, number, trips);
    Block *body = header.getTrueDest();
    replaceTerminator(header->getBlock(), body);
    dropUnused(*body->getSinglePredecessor());
    return body;
  }

  static Value tripVariable(cf::CondBranchOp header) {
    auto compare = header.getCondition().getDefiningOp<arith::CmpIOp>();
    auto load = compare ? compare.getLhs().getDefiningOp<fir::LoadOp>() : fir::LoadOp();
    return load ? load.getMemref() : Value();
  }

  // Drops what the latch stores to the number of trips and, last, to the loop variable, which it
  // returns.
  static Value dropCounting(Block &latch, Value trips) {
    Value variable;
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(latch)))
      if (auto store = dyn_cast<fir::StoreOp>(op)) {
        bool counts = store.getMemref() == trips;
        if (!variable && !counts)
          variable = store.getMemref();
        else if (!counts)
          break;
        store.erase();
        if (counts)
          break; // stored before the variable
      }
    dropUnused(latch);
    return variable;
  }

  // The variable starts as the thread's number.
  static void setVariable(Block &before, Value variable, Value number, Value trips) {
    for (Operation &op : llvm::make_early_inc_range(before))
      if (auto store = dyn_cast<fir::StoreOp>(op)) {
        if (store.getMemref() == variable && store.getValue() != number) {
          OpBuilder builder(store);
          store.setOperand(0,
                           fir::ConvertOp::create(builder, store.getLoc(),
                                                  fir::unwrapRefType(variable.getType()), number));
        } else if (store.getMemref() == trips) {
          store.erase();
        }
      }
    dropUnused(before);
  }

  static void dropUnused(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op) || (isa<fir::LoadOp>(op) && op.use_empty()))
        op.erase();
  }

  static void replaceTerminator(Block *block, Block *target) {
    OpBuilder builder(block->getTerminator());
    cf::BranchOp::create(builder, block->getTerminator()->getLoc(), target);
    block->getTerminator()->erase();
  }

  Region &region;
  Block *end = nullptr;
};

} // namespace

bool removeSerialLoops(cuf::KernelOp directive) {
  if (directive.getRegion().hasOneBlock())
    return true;
  return Loops(directive).remove(directive.getLowerbound().size());
}

} // namespace cufc
