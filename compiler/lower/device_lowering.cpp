// Device code from FIR to the LLVM dialect.
//
// Shared variables become globals in address space 3; a kernel's descriptor dummies become `byval`
// parameters, so that a launch passes the descriptor itself, of zeros for an optional argument that
// is not there; atomics get the order and scope of CUDA's functions (relaxed, device) instead of
// flang's sequential consistency.
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "frontend/workarounds/assumed_sizes.h"
#include "lower/debug_variables.h"
#include "lower/llvm_conversion.h"
#include "lower/mlir_state.h"
#include "lower/simpler_arithmetic.h"
#include "lower/type_sizes.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Config/llvm-config.h"

namespace cufc {
namespace {

using namespace mlir;

constexpr const char *dynamicSharedName = "cufc_dynamic_shared";
constexpr unsigned sharedSpace = 3;

struct SharedMemoryPattern : ConvertOpToLLVMPattern<cuf::SharedMemoryOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(cuf::SharedMemoryOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext(), sharedSpace);
    bool dynamic = isDynamic(op.getInType());
    LLVM::GlobalOp global = dynamic ? dynamicGlobal(op, rewriter) : staticGlobal(op, rewriter);
    Value address = LLVM::AddressOfOp::create(rewriter, op.getLoc(), pointer, global.getSymName());
    if (dynamic && adaptor.getOffset())
      address = LLVM::GEPOp::create(rewriter, op.getLoc(), pointer, rewriter.getI8Type(), address,
                                    ValueRange{adaptor.getOffset()});
    rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(
        op, LLVM::LLVMPointerType::get(rewriter.getContext()), address);
    return success();
  }

private:
  static bool isDynamic(Type type) {
    auto array = dyn_cast<fir::SequenceType>(type);
    return array && (array.hasDynamicExtents() || array.hasUnknownShape() ||
                     array.getShape().back() == assumedExtent);
  }

  LLVM::GlobalOp dynamicGlobal(cuf::SharedMemoryOp op, ConversionPatternRewriter &rewriter) const {
    auto module = op->getParentOfType<ModuleOp>();
    if (auto global = module.lookupSymbol<LLVM::GlobalOp>(dynamicSharedName))
      return global;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    return LLVM::GlobalOp::create(
        rewriter, op.getLoc(), LLVM::LLVMArrayType::get(rewriter.getI8Type(), 0), false,
        LLVM::Linkage::External, dynamicSharedName, Attribute(), 16, sharedSpace);
  }

  LLVM::GlobalOp staticGlobal(cuf::SharedMemoryOp op, ConversionPatternRewriter &rewriter) const {
    auto module = op->getParentOfType<ModuleOp>();
    std::string name = (op.getUniqName() ? op.getUniqName()->str() : "unnamed") + "_shared";
    if (auto global = module.lookupSymbol<LLVM::GlobalOp>(name))
      return global;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    Type type = getTypeConverter()->convertType(op.getInType());
    auto global =
        LLVM::GlobalOp::create(rewriter, op.getLoc(), type, false, LLVM::Linkage::Internal, name,
                               Attribute(), 16, sharedSpace);
    rewriter.createBlock(&global.getInitializerRegion());
    Value undefined = LLVM::UndefOp::create(rewriter, op.getLoc(), type);
    LLVM::ReturnOp::create(rewriter, op.getLoc(), ValueRange{undefined});
    return global;
  }
};

std::optional<std::pair<uint64_t, unsigned short>> sizeAndAlignment(Type type, ModuleOp module) {
  std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
  return fir::getTypeSizeAndAlignment(module.getLoc(), type, *layout,
                                      fir::KindMapping(module.getContext()));
}

// A copy of a derived type with the alignment of its components: LLVM copies by words then.
struct TypedCopyPattern : ConvertOpToLLVMPattern<fir::CopyOp> {
  explicit TypedCopyPattern(const LLVMTypeConverter &types) : ConvertOpToLLVMPattern(types, 2) {}

