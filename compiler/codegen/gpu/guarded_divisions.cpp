//   f = 0
//   if (d /= 0) f = a/d
//
// LLVM divides in any case and chooses behind it. But on a GPU a division is some twenty
// instructions and a call for operands that are zero, very large or very small: threads that need
// no quotient, and mostly have such operands, would have their whole warp wait for it. So the
// quotient comes under the condition again, with what is computed for it alone, and a fence around
// an operand keeps LLVM's code generator from taking it out.
#include "codegen/gpu/guarded_divisions.h"
#include "codegen/branches.h"
#include "codegen/gpu/early_loads.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <algorithm>
#include <optional>
#include <vector>

namespace cufc {
namespace {

using namespace llvm;

using Parts = SetVector<Instruction *>;

bool mayMove(const Instruction &instruction) {
  return !isa<PHINode>(instruction) && !instruction.isTerminator() &&
         !instruction.getType()->isTokenTy() && !instruction.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&instruction);
}

// What `value` needs in its block that nothing but `value` and `user` uses; null for any user.
Parts ownParts(Instruction &value, const Instruction *user) {
  Parts parts;
  auto isOwn = [&](const Instruction &part) {
    return part.getParent() == value.getParent() && mayMove(part) &&
           all_of(part.users(), [&](const User *other) {
             return parts.contains(cast<Instruction>(other)) ||
                    (&part == &value && (!user || other == user));
           });
  };
  if (isOwn(value))
    parts.insert(&value);
  for (bool changed = !parts.empty(); changed;) {
    changed = false;
    for (size_t i = 0; i < parts.size(); ++i)
      for (Value *operand : parts[i]->operands())
        if (auto *part = dyn_cast<Instruction>(operand); part && !parts.contains(part))
          if (isOwn(*part))
            changed |= parts.insert(part);
  }
  return parts;
}

bool hasDivision(const Parts &parts) {
  return any_of(parts, [](const Instruction *part) { return becomesBranches(*part); });
}

// Selects of one block by one condition, and what each way alone needs.
struct Choice {
  Value *condition;
  std::vector<SelectInst *> selects;
  Parts ifTrue, ifFalse;
};

class GuardedDivisions {
public:
  explicit GuardedDivisions(Function &function) : function(function) {}

  void run() {
    for (BasicBlock &block : function)
      sinkUnderBranch(block);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : make_early_inc_range(function))
        if (std::optional<Choice> choice = findChoice(block)) {
          divide(*choice);
          changed = true;
        }
    }
    for (BasicBlock &block : function)
      if (block.getSinglePredecessor() &&
          conditionalBranch(block.getSinglePredecessor()->getTerminator()))
        keepInside(block);
  }

