// On LLVM IR,
//
//   #dbg_declare(ptr %a, "a", ())        becomes   store ptr %a, ptr %slot
//                                                  #dbg_declare(ptr %slot, "a", (deref))
//   #dbg_value(i64 %n, "n", ())          becomes   store i64 %n, ptr %slot
//                                                  #dbg_declare(ptr %slot, "n", ())
//
// where %a is not memory of fixed size in the entry block; then the first needs no change. Slots
// are zero at first: a variable whose declaration has not been reached is at address 0, and an
// array has no elements.
#include "codegen/variable_places.h"
#include "codegen/address_spaces.h"
#include "codegen/gpu/gpu_arrays.h"
#include "cufrt/abi.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <limits>
#include <map>
#include <set>

namespace cufc {
namespace {

using namespace llvm;

std::vector<DbgVariableRecord *> variableRecords(Function &function) {
  std::vector<DbgVariableRecord *> records;
  for (Instruction &instruction : instructions(function))
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      records.push_back(&record);
  return records;
}

bool isOwnMemory(const Value *place) {
  auto *memory = dyn_cast<AllocaInst>(place);
  return memory && memory->isStaticAlloca();
}

// Address classes of cuda-gdb (NVVM IR specification, "Debug Information").
constexpr uint64_t constantClass = 4, sharedClass = 8, genericClass = 12;

class Slots {
public:
  Slots(Function &function, bool forGpu)
      : function(function), entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()),
        forGpu(forGpu) {}

  void place(DbgVariableRecord &record) {
    Value *value =
        record.getNumVariableLocationOps() == 1 ? record.getVariableLocationOp(0) : nullptr;
    if (!value || isa<UndefValue>(value) || !(record.isDbgDeclare() || record.isDbgValue()))
      return;
    if (record.isDbgDeclare() && isOwnMemory(value))
      return;
    bool isFirst = false;
    std::optional<DIExpression::FragmentInfo> part = record.getExpression()->getFragmentInfo();
    AllocaInst *slot = slotOf(record, part ? whole(record) : value->getType(), isFirst);
    if (!part && slot->getAllocatedType() != value->getType())
      return;
    store(value, *slot, part ? part->OffsetInBits / 8 : 0, record);
    if (isFirst)
      declare(record, *slot);
    record.eraseFromParent();
  }

private:
  // The memory of a variable that is known by parts, as the two of a complex one.
  Type *whole(const DbgVariableRecord &record) const {
    uint64_t bits = record.getVariable()->getSizeInBits().value_or(0);
    return ArrayType::get(Type::getInt64Ty(function.getContext()), (bits + 63) / 64);
  }

  AllocaInst *slotOf(const DbgVariableRecord &record, Type *type, bool &isFirst) {
    const DILocation *place = record.getDebugLoc().get();
    AllocaInst *&slot = slots[{record.getVariable(), place ? place->getInlinedAt() : nullptr}];
    isFirst = !slot;
    if (isFirst) {
      IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
      slot = builder.CreateAlloca(type, nullptr, record.getVariable()->getName() + ".place");
      builder.SetInsertPoint(entry->getIterator());
      builder.SetCurrentDebugLocation(DebugLoc());
      builder.CreateStore(Constant::getNullValue(type), slot);
    }
    return slot;
  }

  void store(Value *value, AllocaInst &slot, uint64_t offset, DbgVariableRecord &record) {
    BasicBlock::iterator place = record.getMarker()->MarkedInstr->getIterator();
    if (auto *made = dyn_cast<Instruction>(value))
      if (std::optional<BasicBlock::iterator> after = made->getInsertionPointAfterDef())
        place = *after;
    if (isa<Argument>(value))
      place = entry->getIterator();
    IRBuilder<> builder(place->getParent(), place);
    builder.SetCurrentDebugLocation(DebugLoc());
    builder.CreateStore(value, builder.CreateConstGEP1_64(builder.getInt8Ty(), &slot, offset));
  }

