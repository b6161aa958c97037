// See parallel_bounds.h.
#include "frontend/parallel_bounds.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;

class Kernels : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &kernel) override {
    for (const parser::DoConstruct *loop : parallelLoops(kernel))
      statements.push_back(std::get<parser::Statement<parser::NonLabelDoStmt>>(loop->t).source);
    return false;
  }
  std::vector<parser::CharBlock> statements;
};

} // namespace

std::vector<const parser::DoConstruct *> parallelLoops(const parser::CUFKernelDoConstruct &kernel) {
  std::vector<const parser::DoConstruct *> loops;
  const auto &outermost = std::get<std::optional<parser::DoConstruct>>(kernel.t);
  const auto &directive = std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t);
  const auto &number = std::get<std::optional<parser::ScalarIntConstantExpr>>(directive.t);
  const auto *value = number ? semantics::GetExpr(nullptr, *number) : nullptr;
  std::int64_t depth = value ? evaluate::ToInt64(*value).value_or(1) : 1;
  const parser::DoConstruct *loop = outermost ? &*outermost : nullptr;
  while (loop && depth-- > 0) {
    loops.push_back(loop);
    const auto &body = std::get<parser::Block>(loop->t);
    loop = loop->IsDoConcurrent() || body.empty()
               ? nullptr
               : parser::Unwrap<parser::DoConstruct>(body.front());
  }
  return loops;
}

std::vector<parser::CharBlock> parallelStatements(const parser::Program &program) {
  Kernels kernels;
  walkTree(program, kernels);
  return std::move(kernels.statements);
}

} // namespace cufc
