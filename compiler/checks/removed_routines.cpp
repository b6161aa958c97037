// Functions of cudafor where nothing uses it, and those of the CUDA libraries that their modules do
// not have. Under implicit typing flang takes such a call for one of an external function, which
// only the linker would miss; what is not declared under IMPLICIT NONE is said by
// frontend/messages.cpp.
#include "base/removed_routines.h"
#include "base/mistake_diag.h"
#include "checks/check.h"
#include "checks/library_checks.h"
#include "flang/Semantics/tools.h"
#include "source/api_names.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Scope;
using semantics::Symbol;

constexpr std::string_view cudaModule = "cudafor";

bool comesFrom(const Symbol &symbol, std::string_view module) {
  const Symbol &ultimate = symbol.GetUltimate();
  return symbol.has<semantics::UseDetails>() && ultimate.owner().IsModule() &&
         ultimate.owner().GetName()->ToString() == module;
}

// Whether a scope or one around it uses the module.
bool usesModule(const Scope &inner, std::string_view module) {
  for (const Scope *scope = &inner; !scope->IsTopLevel(); scope = &scope->parent())
    if (std::any_of(scope->begin(), scope->end(),
                    [&](const auto &pair) { return comesFrom(*pair.second, module); }))
      return true;
  return false;
}

// An EXTERNAL statement says that the program brings it.
bool isOfProgram(const Symbol &symbol) {
  return symbol.attrs().test(semantics::Attr::EXTERNAL) &&
         !symbol.implicitAttrs().test(semantics::Attr::EXTERNAL);
}

class RemovedRoutines : public StatementVisitor {
public:
  explicit RemovedRoutines(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::FunctionReference &call) override {
    const auto &designator = std::get<parser::ProcedureDesignator>(call.v.t);
    if (const auto *name = std::get_if<parser::Name>(&designator.u); name && name->symbol)
      check(*name, name->symbol->GetUltimate());
    return true;
  }

private:
  void check(const parser::Name &name, const Symbol &symbol) {
    const auto *external = symbol.detailsIf<semantics::ProcEntityDetails>();
    if (!external || external->HasExplicitInterface() || !symbol.GetType() || isOfProgram(symbol))
      return;
    const Scope &scope = context.program.context->FindScope(source);
    const ApiName *row = findApiName(symbol.name().ToString());
    if (row && row->module == cudaModule && !usesModule(scope, cudaModule) &&
        told.insert(&semantics::GetProgramUnitContaining(scope)).second)
      context.report(MistakeDiag::ModuleNotUsed, name.source, std::string(row->name),
                     std::string(cudaModule), "use " + std::string(cudaModule));
    RemovedName removed = removedName(symbol.name().ToString());
    if (!removed.advice.empty() && usesModule(scope, removed.module))
      context.report(MistakeDiag::NameRemoved, name.source, name.ToString(),
                     std::string(removed.module), removed.advice);
  }
  CheckContext &context;
  std::set<const Scope *> told; // what is said once of a procedure
};

} // namespace

void checkRemovedRoutines(CheckContext &context) { context.visit<RemovedRoutines>(context); }

} // namespace cufc
