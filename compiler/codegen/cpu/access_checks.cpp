// See access_checks.h. An access of a thread's own variables (local_checks.h) or of a variable of a
// module is not looked at, by the object that its address is made from. All others call the
// runtime, which knows where the block's shared memory is, and where device memory. Places come
// from the lines that lowering has attached to the instructions.
#include "codegen/cpu/access_checks.h"
#include "codegen/address_spaces.h"
#include "codegen/cpu/check_places.h"
#include "codegen/cpu/local_checks.h"
#include "codegen/cpu/sync_operations.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace cufc {
namespace {

using namespace llvm;

constexpr const char *checkedFlag = "cufc.check";

// What one instruction does to memory at one address.
struct Access {
  Value *address;
  Value *bytes;
  int kind;      // a cufrt_access
  Value *stored; // of CUFRT_WRITE_VALUE
};

// "tile" of the shared variable _QMkernelsFtransposeEtile_shared (lower/device_lowering.cpp), empty
// for dynamic shared memory.
std::string sourceName(StringRef name) {
  if (!name.consume_back("_shared") || !name.contains('E'))
    return "";
  return name.rsplit('E').second.str();
}

// The records of cufrt_shared_variable.
Constant *tableOf(Module &module, ArrayRef<SharedVariable> variables, IRBuilder<> &builder) {
  std::vector<Constant *> records;
  auto add = [&](Constant *name, uint64_t offset, uint64_t bytes) {
    records.push_back(
        ConstantStruct::getAnon({name, builder.getInt64(offset), builder.getInt64(bytes)}));
  };
  for (const SharedVariable &variable : variables)
    if (std::string name = sourceName(variable.symbol); !name.empty())
      add(builder.CreateGlobalString(name, "", 0, &module), variable.offset, variable.bytes);
  add(ConstantPointerNull::get(builder.getPtrTy()), 0, 0);
  auto *type = ArrayType::get(records[0]->getType(), records.size());
  return new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage,
                            ConstantArray::get(type, records), "cufc.shared");
}

class AccessChecks {
public:
  explicit AccessChecks(Module &module)
      : module(module), context(module.getContext()), layout(module.getDataLayout()),
        builder(context), places(module) {}

