// The loops of a function and how often they run, asked for outside of any pass.
#ifndef CUFC_CODEGEN_LOOP_ANALYSES_H
#define CUFC_CODEGEN_LOOP_ANALYSES_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

namespace cufc {

// Holds for the function as it is when this is made.
class LoopAnalyses {
public:
  explicit LoopAnalyses(llvm::Function &function)
      : dominators(function), loops(dominators), assumptions(function),
        libraries(function.getParent()->getTargetTriple()), library(libraries),
        evolution(function, library, assumptions, dominators, loops) {}

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;

private:
  llvm::AssumptionCache assumptions;
  llvm::TargetLibraryInfoImpl libraries;
  llvm::TargetLibraryInfo library;

public:
  llvm::ScalarEvolution evolution;
};

} // namespace cufc
#endif // CUFC_CODEGEN_LOOP_ANALYSES_H
