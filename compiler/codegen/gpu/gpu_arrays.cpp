// See gpu_arrays.h.
#include "codegen/gpu/gpu_arrays.h"
#include "codegen/described_arrays.h"
#include "codegen/gpu/kernel_accesses.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>
#include <string>

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned wordsBeforeBounds = 3, wordsOfDimension = 3;
constexpr uint64_t wordBytes = 8;

bool isArray(const DIType *type) { return type && type->getTag() == dwarf::DW_TAG_array_type; }

// Whether it is a descriptor that stays the same in the procedure.
bool isFixedDescriptor(const DICompositeType &array) {
  return array.getRawDataLocation() && !array.getRawAllocated() && !array.getRawAssociated();
}

class GpuArrays {
public:
  explicit GpuArrays(Function &function)
      : function(function), scope(*function.getSubprogram()), tree(function),
        types(*function.getParent(), /*AllowUnresolved=*/false, scope.getUnit()) {}

  void describe() {
    SmallVector<DbgVariableRecord *> arrays;
    for (Instruction &instruction : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
        known.insert(record.getVariable()->getName());
        if (record.isDbgValue() && record.getNumVariableLocationOps() == 1)
          values.try_emplace(record.getVariable(), record.getVariableLocationOp(0));
        else if (record.isDbgDeclare() && isArray(record.getVariable()->getType()))
          arrays.push_back(&record);
      }
    for (DbgVariableRecord *record : arrays)
      describe(*record);
    for (GlobalVariable &global : function.getParent()->globals())
      describe(global);
    types.finalize();
  }

private:
  // Words of the shape, as far as they are known.
  using Words = std::vector<Value *>;

  void describe(DbgVariableRecord &record) {
    DILocalVariable *variable = record.getVariable();
    auto &array = *cast<DICompositeType>(variable->getType());
    Value *place = record.getVariableLocationOp(0);
    Instruction *before = record.getMarker()->MarkedInstr;
    if (!place || isa<UndefValue>(place) || !before)
      return;
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(DebugLoc());
    DILocation *line = record.getDebugLoc().get();
    if (isFixedDescriptor(array)) {
      Value *descriptor = copyShape(builder, *place, array, variable->getName(), *line);
      Value *base = builder.CreateLoad(builder.getPtrTy(), descriptor);
      declare(builder, *base, *variable, withoutBounds(array), *line);
      record.eraseFromParent();
    } else if (std::optional<Words> words = wordsOf(builder, *place, array)) {
      AllocaInst *shape = shapeFor(array, variable->getName());
      for (auto [i, word] : enumerate(*words))
        builder.CreateStore(word, builder.CreateConstGEP1_64(builder.getInt64Ty(), shape, i));
      declareShape(builder, *shape, array, variable->getName(), *line);
    }
  }

  // An array of a module: another variable of the same name, in the procedure.
  void describe(GlobalVariable &global) {
    SmallVector<DIGlobalVariableExpression *> found;
    global.getDebugInfo(found);
    if (found.empty() || !isDescriptor(global.getValueType()) || !isUsed(global))
      return;
    const DIGlobalVariable &variable = *found.front()->getVariable();
    if (!isArray(variable.getType()) || !known.insert(variable.getName()).second)
      return;
    auto &array = *cast<DICompositeType>(variable.getType());
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    builder.SetCurrentDebugLocation(DebugLoc());
    DILocation *line = DILocation::get(function.getContext(), scope.getLine(), 0, &scope);
    Value *descriptor = copyShape(builder, global, array, variable.getName(), *line);
    Value *base = builder.CreateLoad(builder.getPtrTy(), descriptor);
    DILocalVariable *local =
        types.createAutoVariable(&scope, variable.getName(), variable.getFile(), scope.getLine(),
                                 withoutBounds(array), /*AlwaysPreserve=*/true);
    declare(builder, *base, *local, local->getType(), *line);
  }

  bool isUsed(const Value &value) const {
    return any_of(value.users(), [&](const User *user) {
      auto *instruction = dyn_cast<Instruction>(user);
      return instruction ? instruction->getFunction() == &function
                         : isa<ConstantExpr>(user) && isUsed(*user);
    });
  }

  static unsigned rankOf(const DICompositeType &array) { return array.getElements().size(); }

  static size_t wordCount(const DICompositeType &array) {
    return wordsBeforeBounds + wordsOfDimension * rankOf(array);
  }

