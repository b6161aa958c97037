// FIR to the LLVM dialect: flang's patterns and the usual MLIR ones in one full conversion. flang's
// own pass is not used because it does not know cuf operations and targets one module only.
#include "lower/llvm_conversion.h"
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/CodeGen/CodeGenOpenMP.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Pass/PassManager.h"

namespace cufc {

using namespace mlir;

LogicalResult expandMath(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.enableVerifier(false); // it is verified when all is done
  ConvertMathToFuncsOptions powers;
  powers.minWidthOfFPowIExponent = 33;
  passes.addPass(createConvertMathToFuncs(powers));
  passes.addPass(createConvertComplexToStandardPass());
  passes.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  passes.addNestedPass<omp::PrivateClauseOp>(createConvertMathToLLVMPass());
  passes.addNestedPass<omp::DeclareReductionOp>(createConvertMathToLLVMPass());
  return passes.run(module);
}

LogicalResult convertToLlvmDialect(
    ModuleOp module, bool ignoreTypeDescriptors,
    llvm::function_ref<void(fir::LLVMTypeConverter &, RewritePatternSet &)> extra) {
  std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
  if (!layout)
    return failure();
  fir::LLVMTypeConverter types(module, /*applyTBAA=*/true, /*forceUnifiedTBAATree=*/false, *layout);
  fir::FIRToLLVMPassOptions options;
  options.applyTBAA = true;
  options.typeDescriptorsRenamedForAssembly = true;
  options.ignoreMissingTypeDescriptors = ignoreTypeDescriptors;
  RewritePatternSet patterns(module.getContext());
  fir::populateFIRToLLVMConversionPatterns(types, patterns, options);
  populateFuncToLLVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateMathToLibmConversionPatterns(patterns);
  populateComplexToLLVMConversionPatterns(types, patterns);
  index::populateIndexToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns);
  populateOpenMPToLLVMConversionPatterns(types, patterns);
  fir::populateOpenMPFIRToLLVMConversionPatterns(types, patterns);
  extra(types, patterns);
  ConversionTarget target(*module.getContext());
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  // OpenMP's operations are legal when what they hold is.
  configureOpenMPToLLVMConversionLegality(target, types);
  target.addLegalDialect<omp::OpenMPDialect>();
  target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

} // namespace cufc
