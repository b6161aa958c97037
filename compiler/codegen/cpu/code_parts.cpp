// A part may name what other files define, internal variables and constants, and no internal
// function but those that move with it: LLVM would inline the others.
#include "codegen/cpu/code_parts.h"
#include "codegen/cpu/host_kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>
#include <string>

namespace cufc {
namespace {

using namespace llvm;

// A process costs some 20 ms, and 1500 instructions take 100 ms or more.
constexpr size_t leastInstructions = 1500, mostParts = 6;

using References = SmallPtrSet<GlobalValue *, 16>;

// What a constant names. False for the address of a basic block.
bool addReferences(Constant &constant, References &found, SmallPtrSetImpl<Constant *> &seen) {
  if (isa<BlockAddress>(constant))
    return false;
  if (auto *global = dyn_cast<GlobalValue>(&constant)) {
    found.insert(global);
    return true;
  }
  return !seen.insert(&constant).second || all_of(constant.operands(), [&](Use &use) {
    return addReferences(*cast<Constant>(use.get()), found, seen);
  });
}

bool addReferences(Function &function, References &found) {
  SmallPtrSet<Constant *, 32> seen;
  return all_of(instructions(function), [&](Instruction &instruction) {
    return all_of(instruction.operands(), [&](Use &use) {
      auto *constant = dyn_cast<Constant>(use.get());
      return !constant || addReferences(*constant, found, seen);
    });
  });
}

// Each part has a copy of its own: nobody asks for the address.
bool isCopied(const GlobalVariable &variable) {
  return variable.hasLocalLinkage() && variable.isConstant() && variable.hasGlobalUnnamedAddr() &&
         all_of(variable.getInitializer()->operands(),
                [](const Use &use) { return isa<ConstantData>(use.get()); });
}

// For symbols: two files of one program define no symbol twice, so those of a file are a name for
// it.
std::string suffixOf(const Module &module) {
  std::vector<std::string> names;
  for (const GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && value.hasExternalLinkage())
      names.push_back(value.getName().str());
  llvm::sort(names);
  return ".cufc." + utohexstr(xxh3_64bits(join(names, "\n")));
}

void makeVisible(GlobalValue &value, const std::string &suffix) {
  if (!value.hasLocalLinkage())
    return;
  value.setName(value.getName() + suffix);
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
  value.setDSOLocal(true);
}

class Division {
public:
  explicit Division(Module &module) : module(module) {}

  std::vector<CodePart> run() {
    size_t total = 0;
    for (Function &function : module)
      if (isMovable(function)) {
        total += function.getInstructionCount();
        moved.push_back(&function);
      }
    const size_t count = std::min({total / leastInstructions, mostParts, moved.size()});
    if (count == 0)
      return {};
    share();
    return distribute(count);
  }

private:
  bool isMovable(Function &function) {
    if (function.isDeclaration() || !function.hasLocalLinkage() ||
        !function.hasFnAttribute(blockFunctionMark) || function.hasPersonalityFn())
      return false;
    References found;
    if (!addReferences(function, found))
      return false;
    for (GlobalValue *value : found)
      if (auto *variable = dyn_cast<GlobalVariable>(value);
          variable ? variable->isThreadLocal() : !value->isDeclaration())
        return false;
    named.insert_range(found);
    return true;
  }

  void share() {
    const std::string suffix = suffixOf(module);
    for (Function *function : moved)
      makeVisible(*function, suffix);
    for (GlobalVariable &variable : module.globals())
      if (named.contains(&variable) && !isCopied(variable))
        makeVisible(variable, suffix);
  }

  // The largest first, each to the part that has least.
  std::vector<CodePart> distribute(size_t count) {
    std::vector<std::pair<size_t, Function *>> bySize;
    for (Function *function : moved)
      bySize.emplace_back(function->getInstructionCount(), function);
    llvm::sort(bySize, [](const auto &a, const auto &b) {
      return std::pair(b.first, a.second->getName()) < std::pair(a.first, b.second->getName());
    });
    std::vector<CodePart> parts(count);
    std::vector<size_t> sizes(count);
    for (auto &[size, function] : bySize) {
      const size_t least = std::min_element(sizes.begin(), sizes.end()) - sizes.begin();
      parts[least].push_back(function);
      sizes[least] += size;
    }
    return parts;
  }

  Module &module;
  CodePart moved;
  References named;
};

// Defined elsewhere, with a value that the optimiser may know.
bool isKnown(GlobalVariable &variable) {
  References found;
  SmallPtrSet<Constant *, 32> seen;
  return variable.isConstant() && variable.hasDefinitiveInitializer() && !isCopied(variable) &&
         addReferences(*variable.getInitializer(), found, seen) && found.empty();
}

} // namespace

std::vector<CodePart> divideCode(Module &module) { return Division(module).run(); }

std::unique_ptr<Module> separate(GlobalVariable &variable) {
  Module &module = *variable.getParent();
  makeVisible(variable, suffixOf(module));
  auto own = std::make_unique<Module>(variable.getName(), module.getContext());
  own->setTargetTriple(module.getTargetTriple());
  own->setDataLayout(module.getDataLayout());
  auto *moved =
      new GlobalVariable(*own, variable.getValueType(), variable.isConstant(),
                         variable.getLinkage(), variable.getInitializer(), variable.getName());
  moved->copyAttributesFrom(&variable);
  variable.setInitializer(nullptr);
  return own;
}

// To delete the others would write to nearly all pages that a fork shares.
std::unique_ptr<Module> copyOfPart(Module &module, const CodePart &part) {
  SmallPtrSet<const GlobalValue *, 32> kept(llvm::from_range, part);
  std::vector<GlobalVariable *> known;
  for (GlobalVariable &variable : module.globals())
    if (isKnown(variable))
      known.push_back(&variable);
    else if (isCopied(variable))
      kept.insert(&variable);
  kept.insert_range(known);
  ValueToValueMapTy copies;
  std::unique_ptr<Module> copy =
      CloneModule(module, copies, [&](const GlobalValue *value) { return kept.contains(value); });
  for (GlobalVariable *variable : known) {
    auto &copied = *cast<GlobalVariable>(copies[variable]);
    copied.setComdat(nullptr);
    copied.setLinkage(GlobalValue::AvailableExternallyLinkage);
  }
  for (GlobalVariable &variable : make_early_inc_range(copy->globals()))
    if (variable.getName().starts_with("llvm."))
      variable.eraseFromParent();
  copy->setModuleInlineAsm("");
  return copy;
}

void dropParts(const std::vector<CodePart> &parts) {
  for (const CodePart &part : parts)
    for (Function *function : part)
      function->deleteBody();
}

} // namespace cufc
