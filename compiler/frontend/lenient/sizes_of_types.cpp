// See sizes_of_types.h.
//
//   sizeof(ncclUniqueId)        128_8
//
// flang refuses the name of a type as an argument. The size is that of flang's layout, which has
// padding at the end, as elements of arrays do. A type of the unit whose declarations are still
// being read has none yet, so it gets it here.
#include "frontend/lenient/sizes_of_types.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "frontend/statement_visitor.h"
#include <string_view>
#include <utility>

namespace Fortran::semantics {
void ComputeOffsets(SemanticsContext &, Scope &); // lib/Semantics/compute-offsets.h
}

namespace cufc {
namespace {

using namespace Fortran;
using parser::Expr;
using semantics::Symbol;

bool isSizeFunction(const parser::Name &name) {
  std::string text = name.ToString();
  return (text == "sizeof" || text == "c_sizeof") && name.symbol &&
         name.symbol->GetUltimate().attrs().test(semantics::Attr::INTRINSIC);
}

// The scope of the type that a name stands for; types with parameters have no size of their own.
semantics::Scope *typeNamed(const parser::Name &name) {
  const Symbol *symbol = name.symbol ? &name.symbol->GetUltimate() : nullptr;
  if (const auto *generic = symbol ? symbol->detailsIf<semantics::GenericDetails>() : nullptr)
    symbol = generic->derivedType() ? &generic->derivedType()->GetUltimate() : nullptr;
  const auto *type = symbol ? symbol->detailsIf<semantics::DerivedTypeDetails>() : nullptr;
  if (!type || !type->paramNameOrder().empty())
    return nullptr;
  return const_cast<semantics::Scope *>(symbol->scope());
}

const parser::Name *onlyArgument(const parser::Call &call) {
  const auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
  if (arguments.size() != 1)
    return nullptr;
  const auto *value =
      std::get_if<common::Indirection<Expr>>(&std::get<parser::ActualArg>(arguments.front().t).u);
  return value ? parser::Unwrap<parser::Name>(value->value()) : nullptr;
}

std::size_t sizeOf(semantics::Scope &type) {
  if (type.size() == 0)
    semantics::ComputeOffsets(type.context(), type);
  std::size_t alignment = type.alignment().value_or(1);
  return (type.size() + alignment - 1) / alignment * alignment;
}

class Calls : public StatementVisitor {
public:
  using StatementVisitor::Post;
  void Post(const Expr &expression) override { takeSizeOfType(expression); }
};

} // namespace

bool mayAskForSizes(parser::CharBlock text) {
  return std::string_view(text.begin(), text.size()).find("sizeof") != std::string_view::npos;
}

void takeSizeOfType(const Expr &expression) {
  const auto *reference =
      std::get_if<common::Indirection<parser::FunctionReference>>(&expression.u);
  if (!reference)
    return;
  const parser::Call &call = reference->value().v;
  const auto *function =
      std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
  const parser::Name *argument = function ? onlyArgument(call) : nullptr;
  semantics::Scope *type = argument && isSizeFunction(*function) ? typeNamed(*argument) : nullptr;
  if (!type)
    return;
  parser::CharBlock digits = type->context().SaveTempName(std::to_string(sizeOf(*type)));
  parser::IntLiteralConstant number{std::move(digits), parser::KindParam{std::uint64_t{8}}};
  const_cast<Expr &>(expression).u = parser::LiteralConstant{std::move(number)};
}

void takeSizesOfTypes(const Expr &expression) {
  Calls calls;
  walkTree(expression, calls);
}

} // namespace cufc
