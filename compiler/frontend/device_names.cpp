// See device_names.h. One walk over the parse tree, before names have symbols.
#include "frontend/device_names.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include <set>
#include <string>

namespace cufc {
namespace {

using namespace Fortran;

class Names {
public:
  template <typename T>
  bool Pre(const T &) {
    return true;
  }
  template <typename T>
  void Post(const T &) {}

  bool Pre(const parser::SubroutineSubprogram &unit) { return enter<parser::SubroutineStmt>(unit); }
  bool Pre(const parser::FunctionSubprogram &unit) { return enter<parser::FunctionStmt>(unit); }
  void Post(const parser::SubroutineSubprogram &) { leave(); }
  void Post(const parser::FunctionSubprogram &) { leave(); }
  bool Pre(const parser::InterfaceBlock &) { return false; }
  bool Pre(const parser::UseStmt &) { return false; }

  void Post(const parser::EntityDecl &entity) { declare(std::get<parser::ObjectName>(entity.t)); }
  void Post(const parser::DummyArg &dummy) {
    if (const auto *name = std::get_if<parser::Name>(&dummy.u))
      declare(*name);
  }
  bool Pre(const parser::FunctionStmt &statement) {
    for (const parser::Name &dummy : std::get<std::list<parser::Name>>(statement.t))
      declare(dummy);
    return true;
  }
  void Post(const parser::Name &name) {
    if (inDevice)
      mentionedHere.insert(name.ToString());
  }

  std::set<std::string> declared;       // in some device procedure
  std::set<std::string> mentioned;      // in one that does not declare the name
  std::set<std::string> declaredAround; // in a module

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

} // namespace

void hideDeviceNames(FlangProgram &program) {
  Names names;
  parser::Walk(*program.parsing->parseTree(), names);
  if (names.declared.empty())
    return;
  auto &scope = const_cast<semantics::Scope &>(program.context->GetCUDADeviceScope());
  for (const std::string &name : names.declared)
    if (!names.mentioned.count(name) || names.declaredAround.count(name))
      if (auto found = scope.find(parser::CharBlock(name)); found != scope.end())
        scope.erase(found->second->name());
}

} // namespace cufc
