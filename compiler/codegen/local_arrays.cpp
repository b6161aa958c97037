// An array of a thread lies in local memory, which is that of the GPU, unless all subscripts are
// constants. A loop of constant count over a small array is therefore worth more code than LLVM,
// which does not ask what a loop accesses, would make of it; so is one that divides by its counter,
// and on a GPU one over constant memory, whose elements are operands of other instructions then.
// Other small nests of constant count are unrolled too, since a thread that waits for memory needs
// many loads under way.
#include "codegen/local_arrays.h"
#include "codegen/address_spaces.h"
#include "codegen/gpu/batched_loops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

// A thread has at most 255 registers of 4 bytes.
constexpr uint64_t mostArrayBytes = 768;
constexpr unsigned mostTrips = 64, mostForOperands = 256;
// Instructions of a nest when all its loops are unrolled.
constexpr uint64_t mostForRegisters = 6000, mostForDivisions = 1500, mostOfOperands = 1600,
                   mostOtherwise = 400;
// Instructions of a procedure; more take ptxas and LLVM long.
constexpr uint64_t mostOfProcedure = 8000;

class Nest {
public:
  Nest(Loop &loop, ScalarEvolution &evolution, bool forGpu)
      : loop(loop), evolution(evolution), forGpu(forGpu) {}

  bool pays() {
    unsigned trips = evolution.getSmallConstantTripCount(&loop);
    if (trips < 2 || trips > mostForOperands || hasUnrollHint(loop))
      return false;
    if (trips > mostTrips)
      return freesOperands(trips);
    std::optional<uint64_t> size = unrolledSize(loop);
    if (!size || *size > mostForRegisters ||
        *size + loop.getHeader()->getParent()->getInstructionCount() > mostOfProcedure)
      return false;
    return (*size <= mostOtherwise && !isRepeated()) || freesArray() ||
           (*size <= mostForDivisions && freesDivision()) || freesOperands(trips);
  }

private:
  // Whether a loop of many iterations is around it.
  bool isRepeated() const {
    for (Loop *outer = loop.getParentLoop(); outer; outer = outer->getParentLoop())
      if (evolution.getSmallConstantTripCount(outer) == 0)
        return true;
    return false;
  }

  std::optional<uint64_t> unrolledSize(const Loop &part) {
    unsigned trips = evolution.getSmallConstantTripCount(&part);
    if (trips == 0)
      trips = evolution.getSmallConstantMaxTripCount(&part);
    if (trips == 0 || trips > mostTrips)
      return std::nullopt;
    std::optional<uint64_t> size = sizeOfRound(part);
    return size ? std::optional(*size * trips) : std::nullopt;
  }

  std::optional<uint64_t> sizeOfRound(const Loop &part) {
    uint64_t size = 0;
    for (BasicBlock *block : part.blocks()) {
      if (std::any_of(part.begin(), part.end(), [&](Loop *sub) { return sub->contains(block); }))
        continue;
      for (Instruction &instruction : *block) {
        auto *call = dyn_cast<CallInst>(&instruction);
        const Function *called = call ? call->getCalledFunction() : nullptr;
        bool isKnown = called && (called->isIntrinsic() ||
                                  (call->doesNotAccessMemory() && !call->isConvergent()));
        if (call && !call->isInlineAsm() && !isKnown) // those of libdevice are known
          return std::nullopt;
        size += !isa<PHINode, GetElementPtrInst, CastInst, DbgInfoIntrinsic>(instruction);
      }
    }
    for (const Loop *sub : part) {
      std::optional<uint64_t> inside = unrolledSize(*sub);
      if (!inside)
        return std::nullopt;
      size += *inside;
    }
    return size;
  }

  // Whether the loop's count alone decides what is read of constant memory.
  bool freesOperands(unsigned trips) {
    std::optional<uint64_t> size = forGpu && loop.isInnermost() ? sizeOfRound(loop) : std::nullopt;
    return size && *size * trips <= mostOfOperands && any_of(loop.blocks(), [&](BasicBlock *block) {
             return any_of(*block, [&](Instruction &instruction) {
               auto *load = dyn_cast<LoadInst>(&instruction);
               return load && isOperand(*load);
             });
           });
  }

