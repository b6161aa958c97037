// A sum of real numbers waits for the sum before it, which leaves the vector unit idle:
//
//   total = total + b(i)*c(i)     with REDUCTION(+: total)
//
// OpenMP leaves open how many private copies a thread has and in which order they are combined
// (5.1, section 2.21.5), so the operations from the load of the copy to the assignment to it are
// marked as associative, and LLVM keeps several copies in a vector. Parentheses keep their order.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/openmp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "llvm/ADT/SetVector.h"

namespace cufc {
namespace {

using namespace mlir;

class PrivateCopy {
public:
  explicit PrivateCopy(BlockArgument copy) {
    addresses.insert(copy);
    for (Operation *user : copy.getUsers())
      if (auto declare = dyn_cast<hlfir::DeclareOp>(user))
        addresses.insert(declare->result_begin(), declare->result_end());
  }

  void reorder() {
    for (Value address : addresses)
      for (Operation *user : address.getUsers())
        if (auto assignment = dyn_cast<hlfir::AssignOp>(user))
          if (assignment.getLhs() == address)
            mark(assignment.getRhs());
  }

private:
  // Whether a value is made of the copy's; the operations on the way are marked.
  bool mark(Value value) {
    Operation *made = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<fir::LoadOp>(made))
      return addresses.contains(load.getMemref());
    if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp>(made))
      return false;
    bool left = mark(made->getOperand(0));
    bool right = !isa<arith::SubFOp>(made) && mark(made->getOperand(1));
    if (left == right) // of neither, or of both: no reduction
      return false;
    auto flags = cast<arith::ArithFastMathInterface>(made).getFastMathFlagsAttr().getValue();
    made->setAttr("fastmath", arith::FastMathFlagsAttr::get(made->getContext(),
                                                            flags | arith::FastMathFlags::reassoc));
    return true;
  }

  llvm::SmallSetVector<Value, 4> addresses;
};

} // namespace

void reorderReductions(ModuleOp module) {
  module.walk([](omp::BlockArgOpenMPOpInterface construct) {
    for (BlockArgument copy : construct.getReductionBlockArgs())
      PrivateCopy(copy).reorder();
  });
}

} // namespace cufc
