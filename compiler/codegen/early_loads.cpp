// See early_loads.h.
#include "codegen/early_loads.h"
#include "codegen/address_spaces.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

// Bytes that are on their way at a division. More cost registers, and many are on their way anyhow.
constexpr uint64_t mostLoaded = 64;
constexpr unsigned mostDepth = 4; // of the computation of an address

// Whether ptxas makes branches of it: for numbers that are very large or small it calls a function.
bool becomesBranches(const Instruction &instruction) {
  if (instruction.getType()->isVectorTy())
    return false;
  if (instruction.getOpcode() == Instruction::FDiv)
    return !instruction.hasApproxFunc() && !instruction.hasAllowReciprocal();
  if (instruction.isIntDivRem())
    return instruction.getType()->isIntegerTy(64) && !isa<Constant>(instruction.getOperand(1));
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::sqrt:
    return !call->hasApproxFunc();
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
  case Intrinsic::nvvm_rcp_rn_f:
  case Intrinsic::nvvm_rcp_rn_d:
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_d:
    return true;
  default:
    return false;
  }
}

class Block {
public:
  explicit Block(BasicBlock &block) : block(block) {}

  void run() {
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && isOfData(*load) && !moveUp(*load))
        waiting += sizeOf(*load);
      if (becomesBranches(instruction)) {
        divisions.push_back({&instruction, waiting});
        waiting = 0;
      }
      if (instruction.mayWriteToMemory())
        divisionsAtWrite = divisions.size();
    }
  }

private:
  struct Division {
    Instruction *at;
    uint64_t loaded; // bytes, between the division before it and this one
  };

  uint64_t sizeOf(const LoadInst &load) const {
    return block.getDataLayout().getTypeStoreSize(load.getType());
  }

  // Others need little or no time: of shared memory, of arguments and of a thread's own variables.
  static bool isOfData(const LoadInst &load) {
    const unsigned space = load.getPointerAddressSpace();
    if (!load.isSimple() || (space != globalSpace && space != genericSpace))
      return false;
    const Value *object = getUnderlyingObject(load.getPointerOperand());
    auto *argument = dyn_cast<Argument>(object);
    return !isa<AllocaInst>(object) && !(argument && argument->hasByValAttr());
  }

  bool moveUp(LoadInst &load) {
    const uint64_t size = sizeOf(load);
    // Others may write there: it stays behind the last write.
    size_t first = load.hasMetadata(LLVMContext::MD_invariant_load) ? 0 : divisionsAtWrite;
    for (Division &division : drop_begin(divisions, first))
      if (division.loaded + size <= mostLoaded &&
          precedes(load.getPointerOperand(), *division.at, 0)) {
        division.loaded += size;
        bring(load.getPointerOperand(), *division.at);
        load.moveBefore(division.at->getIterator());
        return true;
      }
    return false;
  }

  // Whether a number can be computed before an instruction of the block at the cost of a few
  // others.
  bool precedes(const Value *value, const Instruction &place, unsigned depth) const {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != &block || isa<PHINode>(instruction) ||
        instruction->comesBefore(&place))
      return true;
    auto *call = dyn_cast<CallInst>(instruction);
    const bool isCheap =
        call ? call->isInlineAsm() && call->doesNotAccessMemory() && !call->isConvergent()
             : isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction);
    if (depth > mostDepth || !isCheap || instruction->isIntDivRem() ||
        instruction->getType()->isFloatingPointTy())
      return false;
    return all_of(instruction->operands(),
                  [&](const Use &use) { return precedes(use.get(), place, depth + 1); });
  }

  void bring(Value *value, Instruction &place) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || instruction->getParent() != &block || isa<PHINode>(instruction) ||
        instruction->comesBefore(&place))
      return;
    for (Use &use : instruction->operands())
      bring(use.get(), place);
    instruction->moveBefore(place.getIterator());
  }

  BasicBlock &block;
  uint64_t waiting = 0; // bytes that were loaded since the last division
  SmallVector<Division> divisions;
  size_t divisionsAtWrite = 0; // of the divisions, those before the last write
};

} // namespace

void loadBeforeDivisions(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      Block(block).run();
}

} // namespace cufc