  bool isOperand(LoadInst &load) {
    auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(load.getPointerOperand()));
    auto *course = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(load.getPointerOperand()));
    return variable && variable->getAddressSpace() == constantSpace && course &&
           course->getLoop() == &loop && isa<SCEVConstant>(course->getStepRecurrence(evolution)) &&
           !SCEVExprContains(course->getStart(), [&](const SCEV *part) {
             auto *unknown = dyn_cast<SCEVUnknown>(part);
             return unknown && unknown->getValue()->stripPointerCasts() != variable;
           });
  }

  // Whether something is divided by a number that is a constant in each iteration, such as the
  // length of a butterfly in a Fourier transform.
  bool freesDivision() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        bool divides = instruction.isIntDivRem() || instruction.getOpcode() == Instruction::FDiv;
        SmallPtrSet<Value *, 8> seen;
        if (divides && !isa<Constant>(instruction.getOperand(1)) &&
            isKnownInIterations(instruction.getOperand(1), seen))
          return true;
      }
    return false;
  }

  // Whether constants alone, and operations of them, come to a value in the loop.
  bool isKnownInIterations(Value *value, SmallPtrSetImpl<Value *> &seen) {
    if (isa<Constant>(value) || !seen.insert(value).second)
      return true;
    auto *instruction = dyn_cast<Instruction>(value);
    auto *number = dyn_cast<PHINode>(value);
    if (!instruction || (number ? number->getParent() != loop.getHeader()
                                : !isa<BinaryOperator, CastInst>(instruction)))
      return false;
    return all_of(instruction->operands(),
                  [&](Value *operand) { return isKnownInIterations(operand, seen); });
  }

  // Whether the loop's count decides on elements of arrays that may become registers.
  bool freesArray() {
    uint64_t bytes = 0;
    SmallPtrSet<const AllocaInst *, 4> arrays;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (Value *address = getLoadStorePointerOperand(&instruction))
          if (auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(address)))
            if (dependsOnLoop(address) && arrays.insert(array).second) {
              std::optional<TypeSize> size =
                  array->getAllocationSize(array->getModule()->getDataLayout());
              if (size && hasKnownElements(array))
                bytes += size->getFixedValue();
            }
    return bytes > 0 && bytes <= mostArrayBytes;
  }

  bool dependsOnLoop(Value *address) {
    return anyPart(address, [&](const SCEV *part) {
      auto *count = dyn_cast<SCEVAddRecExpr>(part);
      return count && (count->getLoop() == &loop || loop.contains(count->getLoop()));
    });
  }

  // Whether it is so for a part of the address. An element of a constant table has the parts of its
  // own address, and a number that is chosen among others has theirs.
  bool anyPart(Value *address, function_ref<bool(const SCEV *)> isSo) {
    return SCEVExprContains(evolution.getSCEV(address), [&](const SCEV *part) {
      if (LoadInst *element = tableElement(part))
        return anyPart(element->getPointerOperand(), isSo);
      SmallVector<Value *, 4> numbers;
      if (!isChosen(part, numbers))
        return isSo(part);
      return any_of(numbers, [&](Value *number) {
        return SCEVExprContains(evolution.getSCEV(number), isSo);
      });
    });
  }

  // Whether a part is one of several numbers, such as the row of a pivot. Elements that are chosen
  // among a few become registers in the code of a GPU (chosen_elements.cpp).
  bool isChosen(const SCEV *part, SmallVectorImpl<Value *> &numbers) {
    if (!forGpu || !isChoice(part))
      return false;
    SmallSetVector<Value *, 8> choices;
    choices.insert(cast<SCEVUnknown>(part)->getValue());
    for (unsigned i = 0; i < choices.size(); ++i) {
      auto *choice = cast<Instruction>(choices[i]);
      for (Value *number : drop_begin(choice->operands(), isa<SelectInst>(choice) ? 1 : 0))
        if (isChoice(evolution.getSCEV(number)))
          choices.insert(number);
        else
          numbers.push_back(number);
    }
    return true;
  }

  static bool isChoice(const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return unknown && unknown->getType()->isIntegerTy() &&
           isa<PHINode, SelectInst>(unknown->getValue());
  }

  static bool isTable(const Value *object) {
    auto *table = dyn_cast<GlobalVariable>(object);
    return table && table->isConstant() && table->hasDefinitiveInitializer();
  }

  static LoadInst *tableElement(const SCEV *part) {
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *load = unknown ? dyn_cast<LoadInst>(unknown->getValue()) : nullptr;
    return load && load->isSimple() && isTable(getUnderlyingObject(load->getPointerOperand()))
               ? load
               : nullptr;
  }

  // Whether each access is to an element that counts of loops alone decide on, if by a table.
  bool hasKnownElements(Value *address) {
    for (User *user : address->users()) {
      if (auto *offset = dyn_cast<GetElementPtrInst>(user)) {
        if (!hasKnownPlace(offset) || !hasKnownElements(offset))
          return false;
        continue;
      }
      auto *intrinsic = dyn_cast<IntrinsicInst>(user);
      bool harmless = isa<LoadInst>(user) || isa<MemTransferInst, MemSetInst>(user) ||
                      (intrinsic && intrinsic->isLifetimeStartOrEnd());
      auto *store = dyn_cast<StoreInst>(user);
      if (!harmless && !(store && store->getPointerOperand() == address))
        return false;
    }
    return true;
  }

  bool hasKnownPlace(GetElementPtrInst *offset) {
    return !anyPart(offset, [](const SCEV *part) {
      auto *unknown = dyn_cast<SCEVUnknown>(part);
      return unknown && !isa<AllocaInst>(unknown->getValue()) && !isTable(unknown->getValue());
    });
  }

  Loop &loop;
  ScalarEvolution &evolution;
  const bool forGpu;
};

struct UnrollForRegisters : PassInfoMixin<UnrollForRegisters> {
  explicit UnrollForRegisters(bool forGpu) : forGpu(forGpu) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    if (Nest(loop, results.SE, forGpu).pays())
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all();
  }

  bool forGpu;
};

} // namespace

void unrollForRegisters(PassBuilder &builder, bool forGpu) {
  builder.registerLateLoopOptimizationsEPCallback([=](LoopPassManager &passes, OptimizationLevel) {
    passes.addPass(UnrollForRegisters(forGpu));
  });
}

} // namespace cufc
