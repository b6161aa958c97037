// See initial_values.h.
//
//   integer, device :: a(2) = [1, 2]     becomes     integer, device :: a(2) = [1, 2]
//   real :: x                                        real :: x
//                                                    a=[integer(4)::1_4,2_4]
//
// The value is written from flang's folded expression, which covers DATA statements also. The
// variables of a main program are saved (F2023 8.5.16), but it runs once, so an assignment at its
// start makes no difference.
//
// Variables of device procedures begin and end with each call. One that the procedure changes
// begins with its value each time, as nvfortran has it, and a warning says so; what nothing changes
// becomes a constant (checks/saved_data.cpp).
#include "frontend/workarounds/initial_values.h"
#include "base/language_diag.h"
#include "flang/Evaluate/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/data_values.h"
#include "frontend/edits.h"
#include "frontend/extract/variable_values.h"
#include "frontend/lenient/replaced_values.h"
#include "frontend/messages.h"
#include "frontend/own_scopes.h"
#include "frontend/statement_visitor.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;

// The last statement of the main program's specification part.
class Declarations : public ShallowVisitor {
public:
  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::MainProgram &program) override {
    walkTree(std::get<parser::SpecificationPart>(program.t), *this);
    last = source;
    return false;
  }
  bool Pre(const parser::CompilerDirective &directive) override {
    source = directive.source;
    return false;
  }
  bool Pre(const parser::OpenMPDeclarativeConstruct &directive) override {
    source = directive.source;
    return false;
  }
  bool Pre(const parser::Module &) override { return false; }
  bool Pre(const parser::SubroutineSubprogram &) override { return false; }
  bool Pre(const parser::FunctionSubprogram &) override { return false; }

  parser::CharBlock last;
  parser::CharBlock lastSeen() const { return source; }
};

// The device procedures of the file, and the BLOCKs in them and in CUF kernels, each with the last
// statement of its specification part.
class DeviceScopes : public ShallowVisitor {
public:
  explicit DeviceScopes(const semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineSubprogram &unit) override {
    return enter(std::get<parser::Statement<parser::SubroutineStmt>>(unit.t).statement, unit);
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    return enter(std::get<parser::Statement<parser::FunctionStmt>>(unit.t).statement, unit);
  }
  bool Pre(const parser::CUFKernelDoConstruct &) override { return ++kernels > 0; }
  void Post(const parser::CUFKernelDoConstruct &) override { --kernels; }
  bool Pre(const parser::BlockConstruct &block) override {
    const auto &end = std::get<parser::Statement<parser::EndBlockStmt>>(block.t);
    const semantics::Scope &scope = context.FindScope(end.source);
    if (kernels > 0 || semantics::FindCUDADeviceContext(&scope))
      add(scope, std::get<parser::BlockSpecificationPart>(block.t).v);
    return true;
  }

  std::vector<std::pair<const semantics::Scope *, parser::CharBlock>> found;

private:
  template <typename Opening, typename Unit>
  bool enter(const Opening &opening, const Unit &unit) {
    const semantics::Symbol *symbol = std::get<parser::Name>(opening.t).symbol;
    const semantics::Scope *scope = symbol ? symbol->scope() : nullptr;
    if (scope && semantics::FindCUDADeviceContext(scope))
      add(*scope, std::get<parser::SpecificationPart>(unit.t));
    return true;
  }
  void add(const semantics::Scope &scope, const parser::SpecificationPart &part) {
    Declarations declarations;
    walkTree(part, declarations);
    found.emplace_back(&scope, declarations.lastSeen());
  }

  const semantics::SemanticsContext &context;
  int kernels = 0;
};

// What flang's lowering allocates at the start of the program (flang/Lower/ConvertVariable.cpp).
bool losesValue(const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  return object && object->init() && object->cudaDataAttr() &&
         *object->cudaDataAttr() != common::CUDADataAttr::Unified &&
         !semantics::IsNamedConstant(symbol) && !semantics::IsAllocatableOrPointer(symbol);
}

// The variables of a main program that lose their values.
std::vector<const semantics::Symbol *> losers(const semantics::Scope &scope) {
  std::vector<const semantics::Symbol *> symbols;
  for (const auto &[name, symbol] : scope)
    if (losesValue(*symbol))
      symbols.push_back(&*symbol);
  return symbols;
}

