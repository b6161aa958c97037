// threadIdx, blockIdx, blockDim and gridDim as values of type dim3: passed whole or by component,
// copied, in expressions. flang knows the registers only where a component is loaded.
//
//   call f(threadidx)      becomes     temporary%x = threadidx%x
//                                      temporary%y = threadidx%y
//                                      temporary%z = threadidx%z
//                                      call f(temporary)
//
// with one temporary for each of the four and each procedure, set when it begins.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"

namespace cufc {
namespace {

using namespace mlir;

bool isThreadIndex(hlfir::DeclareOp declare) {
  llvm::StringRef name = declare.getUniqName();
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringLiteral>{"threadidx", "blockidx", "blockdim", "griddim"},
      [&](llvm::StringRef index) {
        return name.consume_back(index) && name.ends_with("E__builtin_");
      });
}

// A load of a component, which flang makes a read of a register.
bool isComponentLoad(Operation *user) {
  auto designate = dyn_cast<hlfir::DesignateOp>(user);
  return designate && designate.getComponent() &&
         llvm::all_of(designate->getUsers(), llvm::IsaPred<fir::LoadOp>);
}

Value copyOf(hlfir::DeclareOp index) {
  fir::FirOpBuilder builder(index, fir::getKindMapping(index->getParentOfType<ModuleOp>()));
  Location loc = index.getLoc();
  builder.setInsertionPointAfter(index);
  auto type = cast<fir::RecordType>(fir::unwrapRefType(index.getBase().getType()));
  Value memory = builder.createTemporary(loc, type);
  auto copy = hlfir::DeclareOp::create(builder, loc, memory, "cufc.thread_index");
  for (const auto &[name, part] : type.getTypeList()) {
    auto component = [&](Value object) -> Value {
      return hlfir::DesignateOp::create(builder, loc, builder.getRefType(part), object, name,
                                        /*componentShape=*/Value(),
                                        hlfir::DesignateOp::Subscripts{});
    };
    Value value = fir::LoadOp::create(builder, loc, component(index.getBase()));
    fir::StoreOp::create(builder, loc, value, component(copy.getBase()));
  }
  return copy.getBase();
}

} // namespace

void completeThreadIndices(ModuleOp module) {
  llvm::SmallVector<hlfir::DeclareOp> indices;
  module.walk([&](hlfir::DeclareOp declare) {
    if (isThreadIndex(declare))
      indices.push_back(declare);
  });
  for (hlfir::DeclareOp index : indices) {
    llvm::SmallVector<OpOperand *> others;
    for (Value result : index.getResults())
      for (OpOperand &use : result.getUses())
        if (!isComponentLoad(use.getOwner()))
          others.push_back(&use);
    if (others.empty())
      continue;
    Value copy = copyOf(index);
    for (OpOperand *use : others)
      use->set(copy);
  }
}

} // namespace cufc
