// See grid_elements.h.
#include "codegen/cpu/grid_elements.h"
#include "codegen/cpu/independent_accesses.h"
#include "cufrt/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <cstddef>

namespace cufc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr size_t mostRows = 4;
constexpr size_t blockIndex = offsetof(cufrt_block, block_index),
                 gridSize = offsetof(cufrt_block, grid_dim),
                 blockSize = offsetof(cufrt_block, block_dim);

bool isField(const Value *value, size_t offset) {
  return value && value->getType()->isIntegerTy(32) && isOfRecord(value, offset);
}

// The block's record and the kernel's arguments, which no thread writes.
bool isOfLaunch(const Instruction &load) {
  return load.hasMetadata(LLVMContext::MD_invariant_load) ||
         isa<Argument>(getUnderlyingObject(getLoadStorePointerOperand(&load)));
}

bool accessesMemory(const Instruction &instruction) {
  return instruction.mayReadOrWriteMemory() &&
         !isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction);
}

bool isPlainAccess(const Instruction &instruction) {
  return isa<LoadInst, StoreInst>(instruction) && !instruction.isAtomic() &&
         !instruction.isVolatile();
}

} // namespace

bool isOfRecord(const Value *value, size_t offset) {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load || load->getFunction()->arg_empty())
    return false;
  const Function *function = load->getFunction();
  const DataLayout &layout = function->getDataLayout();
  APInt place(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  return load->getPointerOperand()->stripAndAccumulateConstantOffsets(
             layout, place, /*AllowNonInbounds=*/true) == function->getArg(0) &&
         place == offset;
}

// constant + blockIdx*blockDim, and blockDim*gridDim, both along x.
std::optional<GridElements> readGrid(const SCEV &start, Value &stride) {
  const SCEV *product = &start;
  int64_t first = 0;
  if (auto *sum = dyn_cast<SCEVAddExpr>(product); sum && sum->getNumOperands() == 2)
    if (auto *constant = dyn_cast<SCEVConstant>(sum->getOperand(0))) {
      first = constant->getAPInt().getSExtValue();
      product = sum->getOperand(1);
    }
  auto *blocks = dyn_cast<SCEVMulExpr>(product);
  Value *threadCount = nullptr, *blockCount = nullptr;
  if (!blocks || blocks->getNumOperands() != 2 ||
      !match(&stride, m_Mul(m_Value(threadCount), m_Value(blockCount))))
    return std::nullopt;
  auto known = [&](unsigned i) {
    auto *number = dyn_cast<SCEVUnknown>(blocks->getOperand(i));
    return number ? number->getValue() : nullptr;
  };
  Value *block = known(0), *size = known(1);
  if (isField(block, blockSize))
    std::swap(block, size);
  if (isField(threadCount, gridSize))
    std::swap(threadCount, blockCount);
  if (!isField(block, blockIndex) || !isField(size, blockSize) ||
      !isField(threadCount, blockSize) || !isField(blockCount, gridSize))
    return std::nullopt;
  return GridElements{first, block, threadCount, blockCount};
}

void Rounds::takeChunk(const GridElements &grid, IRBuilder<> &builder) {
  Type *wide = builder.getInt64Ty();
  Value *threadsOfBlock = builder.CreateZExt(grid.threadCount, wide);
  Value *blocks = builder.CreateZExt(grid.blockCount, wide), *zero = builder.getInt64(0);
  Value *firstElement = builder.getInt64(grid.first);
  auto roundUp = [&](Value *number, Value *divisor) {
    return builder.CreateUDiv(
        builder.CreateAdd(number, builder.CreateSub(divisor, builder.getInt64(1))), divisor);
  };
  Value *elements =
      builder.CreateBinaryIntrinsic(Intrinsic::smax, zero, builder.CreateSub(end, firstElement));
  Value *rows = roundUp(roundUp(elements, threadsOfBlock), blocks);
  Value *chunk = builder.CreateMul(rows, threadsOfBlock);
  // Frozen, since scalar evolution does not compute a quotient once more.
  begin = builder.CreateFreeze(builder.CreateAdd(
      firstElement, builder.CreateMul(chunk, builder.CreateZExt(grid.block, wide))));
  end = builder.CreateBinaryIntrinsic(Intrinsic::smin, end, builder.CreateAdd(begin, chunk));
  step = threadsOfBlock;
}

