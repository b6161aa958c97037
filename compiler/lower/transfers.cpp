// Transfers by assignment (cuf.data_transfer) in host code, at HLFIR level.
//
// `normaliseTransfers` makes transfers of those assignments for which flang counts a managed object
// on the left side and not its component on the device (m%a_d = 1), and gives every transfer
// variables on both sides: flang leaves expressions and values of another type there (h = -a_d, l_d
// = .true., i = x_d), which its own passes refuse or copy bit by bit. `lowerTransfers` makes calls
// of the runtime, with descriptors wherever a side is an array, a character or of derived type:
// they carry lengths, strides and shapes, so that the runtime can pad, broadcast and copy sections.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "lower/type_sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Config/llvm-config.h"

namespace cufc {
namespace {

using namespace mlir;

// The transfers of host code, in the procedures that satisfy `wanted`.
llvm::SmallVector<cuf::DataTransferOp>
hostTransfers(ModuleOp module, llvm::function_ref<bool(func::FuncOp)> wanted) {
  llvm::SmallVector<cuf::DataTransferOp> found;
  for (auto function : module.getOps<func::FuncOp>())
    if (wanted(function))
      function.walk([&](cuf::DataTransferOp transfer) { found.push_back(transfer); });
  return found;
}

bool isNoKernel(func::FuncOp function) { return !isKernel(function); }

fir::FirOpBuilder builderAt(Operation *op) {
  return fir::FirOpBuilder(op, fir::getKindMapping(op->getParentOfType<ModuleOp>()));
}

bool isWholeAllocatable(Value variable) {
  Type type = fir::dyn_cast_ptrEleTy(variable.getType());
  auto box = type ? dyn_cast<fir::BaseBoxType>(type) : fir::BaseBoxType();
  return box && isa<fir::HeapType>(box.getEleTy());
}

// Whether an assignment leaves an allocatable text its length: one that is not deferred, which the
// declaration or the designator gives.
bool keepsLength(Value variable) {
  auto text = dyn_cast<fir::CharacterType>(hlfir::getFortranElementType(variable.getType()));
  if (!text || !isWholeAllocatable(variable))
    return false;
  if (!text.hasDynamicLen())
    return true;
  Operation *op = variable.getDefiningOp();
  if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
    return !declare.getTypeparams().empty();
  auto part = dyn_cast_or_null<hlfir::DesignateOp>(op);
  return part && !part.getTypeparams().empty();
}

// A variable with its bounds: a transfer may have its address alone.
Value withBounds(Value variable) {
  auto declare = variable.getDefiningOp<hlfir::DeclareOp>();
  return declare ? declare.getBase() : variable;
}

// The array of a reference whose shape stands beside it, as a descriptor. Allocatables and pointers
// have one. The length of texts is known to their declaration alone.
Value withShape(fir::FirOpBuilder &builder, Location loc, Value variable, Value shape) {
  if (fir::hasDynamicSize(hlfir::getFortranElementType(variable.getType())))
    variable = withBounds(variable);
  if (fir::isBoxAddressOrValue(variable.getType()))
    return variable;
  Type type = fir::BoxType::get(fir::unwrapRefType(variable.getType()));
  return fir::EmboxOp::create(builder, loc, type, variable, shape);
}

// An expression is assigned on the host, or goes through a temporary to the device.
void normaliseExpression(cuf::DataTransferOp transfer) {
  fir::FirOpBuilder builder = builderAt(transfer);
  Location loc = transfer.getLoc();
  Value to = transfer.getDst();
  if (transfer.getTransferKind() == cuf::DataTransferKind::DeviceHost) {
    hlfir::AssignOp::create(builder, loc, transfer.getSrc(), withBounds(to), isWholeAllocatable(to),
                            keepsLength(to));
    transfer.erase();
    return;
  }
  hlfir::Entity source{transfer.getSrc()};
  hlfir::AssociateOp temporary = hlfir::genAssociateExpr(
      loc, builder, source, hlfir::getFortranElementOrSequenceType(source.getType()),
      "cufc.source");
  transfer.getSrcMutable().assign(temporary.getBase());
  transfer.setTransferKind(cuf::DataTransferKind::HostDevice);
  builder.setInsertionPointAfter(transfer);
  hlfir::EndAssociateOp::create(builder, loc, temporary);
}

// A scalar that host code reads, from memory that it can read, is an ordinary assignment.
bool isHostAssignment(cuf::DataTransferOp transfer) {
  auto isScalar = [](Value variable) {
    return fir::isa_ref_type(variable.getType()) &&
           fir::isa_trivial(fir::unwrapRefType(variable.getType()));
  };
  Value from = transfer.getSrc(), to = transfer.getDst();
  return isScalar(from) && isScalar(to) && isOnDevice(from) && !isOnlyOnDevice(from) &&
         !isOnlyOnDevice(to);
}

// A variable with the value of a scalar.
Value inMemory(fir::FirOpBuilder &builder, Location loc, Value value) {
  Value memory = builder.createTemporary(loc, value.getType());
  fir::StoreOp::create(builder, loc, value, memory);
  return hlfir::DeclareOp::create(builder, loc, memory, "cufc.source").getBase();
}

// A scalar that the host has loaded or computed: it gets the type of the left side.
void normaliseValue(cuf::DataTransferOp transfer) {
  bool onDevice = transfer.getTransferKind() == cuf::DataTransferKind::DeviceDevice;
  fir::FirOpBuilder builder = builderAt(transfer);
  Type type = hlfir::getFortranElementType(transfer.getDst().getType());
  Value value = transfer.getSrc();
  bool toHost = transfer.getTransferKind() == cuf::DataTransferKind::DeviceHost;
  if (value.getType() == type && !toHost && !onDevice)
    return;
  transfer.setTransferKind(toHost ? cuf::DataTransferKind::DeviceHost
                                  : cuf::DataTransferKind::HostDevice);
  value = builder.createConvert(transfer.getLoc(), type, value);
  if (!toHost) {
    transfer.getSrcMutable().assign(inMemory(builder, transfer.getLoc(), value));
    return;
  }
  hlfir::AssignOp::create(builder, transfer.getLoc(), value, withBounds(transfer.getDst()),
                          isWholeAllocatable(transfer.getDst()));
  transfer.erase();
}

// flang 23 stores such a value, as if the left side had its type and were no array.
void assignStoredValues(func::FuncOp function) {
  llvm::SmallVector<fir::StoreOp> found;
  function.walk([&](fir::StoreOp store) {
    if (fir::isa_trivial(store.getValue().getType()) &&
        fir::unwrapRefType(store.getMemref().getType()) != store.getValue().getType())
      found.push_back(store);
  });
  for (fir::StoreOp store : found) {
    fir::FirOpBuilder builder = builderAt(store);
    Value to = store.getMemref();
    Value value = builder.createConvert(store.getLoc(), hlfir::getFortranElementType(to.getType()),
                                        store.getValue());
    hlfir::AssignOp::create(builder, store.getLoc(), value, withBounds(to), isWholeAllocatable(to));
    store.erase();
  }
}

#if LLVM_VERSION_MAJOR >= 23
// Also dummies of types with device components count as managed; what has descriptors inside is
// another matter.
bool isManaged(Value variable) {
  return isOnDevice(variable) && !isOnlyOnDevice(variable) &&
         !fir::isPolymorphicType(variable.getType()) &&
         !fir::isRecordWithDescriptorMember(hlfir::getFortranElementType(variable.getType()));
}

bool isVariable(Value value) {
  return fir::isa_ref_type(value.getType()) || isa<fir::BaseBoxType>(value.getType());
}

// Host data into managed data is an ordinary assignment, and managed data into host data a
// transfer, which waits for the kernels before it. flang 23 has both the other way round.
void exchangeManaged(func::FuncOp function) {
  llvm::SmallVector<cuf::DataTransferOp> written;
  llvm::SmallVector<hlfir::AssignOp> read;
  function.walk([&](cuf::DataTransferOp transfer) {
    Value from = transfer.getSrc();
    if (isManaged(transfer.getDst()) && !(isVariable(from) && isOnDevice(from)))
      written.push_back(transfer);
  });
  function.walk([&](hlfir::AssignOp assign) {
    Value from = assign.getRhs();
    if (isVariable(from) && isManaged(from) && !isOnDevice(assign.getLhs()) &&
        !assign->getParentOfType<cuf::KernelOp>() && !assign.getTemporaryLhs())
      read.push_back(assign);
  });
  for (cuf::DataTransferOp transfer : written) {
    Value to = transfer.getDst();
    fir::FirOpBuilder builder = builderAt(transfer);
    hlfir::AssignOp::create(builder, transfer.getLoc(), transfer.getSrc(), withBounds(to),
                            isWholeAllocatable(to), keepsLength(to));
    transfer.erase();
  }
  for (hlfir::AssignOp assign : read) {
    fir::FirOpBuilder builder = builderAt(assign);
    cuf::DataTransferOp::create(
        builder, assign.getLoc(), assign.getRhs(), assign.getLhs(), /*shape=*/Value{},
        cuf::DataTransferKindAttr::get(builder.getContext(), cuf::DataTransferKind::DeviceHost));
    assign.erase();
  }
}
#else
void exchangeManaged(func::FuncOp) {}
#endif

class TransferLowering {
public:
  explicit TransferLowering(cuf::DataTransferOp transfer)
      : transfer(transfer), loc(transfer.getLoc()), builder(builderAt(transfer)) {}

