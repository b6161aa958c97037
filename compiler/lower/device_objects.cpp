// What flang's lowering does to device objects in host code as if they were host objects, at HLFIR
// level:
//
//   - contiguous copies of strided sections passed to procedures and kernels (hlfir.copy_in);
//   - default initialisation; allocation of components, whose descriptors know no attribute;
//   - deallocation on entry of INTENT(OUT) allocatables, and of pointers;
//   - assignment of derived types with allocatable components, which may be device arrays.
//
// All of them become calls of the runtime, which knows where an address lies. WHERE, FORALL, DO
// CONCURRENT and vector subscripts that assign device data are reported: only kernels can do that.
#include "base/diag.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/component_allocators.h"
#include "lower/data_location.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cufc {
namespace {

using namespace mlir;

bool hasAllocatableParts(Type type) {
  auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(type));
  if (!record)
    return false;
  for (auto [name, component] : record.getTypeList()) {
    if (auto box = dyn_cast<fir::BaseBoxType>(component); box && isa<fir::HeapType>(box.getEleTy()))
      return true;
    if (!isa<fir::BaseBoxType>(component) && hasAllocatableParts(component))
      return true;
  }
  return false;
}

class Objects {
public:
  Objects(Operation *op, bool managed, Diagnostics &diagnostics)
      : op(op), loc(op->getLoc()), managed(managed), diagnostics(diagnostics),
        builder(op, fir::getKindMapping(op->getParentOfType<ModuleOp>())) {}

  void rewrite() {
    if (auto copyIn = dyn_cast<hlfir::CopyInOp>(op))
      return rewriteCopyIn(copyIn);
    if (auto copyOut = dyn_cast<hlfir::CopyOutOp>(op))
      return rewriteCopyOut(copyOut);
    if (auto call = dyn_cast<fir::CallOp>(op))
      return rewriteCall(call);
    if (auto copy = dyn_cast<fir::CopyOp>(op))
      return rewriteInitialCopy(copy);
    if (auto release = dyn_cast<fir::FreeMemOp>(op))
      return rewriteRelease(release);
    if (auto allocate = dyn_cast<cuf::AllocateOp>(op))
      return rewriteAllocation(allocate);
    if (auto deallocate = dyn_cast<cuf::DeallocateOp>(op))
      return rewritePointerDeallocation(deallocate);
    if (auto assign = dyn_cast<hlfir::AssignOp>(op))
      return rewriteAssignment(assign);
    if (auto assign = dyn_cast<hlfir::RegionAssignOp>(op))
      return rewriteRegionAssignment(assign);
    if (auto value = dyn_cast<hlfir::AsExprOp>(op); value && !value.isMove() &&
                                                    hasDeviceParts(value.getVar().getType()) &&
                                                    !llvm::all_of(value->getUsers(), isAssigned))
      report("a value in parentheses of a type with device components");
  }

private:
  Value file() { return fir::factory::locationToFilename(builder, loc); }
  Value line() { return fir::factory::locationToLineNo(builder, loc, builder.getI32Type()); }
  Type pointerType() { return fir::LLVMPointerType::get(builder.getI8Type()); }
  Value pointer(Value address) { return builder.createConvert(loc, pointerType(), address); }

  // The address of a descriptor of `variable`, with the type that a conversion to a box of any type
  // hides.
  Value descriptor(Value variable) {
    while (auto convert = variable.getDefiningOp<fir::ConvertOp>())
      variable = convert.getValue();
    Type type = fir::dyn_cast_ptrEleTy(variable.getType());
    if (type && isa<fir::BaseBoxType>(type))
      return pointer(variable);
    Value box = isa<fir::BaseBoxType>(variable.getType())
                    ? variable
                    : hlfir::genVariableBox(loc, builder, hlfir::Entity{variable}).getBase();
    return descriptorArgument(builder, loc, box);
  }