private:
  // Divisions whose result only one way behind the block needs.
  static void sinkUnderBranch(BasicBlock &block) {
    if (!conditionalBranch(block.getTerminator()))
      return;
    std::vector<Instruction *> divisions;
    for (Instruction &instruction : block)
      if (becomesBranches(instruction) && !instruction.use_empty())
        divisions.push_back(&instruction);
    for (Instruction *division : reverse(divisions)) {
      BasicBlock *target = nullptr;
      const bool isOfOneWay = all_of(division->users(), [&](const User *user) {
        BasicBlock *place = const_cast<BasicBlock *>(cast<Instruction>(user)->getParent());
        if (isa<PHINode>(user) || (target && place != target))
          return false;
        target = place;
        return true;
      });
      if (!isOfOneWay || target == &block || target->getSinglePredecessor() != &block)
        continue;
      moveTo(ownParts(*division, nullptr), *target->getFirstInsertionPt());
    }
  }

  static void moveTo(const Parts &parts, Instruction &place) {
    std::vector<Instruction *> ordered(parts.begin(), parts.end());
    std::sort(ordered.begin(), ordered.end(),
              [](const Instruction *a, const Instruction *b) { return a->comesBefore(b); });
    for (Instruction *part : ordered)
      part->moveBefore(place.getIterator());
  }

  static Parts partsOf(Value *arm, const SelectInst &select) {
    auto *value = dyn_cast<Instruction>(arm);
    return value ? ownParts(*value, &select) : Parts();
  }

  static std::optional<Choice> findChoice(BasicBlock &block) {
    for (Instruction &instruction : block) {
      auto *select = dyn_cast<SelectInst>(&instruction);
      if (!select || !select->getCondition()->getType()->isIntegerTy(1) ||
          isa<Constant>(select->getCondition()))
        continue;
      Choice choice{select->getCondition(), {}, {}, {}};
      add(choice, *select);
      if (!hasDivision(choice.ifTrue) && !hasDivision(choice.ifFalse))
        continue;
      for (Instruction &other : make_range(std::next(select->getIterator()), block.end()))
        if (auto *next = dyn_cast<SelectInst>(&other);
            next && next->getCondition() == choice.condition && mayComeTo(*select, *next))
          add(choice, *next);
      return choice;
    }
    return std::nullopt;
  }

  static void add(Choice &choice, SelectInst &select) {
    choice.selects.push_back(&select);
    choice.ifTrue.insert_range(partsOf(select.getTrueValue(), select));
    choice.ifFalse.insert_range(partsOf(select.getFalseValue(), select));
  }

  // Whether all that `next` needs, but for its own parts, is there before `first`.
  static bool mayComeTo(const SelectInst &first, SelectInst &next) {
    Parts parts = partsOf(next.getTrueValue(), next);
    parts.insert_range(partsOf(next.getFalseValue(), next));
    auto isThere = [&](const Value *value) {
      auto *instruction = dyn_cast<Instruction>(value);
      return !instruction || instruction->getParent() != first.getParent() ||
             is_contained(parts, instruction) || instruction->comesBefore(&first);
    };
    return all_of(next.operands(), [&](const Use &use) { return isThere(use.get()); }) &&
           all_of(parts, [&](const Instruction *part) {
             return all_of(part->operands(), [&](const Use &use) { return isThere(use.get()); });
           });
  }

  static void divide(Choice &choice) {
    SelectInst &first = *choice.selects.front();
    BasicBlock *head = first.getParent(), *tail = SplitBlock(head, first.getIterator());
    LLVMContext &context = head->getContext();
    auto wayOf = [&](const Parts &parts, const char *name) {
      if (!hasDivision(parts)) {
        moveTo(parts, *head->getTerminator());
        return head;
      }
      BasicBlock *way = BasicBlock::Create(context, name, head->getParent(), tail);
      moveTo(parts, *Jump::Create(tail, way));
      return way;
    };
    BasicBlock *ifTrue = wayOf(choice.ifTrue, "needed"), *ifFalse = wayOf(choice.ifFalse, "other");
    for (SelectInst *select : choice.selects) {
      PHINode *phi = PHINode::Create(select->getType(), 2, "", tail->begin());
      phi->addIncoming(select->getTrueValue(), ifTrue);
      phi->addIncoming(select->getFalseValue(), ifFalse);
      phi->takeName(select);
      select->replaceAllUsesWith(phi);
      select->eraseFromParent();
    }
    IRBuilder<> builder(head->getTerminator());
    builder.CreateCondBr(choice.condition, ifTrue == head ? tail : ifTrue,
                         ifFalse == head ? tail : ifFalse);
    head->getTerminator()->eraseFromParent();
  }

  static void keepInside(BasicBlock &block) {
    for (Instruction &instruction : block) {
      if (!becomesBranches(instruction) || !instruction.getType()->isFloatingPointTy())
        continue;
      const bool isReciprocal = isa<Constant>(instruction.getOperand(0));
      Use &kept = instruction.getOperandUse(isReciprocal && instruction.isBinaryOp() ? 1 : 0);
      IRBuilder<> builder(&instruction);
      kept.set(builder.CreateArithmeticFence(kept.get(), kept->getType()));
    }
  }

  Function &function;
};

} // namespace

void divideUnderConditions(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      GuardedDivisions(function).run();
}

} // namespace cufc