  void run() {
    Value from = transfer.getSrc(), to = transfer.getDst();
    Value file = fir::factory::locationToFilename(builder, loc);
    Value line = fir::factory::locationToLineNo(builder, loc, builder.getI32Type());
    Value mode = builder.createIntegerConstant(loc, builder.getI32Type(), this->mode());
    bool constant = fir::isa_trivial(from.getType());
    if (constant)
      from = inMemory(builder, loc, from);
    if (isSimpleScalar(from) && isSimpleScalar(to) &&
        fir::unwrapRefType(from.getType()) == fir::unwrapRefType(to.getType())) {
      Value bytes = builder.createIntegerConstant(loc, builder.getIndexType(),
                                                  bytesOf(fir::unwrapRefType(to.getType())));
      call("_FortranACUFDataTransferPtrPtr", pointer(to), pointer(from), {bytes, mode, file, line});
    } else {
      llvm::StringRef name = constant                  ? "_FortranACUFDataTransferCstDesc"
                             : !isWholeAllocatable(to) ? "_FortranACUFDataTransferDescDescNoRealloc"
                             : isGlobal(to)            ? "_FortranACUFDataTransferGlobalDescDesc"
                                                       : "_FortranACUFDataTransferDescDesc";
      call(name, descriptor(to), descriptor(from), {mode, file, line});
    }
    transfer.erase();
  }

private:
  // As in flang/Runtime/CUDA/common.h; with 0x100 a text takes the length of the right side.
  int mode() {
    Value to = transfer.getDst();
    bool isText = isa<fir::CharacterType>(hlfir::getFortranElementType(to.getType()));
    return direction() + (isText && isWholeAllocatable(to) && !keepsLength(to) ? 0x100 : 0);
  }

