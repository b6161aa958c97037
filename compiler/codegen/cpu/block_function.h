// The function that runs a block of a kernel thread by thread.
#ifndef CUFC_CODEGEN_CPU_BLOCK_FUNCTION_H
#define CUFC_CODEGEN_CPU_BLOCK_FUNCTION_H

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace cufc {

// void run_block(ptr block, ptr arguments), without a body. `thread` is inlined into it, unless it
// is to be kept.
llvm::Function *createBlockFunction(llvm::Function &thread, llvm::StringRef name, bool keepThread);

// Adds a call of `thread`, as makeThreadFunction gives it, for the thread of an index.
void callThread(llvm::IRBuilder<> &builder, llvm::Function &block, llvm::Function &thread,
                llvm::ArrayRef<llvm::Value *> index);

// Calls `thread` for every thread, x fastest; with `isRow` for those of all blocks of a row
// (CUFRT_BLOCK_ROWS).
llvm::Function *makeBlockFunction(llvm::Function &thread, llvm::StringRef name, bool keepThread,
                                  bool isRow);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BLOCK_FUNCTION_H