  void run() {
    for (Function &function : module) {
      if (function.isDeclaration())
        continue;
      std::vector<Instruction *> found;
      for (Instruction &instruction : instructions(function))
        found.push_back(&instruction);
      for (Instruction *instruction : found)
        check(*instruction);
    }
  }

private:
  void check(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      int kind = load->isVolatile() || load->isAtomic() ? CUFRT_ATOMIC_READ : CUFRT_READ;
      report(instruction, {load->getPointerOperand(), sizeOf(load->getType()), kind, nullptr});
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      checkStore(*store);
    } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
      bool onlyWrites = update->getOperation() == AtomicRMWInst::Xchg && update->use_empty();
      report(instruction, {update->getPointerOperand(), sizeOf(update->getType()),
                           onlyWrites ? CUFRT_ATOMIC_WRITE : CUFRT_ATOMIC_UPDATE, nullptr});
    } else if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      report(instruction, {swap->getPointerOperand(), sizeOf(swap->getNewValOperand()->getType()),
                           CUFRT_ATOMIC_UPDATE, nullptr});
    } else if (auto *transfer = dyn_cast<MemTransferInst>(&instruction)) {
      report(instruction,
             {transfer->getRawSource(), transfer->getLength(), CUFRT_READ_PARTS, nullptr});
      report(instruction, {transfer->getRawDest(), transfer->getLength(), CUFRT_WRITE, nullptr});
    } else if (auto *fill = dyn_cast<MemSetInst>(&instruction)) {
      report(instruction, {fill->getRawDest(), fill->getLength(), CUFRT_WRITE, nullptr});
    } else if (auto *call = dyn_cast<CallBase>(&instruction); call && syncOperation(*call)) {
      builder.SetInsertPoint(call);
      FunctionCallee announce =
          module.getOrInsertFunction("cufrt_check_sync", builder.getVoidTy(), builder.getPtrTy());
      builder.CreateCall(announce, {places.placeOf(*call, "")});
    }
  }

  void checkStore(StoreInst &store) {
    Type *type = store.getValueOperand()->getType();
    bool atomic = store.isVolatile() || store.isAtomic();
    bool small = (type->isIntegerTy() || type->isFloatingPointTy()) &&
                 layout.getTypeStoreSize(type) <= sizeof(uint64_t) &&
                 layout.typeSizeEqualsStoreSize(type);
    int kind = atomic ? CUFRT_ATOMIC_WRITE : small ? CUFRT_WRITE_VALUE : CUFRT_WRITE;
    report(store, {store.getPointerOperand(), sizeOf(type), kind,
                   kind == CUFRT_WRITE_VALUE ? store.getValueOperand() : nullptr});
  }

  Value *sizeOf(Type *type) {
    return builder.getInt64(layout.getTypeStoreSize(type).getFixedValue());
  }

  // Of variables of modules, only how blocks speak to each other.
  bool isOfNoInterest(const Value &object, const Instruction &instruction, int kind) {
    if (auto *variable = dyn_cast<GlobalVariable>(&object))
      return variable->getAddressSpace() != sharedSpace && kind < CUFRT_ATOMIC_READ;
    return isa<AllocaInst>(object) && !isInlinedAccess(object, instruction);
  }

  void report(Instruction &instruction, Access access) {
    const Value *object = getUnderlyingObject(access.address);
    if (isOfNoInterest(*object, instruction, access.kind))
      return;
    builder.SetInsertPoint(&instruction);
    Type *pointer = builder.getPtrTy(), *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
    FunctionCallee check = module.getOrInsertFunction("cufrt_check_access", builder.getVoidTy(),
                                                      pointer, i64, i32, i64, pointer, pointer);
    builder.CreateCall(
        check, {generic(access.address), builder.CreateZExtOrTrunc(access.bytes, i64),
                builder.getInt32(access.kind), bitsOf(access.stored), arrayOf(*object),
                places.placeOf(instruction,
                               isa<GlobalVariable>(object) ? sourceName(object->getName()) : "")});
  }

  Value *generic(Value *address) {
    return builder.CreateAddrSpaceCast(address, builder.getPtrTy());
  }

  // The shared variable itself, which becomes its place in the block's memory later.
  Value *arrayOf(const Value &object) {
    auto *variable = dyn_cast<GlobalVariable>(&object);
    if (!variable || variable->getAddressSpace() != sharedSpace)
      return ConstantPointerNull::get(builder.getPtrTy());
    return generic(const_cast<Value *>(&object));
  }

  Value *bitsOf(Value *stored) {
    if (!stored)
      return builder.getInt64(0);
    Type *bits = builder.getIntNTy(stored->getType()->getPrimitiveSizeInBits());
    if (!stored->getType()->isIntegerTy())
      stored = builder.CreateBitCast(stored, bits);
    return builder.CreateZExt(stored, builder.getInt64Ty());
  }

  Module &module;
  LLVMContext &context;
  const DataLayout &layout;
  IRBuilder<> builder;
  CheckPlaces places;
};

} // namespace

void markChecked(Module &module) { module.addModuleFlag(Module::Max, checkedFlag, 1); }

bool isChecked(const Module &module) { return module.getModuleFlag(checkedFlag) != nullptr; }

void dropChecks(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.getName().starts_with("cufrt_check_"))
      continue;
    for (User *user : make_early_inc_range(function.users()))
      cast<CallInst>(user)->eraseFromParent();
    function.eraseFromParent();
  }
}

void checkAccesses(Module &module) { AccessChecks(module).run(); }

void announceThread(Function &thread, ArrayRef<SharedVariable> variables) {
  Module &module = *thread.getParent();
  IRBuilder<> builder(&*thread.getEntryBlock().getFirstInsertionPt());
  Type *i32 = builder.getInt32Ty(), *pointer = builder.getPtrTy();
  FunctionCallee announce =
      module.getOrInsertFunction("cufrt_check_thread", builder.getVoidTy(), i32, i32, i32, pointer);
  builder.CreateCall(announce, {thread.getArg(3), thread.getArg(4), thread.getArg(5),
                                tableOf(module, variables, builder)});
}

} // namespace cufc