std::string assignmentOf(const semantics::Symbol &symbol) {
  std::string text = "\n" + symbol.name().ToString() + "=";
  llvm::raw_string_ostream stream(text);
  symbol.get<semantics::ObjectEntityDetails>().init()->AsFortran(stream);
  return text;
}

// With errors flang leaves out what DATA statements give.
bool mayHaveDataValues(const FlangProgram &program) {
  parser::CharBlock text = program.parsing->cooked().AsCharBlock();
  if (std::string_view(text.begin(), text.size()).find("data") == std::string_view::npos)
    return false;
  for (const semantics::Scope &scope : program.context->globalScope().children())
    if (scope.kind() == semantics::Scope::Kind::MainProgram)
      for (const auto &[name, symbol] : scope)
        if (const auto *object = symbol->detailsIf<semantics::ObjectEntityDetails>();
            object && object->cudaDataAttr() && !object->init() &&
            !semantics::IsAllocatableOrPointer(*symbol))
          return true;
  return false;
}

// Behind a statement, or behind the line of a directive.
const char *placeBehind(parser::CharBlock last, parser::CharBlock text) {
  const char *begin = last.begin(), *end = last.end();
  while (begin > text.begin() && begin[-1] != '\n')
    --begin;
  if (*begin == '!')
    end = std::find(end, text.end(), '\n');
  return end;
}

// A variable of one thread with a value that is there before the call.
bool beginsWithValue(const semantics::Symbol &symbol, const semantics::Scope &scope) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  auto attribute = semantics::GetCUDADataAttr(&symbol);
  return object && object->init() && &symbol.owner() == &scope &&
         (!attribute || attribute == common::CUDADataAttr::Device) &&
         !semantics::IsNamedConstant(symbol) && !semantics::IsAllocatableOrPointer(symbol) &&
         !symbol.attrs().test(semantics::Attr::SAVE);
}

// Whether a scope, or one inside, has such a variable: most have none, and are not
// walked.
bool mayBeginWithValues(const semantics::Scope &scope) {
  bool ofCode = scope.kind() == semantics::Scope::Kind::Subprogram ||
                scope.kind() == semantics::Scope::Kind::BlockConstruct;
  return (ofCode &&
          std::any_of(scope.begin(), scope.end(),
                      [&](const auto &entry) { return beginsWithValue(*entry.second, scope); })) ||
         std::any_of(scope.children().begin(), scope.children().end(), mayBeginWithValues);
}

void beginDeviceVariables(const FlangProgram &program, EditList &edits, Diagnostics &diagnostics) {
  auto own = ownScopes(program.context->globalScope());
  if (std::none_of(own.begin(), own.end(),
                   [](const semantics::Scope *scope) { return mayBeginWithValues(*scope); }))
    return;
  DeviceScopes scopes(*program.context);
  walkTree(*program.parsing->parseTree(), scopes);
  std::optional<VariableValues> values;
  std::optional<ReplacedValues> replaced;
  for (const auto &[scope, last] : scopes.found)
    for (const auto &[name, symbol] : *scope) {
      if (!beginsWithValue(*symbol, *scope))
        continue;
      if (!values) {
        values.emplace(*program.parsing->parseTree());
        replaced.emplace(*program.parsing->parseTree(), *program.context);
      }
      if (!values->isChanged(*symbol) || replaced->has(*symbol))
        continue;
      diagnostics.report(LanguageDiag::BeginsEachCall, rangeOf(program, symbol->name()),
                         symbol->name().ToString());
      edits.inside(symbol->name(), placeBehind(last, program.parsing->cooked().AsCharBlock()),
                   assignmentOf(*symbol));
    }
}

} // namespace

void assignInitialValues(FlangProgram &program, bool hasErrors, EditList &edits,
                         Diagnostics &diagnostics) {
  if (hasErrors && mayHaveDataValues(program))
    completeInitialValues(program);
  beginDeviceVariables(program, edits, diagnostics);
  Declarations declarations;
  for (const semantics::Scope &scope : program.context->globalScope().children())
    if (scope.kind() == semantics::Scope::Kind::MainProgram)
      for (const semantics::Symbol *symbol : losers(scope)) {
        if (declarations.last.empty())
          walkTree(*program.parsing->parseTree(), declarations);
        edits.inside(symbol->name(),
                     placeBehind(declarations.last, program.parsing->cooked().AsCharBlock()),
                     assignmentOf(*symbol));
      }
}

} // namespace cufc
