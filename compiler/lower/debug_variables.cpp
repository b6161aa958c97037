// What flang's pass for debug information is told, and what its result lacks.
//
// Before it, declarations that no source has go: threadIdx and its like, which flang takes for
// variables of a module of its own. In host code a module variable with a device attribute is what
// a launch knows the device's variable by; the variable itself is declared by device code.
//
// After it, a dummy argument whose value is copied on entry is an argument all the same, and the
// variables that bounds and lengths refer to lose their names, so that a debugger does not show
// them.
#include "lower/debug_variables.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIRCG/CGOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Config/llvm-config.h"

namespace cufc {
namespace {

using namespace mlir;

constexpr llvm::StringLiteral builtins = "__fortran_builtins";

struct SelectVariables : PassWrapper<SelectVariables, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SelectVariables)
  explicit SelectVariables(bool forDevice) : forDevice(forDevice) {}
  llvm::StringRef getArgument() const override { return "cufc-select-variables"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<fir::cg::XDeclareOp> unknown;
    module.walk([&](fir::cg::XDeclareOp declare) {
      if (isOfCompiler(declare.getUniqName()))
        unknown.push_back(declare);
    });
    for (fir::cg::XDeclareOp declare : unknown)
      drop(declare);
    for (auto global : llvm::make_early_inc_range(module.getOps<fir::GlobalOp>()))
      if (isOfCompiler(global.getSymName()) && !global.isInitialized() &&
          SymbolTable::symbolKnownUseEmpty(global, module))
        global.erase();
      else if (isOfCompiler(global.getSymName()) || (!forDevice && isOnDevice(global)))
        hide(global);
  }

  static void drop(fir::cg::XDeclareOp declare) {
    Operation *address = declare.getMemref().getDefiningOp();
    declare.getResult().replaceAllUsesWith(declare.getMemref());
    declare.erase();
    if (isa_and_nonnull<fir::AddrOfOp>(address) && address->use_empty())
      address->erase();
  }

  static bool isOfCompiler(llvm::StringRef symbol) {
    auto [kind, name] = fir::NameUniquer::deconstruct(symbol);
    return !name.modules.empty() && name.modules.front() == builtins;
  }

  static bool isOnDevice(fir::GlobalOp global) {
    return global.getDataAttr() && *global.getDataAttr() != cuf::DataAttribute::Pinned;
  }

  // flang leaves alone what has a location of this kind.
  static void hide(fir::GlobalOp global) {
    MLIRContext *context = global.getContext();
    global->setLoc(FusedLoc::get({global->getLoc()}, UnitAttr::get(context), context));
  }

  bool forDevice;
};

struct CompleteVariables : PassWrapper<CompleteVariables, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CompleteVariables)
  llvm::StringRef getArgument() const override { return "cufc-complete-variables"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      numberArguments(function);
    replaceAttributes();
  }

  // gdb (13) takes the length of an array's strings for a constant: where it is none, the array
  // has one more dimension, of letters.
  static LLVM::DICompositeTypeAttr withLetters(LLVM::DICompositeTypeAttr array) {
    auto text = dyn_cast_or_null<LLVM::DIStringTypeAttr>(array.getBaseType());
    if (array.getTag() != llvm::dwarf::DW_TAG_array_type || !text || text.getSizeInBits() != 0 ||
        text.getEncoding() != llvm::dwarf::DW_ATE_ASCII)
      return array;
    MLIRContext *context = array.getContext();
    Attribute length = text.getStringLength();
    if (!length && array.getDataLocation())
      length = lengthInDescriptor(context);
    if (!length)
      return array;
    auto letter = LLVM::DIBasicTypeAttr::get(context, llvm::dwarf::DW_TAG_base_type,
                                             StringAttr::get(context, "character"), 8,
                                             llvm::dwarf::DW_ATE_unsigned_char);
    SmallVector<LLVM::DINodeAttr> bounds{
        LLVM::DISubrangeAttr::get(context, length, nullptr, nullptr, nullptr)};
    llvm::append_range(bounds, array.getElements());
    return LLVM::DICompositeTypeAttr::get(
        context, array.getTag(), array.getName(), array.getFile(), array.getLine(),
        array.getScope(), letter, array.getFlags(), array.getSizeInBits(), array.getAlignInBits(),
        array.getDataLocation(), array.getRank(), array.getAllocated(), array.getAssociated(),
#if LLVM_VERSION_MAJOR >= 23
        array.getIdentifier(), array.getDiscriminator(),
#endif
        bounds);
  }

  // The bytes of an element (flang-rt, ISO_Fortran_binding.h: elem_len follows base_addr).
  static Attribute lengthInDescriptor(MLIRContext *context) {
    constexpr uint64_t place = 8;
    auto step = [&](unsigned operation, llvm::ArrayRef<uint64_t> operands) {
      return LLVM::DIExpressionElemAttr::get(context, operation, operands);
    };
    return LLVM::DIExpressionAttr::get(context, {step(llvm::dwarf::DW_OP_push_object_address, {}),
                                                 step(llvm::dwarf::DW_OP_plus_uconst, {place}),
                                                 step(llvm::dwarf::DW_OP_deref, {})});
  }

  static LLVM::DILocalVariableAttr variableOf(Operation *declare) {
    auto location = dyn_cast<FusedLoc>(declare->getLoc());
    return location ? dyn_cast_or_null<LLVM::DILocalVariableAttr>(location.getMetadata())
                    : LLVM::DILocalVariableAttr();
  }

  static void numberArguments(func::FuncOp function) {
    llvm::DenseSet<unsigned> taken;
    function.walk([&](fir::cg::XDeclareOp declare) {
      if (LLVM::DILocalVariableAttr variable = variableOf(declare))
        taken.insert(variable.getArg());
    });
    function.walk([&](fir::cg::XDeclareOp declare) {
      LLVM::DILocalVariableAttr variable = variableOf(declare);
      std::optional<uint32_t> number = declare.getDummyArgNo();
      if (!variable || !number || variable.getArg() != 0 || !taken.insert(*number).second)
        return;
      auto argument = LLVM::DILocalVariableAttr::get(
          variable.getContext(), variable.getScope(), variable.getName(), variable.getFile(),
          variable.getLine(), *number, variable.getAlignInBits(), variable.getType(),
          variable.getFlags());
      declare->setLoc(FusedLoc::get(cast<FusedLoc>(declare->getLoc()).getLocations(), argument,
                                    variable.getContext()));
    });
  }

  void replaceAttributes() {
    unsigned count = 0;
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [](LLVM::DICompositeTypeAttr array) -> Attribute { return withLetters(array); });
    // Lines keep them apart, which LLVM otherwise takes for one.
    replacer.addReplacement([&](LLVM::DILocalVariableAttr variable) -> Attribute {
      bool isBound = bitEnumContainsAny(variable.getFlags(), LLVM::DIFlags::Artificial) &&
                     variable.getName() && variable.getName().getValue().starts_with(".");
      if (!isBound)
        return variable;
      return LLVM::DILocalVariableAttr::get(
          variable.getContext(), variable.getScope(), StringAttr::get(variable.getContext()),
          variable.getFile(), ++count, variable.getArg(), variable.getAlignInBits(),
          variable.getType(), variable.getFlags());
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/true);
  }
};

} // namespace

std::unique_ptr<Pass> createSelectVariables(bool forDevice) {
  return std::make_unique<SelectVariables>(forDevice);
}

std::unique_ptr<Pass> createCompleteVariables() { return std::make_unique<CompleteVariables>(); }

} // namespace cufc