  void rewriteCopyIn(hlfir::CopyInOp copyIn) {
    if (!isOnDevice(copyIn.getVar()) || copyIn.getVarIsPresent())
      return;
    Value temporary = copyIn.getTempBox();
    Value copied = callRuntime(builder, loc, "cufrt_copy_in",
                               {pointer(temporary), descriptor(copyIn.getVar()), file(), line()},
                               builder.getI1Type());
    Type type = copyIn.getCopiedIn().getType();
    auto choice = fir::IfOp::create(builder, loc, type, copied, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(&choice.getThenRegion().front());
    Value box = fir::LoadOp::create(builder, loc, temporary);
    fir::ResultOp::create(
        builder, loc, fir::ReboxOp::create(builder, loc, type, box, Value{}, Value{}).getResult());
    builder.setInsertionPointToStart(&choice.getElseRegion().front());
    fir::ResultOp::create(builder, loc, builder.createConvert(loc, type, copyIn.getVar()));
    copyIn.getCopiedIn().replaceAllUsesWith(choice.getResult(0));
    copyIn.getWasCopied().replaceUsesWithIf(copied, [&](OpOperand &use) {
      auto copyOut = dyn_cast<hlfir::CopyOutOp>(use.getOwner());
      if (copyOut)
        copyOut->setAttr(onDeviceAttribute, builder.getUnitAttr());
      return true;
    });
    copyIn.erase();
  }

  void rewriteCopyOut(hlfir::CopyOutOp copyOut) {
    if (!copyOut->hasAttr(onDeviceAttribute))
      return;
    auto copied = fir::IfOp::create(builder, loc, copyOut.getWasCopied(), false);
    builder.setInsertionPointToStart(&copied.getThenRegion().front());
    Value original = copyOut.getVar()
                         ? descriptor(copyOut.getVar())
                         : fir::ZeroOp::create(builder, loc, pointerType()).getResult();
    callRuntime(builder, loc, "_FortranACUFCopyOutAssign",
                {original, pointer(copyOut.getTemp()), file(), line()}, {});
    copyOut.erase();
  }

  void rewriteCall(fir::CallOp call) {
    if (!call.getCallee() || call.getCallee()->getLeafReference() != "_FortranAInitialize")
      return rewriteCopy(call);
    if (!isOnlyOnDevice(call.getOperand(0)))
      return;
    initialise(call.getOperand(0));
    call.erase();
  }

  // A scalar's components get their values by a copy of a constant of the host.
  void rewriteInitialCopy(fir::CopyOp copy) {
    if (!isOnlyOnDevice(copy.getDestination()))
      return;
    initialise(copy.getDestination());
    copy.erase();
  }

  void initialise(Value variable) {
    callRuntime(builder, loc, "_FortranACUFInitialize", {descriptor(variable), file(), line()}, {});
  }

  // fir.freemem of what a device descriptor describes, or the descriptor of a function's result,
  // which has no attribute in the code that calls the function.
  void rewriteRelease(fir::FreeMemOp release) {
    auto address = release.getHeapref().getDefiningOp<fir::BoxAddrOp>();
    auto load = address ? address.getVal().getDefiningOp<fir::LoadOp>() : fir::LoadOp();
    if (load && managed && isResult(load.getMemref())) {
      Value pointer = builder.createConvert(loc, pointerType(), release.getHeapref());
      callRuntime(builder, loc, "cufrt_free_result", {pointer}, {});
      release.erase();
      return;
    }
    if (!load || !dataAttribute(load.getMemref()))
      return;
    deallocate(load.getMemref());
    release.erase();
  }

  static bool isResult(Value descriptor) {
    return llvm::any_of(descriptor.getUsers(),
                        [](Operation *user) { return isa<fir::SaveResultOp>(user); });
  }

  Value deallocate(Value variable) {
    Value no = builder.createBool(loc, false);
    Value none = fir::ZeroOp::create(builder, loc, pointerType());
    return callRuntime(builder, loc, deallocateRoutine,
                       {pointer(variable), no, none, file(), line()}, builder.getI32Type());
  }

  // A component's descriptor does not know its memory, since flang's type information does not.
  // With SOURCE=, components must not come to share the source's memory.
  void rewriteAllocation(cuf::AllocateOp allocate) {
    Value to = allocate.getBox(), from = allocate.getSource();
    if (!to.getDefiningOp<hlfir::DeclareOp>() && allocate.getDataAttr()) {
      chooseAllocator(builder, loc, to, *allocate.getDataAttr());
      tellType(to);
    }
    if (from && isOnlyOnDevice(from)) // flang does not know of components
      allocate.setDeviceSource(true);
    if (!from || !hasAllocatableParts(to.getType()))
      return;
    bool isPolymorphic =
        fir::isPolymorphicType(to.getType()) || fir::isPolymorphicType(from.getType());
    if (isPolymorphic && hasDeviceParts(from.getType()))
      return report("SOURCE= of a type with device components for a pointer or a polymorphic "
                    "variable");
    allocate.getSourceMutable().clear();
    builder.setInsertionPointAfter(allocate);
    assignIf(allocate.getResult(), to, from);
  }

  // The initial value of a module variable in device or managed memory is part of the GPU code,
  // which has no type information, and so the descriptors of its components do not have it.
  void tellType(Value to) {
    Type type = hlfir::getFortranElementType(to.getType());
    if (!isa<fir::RecordType>(type) || fir::isPolymorphicType(to.getType()))
      return;
    Value description =
        fir::TypeDescOp::create(builder, loc, fir::TypeDescType::get(type), TypeAttr::get(type));
    callRuntime(builder, loc, "cufrt_tell_type", {pointer(to), pointer(description)}, {});
  }

  // Where the status of an allocation is zero.
  void assignIf(Value status, Value to, Value from) {
    Value zero = builder.createIntegerConstant(loc, status.getType(), 0);
    Value done = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, status, zero);
    auto branch = fir::IfOp::create(builder, loc, done, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    assignObject(dereferenced(to), to, from);
  }

  std::optional<cuf::DataAttribute> attributeOf(fir::RecordType record, llvm::StringRef name) {
    return componentAttribute(op->getParentOfType<ModuleOp>(), record, name);
  }

  void rewritePointerDeallocation(cuf::DeallocateOp op) {
    if (!op.getPointer())
      return;
    Value hasStat = builder.createBool(loc, op.getHasStat());
    Value message = op.getErrmsg() ? descriptor(op.getErrmsg())
                                   : fir::ZeroOp::create(builder, loc, pointerType()).getResult();
    Value status =
        callRuntime(builder, loc, deallocateRoutine,
                    {pointer(op.getBox()), hasStat, message, file(), line()}, builder.getI32Type());
    op.getStat().replaceAllUsesWith(builder.createConvert(loc, op.getStat().getType(), status));
    op.erase();
  }

  void rewriteAssignment(hlfir::AssignOp assign) {
    Value to = assign.getLhs(), from = assign.getRhs();
    if (isOnlyOnDevice(to) && !isa<fir::BaseBoxType>(fir::unwrapRefType(to.getType()))) {
      if (fir::isa_trivial(fir::unwrapRefType(to.getType())) && fir::isa_trivial(from.getType()))
        sendScalar(assign);
      else
        report("it stores to device memory from the host");
      return;
    }
    if (assign.getTemporaryLhs() && isDeviceComponent(to))
      return report("a structure constructor with a value for a device component; assign it after "
                    "the others");
    if (auto value = from.getDefiningOp<hlfir::AsExprOp>(); value && hasPlacedParts(to.getType()))
      from = value.getVar();
    if (hasDeviceParts(from.getType()) &&
        (isa<hlfir::ExprType>(from.getType()) || fir::isPolymorphicType(to.getType())))
      return reportCopy();
    if (!hasAllocatableParts(to.getType()) || isa<hlfir::ExprType>(from.getType()) ||
        !mayNeedDevice(to, from))
      return;
    if (!assign.isAllocatableAssignment())
      assignObject(hlfir::derefPointersAndAllocatables(loc, builder, hlfir::Entity{to}), to, from);
    else if (hasPlacedParts(to.getType()) && !fir::isPolymorphicType(to.getType()))
      assignAllocatable(to, from);
    else
      return;
    assign.erase();
  }

  void assignObject(hlfir::Entity object, Value to, Value from) {
    chooseComponentAllocators(builder, loc, object);
    callRuntime(builder, loc, "_FortranACUFAssign",
                {descriptor(to), descriptor(from), file(), line()}, {});
  }

  // An object of another shape gets new memory, whose components know theirs before the assignment.
  void assignAllocatable(Value to, Value from) {
    from = hlfir::derefPointersAndAllocatables(loc, builder, hlfir::Entity{from}).getBase();
    Value source = descriptor(from);
    Value replaced = callRuntime(builder, loc, "cufrt_needs_reallocation", {pointer(to), source},
                                 builder.getI1Type());
    Value memory = builder.createTemporary(loc, fir::unwrapRefType(to.getType()));
    auto choice = fir::IfOp::create(builder, loc, replaced, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(&choice.getThenRegion().front());
    callRuntime(builder, loc, "cufrt_allocate_like",
                {pointer(memory), pointer(to), source, file(), line()}, {});
    assignObject(dereferenced(memory), memory, from);
    callRuntime(builder, loc, "cufrt_replace_allocation",
                {pointer(to), pointer(memory), file(), line()}, {});
    builder.setInsertionPointToStart(&choice.getElseRegion().front());
    assignObject(dereferenced(to), to, from);
    builder.setInsertionPointAfter(choice);
  }

  // What the descriptor of an allocatable at `address` describes.
  hlfir::Entity dereferenced(Value address) {
    Value box = fir::LoadOp::create(builder, loc, address);
    return hlfir::Entity{box};
  }

  // Whether a component of the type, or of one of its components, has an attribute.
  bool hasPlacedParts(Type type) {
    return hasParts(type, [](cuf::DataAttribute) { return true; });
  }

  // Whether one of them is where the host cannot read it, and so flang's run-time library.
  bool hasDeviceParts(Type type) {
    return hasParts(type, [](cuf::DataAttribute attribute) {
      return attribute == cuf::DataAttribute::Device || attribute == cuf::DataAttribute::Constant;
    });
  }

  bool hasParts(Type type, llvm::function_ref<bool(cuf::DataAttribute)> wanted) {
    auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(type));
    return record && llvm::any_of(record.getTypeList(), [&](const auto &part) {
             auto attribute = attributeOf(record, part.first);
             return (attribute && wanted(*attribute)) ||
                    (!isa<fir::BaseBoxType>(part.second) && hasParts(part.second, wanted));
           });
  }

  // Whether an assignment may reach memory of a device; a dynamic type's components are not known.
  bool mayNeedDevice(Value to, Value from) {
    llvm::SmallPtrSet<Type, 8> seen;
    return isOnDevice(to) || isOnDevice(from) || mayReachPlacedParts(to.getType(), seen);
  }

  bool mayReachPlacedParts(Type type, llvm::SmallPtrSetImpl<Type> &seen) {
    if (fir::isPolymorphicType(type))
      return true;
    auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(type));
    return record && seen.insert(record).second &&
           llvm::any_of(record.getTypeList(), [&](const auto &part) {
             return attributeOf(record, part.first) || mayReachPlacedParts(part.second, seen);
           });
  }

