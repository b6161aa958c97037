// Lets ALLOCATE of device data see that it is allocated.
//
// flang 23 gives the descriptor its state before any allocation again at each ALLOCATE, so that a
// second one would succeed, and the memory of the first be lost. Before:
//
//   %1 = fir.zero_bits
//   %2 = fir.embox %1(...) {allocator_idx = 2}
//   fir.store %2 to %x
//   ...                                           its bounds
//   cuf.allocate %x
//
// After, nothing is stored: allocatable variables always have a descriptor of such a state or of an
// allocation.
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/mlir_state.h"

namespace cufc {

using namespace mlir;

namespace {

// That of device data: DEALLOCATE of other data ends with such a store.
bool isUnallocated(Value descriptor) {
  auto embox = descriptor.getDefiningOp<fir::EmboxOp>();
  return embox && embox.getAllocatorIdx() && embox.getMemref().getDefiningOp<fir::ZeroOp>() &&
         isa<fir::HeapType>(embox.getMemref().getType());
}

// What is stored last before the ALLOCATE.
fir::StoreOp storeBefore(cuf::AllocateOp allocate) {
  for (Operation *each = allocate->getPrevNode(); each; each = each->getPrevNode())
    if (auto store = dyn_cast<fir::StoreOp>(each); store && store.getMemref() == allocate.getBox())
      return store;
  return {};
}

} // namespace

void keepAllocations(ModuleOp module) {
  module.walk([](cuf::AllocateOp allocate) {
    fir::StoreOp store = storeBefore(allocate);
    if (store && isUnallocated(store.getValue()))
      store.erase();
  });
}

} // namespace cufc
