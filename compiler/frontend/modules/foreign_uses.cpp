// See foreign_uses.h.
#include "frontend/modules/foreign_uses.h"
#include "base/diag.h"
#include "base/files.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_program.h"
#include "frontend/flang_setup.h"
#include "frontend/messages.h"
#include "frontend/modules/module_files.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <tuple>

namespace cufc {
namespace {

using namespace Fortran;
using foreign::ForeignModules;
using foreign::UnreadableModule;

constexpr std::string_view targetWarning = "CUF1313";
constexpr std::string_view undefinedWarning = "CUF1301";

std::string folderOf(const FrontendOptions &settings) {
  std::string folder = directoryOf(settings.scratchFile) + "/foreign";
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(folder, error);
  return error ? folder : absolute.lexically_normal().string();
}

// The modules that the source names, and the places of their first names.
class UsedModules : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::UseStmt &use) override {
    if (use.nature != parser::UseStmt::ModuleNature::Intrinsic)
      add(use.moduleName);
    statements.push_back(&use);
    return false;
  }
  bool Pre(const parser::ParentIdentifier &parent) override {
    add(std::get<parser::Name>(parent.t));
    return false;
  }
  bool Pre(const parser::ModuleStmt &module) override {
    defined.insert(module.v.ToString());
    return false;
  }
  bool Pre(const parser::ExecutionPart &) override { return false; }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto &[name, place] : places)
      if (defined.count(name) == 0)
        result.push_back(name);
    return result;
  }
  std::map<std::string, parser::CharBlock> places;
  std::vector<const parser::UseStmt *> statements;

private:
  void add(const parser::Name &name) { places.emplace(name.ToString(), name.source); }
  std::set<std::string> defined;
};

void report(const std::string &name, const UnreadableModule &module, const SourceRange &range,
            Diagnostics &diagnostics) {
  switch (module.reason) {
  case UnreadableModule::OtherCompiler:
    diagnostics.report(Diag::ForeignModule, range, name, module.path, module.compiler);
    break;
  case UnreadableModule::Damaged:
    diagnostics.report(Diag::ForeignModuleDamaged, range, name, module.path);
    break;
  case UnreadableModule::Version:
    diagnostics.report(Diag::ForeignModuleVersion, range, name, module.path, module.version);
    break;
  case UnreadableModule::OtherModule:
    diagnostics.report(Diag::ModuleFileOfOther, range, name, module.path, module.module);
    break;
  }
}

// Files for flang to read. An unreadable module is an empty one: what is wrong with it is said.
void writeFiles(const ForeignModules &modules, const std::string &folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (modules.texts.empty() && modules.unreadable.empty() && modules.shadowed.empty())
    return;
  std::filesystem::create_directories(folder, ignored);
  for (const auto &[name, text] : modules.texts)
    writeFile(folder + "/" + name + ".mod", moduleFileOf(text));
  for (const auto &[name, path] : modules.shadowed)
    std::filesystem::create_symlink(std::filesystem::absolute(path, ignored),
                                    folder + "/" + name + ".mod", ignored);
  for (const auto &[name, module] : modules.unreadable)
    writeFile(folder + "/" + name + ".mod", moduleFileOf("module " + name + "\nend\n"));
}

ForeignModules find(FlangProgram &program, const FrontendOptions &settings,
                    const std::vector<std::string> &names, bool write) {
  std::string folder = folderOf(settings);
  std::vector<std::string> search = program.context->searchDirectories();
  search.erase(std::remove(search.begin(), search.end(), folder), search.end());
  ForeignModules modules =
      foreign::findForeignModules(names, search, program.context->intrinsicModuleDirectories());
  if (!write)
    return modules;
  writeFiles(modules, folder);
  if (std::filesystem::exists(folder))
    search.insert(search.begin(), folder);
  program.context->set_searchDirectories(search);
  return modules;
}

