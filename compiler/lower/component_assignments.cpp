// Assignments of variables of derived types with allocatable components. flang's run-time library
// walks over a description of the type; here each component is assigned on its own:
//
//   hlfir.assign %b to %a   ->   cufrt_assign_component(%a%rows, %b%rows)     allocatable
//                                hlfir.assign %b%time to %a%time              not
//
// Left to the library are types with components of other types, of a parent too, which may have an
// assignment of their own, with pointers, length parameters or final procedures, and polymorphic
// variables.
#include "lower/component_assignments.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Pass/Pass.h"

namespace cufc {
namespace {

using namespace mlir;

// An assignment with more components is a call.
constexpr size_t mostComponents = 16;

Type allocatableType(Type component) {
  auto box = dyn_cast<fir::BoxType>(component);
  auto heap = box ? dyn_cast<fir::HeapType>(box.getEleTy()) : fir::HeapType();
  return heap ? heap.getEleTy() : Type();
}

// What a component has as its value.
Type valueType(Type component) {
  Type allocated = allocatableType(component);
  return allocated ? allocated : component;
}

bool isIntrinsic(Type type) {
  Type element = fir::unwrapSequenceType(type);
  return fir::isa_trivial(element) || isa<fir::CharacterType>(element);
}

bool hasConstantSize(Type type) {
  auto sequence = dyn_cast<fir::SequenceType>(type);
  auto text = dyn_cast<fir::CharacterType>(fir::unwrapSequenceType(type));
  return !(sequence && sequence.hasDynamicExtents()) && !(text && text.hasDynamicLen());
}

class Assignment {
public:
  explicit Assignment(hlfir::AssignOp op)
      : op(op), loc(op.getLoc()), module(op->getParentOfType<ModuleOp>()),
        builder(op.getOperation(), fir::getKindMapping(module)) {}

  void run() {
    if (!applies())
      return;
    builder.setInsertionPoint(op);
    for (const auto &[name, type] : record.getTypeList())
      assign(name, type);
    op.erase();
  }

private:
  bool applies() {
    auto to = dyn_cast<fir::ReferenceType>(op.getLhs().getType());
    if (!to || op.getRhs().getType() != to || op.isAllocatableAssignment() ||
        op.getTemporaryLhs() || op->getParentOfType<omp::WorkshareOp>())
      return false;
    record = dyn_cast<fir::RecordType>(to.getEleTy());
    return record && record.getLenParamList().empty() && isNeverFinal() && isSimple() &&
           !dataAttribute(op.getLhs()) && !dataAttribute(op.getRhs());
  }

  bool isNeverFinal() {
    auto information = module.lookupSymbol<fir::TypeInfoOp>(record.getName());
    return information && information.getNoFinal();
  }

  bool isSimple() {
    bool hasAllocatable = false;
    for (const auto &[name, type] : record.getTypeList()) {
      bool isAllocatable = bool(allocatableType(type));
      hasAllocatable |= isAllocatable;
      if (!isIntrinsic(valueType(type)) || (!isAllocatable && !hasConstantSize(type)) ||
          componentAttribute(module, record, name))
        return false;
    }
    return hasAllocatable && record.getTypeList().size() <= mostComponents;
  }

  void assign(llvm::StringRef name, Type type) {
    Value to = component(op.getLhs(), name, type), from = component(op.getRhs(), name, type);
    if (!allocatableType(type)) {
      hlfir::AssignOp::create(builder, loc, from, to);
      return;
    }
    Type pointer = fir::LLVMPointerType::get(builder.getI8Type());
    callRuntime(builder, loc, "cufrt_assign_component",
                {builder.createConvert(loc, pointer, to), builder.createConvert(loc, pointer, from),
                 fir::factory::locationToFilename(builder, loc),
                 fir::factory::locationToLineNo(builder, loc, builder.getI32Type())},
                {});
  }

  Value component(Value variable, llvm::StringRef name, Type type) {
    Value shape;
    if (auto sequence = dyn_cast<fir::SequenceType>(type)) {
      llvm::SmallVector<Value> extents;
      for (int64_t extent : sequence.getShape())
        extents.push_back(builder.createIntegerConstant(loc, builder.getIndexType(), extent));
      shape = builder.genShape(loc, extents);
    }
    llvm::SmallVector<Value> lengths;
    if (auto text = dyn_cast<fir::CharacterType>(fir::unwrapSequenceType(valueType(type)));
        text && !text.hasDynamicLen())
      lengths.push_back(builder.createIntegerConstant(loc, builder.getIndexType(), text.getLen()));
    fir::FortranVariableFlagsAttr flags;
    if (allocatableType(type))
      flags = fir::FortranVariableFlagsAttr::get(builder.getContext(),
                                                 fir::FortranVariableFlagsEnum::allocatable);
    return hlfir::DesignateOp::create(builder, loc, builder.getRefType(type), variable, name,
                                      Value{}, hlfir::DesignateOp::Subscripts{}, ValueRange{},
                                      std::nullopt, shape, lengths, flags);
  }

  hlfir::AssignOp op;
  Location loc;
  ModuleOp module;
  fir::FirOpBuilder builder;
  fir::RecordType record;
};

struct ComponentAssignments : PassWrapper<ComponentAssignments, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ComponentAssignments)
  llvm::StringRef getArgument() const override { return "cufc-component-assignments"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::AssignOp> assignments;
    getOperation().walk([&](hlfir::AssignOp op) { assignments.push_back(op); });
    for (hlfir::AssignOp op : assignments)
      Assignment(op).run();
  }
};

} // namespace

std::unique_ptr<Pass> createComponentAssignments() {
  return std::make_unique<ComponentAssignments>();
}

} // namespace cufc