  int direction() {
    switch (transfer.getTransferKind()) {
    case cuf::DataTransferKind::HostDevice:
      return 0;
    case cuf::DataTransferKind::DeviceHost:
      return 1;
    case cuf::DataTransferKind::DeviceDevice:
      return 2;
    }
    return 0;
  }

  void call(llvm::StringRef name, Value to, Value from, llvm::ArrayRef<Value> rest) {
    llvm::SmallVector<Value> operands{to, from};
    operands.append(rest.begin(), rest.end());
    callRuntime(builder, loc, name, operands, {});
  }

  static bool isSimpleScalar(Value variable) {
    return fir::isa_ref_type(variable.getType()) &&
           fir::isa_trivial(fir::unwrapRefType(variable.getType()));
  }

  static bool isGlobal(Value variable) {
    auto declare = variable.getDefiningOp<hlfir::DeclareOp>();
    return declare && declare.getMemref().getDefiningOp<fir::AddrOfOp>();
  }

  Value pointer(Value address) {
    return builder.createConvert(loc, fir::LLVMPointerType::get(builder.getI8Type()), address);
  }

  // The address of a descriptor.
  Value descriptor(Value variable) {
    Type type = fir::dyn_cast_ptrEleTy(variable.getType());
    if (type && isa<fir::BaseBoxType>(type))
      return pointer(variable);
    Value box = variable;
    if (transfer.getShape() && !isa<fir::ShiftType>(transfer.getShape().getType()) &&
        !isa<fir::BaseBoxType>(variable.getType()) &&
        isa<fir::SequenceType>(fir::unwrapRefType(variable.getType())))
      box = withShape(builder, loc, variable, transfer.getShape());
    else
      box = hlfir::genVariableBox(loc, builder, hlfir::Entity{variable});
    return descriptorArgument(builder, loc, box);
  }