class ForeignUses : public StatementVisitor {
public:
  ForeignUses(FlangProgram &program, const ForeignModules &modules)
      : program(program), modules(modules) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::UseStmt &) override { return false; }
  bool Pre(const parser::AccessStmt &) override { return false; }

  void Post(const parser::Name &name) override {
    if (!name.symbol)
      return;
    const semantics::Symbol &symbol = name.symbol->GetUltimate();
    auto found = modules.restrictions.names.find(keyOf(symbol));
    if (found != modules.restrictions.names.end())
      report(name.source, Diag::ForeignName, found->first, found->second);
  }

  void Post(const parser::Expr &expression) override {
    if (const auto *typed = semantics::GetExpr(*program.context, expression))
      for (const semantics::Symbol &symbol : evaluate::CollectSymbols(*typed))
        checkCall(symbol, expression.source);
  }

  void Post(const parser::CallStmt &call) override {
    if (call.typedCall)
      if (const semantics::Symbol *symbol = call.typedCall->proc().GetSymbol())
        checkCall(*symbol, call.source);
  }

  void Post(const parser::AssignmentStmt &statement) override {
    const evaluate::Assignment *assignment = semantics::GetAssignment(statement);
    if (!assignment)
      return;
    if (const auto *procedure = std::get_if<evaluate::ProcedureRef>(&assignment->u)) {
      if (const semantics::Symbol *symbol = procedure->proc().GetSymbol())
        checkCall(*symbol, source);
      return;
    }
    if (std::holds_alternative<evaluate::Assignment::Intrinsic>(assignment->u))
      if (auto type = assignment->lhs.GetType())
        if (const semantics::DerivedTypeSpec *derived = evaluate::GetDerivedTypeSpec(type))
          checkAssignment(*derived);
  }

  // Whether a call of such a procedure stands at a line.
  bool callsAt(const std::string &file, int line) const {
    return std::any_of(calls.begin(), calls.end(), [&](const auto &call) {
      return std::get<0>(call) == file && std::get<1>(call) <= line && line <= std::get<2>(call);
    });
  }

  std::vector<Diagnostic> found;

private:
  // "module::name" or "module::type%component"; empty for what is in no module.
  static std::string keyOf(const semantics::Symbol &symbol) {
    const semantics::Scope &owner = symbol.owner();
    if (owner.kind() == semantics::Scope::Kind::Module && owner.symbol())
      return owner.symbol()->name().ToString() + "::" + symbol.name().ToString();
    if (owner.IsDerivedType() && owner.symbol()) {
      std::string type = keyOf(*owner.symbol());
      return type.empty() ? type : type + "%" + symbol.name().ToString();
    }
    return "";
  }

  static std::string displayOf(const semantics::Symbol &symbol) {
    const semantics::Symbol &ultimate = symbol.GetUltimate();
    if (const auto *binding = ultimate.detailsIf<semantics::ProcBindingDetails>())
      return keyOf(binding->symbol().GetUltimate());
    return keyOf(ultimate);
  }

  void checkCall(const semantics::Symbol &symbol, parser::CharBlock place) {
    std::string display = displayOf(symbol);
    if (display.empty())
      return;
    if (refused.empty())
      for (const auto &[name, call] : modules.calls.procedures)
        refused.emplace(call.display, &call);
    auto at = refused.find(display);
    if (at == refused.end())
      return;
    SourceRange range = rangeOf(program, place);
    calls.emplace_back(range.file, range.line, range.endLine);
    if (!at->second->refused.empty())
      report(place, Diag::ForeignCall, display, at->second->refused);
  }

  void checkAssignment(const semantics::DerivedTypeSpec &type) {
    auto check = [&](const semantics::DerivedTypeSpec &one) {
      std::string key = keyOf(one.typeSymbol().GetUltimate());
      if (modules.restrictions.assignments.count(key) == 0)
        return false;
      report(source, Diag::ForeignAssignment, key);
      return true;
    };
    if (check(type))
      return;
    for (const semantics::Symbol &component : semantics::DirectComponentIterator{type})
      if (!semantics::IsPointer(component))
        if (const semantics::DeclTypeSpec *part = component.GetType())
          if (const semantics::DerivedTypeSpec *derived = part->AsDerived())
            if (check(*derived))
              return;
  }

  // The innermost place that has something to do with it.
  template <typename Row, typename... Texts>
  void report(parser::CharBlock place, Row row, const Texts &...texts) {
    std::string key = (std::string(texts) + ...);
    for (const auto &[text, inner] : reported)
      if (text == key && place.begin() <= inner.begin() && inner.end() <= place.end())
        return;
    reported.emplace_back(key, place);
    Diagnostics list;
    list.report(row, rangeOf(program, place), texts...);
    found.push_back(list.list().front());
  }

  FlangProgram &program;
  const ForeignModules &modules;
  std::map<std::string, const foreign::Call *> refused;
  std::vector<std::pair<std::string, parser::CharBlock>> reported;
  std::vector<std::tuple<std::string, int, int>> calls; // file, first and last line
};

} // namespace

