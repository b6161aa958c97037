// Private copies of arrays with a CUDA attribute (omp.private), which flang makes in memory of the
// host. The runtime makes them of the original's kind (runtime/core/private_data.cpp), since a copy
// has a descriptor whatever the original is:
//
//   init { ... fir.allocmem ... }      becomes   init { cufrt_private_begin(own, original, kind) }
//   copy { hlfir.assign ... }                    copy { cufrt_private_value(own, original) }
//   dealloc { ... fir.freemem ... }              dealloc { cufrt_private_end(own, kind) }
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/openmp.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace cufc {
namespace {

using namespace mlir;

// A MemoryKind of the runtime (core/allocators.h).
std::optional<int> memoryKind(BlockArgument copy) {
  for (Operation *user : copy.getUsers()) {
    auto declare = dyn_cast<hlfir::DeclareOp>(user);
    if (!declare || !declare.getDataAttr())
      continue;
    switch (*declare.getDataAttr()) {
    case cuf::DataAttribute::Device:
      return 0;
    case cuf::DataAttribute::Managed:
      return 1;
    case cuf::DataAttribute::Unified:
      return 2;
    case cuf::DataAttribute::Pinned:
      return 3;
    default:
      break;
    }
  }
  return std::nullopt;
}

// A pointer's copy is a pointer, without memory.
bool hasMemory(omp::PrivateClauseOp clause) {
  auto box = dyn_cast<fir::BaseBoxType>(clause.getType());
  return box && !isa<fir::PointerType>(box.getEleTy());
}

class Regions {
public:
  Regions(omp::PrivateClauseOp clause, int kind)
      : clause(clause), loc(clause.getLoc()), builder(clause.getContext()), kind(kind) {}

  void replace() {
    Block *block = emptied(clause.getInitRegion());
    callRuntime(builder, loc, "cufrt_private_begin",
                {box(block->getArgument(1)), box(block->getArgument(0)), kindValue()}, {});
    omp::YieldOp::create(builder, loc, ValueRange{block->getArgument(1)});
    if (!clause.getCopyRegion().empty()) {
      block = emptied(clause.getCopyRegion());
      callRuntime(builder, loc, "cufrt_private_value",
                  {box(block->getArgument(1)), box(block->getArgument(0))}, {});
      omp::YieldOp::create(builder, loc, ValueRange{block->getArgument(1)});
    }
    if (clause.getDeallocRegion().empty())
      clause.getDeallocRegion().emplaceBlock().addArgument(clause.getArgType(), loc);
    block = emptied(clause.getDeallocRegion());
    callRuntime(builder, loc, "cufrt_private_end", {box(block->getArgument(0)), kindValue()}, {});
    omp::YieldOp::create(builder, loc, ValueRange{});
  }

private:
  Block *emptied(Region &region) {
    Block *block = &region.front();
    while (!block->empty())
      block->back().erase();
    builder.setInsertionPointToStart(block);
    return block;
  }

  Value box(Value descriptor) {
    Type any = fir::ReferenceType::get(fir::BoxType::get(builder.getNoneType()));
    return fir::ConvertOp::create(builder, loc, any, descriptor);
  }

  Value kindValue() {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(kind));
  }

  omp::PrivateClauseOp clause;
  Location loc;
  OpBuilder builder;
  int kind;
};

} // namespace

void placePrivateDeviceData(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::DenseSet<Operation *> placed;
  module.walk([&](omp::BlockArgOpenMPOpInterface construct) {
    auto names = construct->getAttrOfType<ArrayAttr>("private_syms");
    if (!names)
      return;
    for (auto [name, copy] : llvm::zip(names, construct.getPrivateBlockArgs())) {
      std::optional<int> kind = memoryKind(copy);
      auto clause =
          symbols.lookup<omp::PrivateClauseOp>(cast<SymbolRefAttr>(name).getLeafReference());
      if (kind && clause && hasMemory(clause) && placed.insert(clause).second)
        Regions(clause, *kind).replace();
    }
  });
}

} // namespace cufc