Value *Rounds::join(Value &threadCount, int64_t least, IRBuilder<> &builder) {
  constexpr int64_t pastAll = int64_t{1} << 32;
  Value *count = builder.CreateSub(end, begin);
  Value *isOne = builder.CreateAnd(
      builder.CreateICmpEQ(step, builder.CreateSExt(&threadCount, builder.getInt64Ty())),
      builder.CreateICmpSLE(count, builder.getInt64(INT32_MAX)));
  if (least > 1)
    isOne = builder.CreateAnd(isOne, builder.CreateICmpSGE(step, builder.getInt64(least)));
  step = builder.CreateSelect(isOne, builder.getInt64(pastAll), step);
  return builder.CreateSelect(isOne, builder.CreateTrunc(count, threadCount.getType()),
                              &threadCount);
}

uint64_t ElementRow::size() const {
  return address->getDataLayout().getTypeAllocSize(address->getSourceElementType());
}

Value *ElementRow::at(Value &element, Value &index, IRBuilder<> &builder) const {
  Value *value = &element, *before = &index;
  for (Instruction *step : reverse(subscript)) {
    Instruction *copy = builder.Insert(step->clone());
    copy->replaceUsesOfWith(before, value);
    copy->dropPoisonGeneratingFlags();
    value = copy;
    before = step;
  }
  return builder.CreateGEP(address->getSourceElementType(), address->getPointerOperand(), value);
}

SmallVector<ElementRow> GridLoop::rowsRead() const {
  SmallVector<ElementRow> rows;
  for (BasicBlock *block : inner.blocks())
    for (Instruction &instruction : *block)
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && rows.size() < mostRows)
        if (std::optional<ElementRow> row = rowAt(load->getPointerOperand()))
          rows.push_back(*row);
  return rows;
}

bool GridLoop::areIndependent(ScalarEvolution &evolution, AAResults &aliases) const {
  SmallVector<Instruction *> accesses;
  for (const BasicBlock &block : *before.getParent())
    for (const Instruction &instruction : block)
      if (accessesMemory(instruction)) {
        const bool isStore = isa<StoreInst>(instruction);
        if ((isStore && !inner.contains(&instruction)) || !isPlainAccess(instruction))
          return false;
        if (isStore || !isOfLaunch(instruction))
          accesses.push_back(const_cast<Instruction *>(&instruction));
      }
  return blockIsForElements() && storesAreOfElements(accesses, evolution, aliases);
}

// Elements of one thread may depend on each other. Where there are so many threads that none does
// two of the elements that a vector loop does together, they are of different threads, and else
// what is stored for one must be read for no other.
std::optional<int64_t> GridLoop::leastThreadsOfRow(ScalarEvolution &evolution,
                                                   AAResults &aliases) const {
  constexpr uint64_t bytesTogether = 256; // four vectors
  uint64_t smallest = bytesTogether;
  SmallVector<Instruction *> accesses;
  for (BasicBlock *block : inner.blocks())
    for (Instruction &instruction : *block) {
      if (accessesMemory(instruction)) {
        if (!isPlainAccess(instruction))
          return std::nullopt;
        accesses.push_back(&instruction);
        const TypeSize size =
            block->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
        smallest = std::min(smallest, size.getFixedValue());
      }
      const bool isCounter = &instruction == &index || &instruction == count;
      for (Value *operand : instruction.operands())
        if (auto *value = dyn_cast<Instruction>(operand);
            value && !isCounter && !inner.contains(value) && !threads.isLoopInvariant(value))
          return std::nullopt;
    }
  const auto together = static_cast<int64_t>(bytesTogether / smallest);
  return storesAreOfElements(accesses, evolution, aliases) ? 1 : together;
}

// What is stored is of the element, and nothing else reads or writes it.
bool GridLoop::storesAreOfElements(ArrayRef<Instruction *> accesses, ScalarEvolution &evolution,
                                   AAResults &aliases) const {
  auto addressOf = [](Instruction *access) { return getLoadStorePointerOperand(access); };
  auto isForOneElement = [&](Instruction *store) {
    return rowAt(addressOf(store)) && all_of(accesses, [&](Instruction *other) {
             const bool isSame = inner.contains(other) && evolution.getSCEV(addressOf(other)) ==
                                                              evolution.getSCEV(addressOf(store));
             return isSame || aliases.isNoAlias(objectOf(*store), objectOf(*other));
           });
  };
  return all_of(accesses, [&](Instruction *access) {
    return !isa<StoreInst>(access) || isForOneElement(access);
  });
}

