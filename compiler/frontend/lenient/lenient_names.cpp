// See lenient_names.h.
//
//   use constants, g => g_d     becomes     use constants, g => g_d,cufc_hidden_g=>g
#include "frontend/lenient/lenient_names.h"
#include "base/flang_phrases.h"
#include "base/language_diag.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/edits.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

// The names of "Reference to 'g' is ambiguous".
std::set<std::string> ambiguousNames(parser::Messages &messages) {
  std::set<std::string> names;
  for (const parser::Message &message : messages.messages())
    if (std::string name = inPhrase(message.ToString(), Phrase::Ambiguous, 0); !name.empty())
      names.insert(name);
  return names;
}

class Uses : public ShallowVisitor {
public:
  Uses(const FlangProgram &program, const std::set<std::string> &names, EditList &edits,
       Diagnostics &diagnostics)
      : program(program), names(names), edits(edits), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::UseStmt &use) override {
    const auto *renames = std::get_if<std::list<parser::Rename>>(&use.u);
    const semantics::Symbol *module = use.moduleName.symbol;
    if (!renames || !module || !module->scope())
      return false;
    std::set<std::string> renamed;
    for (const parser::Rename &rename : *renames)
      if (const auto *pair = std::get_if<parser::Rename::Names>(&rename.u))
        renamed.insert(std::get<1>(pair->t).ToString());
    for (const parser::Rename &rename : *renames)
      if (const auto *pair = std::get_if<parser::Rename::Names>(&rename.u)) {
        const parser::Name &local = std::get<0>(pair->t);
        std::string name = local.ToString();
        if (names.count(name) && !renamed.count(name) && exports(*module->scope(), local))
          hide(std::get<1>(pair->t), name, module->name().ToString());
      }
    return false;
  }

private:
  static bool exports(const semantics::Scope &module, const parser::Name &name) {
    auto found = module.find(name.source);
    return found != module.end() && !found->second->attrs().test(semantics::Attr::PRIVATE);
  }

  void hide(const parser::Name &last, const std::string &name, const std::string &module) {
    if (edits.behind(last.source, ",cufc_hidden_" + name + "=>" + name))
      diagnostics.report(LanguageDiag::RenameHides, rangeOf(program, last.source), name, module);
  }

  const FlangProgram &program;
  const std::set<std::string> &names;
  EditList &edits;
  Diagnostics &diagnostics;
};

} // namespace

void renameHiddenNames(parser::Messages &messages, const FlangProgram &program, EditList &edits,
                       Diagnostics &diagnostics) {
  std::set<std::string> names = ambiguousNames(messages);
  if (names.empty())
    return;
  Uses uses(program, names, edits, diagnostics);
  walkTree(*program.parsing->parseTree(), uses);
}

namespace {

// Procedures that the file defines, and lists of MODULE PROCEDURE in interface blocks.
class GenericNames : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineStmt &statement) override {
    defined.insert(std::get<parser::Name>(statement.t).ToString());
    return false;
  }
  bool Pre(const parser::FunctionStmt &statement) override {
    defined.insert(std::get<parser::Name>(statement.t).ToString());
    return false;
  }
  bool Pre(const parser::ProcedureStmt &statement) override {
    lists.push_back(&changeable(statement));
    return false;
  }

  std::set<std::string> defined;
  std::vector<parser::ProcedureStmt *> lists;
};

} // namespace

void takeProceduresInGenericNames(FlangProgram &program) {
  GenericNames names;
  walkTree(*program.parsing->parseTree(), names);
  for (parser::ProcedureStmt *list : names.lists)
    for (const parser::Name &name : std::get<std::list<parser::Name>>(list->t))
      if (!names.defined.count(name.ToString()))
        std::get<parser::ProcedureStmt::Kind>(list->t) = parser::ProcedureStmt::Kind::Procedure;
}

} // namespace cufc
