// See pipeline_copies.h. cufc_pipeline_copy_<type> copies parts of 4 or 8 bytes by cp.async, which
// takes addresses of shared and global memory alone (PTX ISA, "Data Movement and Conversion
// Instructions: cp.async"); what else a program gives it is copied at once. cp.async.wait_group
// wants a constant, so a number of groups chooses among the first few; waiting for all is right for
// any other.
#include "codegen/pipeline_copies.h"
#include "codegen/address_spaces.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr StringLiteral prefix = "cufc_pipeline_";
constexpr unsigned groupsToChooseFrom = 8;

struct Parts {
  unsigned bytes, number;
};

// Of a type's name: i4, r8, c4. A complex number is aligned as its parts are.
Parts partsOf(StringRef type) {
  Parts parts{0, type.starts_with("c") ? 2u : 1u};
  type.drop_front().consumeInteger(10, parts.bytes);
  return parts;
}

class Definition {
public:
  explicit Definition(Function &function)
      : function(function), context(function.getContext()), builder(newBlock("entry")) {}

  void build(bool forGpu) {
    StringRef name = function.getName();
    name.consume_front(prefix);
    if (name.consume_front("copy_"))
      forGpu ? copyAsynchronously(partsOf(name)) : copy(partsOf(name));
    else if (forGpu)
      name == "commit" ? callVoid(Intrinsic::nvvm_cp_async_commit_group) : wait();
    builder.CreateRetVoid();
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }

private:
  BasicBlock *newBlock(const char *name) { return BasicBlock::Create(context, name, &function); }
  void callVoid(Intrinsic::ID id, ArrayRef<Value *> arguments = {}) {
    builder.CreateIntrinsic(builder.getVoidTy(), id, arguments);
  }

  Value *part(unsigned argument, const Parts &parts, unsigned number) {
    return builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), function.getArg(argument),
                                              number * parts.bytes);
  }

  void copy(const Parts &parts) {
    Type *type = builder.getIntNTy(8 * parts.bytes);
    Align alignment(parts.bytes);
    for (unsigned i = 0; i < parts.number; ++i)
      builder.CreateAlignedStore(builder.CreateAlignedLoad(type, part(1, parts, i), alignment),
                                 part(0, parts, i), alignment);
  }

  void copyAsynchronously(const Parts &parts) {
    auto isIn = [&](Intrinsic::ID id, unsigned argument) {
      return builder.CreateIntrinsic(builder.getInt1Ty(), id, {function.getArg(argument)});
    };
    Value *fits = builder.CreateAnd(isIn(Intrinsic::nvvm_isspacep_shared, 0),
                                    isIn(Intrinsic::nvvm_isspacep_global, 1));
    BasicBlock *asynchronous = newBlock("asynchronous"), *now = newBlock("now");
    BasicBlock *done = newBlock("done");
    builder.CreateCondBr(fits, asynchronous, now);
    builder.SetInsertPoint(asynchronous);
    auto in = [&](Value *address, unsigned space) {
      return builder.CreateAddrSpaceCast(address, PointerType::get(context, space));
    };
    for (unsigned i = 0; i < parts.number; ++i)
      callVoid(parts.bytes == 4 ? Intrinsic::nvvm_cp_async_ca_shared_global_4
                                : Intrinsic::nvvm_cp_async_ca_shared_global_8,
               {in(part(0, parts, i), sharedSpace), in(part(1, parts, i), globalSpace)});
    builder.CreateBr(done);
    builder.SetInsertPoint(now);
    copy(parts);
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
  }

  void wait() {
    BasicBlock *done = newBlock("done"), *all = newBlock("all");
    SwitchInst *choice = builder.CreateSwitch(function.getArg(0), all, groupsToChooseFrom);
    builder.SetInsertPoint(all);
    callVoid(Intrinsic::nvvm_cp_async_wait_all);
    builder.CreateBr(done);
    for (unsigned groups = 0; groups < groupsToChooseFrom; ++groups) {
      BasicBlock *some = newBlock("some");
      choice->addCase(builder.getInt32(groups), some);
      builder.SetInsertPoint(some);
      callVoid(Intrinsic::nvvm_cp_async_wait_group, {builder.getInt32(groups)});
      builder.CreateBr(done);
    }
    builder.SetInsertPoint(done);
  }

  Function &function;
  LLVMContext &context;
  IRBuilder<> builder;
};

// Bytes that an intrinsic copies; 0 for those of groups.
std::optional<unsigned> copiedBytes(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_cp_async_ca_shared_global_4:
    return 4;
  case Intrinsic::nvvm_cp_async_ca_shared_global_8:
    return 8;
  case Intrinsic::nvvm_cp_async_commit_group:
  case Intrinsic::nvvm_cp_async_wait_group:
  case Intrinsic::nvvm_cp_async_wait_all:
    return 0;
  default:
    return std::nullopt;
  }
}

} // namespace

void definePipelineCopies(Module &module, bool forGpu) {
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(prefix))
      Definition(function).build(forGpu);
}

void expandPipelineCopies(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    auto bytes = copiedBytes(function.getIntrinsicID());
    if (!bytes)
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      if (*bytes > 0) {
        Value *value = builder.CreateAlignedLoad(builder.getIntNTy(8 * *bytes),
                                                 call->getArgOperand(1), Align(*bytes));
        builder.CreateAlignedStore(value, call->getArgOperand(0), Align(*bytes));
      }
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace cufc
