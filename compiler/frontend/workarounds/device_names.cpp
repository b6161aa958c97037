// See device_names.h. Two walks over the parse tree, before names have symbols.
#include "frontend/workarounds/device_names.h"
#include "base/flang_phrases.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/flang_versions.h"
#include "frontend/shared_walk.h"
#include "frontend/symbol_making.h"

namespace cufc {
namespace {

using namespace Fortran;

class Names : public StatementVisitor {
public:
  using StatementVisitor::Post;
  using StatementVisitor::Pre;

  bool Pre(const parser::SubroutineSubprogram &unit) override {
    return enter<parser::SubroutineStmt>(unit);
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    return enter<parser::FunctionStmt>(unit);
  }
  void Post(const parser::SubroutineSubprogram &) override { leave(); }
  void Post(const parser::FunctionSubprogram &) override { leave(); }
  bool Pre(const parser::InterfaceBlock &) override { return false; }
  bool Pre(const parser::UseStmt &) override { return false; }

  void Post(const parser::EntityDecl &entity) override {
    declare(std::get<parser::ObjectName>(entity.t));
  }
  void Post(const parser::DummyArg &dummy) override {
    if (const auto *name = std::get_if<parser::Name>(&dummy.u))
      declare(*name);
  }
  bool Pre(const parser::FunctionStmt &statement) override {
    for (const parser::Name &dummy : std::get<std::list<parser::Name>>(statement.t))
      declare(dummy);
    return true;
  }
  void Post(const parser::Name &name) override {
    if (inDevice)
      mentionedHere.insert(name.ToString());
  }

  std::set<std::string> declared;       // in some device procedure
  std::set<std::string> mentioned;      // in one that does not declare the name
  std::set<std::string> declaredAround; // in a module
  bool anyDevice = false;               // without a device procedure flang does not read cudadevice

private:
  template <typename Statement, typename Unit>
  bool enter(const Unit &unit) {
    const auto &statement = std::get<parser::Statement<Statement>>(unit.t).statement;
    inDevice = false;
    ++procedures;
    for (const auto &prefix : std::get<std::list<parser::PrefixSpec>>(statement.t))
      if (const auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u))
        for (common::CUDASubprogramAttrs attribute : attributes->v)
          inDevice |= attribute != common::CUDASubprogramAttrs::Host;
    anyDevice |= inDevice;
    return true;
  }
  void leave() {
    for (const std::string &name : mentionedHere)
      if (!declaredHere.count(name))
        mentioned.insert(name);
    declared.insert(declaredHere.begin(), declaredHere.end());
    mentionedHere.clear();
    declaredHere.clear();
    inDevice = false;
    --procedures;
  }
  void declare(const parser::Name &name) {
    if (inDevice)
      declaredHere.insert(name.ToString());
    else if (procedures == 0)
      declaredAround.insert(name.ToString());
  }

  bool inDevice = false;
  int procedures = 0; // around the statement
  std::set<std::string> declaredHere, mentionedHere;
};

// All names of a file, and whether it uses cudadevice itself.
class Mentioned : public StatementVisitor {
public:
  using StatementVisitor::Post;
  void Post(const parser::Name &name) override { names.insert(name.source); }
  void Post(const parser::UseStmt &use) override {
    usesModule |= use.moduleName.ToString() == "cudadevice";
  }

  std::set<parser::CharBlock> names; // by their letters
  bool usesModule = false;
};

semantics::Scope &deviceScope(FlangProgram &program) {
  return const_cast<semantics::Scope &>(cudaDeviceScope(*program.context));
}

bool isProcedure(const semantics::Symbol &symbol) {
  const semantics::Symbol &ultimate = symbol.GetUltimate();
  if (const auto *generic = ultimate.detailsIf<semantics::GenericDetails>())
    return !generic->derivedType();
  return ultimate.has<semantics::SubprogramDetails>();
}

} // namespace

HiddenDeviceNames::HiddenDeviceNames(FlangProgram &program, parser::Program &tree)
    : program(program) {
  Names names;
  Mentioned mentioned;
  SharedWalk walk;
  walk.add(names);
  if (!program.everyDeviceName)
    walk.add(mentioned);
  walk.walk(tree);
  std::set<std::string> own;
  for (const std::string &name : names.declared)
    if (!names.mentioned.count(name) || names.declaredAround.count(name))
      own.insert(name);
  hideDeclared(own);
  if (names.anyDevice && !program.everyDeviceName)
    hideUnmentioned(mentioned.names, mentioned.usesModule);
}

void HiddenDeviceNames::hideDeclared(const std::set<std::string> &names) {
  if (names.empty())
    return;
  semantics::Scope &scope = deviceScope(program);
  for (const std::string &name : names)
    if (auto found = scope.find(parser::CharBlock(name)); found != scope.end())
      scope.erase(found->second->name());
}

void HiddenDeviceNames::hideUnmentioned(const std::set<parser::CharBlock> &mentioned,
                                        bool usesModule) {
  bool isThere = program.context->GetBuiltinModule("cudadevice"); // not while it is compiled itself
  if (usesModule || !isThere)
    return;
  semantics::Scope &scope = deviceScope(program);
  for (auto &[name, symbol] : scope)
    if (isProcedure(*symbol) && !mentioned.count(name))
      hidden.push_back(&*symbol);
  for (const semantics::Symbol *symbol : hidden)
    scope.erase(symbol->name());
}

// A module file names one of them, or passes on what it has of cudadevice.
bool HiddenDeviceNames::areMissed() const {
  for (const parser::Message &message : program.context->messages().messages())
    if (isPhrase(message.ToString(), Phrase::NotInCudadevice))
      return true;
  const semantics::Scope &device = deviceScope(program);
  for (const semantics::Scope &module : program.context->globalScope().children())
    if (module.IsModuleFile() && &module != &device)
      for (const auto &[name, symbol] : module)
        if (const auto *use = symbol->detailsIf<semantics::UseDetails>())
          if (&use->symbol().owner() == &device)
            return true;
  return false;
}

bool HiddenDeviceNames::restore() {
  if (hidden.empty())
    return true;
  bool missed = areMissed();
  semantics::Scope &scope = deviceScope(program);
  for (semantics::Symbol *symbol : hidden)
    makeUse(scope, *symbol);
  hidden.clear();
  return !missed;
}

} // namespace cufc
