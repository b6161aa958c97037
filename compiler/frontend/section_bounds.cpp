// See section_bounds.h. What is changed is flang's typed expression, after all checks:
//
//   real, device :: a(0:9)                  h = a(:3) + 1.0    becomes   h = a(0:3) + 1.0
//   real, device, allocatable :: b(:)       h = b(2:) + 1.0    becomes   h = b(2:(x + mark)) + 1.0
//
// where x is any value that is not known here, so that nothing is computed from the mark.
#include "frontend/section_bounds.h"
#include "flang/Evaluate/shape.h"
#include "flang/Evaluate/tools.h"
#include "flang/Evaluate/traverse.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_program.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;
using evaluate::SubscriptInteger;
using Bound = evaluate::Expr<SubscriptInteger>;

Bound mark(const evaluate::NamedEntity &array, int dimension, std::int64_t value) {
  Bound unknown{evaluate::DescriptorInquiry{array, evaluate::DescriptorInquiry::Field::LowerBound,
                                            dimension}};
  Bound sum{evaluate::Add<SubscriptInteger>{std::move(unknown),
                                            Bound{evaluate::Constant<SubscriptInteger>{value}}}};
  return Bound{evaluate::Parentheses<SubscriptInteger>{std::move(sum)}};
}

bool isOnDevice(const semantics::Symbol &symbol) {
  auto attribute = semantics::GetCUDADataAttr(&symbol.GetUltimate());
  return attribute && (*attribute == common::CUDADataAttr::Device ||
                       *attribute == common::CUDADataAttr::Constant);
}

class Sections : public evaluate::AnyTraverse<Sections> {
public:
  using Base = evaluate::AnyTraverse<Sections>;
  explicit Sections(evaluate::FoldingContext &folding) : Base(*this), folding(folding) {}
  using Base::operator();

  bool operator()(const evaluate::ArrayRef &part) const {
    if (isOnDevice(part.base().GetLastSymbol()))
      // The expression is flang's own and not constant; its traversal is.
      complete(const_cast<evaluate::ArrayRef &>(part));
    return Base::operator()(part);
  }

private:
  void complete(evaluate::ArrayRef &part) const {
    for (int i = 0; i < part.size(); ++i) {
      auto *triplet = std::get_if<evaluate::Triplet>(&part.subscript()[i].u);
      if (!triplet || bool(triplet->GetLower()) == bool(triplet->GetUpper()))
        continue; // lower/host_reads.cpp knows whole dimensions
      auto lower = evaluate::ToInt64(evaluate::GetRawLowerBound(folding, part.base(), i));
      if (lower == 1)
        continue;
      if (!triplet->GetLower())
        triplet->set_lower(lower ? Bound{*lower} : mark(part.base(), i, lowerBoundMark));
      else
        triplet->set_upper(upperBound(part.base(), i));
    }
  }

  Bound upperBound(const evaluate::NamedEntity &array, int dimension) const {
    auto known = evaluate::GetRawUpperBound(folding, array, dimension);
    if (auto value = known ? evaluate::ToInt64(*known) : std::nullopt)
      return Bound{*value};
    return mark(array, dimension, upperBoundMark);
  }

  evaluate::FoldingContext &folding;
};

// The assignments of host code.
class Assignments : public StatementVisitor {
public:
  explicit Assignments(semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &) { return false; }
  bool Pre(const parser::AssignmentStmt &assignment) {
    if (!assignment.typedAssignment || !assignment.typedAssignment->v ||
        semantics::FindCUDADeviceContext(&context.FindScope(source)))
      return false;
    const auto &value = assignment.typedAssignment->v->rhs;
    if (!evaluate::IsVariable(value)) // a transfer, which needs no temporary
      Sections{context.foldingContext()}(value);
    return false;
  }

private:
  semantics::SemanticsContext &context;
};

} // namespace

void completeSections(FlangProgram &program) {
  Assignments assignments(*program.context);
  parser::Walk(*program.parsing->parseTree(), assignments);
}

} // namespace cufc