  void declare(DbgVariableRecord &record, AllocaInst &slot) {
    DIExpression *expression = withoutPart(*record.getExpression());
    DILocalVariable *variable = record.getVariable();
    if (record.isDbgDeclare() && forGpu)
      variable = pointerTo(*variable);
    else if (record.isDbgDeclare())
      expression = DIExpression::prepend(expression, DIExpression::DerefBefore);
    DbgVariableRecord::createDVRDeclare(&slot, variable, expression, record.getDebugLoc().get(),
                                        record);
  }

  // Fortran's expressions of gdb subscript a pointer to an array, and no reference.
  DILocalVariable *pointerTo(const DILocalVariable &variable) {
    LLVMContext &context = variable.getContext();
    auto *array = dyn_cast_or_null<DICompositeType>(variable.getType());
    bool isArray = array && array->getTag() == dwarf::DW_TAG_array_type;
    DIType *type = isArray ? ofKnownBounds(*array) : variable.getType();
    DIType *pointer = DIDerivedType::get(
        context, isArray ? dwarf::DW_TAG_pointer_type : dwarf::DW_TAG_reference_type, nullptr,
        nullptr, 0u, nullptr, type, 64, 0, 0, genericClass, std::nullopt, DINode::FlagZero);
    return DILocalVariable::get(context, variable.getScope(), variable.getName(),
                                variable.getFile(), variable.getLine(), pointer, variable.getArg(),
                                variable.getFlags(), variable.getAlignInBits(),
                                variable.getAnnotations());
  }

  // cuda-gdb (13.0) does not find variables that bounds refer to in a thread's stack; it subscripts
  // elements in their order in memory.
  DIType *ofKnownBounds(DICompositeType &array) {
    bool refersToVariable = any_of(array.getElements(), [](const DINode *bounds) {
      auto *range = dyn_cast_or_null<DISubrange>(bounds);
      return range && any_of(range->operands(), [](const MDOperand &operand) {
               return isa_and_nonnull<DIVariable>(operand.get());
             });
    });
    if (!refersToVariable)
      return &array;
    DIBuilder builder(*function.getParent());
    Metadata *none = nullptr;
    DINode *unknown = DISubrange::get(array.getContext(), none, none, none, none);
    return builder.createArrayType(0, array.getAlignInBits(), array.getBaseType(),
                                   builder.getOrCreateArray({unknown}));
  }

  static DIExpression *withoutPart(DIExpression &expression) {
    constexpr size_t operands = 3; // the last: DW_OP_LLVM_fragment, offset, size
    ArrayRef<uint64_t> steps = expression.getElements();
    if (expression.isFragment())
      steps = steps.drop_back(operands);
    return DIExpression::get(expression.getContext(), steps);
  }

