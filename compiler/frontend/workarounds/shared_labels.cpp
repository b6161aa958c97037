// One procedure of another file that a program unit calls by itself, and another one by an
// interface with a binding label:
//
//   call dgemm('n', 'n', ...)                          ! of the BLAS, by an implicit interface
//   subroutine dgemm_host(...) bind(c, name='dgemm_')  ! in module cublas
//
// The linker takes both for the same routine. flang's checks of declarations refuse the pair and
// mark the symbols, so that calls of them are not analysed, and the mark cannot be taken back. The
// interface has another label while they run: the linker puts our function in place of flang's
// (--wrap in compiler/CMakeLists.txt).
//
// It also takes the compiler's own modules out of flang's sight, which were checked when they were
// compiled: flang checks all declarations of a module in each source that uses it.
#include "base/workarounds.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

bool isDefined(const Symbol &symbol) {
  const auto *details = symbol.detailsIf<semantics::SubprogramDetails>();
  return details && !details->isInterface();
}

struct Procedures {
  std::set<std::string> called; // labels of external procedures without BIND(C), not defined here
  std::vector<Symbol *> interfaces; // with a binding label, not defined here
};

void collect(semantics::Scope &scope, bool underscoring, Procedures &found) {
  for (auto &[name, reference] : scope) {
    Symbol &symbol = *reference;
    if (&symbol.GetUltimate() != &symbol || !semantics::IsProcedure(symbol) || isDefined(symbol))
      continue;
    if (symbol.GetBindName())
      found.interfaces.push_back(&symbol);
    else if (semantics::IsExternal(symbol))
      found.called.insert(common::GetExternalAssemblyName(symbol.name().ToString(), underscoring));
  }
  for (semantics::Scope &child : scope.children())
    collect(child, underscoring, found);
}

// While it lives, interfaces that share their label with a procedure that is called have another.
class OtherLabels {
public:
  explicit OtherLabels(semantics::SemanticsContext &context) {
    Procedures found;
    collect(context.globalScope(), context.underscoring(), found);
    for (Symbol *symbol : found.interfaces)
      if (std::string label = *symbol->GetBindName(); found.called.count(label)) {
        symbol->SetBindName(label + "_of_interface");
        renamed.emplace_back(symbol, std::move(label));
      }
  }
  ~OtherLabels() {
    for (auto &[symbol, label] : renamed)
      symbol->SetBindName(std::move(label));
  }

private:
  std::vector<std::pair<Symbol *, std::string>> renamed;
};

// While it lives, the scopes of modules that come with the compiler are not among the others.
class CompilerModules {
public:
  explicit CompilerModules(semantics::SemanticsContext &context)
      : scopes(context.intrinsicModulesScope().children()) {
    away.splice(away.end(), scopes);
  }
  ~CompilerModules() { scopes.splice(scopes.begin(), away); }
  CompilerModules(const CompilerModules &) = delete;

private:
  std::list<semantics::Scope> &scopes, away;
};

} // namespace
} // namespace cufc

// The names follow from the linker's option: flang's function, and ours in its place.
extern "C" {
void __real__ZN7Fortran9semantics17CheckDeclarationsERNS0_16SemanticsContextE(
    Fortran::semantics::SemanticsContext *);

void __wrap__ZN7Fortran9semantics17CheckDeclarationsERNS0_16SemanticsContextE(
    Fortran::semantics::SemanticsContext *context) {
  cufc::CompilerModules modules(*context);
  std::optional<cufc::OtherLabels> labels;
  if (cufc::isMade(cufc::Workaround::SharedLabels))
    labels.emplace(*context);
  __real__ZN7Fortran9semantics17CheckDeclarationsERNS0_16SemanticsContextE(context);
}
}