ForeignModules provideForeignModules(FlangProgram &program, const FrontendOptions &settings,
                                     Diagnostics &diagnostics) {
  UsedModules used;
  walkTree(*program.parsing->parseTree(), used);
  ForeignModules modules = find(program, settings, used.names(), true);
  for (const parser::UseStmt *use : used.statements)
    if (!use->nature && modules.hidden.count(use->moduleName.ToString()) > 0)
      const_cast<parser::UseStmt *>(use)->nature = parser::UseStmt::ModuleNature::Intrinsic;
  for (const auto &[name, module] : modules.unreadable)
    if (auto place = used.places.find(name); place != used.places.end())
      report(name, module, rangeOf(program, place->second), diagnostics);
  return modules;
}

void provideForeignModules(FlangProgram &program, const FrontendOptions &settings,
                           const std::vector<std::string> &modules) {
  find(program, settings, modules, true);
}

void checkForeignUses(FlangProgram &program, const ForeignModules &modules,
                      Diagnostics &diagnostics) {
  if (modules.texts.empty() && modules.unreadable.empty())
    return;
  ForeignUses uses(program, modules);
  walkTree(*program.parsing->parseTree(), uses);
  std::vector<Diagnostic> list = diagnostics.list();
  auto isOurs = [](const Diagnostic &d) {
    return d.code == Diag::ForeignModule.code || d.code == Diag::ForeignModuleDamaged.code ||
           d.code == Diag::ForeignModuleVersion.code || d.code == Diag::ModuleFileOfOther.code;
  };
  // Libraries declare whatever they take the address of as TARGET, in every procedure with a
  // buffer.
  auto isOfTarget = [&](const Diagnostic &d) {
    return d.code == targetWarning && d.message.find("TARGET dummy") != std::string::npos &&
           uses.callsAt(d.range.file, d.range.line);
  };
  auto follows = [&](const Diagnostic &d) {
    if (isOfTarget(d) || (d.code == undefinedWarning && !modules.unreadable.empty()))
      return true;
    if (d.severity != Severity::Error || isOurs(d))
      return false;
    return !modules.unreadable.empty() ||
           std::any_of(uses.found.begin(), uses.found.end(), [&](const Diagnostic &other) {
             return other.range.file == d.range.file && other.range.line == d.range.line;
           });
  };
  auto drop = [&](auto &all) {
    all.erase(std::remove_if(all.begin(), all.end(), follows), all.end());
  };
  applyFilters({{MessageFilter::OfForeignModule, drop}}, list, program.dropped);
  list.insert(list.end(), uses.found.begin(), uses.found.end());
  diagnostics.replace(std::move(list));
}

ForeignModules foreignModulesOf(const Program &program) {
  FlangProgram &flang = const_cast<Program &>(program).flang();
  if (!flang.context || !flang.parsing || !std::filesystem::exists(folderOf(program.options())))
    return {};
  UsedModules used;
  walkTree(*flang.parsing->parseTree(), used);
  return find(flang, program.options(), used.names(), false);
}

} // namespace cufc