bool GridLoop::isBefore(const Value *value) const {
  auto *instruction = dyn_cast<Instruction>(value);
  return !instruction || dominators.dominates(instruction, before.getTerminator());
}

std::optional<ElementRow> GridLoop::rowAt(Value *pointer) const {
  auto *address = dyn_cast<GetElementPtrInst>(pointer);
  if (!address || address->getNumIndices() != 1 || !isBefore(address->getPointerOperand()))
    return std::nullopt;
  ElementRow row{address, {}};
  return isSumWithIndex(address->getOperand(1), row.subscript) ? std::optional(row) : std::nullopt;
}

// Whether a subscript is the index and something that is the same for all elements.
bool GridLoop::isSumWithIndex(Value *subscript, SmallVectorImpl<Instruction *> &path) const {
  if (subscript == &index)
    return true;
  auto *instruction = dyn_cast<Instruction>(subscript);
  if (!instruction || !inner.contains(instruction))
    return false;
  path.push_back(instruction);
  Value *part = nullptr, *other = nullptr;
  if (match(instruction, m_SExt(m_Value(part))) || match(instruction, m_Trunc(m_Value(part))))
    return isSumWithIndex(part, path);
  if (!match(instruction, m_Add(m_Value(part), m_Value(other))) &&
      !match(instruction, m_Sub(m_Value(part), m_Value(other))))
    return false;
  if (!threads.isLoopInvariant(other) && instruction->getOpcode() == Instruction::Add)
    std::swap(part, other);
  return threads.isLoopInvariant(other) && isBefore(other) && isSumWithIndex(part, path);
}

// What depends on the block's index leads to the index of elements, and to no other value of the
// loop and no condition.
bool GridLoop::blockIsForElements() const {
  SmallSetVector<const Instruction *, 16> dependent;
  for (const BasicBlock &block : *before.getParent())
    for (const Instruction &instruction : block)
      if (isField(&instruction, blockIndex))
        dependent.insert(&instruction);
  for (size_t i = 0; i < dependent.size(); ++i)
    for (const User *user : dependent[i]->users()) {
      if (user == &index || user == count)
        continue;
      auto *next = cast<Instruction>(user);
      if (inner.contains(next) || next->isTerminator() || next->mayReadOrWriteMemory())
        return false;
      dependent.insert(next);
    }
  return true;
}

BasicBlock *fetchAhead(const GridLoop &loop, PHINode &base, const Rounds &rounds, Value &last,
                       BasicBlock &round) {
  constexpr uint64_t cacheLine = 64, far = 4096; // bytes; a page's neighbours are fetched unasked
  Function *function = round.getParent();
  SmallVector<ElementRow> rows = loop.rowsRead();
  if (rows.empty())
    return &round;
  uint64_t size = 1;
  for (const ElementRow &row : rows)
    size = std::max(size, row.size());
  BasicBlock *ask = BasicBlock::Create(round.getContext(), "ask", function, &round);
  BasicBlock *fetch = BasicBlock::Create(round.getContext(), "fetch", function, &round);
  IRBuilder<> builder(ask);
  Type *wide = builder.getInt64Ty();
  Value *next = builder.CreateNSWAdd(&base, rounds.step);
  Value *element = builder.CreateTrunc(next, builder.getInt32Ty());
  SmallVector<Value *> places;
  for (const ElementRow &row : rows)
    places.push_back(row.at(*element, loop.index, builder));
  Value *isFar = builder.CreateICmpSGE(rounds.step, builder.getInt64(far / size));
  builder.CreateCondBr(builder.CreateAnd(builder.CreateICmpSLT(next, rounds.end), isFar), fetch,
                       &round);
  builder.SetInsertPoint(fetch);
  PHINode *offset = builder.CreatePHI(wide, 2, "offset");
  for (auto [row, place] : zip(rows, places)) {
    Value *line = builder.CreateGEP(row.address->getSourceElementType(), place, offset);
    builder.CreateIntrinsic(Intrinsic::prefetch, {line->getType()},
                            {line, builder.getInt32(0), builder.getInt32(3), builder.getInt32(1)});
  }
  Value *further =
      builder.CreateNSWAdd(offset, builder.getInt64(std::max<uint64_t>(cacheLine / size, 1)));
  offset->addIncoming(builder.getInt64(0), ask);
  offset->addIncoming(further, fetch);
  builder.CreateCondBr(builder.CreateICmpSLE(further, &last), fetch, &round);
  return ask;
}

} // namespace cufc