  cuf::DataTransferOp transfer;
  Location loc;
  fir::FirOpBuilder builder;
};

// flang evaluates the left side of an assignment after the operation that uses it, where it has
// copied a device operand of the right side.
void repairOrder(func::FuncOp function) {
  llvm::SmallVector<hlfir::AssignOp> assignments;
  function.walk([&](hlfir::AssignOp assign) { assignments.push_back(assign); });
  for (hlfir::AssignOp assign : assignments) {
    if (auto load = assign.getLhs().getDefiningOp<fir::LoadOp>();
        load && assign.getRealloc() && isWholeAllocatable(load.getMemref()))
      assign.getLhsMutable().assign(load.getMemref());
    if (Operation *left = assign.getLhs().getDefiningOp();
        left && left->getBlock() == assign->getBlock() && assign->isBeforeInBlock(left))
      assign->moveAfter(left);
  }
}

// flang takes any part of a managed object for managed. An assignment by host code becomes a
// transfer if the left side is on the device alone.
void addTransfers(func::FuncOp function) {
  llvm::SmallVector<hlfir::AssignOp> assignments;
  function.walk([&](hlfir::AssignOp assign) {
    if (!assign->getParentOfType<cuf::KernelOp>() && !assign.getTemporaryLhs())
      assignments.push_back(assign);
  });
  for (hlfir::AssignOp assign : assignments) {
    Value to = assign.getLhs(), from = assign.getRhs();
    if (!isOnlyOnDevice(to))
      continue;
    bool fromDevice = fir::isa_ref_type(from.getType()) && isOnlyOnDevice(from);
    fir::FirOpBuilder builder = builderAt(assign);
    if (fir::isa_trivial(from.getType()))
      from = inMemory(builder, assign.getLoc(), from);
    auto kind =
        fromDevice ? cuf::DataTransferKind::DeviceDevice : cuf::DataTransferKind::HostDevice;
    cuf::DataTransferOp::create(builder, assign.getLoc(), from, to, /*shape=*/Value{},
                                cuf::DataTransferKindAttr::get(builder.getContext(), kind));
    assign.erase();
  }
}

// A text of the procedure around an internal one is no operand that a transfer may have.
void describeTexts(cuf::DataTransferOp transfer) {
  fir::FirOpBuilder builder = builderAt(transfer);
  for (OpOperand &operand : transfer->getOpOperands())
    if (isa<fir::BoxCharType>(operand.get().getType()))
      operand.set(hlfir::genVariableBox(transfer.getLoc(), builder, hlfir::Entity{operand.get()}));
}

// Where elements are converted by an assignment, flang copies the array and has the expression read
// the copy, whose bounds are others, if it is one of managed data too. Let it read the array:
// host_reads.cpp copies what is on the device.
void undoCopy(cuf::DataTransferOp transfer) {
  auto copy = transfer.getDst().getDefiningOp<hlfir::DeclareOp>();
  auto memory = copy ? copy.getMemref().getDefiningOp<fir::AllocMemOp>() : fir::AllocMemOp();
  if (!memory || memory.getBindcName() != llvm::StringRef(".tmp"))
    return;
  llvm::SmallVector<hlfir::DesignateOp> elements;
  for (Operation *user : copy->getUsers())
    if (auto element = dyn_cast<hlfir::DesignateOp>(user))
      elements.push_back(element);
    else if (user != transfer)
      return;
  fir::FirOpBuilder builder = builderAt(transfer);
  Value source = hlfir::derefPointersAndAllocatables(transfer.getLoc(), builder,
                                                     hlfir::Entity{withBounds(transfer.getSrc())});
  for (hlfir::DesignateOp element : elements)
    element.getMemrefMutable().assign(source);
  transfer.erase();
  copy.erase();
  for (Operation *release : llvm::make_early_inc_range(memory->getUsers()))
    release->erase();
  memory.erase();
}

// The last operation of the block that `op` is in that uses its results, directly or not.
Operation *lastUse(Operation *op) {
  Operation *last = op;
  for (Operation *user : op->getUsers()) {
    user = op->getBlock()->findAncestorOpInBlock(*user);
    if (!user)
      continue;
    Operation *later = user->getNumResults() ? lastUse(user) : user;
    if (last->isBeforeInBlock(later))
      last = later;
  }
  return last;
}

// flang's copies of device operands are not freed in every case.
void freeCopies(func::FuncOp function) {
  llvm::SmallVector<fir::AllocMemOp> copies;
  function.walk([&](fir::AllocMemOp memory) {
    bool freed =
        llvm::any_of(memory->getUsers(), [](Operation *user) { return isa<fir::FreeMemOp>(user); });
    if (memory.getBindcName() == llvm::StringRef(".tmp") && !freed)
      copies.push_back(memory);
  });
  for (fir::AllocMemOp memory : copies) {
    OpBuilder builder(memory);
    Operation *last = lastUse(memory);
    if (last->hasTrait<OpTrait::IsTerminator>())
      continue;
    builder.setInsertionPointAfter(last);
    fir::FreeMemOp::create(builder, memory.getLoc(), memory);
  }
}

} // namespace

void normaliseTransfers(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    repairOrder(function);
    if (!isDeviceProcedure(function) && isNoKernel(function)) {
      assignStoredValues(function);
      exchangeManaged(function);
      addTransfers(function);
    }
  }
  for (cuf::DataTransferOp transfer : hostTransfers(module, isNoKernel)) {
    describeTexts(transfer);
    undoCopy(transfer);
  }
  for (cuf::DataTransferOp transfer : hostTransfers(module, isNoKernel)) {
    // flang repeats the shape of a descriptor where the left side is an ASSOCIATE name.
    if (transfer.getShape() && !fir::isa_ref_type(transfer.getSrc().getType()) &&
        isa<fir::BaseBoxType>(transfer.getDst().getType()))
      transfer.getShapeMutable().clear();
    if (isa<hlfir::ExprType>(transfer.getSrc().getType()))
      normaliseExpression(transfer);
    else if (fir::isa_trivial(transfer.getSrc().getType()))
      normaliseValue(transfer);
    else if (isHostAssignment(transfer)) {
      OpBuilder builder(transfer);
      hlfir::AssignOp::create(builder, transfer.getLoc(), transfer.getSrc(), transfer.getDst());
      transfer.erase();
    } else if (Value shape = transfer.getShape(); shape && isa<fir::ShiftType>(shape.getType())) {
      transfer.getShapeMutable().clear();
    } else if (shape && isa<fir::BaseBoxType>(transfer.getSrc().getType()) !=
                            isa<fir::BaseBoxType>(transfer.getDst().getType())) {
      fir::FirOpBuilder builder = builderAt(transfer);
      transfer.getSrcMutable().assign(
          withShape(builder, transfer.getLoc(), transfer.getSrc(), shape));
      if (Value to = transfer.getDst(); !isWholeAllocatable(to))
        transfer.getDstMutable().assign(withShape(builder, transfer.getLoc(), to, shape));
      transfer.getShapeMutable().clear();
    }
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (!isDeviceProcedure(function))
      freeCopies(function);
}

void lowerTransfers(ModuleOp module, cuf::ProcAttribute procedures) {
  auto isWanted = [&](func::FuncOp function) { return procedureAttribute(function) == procedures; };
  for (cuf::DataTransferOp transfer : hostTransfers(module, isWanted))
    TransferLowering(transfer).run();
}

void assignTransfers(ModuleOp module) {
  for (cuf::DataTransferOp transfer : hostTransfers(module, isNoKernel)) {
    OpBuilder builder(transfer);
    Value to = transfer.getDst();
    Value from = transfer.getSrc();
    if (!fir::isa_trivial(from.getType()) && !isa<hlfir::ExprType>(from.getType()))
      from = withBounds(from);
    hlfir::AssignOp::create(builder, transfer.getLoc(), from, withBounds(to),
                            isWholeAllocatable(to), keepsLength(to));
    transfer.erase();
  }
}

} // namespace cufc