  AllocaInst *shapeFor(const DICompositeType &array, StringRef name) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    auto *type = ArrayType::get(builder.getInt64Ty(), wordCount(array));
    AllocaInst *shape = builder.CreateAlloca(type, nullptr, name + ".shape");
    builder.SetInsertPoint(&*entry.getFirstNonPHIOrDbgOrAlloca());
    builder.SetCurrentDebugLocation(DebugLoc());
    builder.CreateStore(Constant::getNullValue(type), shape); // until the declaration is reached
    return shape;
  }

  // The copy. That of an absent dummy, which has no descriptor, stays as it is.
  Value *copyShape(IRBuilder<> &builder, Value &descriptor, const DICompositeType &array,
                   StringRef name, DILocation &line) {
    AllocaInst *shape = shapeFor(array, name);
    Value *there = builder.CreateSelect(builder.CreateIsNull(&descriptor), shape, &descriptor);
    builder.CreateMemMove(shape, Align(wordBytes), there, Align(wordBytes),
                          wordCount(array) * wordBytes);
    declareShape(builder, *shape, array, name, line);
    return shape;
  }

  // The words for an array whose bounds are numbers or variables; nothing if all are numbers, or
  // one is not known there.
  std::optional<Words> wordsOf(IRBuilder<> &builder, Value &place, const DICompositeType &array) {
    uint64_t bytes = array.getBaseType() ? array.getBaseType()->getSizeInBits() / 8 : 0;
    if (!bytes || array.getRawDataLocation())
      return std::nullopt;
    Value *distance = builder.getInt64(bytes);
    Words words{builder.CreatePtrToInt(&place, builder.getInt64Ty()), distance,
                builder.getInt64(0)};
    bool isVariable = false;
    for (const DINode *node : array.getElements()) {
      auto *range = dyn_cast<DISubrange>(node);
      Value *lower = range ? numberOf(builder, range->getRawLowerBound(), 1, isVariable) : nullptr;
      Value *count =
          range ? numberOf(builder, range->getRawCountNode(), std::nullopt, isVariable) : nullptr;
      if (!lower || !count)
        return std::nullopt;
      words.insert(words.end(), {lower, count, distance});
      distance = builder.CreateMul(distance, count);
    }
    return isVariable ? std::optional(words) : std::nullopt;
  }

  Value *numberOf(IRBuilder<> &builder, Metadata *bound, std::optional<int64_t> unsaid,
                  bool &isVariable) {
    if (!bound)
      return unsaid ? builder.getInt64(static_cast<uint64_t>(*unsaid)) : nullptr;
    if (auto *constant = dyn_cast<ConstantAsMetadata>(bound))
      return builder.getInt64(
          static_cast<uint64_t>(cast<ConstantInt>(constant->getValue())->getSExtValue()));
    auto value = values.find(dyn_cast<DIVariable>(bound));
    if (value == values.end() || !value->second->getType()->isIntegerTy() ||
        !tree.dominates(value->second, &*builder.GetInsertPoint()))
      return nullptr;
    isVariable = true;
    return builder.CreateSExtOrTrunc(value->second, builder.getInt64Ty());
  }

  DIType *withoutBounds(const DICompositeType &array) {
    Metadata *none = nullptr;
    DINode *unknown = DISubrange::get(array.getContext(), none, none, none, none);
    return types.createArrayType(0, array.getAlignInBits(), array.getBaseType(),
                                 types.getOrCreateArray({unknown}));
  }

  void declareShape(IRBuilder<> &builder, AllocaInst &shape, const DICompositeType &array,
                    StringRef name, DILocation &line) {
    DIType *word = types.createBasicType("integer(kind=8)", 64, dwarf::DW_ATE_signed);
    DINode *range = types.getOrCreateSubrange(1, static_cast<int64_t>(wordCount(array)));
    DIType *type = types.createArrayType(wordCount(array) * wordBytes * 8, 64, word,
                                         types.getOrCreateArray({range}));
    DILocalVariable *variable =
        types.createAutoVariable(&scope, ("_Qshape_" + name).str(), scope.getFile(),
                                 scope.getLine(), type, /*AlwaysPreserve=*/true);
    declare(builder, shape, *variable, type, line);
  }

  void declare(IRBuilder<> &builder, Value &place, const DILocalVariable &like, DIType *type,
               DILocation &line) {
    DILocalVariable *variable = DILocalVariable::get(
        function.getContext(), like.getScope(), like.getName(), like.getFile(), like.getLine(),
        type, like.getArg(), like.getFlags(), like.getAlignInBits(), like.getAnnotations());
    types.insertDeclare(&place, variable, types.createExpression(), &line,
                        builder.GetInsertPoint());
  }

  Function &function;
  DISubprogram &scope;
  DominatorTree tree;
  DIBuilder types;
  StringSet<> known; // names of variables
  std::map<const DIVariable *, Value *> values;
};

} // namespace

void describeArraysForGpu(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.getSubprogram())
      GpuArrays(function).describe();
}

} // namespace cufc