  static bool isDeviceComponent(Value variable) {
    auto part = variable.getDefiningOp<hlfir::DesignateOp>();
    return part && part.getComponent() && isOnlyOnDevice(variable);
  }

  void reportCopy() {
    report("a type with device components in an array constructor, an elemental function or a "
           "polymorphic variable");
  }

  // ALLOCATE with SOURCE=, and array constructors.
  void rewriteCopy(fir::CallOp call) {
    llvm::StringRef name = call.getCallee() ? call.getCallee()->getLeafReference().getValue() : "";
    bool allocates = name == "_FortranAAllocatableAllocateSource";
    if (!allocates && name != "_FortranAPointerAllocateSource" &&
        name != "_FortranAPushArrayConstructorValue")
      return;
    Value from = unconverted(call.getOperand(1)), to = unconverted(call.getOperand(0));
    if (!hasPlacedParts(from.getType()))
      return;
    if (allocates && hasPlacedParts(to.getType()) && !fir::isPolymorphicType(to.getType()))
      return allocateWith(call, to, from);
    if (hasDeviceParts(from.getType()))
      report(
          name == "_FortranAPushArrayConstructorValue"
              ? "a type with device components in an array constructor"
              : "SOURCE= of a type with device components for a pointer or a polymorphic variable");
  }

