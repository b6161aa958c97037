// Precompiled for the MLIR passes of this folder: what nearly every one of them includes, 15 to 20
// s of parsing each. Every file still includes what it uses, so the build works without this one.
#ifndef CUFC_LOWER_PRECOMPILED_H
#define CUFC_LOWER_PRECOMPILED_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#endif // CUFC_LOWER_PRECOMPILED_H