  Function &function;
  Instruction *entry; // what follows the stack memory
  bool forGpu;
  std::map<std::pair<const DILocalVariable *, const DILocation *>, AllocaInst *> slots;
};

unsigned lineOf(const Instruction &instruction, const DISubprogram &scope) {
  const DILocation *place = instruction.getDebugLoc().get();
  return place && place->getScope() == &scope ? place->getLine() : 0;
}

bool isInlinable(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && (!call->getCalledFunction() || !call->getCalledFunction()->isDeclaration());
}

// A breakpoint at a procedure is behind the code of its first line. That shall be all up to the
// last of its declarations; one behind a statement of an earlier line, as of ASSOCIATE, is none.
void endPrologue(Function &function) {
  DISubprogram *scope = function.getSubprogram();
  BasicBlock &entry = function.getEntryBlock();
  auto isOfSource = [&](const DbgVariableRecord &record) {
    return record.getVariable()->getScope() == scope && !record.getVariable()->isArtificial();
  };
  std::set<unsigned> declarations;
  for (Instruction &instruction : entry)
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      if (isOfSource(record))
        declarations.insert(record.getVariable()->getLine());
  unsigned statement = std::numeric_limits<unsigned>::max();
  Instruction *end = nullptr;
  for (Instruction &instruction : entry) {
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      if (isOfSource(record) && record.getVariable()->getLine() < statement)
        end = &instruction;
    unsigned line = lineOf(instruction, *scope); // before the procedure: of another file
    if (line > scope->getLine() && !declarations.count(line))
      statement = std::min(statement, line);
  }
  if (!end)
    return;
  for (Instruction &instruction : make_range(entry.begin(), end->getIterator()))
    if (!isInlinable(instruction)) // which must have a line
      instruction.setDebugLoc(DebugLoc());
}

void placeIn(Module &module, bool forGpu) {
  for (Function &function : module) {
    if (function.isDeclaration() || !function.getSubprogram())
      continue;
    endPrologue(function);
    Slots slots(function, forGpu);
    for (DbgVariableRecord *record : variableRecords(function))
      slots.place(*record);
  }
}

// LLVM takes global memory for what has none.
std::optional<uint64_t> addressClass(unsigned space) {
  return space == constantSpace ? std::optional(constantClass)
         : space == sharedSpace ? std::optional(sharedClass)
                                : std::nullopt;
}

// As LLVM's NVPTX back end reads it from an expression.
void nameAddressClass(GlobalVariable &global) {
  std::optional<uint64_t> number = addressClass(global.getAddressSpace());
  SmallVector<DIGlobalVariableExpression *> expressions;
  global.getDebugInfo(expressions);
  if (!number || expressions.empty())
    return;
  global.eraseMetadata(LLVMContext::MD_dbg);
  uint64_t steps[] = {dwarf::DW_OP_constu, *number, dwarf::DW_OP_swap, dwarf::DW_OP_xderef};
  for (DIGlobalVariableExpression *expression : expressions)
    global.addDebugInfo(
        DIGlobalVariableExpression::get(global.getContext(), expression->getVariable(),
                                        DIExpression::get(global.getContext(), steps)));
}

} // namespace

void placeVariables(Module &module) { placeIn(module, /*forGpu=*/false); }

void placeVariablesForGpu(Module &module) {
  describeArraysForGpu(module);
  placeIn(module, /*forGpu=*/true);
  for (GlobalVariable &global : module.globals())
    nameAddressClass(global);
}

void joinPrologue(Function &thread) {
  BasicBlock &entry = thread.getEntryBlock();
  while (BasicBlock *next = entry.getSingleSuccessor())
    if (!MergeBlockIntoPredecessor(next))
      break;
  auto *jump = dyn_cast<SwitchInst>(entry.getTerminator());
  BasicBlock *start = jump ? jump->getDefaultDest() : nullptr;
  if (!start)
    return;
  while (BasicBlock *next = start->getSingleSuccessor())
    if (!MergeBlockIntoPredecessor(next))
      break;
  IRBuilder<> builder(jump);
  builder.SetCurrentDebugLocation(DebugLoc());
  Value *isFirst = builder.CreateICmpEQ(jump->getCondition(),
                                        Constant::getNullValue(jump->getCondition()->getType()));
  for (Instruction &instruction : make_early_inc_range(*start)) {
    bool isPlain = isa<LoadInst, StoreInst, GetElementPtrInst, CastInst, BinaryOperator, CmpInst,
                       SelectInst, MemCpyInst>(instruction);
    if (instruction.getDebugLoc() || !isPlain)
      break;
    instruction.moveBefore(jump->getIterator());
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      builder.SetInsertPoint(store);
      Value *stored = store->getValueOperand();
      Value *kept = builder.CreateLoad(stored->getType(), store->getPointerOperand());
      store->setOperand(0, builder.CreateSelect(isFirst, stored, kept));
    } else if (auto *copy = dyn_cast<MemCpyInst>(&instruction)) { // later of itself
      builder.SetInsertPoint(copy);
      copy->setSource(builder.CreateSelect(isFirst, copy->getRawSource(), copy->getRawDest()));
    }
  }
  DISubprogram *scope = thread.getSubprogram();
  if (!scope)
    return;
  DILocation *first = DILocation::get(thread.getContext(), scope->getLine(), 0, scope);
  jump->setDebugLoc(first);                 // where gdb has the end of the prologue
  for (Instruction &instruction : *start) { // LLVM has no line for what begins a block without one
    if (instruction.getDebugLoc())
      break;
    instruction.setDebugLoc(first);
  }
}

