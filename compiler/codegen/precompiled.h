// Precompiled for the LLVM passes of this folder. Every file still includes what it uses, so the
// build works without this one.
#ifndef CUFC_CODEGEN_PRECOMPILED_H
#define CUFC_CODEGEN_PRECOMPILED_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

#endif // CUFC_CODEGEN_PRECOMPILED_H
