// See initial_values.h.
//
//   integer, device :: a(2) = [1, 2]     becomes     integer, device :: a(2) = [1, 2]
//   real :: x                                        real :: x
//                                                    a=[integer(4)::1_4,2_4]
//
// The value is written from flang's folded expression, which covers DATA statements also. The
// variables of a main program are saved (F2023 8.5.16), but it runs once, so an assignment at its
// start makes no difference.
#include "frontend/initial_values.h"
#include "flang/Evaluate/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/data_values.h"
#include "frontend/edits.h"
#include "frontend/statement_visitor.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <string_view>

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

} // namespace

void assignInitialValues(FlangProgram &program, bool hasErrors, EditList &edits) {
  if (hasErrors && mayHaveDataValues(program))
    completeInitialValues(program);
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