  static Value unconverted(Value value) {
    while (auto convert = value.getDefiningOp<fir::ConvertOp>())
      value = convert.getValue();
    return value;
  }

  void allocateWith(fir::CallOp call, Value to, Value from) {
    llvm::SmallVector<Value> operands(call.getOperands().drop_front(2));
    operands.insert(operands.begin(), pointer(to));
    Value status =
        callRuntime(builder, loc, "cufrt_allocate_object", operands, builder.getI32Type());
    call.getResult(0).replaceAllUsesWith(status);
    assignIf(status, to, from);
    call.erase();
  }

  // flang makes no transfer of an assignment in DO CONCURRENT.
  void sendScalar(hlfir::AssignOp assign) {
    Type type = fir::unwrapRefType(assign.getLhs().getType());
    Value memory = builder.createTemporary(loc, type);
    fir::StoreOp::create(builder, loc, builder.createConvert(loc, type, assign.getRhs()), memory);
    auto source = hlfir::DeclareOp::create(builder, loc, memory, "cufc.source");
    cuf::DataTransferOp::create(
        builder, loc, source.getBase(), assign.getLhs(), /*shape=*/Value{},
        cuf::DataTransferKindAttr::get(builder.getContext(), cuf::DataTransferKind::HostDevice));
    assign.erase();
  }

  static bool isAssigned(Operation *user) { return isa<hlfir::AssignOp, hlfir::DestroyOp>(user); }