  LogicalResult matchAndRewrite(fir::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = fir::unwrapRefType(op.getSource().getType());
    auto module = op->getParentOfType<ModuleOp>();
    auto size = sizeAndAlignment(type, module);
    if (!size || fir::hasDynamicSize(type))
      return failure();
    Location loc = op.getLoc();
    Value bytes = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(size->first));
    Value to = adaptor.getDestination(), from = adaptor.getSource();
    Operation *copy;
    if (op.getNoOverlap())
      copy = LLVM::MemcpyOp::create(rewriter, loc, to, from, bytes, /*isVolatile=*/false);
    else
      copy = LLVM::MemmoveOp::create(rewriter, loc, to, from, bytes, /*isVolatile=*/false);
    auto alignment = rewriter.getDictionaryAttr(rewriter.getNamedAttr(
        LLVM::LLVMDialect::getAlignAttrName(), rewriter.getI64IntegerAttr(size->second)));
    Attribute none = rewriter.getDictionaryAttr({});
    copy->setAttr("arg_attrs", rewriter.getArrayAttr({alignment, alignment, none}));
    rewriter.eraseOp(op);
    return success();
  }
};

struct DeviceLowering : PassWrapper<DeviceLowering, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceLowering)
  llvm::StringRef getArgument() const override { return "cufc-device-lowering"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    simplifyArithmetic(module, /*isDevice=*/true);
    if (failed(expandMath(module)))
      return signalPassFailure();
    llvm::StringMap<llvm::SmallVector<Type>> byValue = kernelValueTypes(module);
    llvm::StringMap<llvm::SmallVector<unsigned>> optional = optionalDescriptors(module);
    alignArguments(module);
    auto convert = [&](fir::LLVMTypeConverter &types, RewritePatternSet &patterns) {
      patterns.add<SharedMemoryPattern>(types);
      patterns.add<TypedCopyPattern>(types);
      for (auto &entry : byValue)
        for (Type &type : entry.second)
          if (auto box = dyn_cast_or_null<fir::BaseBoxType>(type))
            type = types.convertBoxTypeAsStruct(box);
          else if (type)
            type = types.convertType(type);
    };
    if (failed(convertToLlvmDialect(module, /*ignoreTypeDescriptors=*/true, convert)))
      return signalPassFailure();
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      if (function->hasAttr(kernelAttribute))
        finishKernel(function, byValue[function.getSymName()], optional[function.getSymName()]);
      for (const char *name : {"cuf.proc_attr", "cuf.launch_bounds", "cuf.cluster_dims"})
        function->removeAttr(name);
    }
    relaxAtomics(module);
    if (!module->hasAttr(debugTablesAttribute))
      keepOnlyLineDirectives(module);
  }

  // For each kernel, per argument: the descriptor or derived type that a pointer argument is passed
  // by value as, or null.
  static llvm::StringMap<llvm::SmallVector<Type>> kernelValueTypes(ModuleOp module) {
    llvm::StringMap<llvm::SmallVector<Type>> result;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function->hasAttr(kernelAttribute))
        continue;
      auto numbers = function->getAttrOfType<DenseI64ArrayAttr>(byValueAttribute);
      for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
        Type target = fir::unwrapRefType(type);
        bool derived = numbers && llvm::is_contained(numbers.asArrayRef(), int64_t(number));
        result[function.getSymName()].push_back(isa<fir::BaseBoxType>(target) || derived ? target
                                                                                         : Type());
      }
    }
    return result;
  }

  // For each kernel the optional dummies with a descriptor.
  static llvm::StringMap<llvm::SmallVector<unsigned>> optionalDescriptors(ModuleOp module) {
    llvm::StringMap<llvm::SmallVector<unsigned>> result;
    for (auto function : module.getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (function->hasAttr(kernelAttribute) &&
            isa<fir::BaseBoxType>(fir::unwrapRefType(function.getArgument(i).getType())) &&
            function.getArgAttr(i, "fir.optional"))
          result[function.getSymName()].push_back(i);
    return result;
  }

  // Null in place of a descriptor of zeros, which has no version.
  static void makeAbsent(LLVM::LLVMFuncOp function, unsigned number) {
    constexpr int versionOffset = 16; // of CFI_cdesc_t, behind the address and elem_len
    Location loc = function.getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    BlockArgument argument = function.getArgument(number);
    Type pointer = argument.getType();
    auto place = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), argument,
                                     llvm::ArrayRef<LLVM::GEPArg>{versionOffset});
    Value version = LLVM::LoadOp::create(builder, loc, builder.getI32Type(), place);
    Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 0);
    Value present = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, version, zero);
    Value null = LLVM::ZeroOp::create(builder, loc, pointer);
    auto value = LLVM::SelectOp::create(builder, loc, present, argument, null);
    argument.replaceAllUsesExcept(value, llvm::SmallPtrSet<Operation *, 2>{place, value});
  }

  // Data of an argument is aligned as its type asks, as each access to it says, too.
  static void alignArguments(ModuleOp module) {
    Type i64 = IntegerType::get(module.getContext(), 64);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function->hasAttr(kernelAttribute))
        continue;
      for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
        auto reference = dyn_cast<fir::ReferenceType>(type);
        auto array = reference ? dyn_cast<fir::SequenceType>(reference.getEleTy()) : nullptr;
        Type element = array ? array.getEleTy() : reference ? reference.getEleTy() : Type();
        if (!element || !(fir::isa_trivial(element) || isPlainRecord(element)))
          continue;
        auto size = sizeAndAlignment(element, module);
        if (!size)
          continue;
        function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                            IntegerAttr::get(i64, size->second));
      }
    }
  }

  static void finishKernel(LLVM::LLVMFuncOp function, llvm::ArrayRef<Type> byValue,
                           llvm::ArrayRef<unsigned> optional) {
    MLIRContext *context = function.getContext();
    function->removeAttr(kernelAttribute);
    function->removeAttr(byValueAttribute);
    function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), UnitAttr::get(context));
    for (unsigned i = 0; i < byValue.size(); ++i)
      if (byValue[i]) {
        function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(byValue[i]));
        function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                            IntegerAttr::get(IntegerType::get(context, 64), 8));
      }
    if (!function.isExternal())
      for (unsigned number : optional)
        makeAbsent(function, number);
  }

  // ptxas refuses to optimise PTX with tables for a debugger; .loc directives alone are fine and
  // are what profilers use.
  static void keepOnlyLineDirectives(ModuleOp module) {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](LLVM::DICompileUnitAttr unit) -> Attribute {
#if LLVM_VERSION_MAJOR >= 23
      return LLVM::DICompileUnitAttr::get(
          unit.getId(), unit.getSourceLanguage(), unit.getFile(), unit.getProducer(),
          unit.getIsOptimized(), LLVM::DIEmissionKind::DebugDirectivesOnly,
          unit.getIsDebugInfoForProfiling(), unit.getNameTableKind(), unit.getSplitDebugFilename());
#else
      return LLVM::DICompileUnitAttr::get(unit.getContext(), unit.getId(), unit.getSourceLanguage(),
                                          unit.getFile(), unit.getProducer(), unit.getIsOptimized(),
                                          LLVM::DIEmissionKind::DebugDirectivesOnly,
                                          unit.getNameTableKind(), unit.getSplitDebugFilename());
#endif
    });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/true);
  }

  static void relaxAtomics(ModuleOp module) {
    module.walk([](LLVM::AtomicRMWOp op) {
      op.setOrdering(LLVM::AtomicOrdering::monotonic);
      op.setSyncscope("device");
    });
    module.walk([](LLVM::AtomicCmpXchgOp op) {
      op.setSuccessOrdering(LLVM::AtomicOrdering::monotonic);
      op.setFailureOrdering(LLVM::AtomicOrdering::monotonic);
      op.setSyncscope("device");
    });
  }
};

} // namespace

std::unique_ptr<Pass> createDeviceLowering() { return std::make_unique<DeviceLowering>(); }

} // namespace cufc
