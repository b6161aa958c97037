// What the limits of blocks say of sums of indices.
#ifndef CUFC_CODEGEN_CPU_INDEX_RANGES_H
#define CUFC_CODEGEN_CPU_INDEX_RANGES_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace cufc {

// A function with this attribute runs blocks of grids alone whose threads along x fit a number of
// 32 bits, as fitsIndices says.
inline constexpr const char *indicesFitMark = "cufc.indices_fit";

// Whether that is so for the grid of a block's record.
llvm::Value *fitsIndices(llvm::IRBuilder<> &builder, llvm::Value &record);

// Notes the ranges of the extents that a block function loads from its record, and of sums and
// products in the loops over threads that they do not wrap, where that follows. Quotients by -1
// become negations.
struct IndexRangePass : llvm::PassInfoMixin<IndexRangePass> {
  llvm::PreservedAnalyses run(llvm::Function &block, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_INDEX_RANGES_H