  void rewriteRegionAssignment(hlfir::RegionAssignOp assign) {
    checkRegionAssignment(assign);
    auto from = yieldOf(assign.getRhsRegion()), to = yieldOf(assign.getLhsRegion());
    Region &body = assign.getUserDefinedAssignment();
    if (body.empty() || !from || !to || assign->getParentOfType<hlfir::RegionAssignOp>() ||
        isa<hlfir::OrderedAssignmentTreeOpInterface>(assign->getParentOp()) ||
        !hasPlacedParts(from.getEntity().getType()))
      return;
    Block &call = body.front();
    if (call.getArgument(0).getType() != from.getEntity().getType() ||
        call.getArgument(1).getType() != to.getEntity().getType())
      return;
    assignByProcedure(assign, from, to, call);
  }

  static hlfir::YieldOp yieldOf(Region &region) {
    return region.empty() ? hlfir::YieldOp() : dyn_cast<hlfir::YieldOp>(region.back().back());
  }

  // Defined assignment of scalars: flang would copy the right side byte by byte for the procedure,
  // which may change it together with the left side.
  void assignByProcedure(hlfir::RegionAssignOp assign, hlfir::YieldOp from, hlfir::YieldOp to,
                         Block &call) {
    auto moveOut = [&](Block &block) {
      assign->getBlock()->getOperations().splice(assign->getIterator(), block.getOperations(),
                                                 block.begin(), std::prev(block.end()));
    };
    moveOut(*from->getBlock());
    moveOut(*to->getBlock());
    Value source = from.getEntity(), copy;
    auto variable = source.getDefiningOp<hlfir::DeclareOp>();
    if (!variable || variable.getUniqName() != ".tmp.func_result")
      source = copy = copyOf(source);
    call.getArgument(0).replaceAllUsesWith(source);
    call.getArgument(1).replaceAllUsesWith(to.getEntity());
    moveOut(call);
    if (copy)
      callRuntime(builder, loc, "_FortranADestroy", {anyBox(copy)}, {});
    for (hlfir::YieldOp yield : {from, to})
      if (!yield.getCleanup().empty())
        moveOut(yield.getCleanup().front());
    assign.erase();
  }

  Value anyBox(Value variable) {
    Value box = hlfir::genVariableBox(loc, builder, hlfir::Entity{variable}).getBase();
    return builder.createConvert(loc, fir::BoxType::get(builder.getNoneType()), box);
  }

  // A new object that has the value of `variable`, a scalar.
  Value copyOf(Value variable) {
    Value memory = builder.createTemporary(loc, fir::unwrapRefType(variable.getType()));
    Value copy = hlfir::DeclareOp::create(builder, loc, memory, "cufc.copy").getBase();
    Value name = builder.createConvert(loc, builder.getRefType(builder.getI8Type()), file());
    callRuntime(builder, loc, "_FortranAInitialize", {anyBox(copy), name, line()}, {});
    assignObject(hlfir::Entity{copy}, copy, variable);
    return copy;
  }

  void checkRegionAssignment(hlfir::RegionAssignOp assign) {
    bool onDevice = false; // what is assigned, be it an element of those by a vector subscript
    assign.getLhsRegion().walk(
        [&](hlfir::YieldOp yield) { onDevice |= isOnlyOnDevice(yield.getEntity()); });
    if (onDevice)
      report("WHERE, FORALL, or a vector subscript on the left side");
  }

  void report(const char *what) {
    const auto &known = diagnostics.list(); // of a statement that is several operations
    SourceRange range = toSourceRange(loc);
    if (!known.empty() && known.back().range.line == range.line &&
        known.back().message.find(what) != std::string::npos)
      return;
    diagnostics.report(Diag::HostAssignsDeviceData, toSourceRange(loc), std::string(what));
  }

  static constexpr const char *onDeviceAttribute = "cufc.on_device";
  Operation *op;
  Location loc;
  bool managed;
  Diagnostics &diagnostics;
  fir::FirOpBuilder builder;
};

} // namespace

void lowerDeviceObjects(ModuleOp module, bool managed, Diagnostics &diagnostics) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (procedureAttribute(function) != cuf::ProcAttribute::Host)
      continue;
    llvm::SmallVector<Operation *> operations;
    function.walk([&](Operation *op) {
      if (isa<hlfir::CopyInOp, hlfir::CopyOutOp, fir::CallOp, fir::CopyOp, fir::FreeMemOp,
              cuf::AllocateOp, cuf::DeallocateOp, hlfir::AssignOp, hlfir::RegionAssignOp,
              hlfir::AsExprOp>(op) &&
          !op->getParentOfType<cuf::KernelOp>())
        operations.push_back(op);
    });
    for (Operation *op : operations)
      Objects(op, managed, diagnostics).rewrite();
  }
}

} // namespace cufc