void placeVariablesInFrame(Function &function, Value &frame) {
  const DataLayout &layout = function.getDataLayout();
  AllocaInst *slot = nullptr;
  for (DbgVariableRecord *record : variableRecords(function)) {
    Value *place =
        record->getNumVariableLocationOps() == 1 ? record->getVariableLocationOp(0) : nullptr;
    APInt offset(64, 0);
    if (!place || !record->isDbgDeclare() ||
        place->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true) !=
            &frame)
      continue;
    if (!slot) {
      BasicBlock &entry = function.getEntryBlock();
      IRBuilder<> builder(&entry, entry.begin());
      slot = builder.CreateAlloca(builder.getPtrTy(), nullptr, "frame.place");
      builder.CreateStore(&frame, slot);
    }
    uint64_t steps[] = {dwarf::DW_OP_deref, dwarf::DW_OP_plus_uconst, offset.getZExtValue()};
    SmallVector<uint64_t> all(steps, std::end(steps));
    append_range(all, record->getExpression()->getElements());
    record->setExpression(DIExpression::get(function.getContext(), all));
    record->replaceVariableLocationOp(0u, slot);
  }
}

void declareThreadIndices(Function &thread) {
  DISubprogram *scope = thread.getSubprogram();
  if (!scope)
    return;
  DIBuilder types(*thread.getParent(), /*AllowUnresolved=*/false, scope->getUnit());
  DIFile *file = scope->getFile();
  DIType *number = types.createBasicType("integer", 32, dwarf::DW_ATE_signed);
  SmallVector<Metadata *> members;
  for (unsigned d = 0; d < 3; ++d)
    members.push_back(types.createMemberType(scope, StringRef("xyz").substr(d, 1), file, 0, 32, 32,
                                             uint64_t(32) * d, DINode::FlagZero, number));
  DIType *type = types.createStructType(scope, "dim3", file, 0, 96, 32, DINode::FlagZero, nullptr,
                                        types.getOrCreateArray(members));
  BasicBlock &entry = thread.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  auto declare = [&](const char *name, auto component) {
    IRBuilder<> front(&entry, entry.begin());
    AllocaInst *memory = front.CreateAlloca(ArrayType::get(builder.getInt32Ty(), 3), nullptr, name);
    for (unsigned d = 0; d < 3; ++d)
      builder.CreateStore(component(d),
                          builder.CreateConstInBoundsGEP1_64(builder.getInt32Ty(), memory, d));
    DILocalVariable *variable = types.createAutoVariable(scope, name, file, scope->getLine(), type,
                                                         /*AlwaysPreserve=*/true);
    types.insertDeclare(memory, variable, types.createExpression(),
                        DILocation::get(thread.getContext(), scope->getLine(), 0, scope),
                        builder.GetInsertPoint());
  };
  auto ofBlock = [&](uint64_t offset) {
    return [&builder, &thread, offset](unsigned d) {
      Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread.getArg(0),
                                                          offset + uint64_t(4) * d);
      return builder.CreateLoad(builder.getInt32Ty(), address);
    };
  };
  auto fromOne = [&](auto component) {
    return [&builder, component](unsigned d) {
      return builder.CreateAdd(component(d), builder.getInt32(1));
    };
  };
  declare("threadidx", fromOne([&](unsigned d) { return thread.getArg(3 + d); }));
  declare("blockidx", fromOne(ofBlock(offsetof(cufrt_block, block_index))));
  declare("blockdim", ofBlock(offsetof(cufrt_block, block_dim)));
  declare("griddim", ofBlock(offsetof(cufrt_block, grid_dim)));
  types.finalize();
}

} // namespace cufc
