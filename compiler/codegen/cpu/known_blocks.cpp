// void run_block(block, arguments):
//   block is 16 x 16 x 1 ? known(block, arguments) : original(block, arguments)
//
// In a tile the loop over x has 8 to 32 rounds. LLVM would ask before each line whether there are
// enough for vectors, and compute for each line what it cannot see to be the same for all. With
// numbers as extents the lines are straight code. Long lines gain if the rounds of a loop around
// them become straight code, too, or if they have no ends beside the vectors; where threads spend
// their time in loops of their own there is little to gain.
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/loop_analyses.h"
#include "cufrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstddef>

namespace cufc {
namespace {

using namespace llvm;

constexpr int32_t longLine = 64;                       // threads
constexpr size_t mostOfShort = 1800, mostOfLong = 600; // instructions of what is copied

constexpr size_t extents = offsetof(cufrt_block, block_dim);

// The extent that a load of the block's record reads.
std::optional<unsigned> extentOf(const LoadInst &load) {
  APInt offset(64, 0);
  const Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  if (base != load.getFunction()->getArg(0) || !load.getType()->isIntegerTy(32))
    return std::nullopt;
  const uint64_t place = offset.getZExtValue();
  if (place < extents || place >= extents + sizeof(int32_t) * 3 || place % sizeof(int32_t) != 0)
    return std::nullopt;
  return static_cast<unsigned>((place - extents) / sizeof(int32_t));
}

void setExtents(Function &block, const BlockSize &size) {
  for (Instruction &instruction : make_early_inc_range(instructions(block)))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (std::optional<unsigned> d = extentOf(*load)) {
        load->replaceAllUsesWith(
            ConstantInt::get(load->getType(), static_cast<uint64_t>(size[*d])));
        load->eraseFromParent();
      }
}

Value *isOfSize(IRBuilder<> &builder, Value &block, const BlockSize &size) {
  Value *isEqual = builder.getTrue();
  for (size_t d = 0; d < size.size(); ++d) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &block,
                                                      extents + sizeof(int32_t) * d);
    Value *extent = builder.CreateLoad(builder.getInt32Ty(), place);
    Value *wanted = builder.getInt32(static_cast<uint32_t>(size[d]));
    isEqual = builder.CreateAnd(isEqual, builder.CreateICmpEQ(extent, wanted));
  }
  return isEqual;
}

// Whether threads run loops of which nobody knows how often.
bool hasOwnLoops(Function &block) {
  LoopAnalyses analyses(block);
  return any_of(analyses.loops.getLoopsInPreorder(), [&](Loop *loop) {
    if (isThreadLoop(*loop) || analyses.evolution.getSmallConstantTripCount(loop) != 0)
      return false;
    while (loop && !isThreadLoop(*loop))
      loop = loop->getParentLoop();
    return loop != nullptr;
  });
}

} // namespace

bool gainsFromSize(Function &block, const BlockSize &size) {
  const bool isLong = size[0] >= longLine;
  return block.getInstructionCount() <= (isLong ? mostOfLong : mostOfShort) &&
         !(isLong && hasOwnLoops(block));
}

std::optional<uint32_t> knownLineLength(const Function &function) {
  uint32_t length = 0;
  if (function.getFnAttribute(knownBlockMark).getValueAsString().getAsInteger(10, length))
    return std::nullopt;
  return length;
}

Function *forBlocksOf(const BlockSize &size, Function &block) {
  ValueToValueMapTy map;
  Function *known = CloneFunction(&block, map);
  known->setName(block.getName() + ".known");
  known->addFnAttr(knownBlockMark, std::to_string(size[0]));
  setExtents(*known, size);
  return known;
}

Function *chooseBySize(ArrayRef<KnownBlock> known, Function &other) {
  LLVMContext &context = other.getContext();
  Function *choice = Function::Create(other.getFunctionType(), other.getLinkage(),
                                      other.getName() + ".sizes", other.getParent());
  IRBuilder<> builder(BasicBlock::Create(context, "entry", choice));
  auto run = [&](Function &function) {
    builder.CreateCall(&function, {choice->getArg(0), choice->getArg(1)})->setTailCall();
    builder.CreateRetVoid();
  };
  for (const KnownBlock &block : known) {
    BasicBlock *good = BasicBlock::Create(context, "known", choice),
               *next = BasicBlock::Create(context, "next", choice);
    builder.CreateCondBr(isOfSize(builder, *choice->getArg(0), block.size), good, next);
    builder.SetInsertPoint(good);
    run(*block.function);
    builder.SetInsertPoint(next);
  }
  run(other);
  return choice;
}

} // namespace cufc
