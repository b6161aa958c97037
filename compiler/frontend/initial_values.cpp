// See initial_values.h.
//
//   integer, device :: a(2) = [1, 2]     becomes     integer, device :: a(2) = [1, 2]
//   real :: x                                        real :: x;a=[INTEGER(4)::1_4,2_4]
//
// The value is written from flang's folded expression, which covers DATA statements also. The
// variables of a main program are saved (F2023 8.5.16), but it runs once, so an assignment at its
// start makes no difference.
#include "frontend/initial_values.h"
#include "flang/Evaluate/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/statement_visitor.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;

// The last statement of the main program's specification part.
class Declarations : public StatementVisitor {
public:
  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::MainProgram &program) {
    parser::Walk(std::get<parser::SpecificationPart>(program.t), *this);
    last = source;
    return false;
  }
  bool Pre(const parser::Module &) { return false; }
  bool Pre(const parser::SubroutineSubprogram &) { return false; }
  bool Pre(const parser::FunctionSubprogram &) { return false; }

  parser::CharBlock last;
};

// What flang's lowering allocates at the start of the program (flang/Lower/ConvertVariable.cpp).
bool losesValue(const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  return object && object->init() && object->cudaDataAttr() &&
         *object->cudaDataAttr() != common::CUDADataAttr::Unified &&
         !semantics::IsNamedConstant(symbol) && !semantics::IsAllocatableOrPointer(symbol);
}

std::string assignments(const semantics::Scope &scope) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const auto &[name, symbol] : scope)
    if (losesValue(*symbol)) {
      stream << ';' << name.ToString() << '=';
      symbol->get<semantics::ObjectEntityDetails>().init()->AsFortran(stream);
    }
  return text;
}

} // namespace

std::vector<Edit> assignInitialValues(const FlangProgram &program, const std::string &path) {
  std::string text;
  for (const semantics::Scope &scope : program.context->globalScope().children())
    if (scope.kind() == semantics::Scope::Kind::MainProgram)
      text += assignments(scope);
  if (text.empty())
    return {};
  Declarations declarations;
  parser::Walk(*program.parsing->parseTree(), declarations);
  if (declarations.last.empty())
    return {};
  auto edit = insertion(program, path, declarations.last.end() - 1, 1, std::move(text));
  return edit ? std::vector<Edit>{std::move(*edit)} : std::vector<Edit>();
}

} // namespace cufc
