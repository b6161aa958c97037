// See implicit_transfers.h, and the answer to a question that flang asks while lowering.
//
// For an assignment of host code, flang's bridge asks HasCUDAImplicitTransfer whether the right
// side mixes device data with other data. If so it copies each device variable as a whole to a
// temporary before it lowers the expression: a million elements for one, managed arrays too, with
// bounds that begin at 1, and not at all for some forms of storage, where it stops with an
// assertion. The linker puts the function below in its place (--wrap in compiler/CMakeLists.txt):
// the answer is always no, the expression is lowered with the device variables in it, and
// lower/host_reads.cpp copies what is read of them. This can go when flang copies no more than
// that.
#include "frontend/workarounds/implicit_transfers.h"
#include "base/workarounds.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/tools.h"
#include "frontend/expression_visitor.h"

using Fortran::evaluate::Expr;
using Fortran::evaluate::SomeType;

// The names that the linker's --wrap gives the two functions.
bool flangsAnswer(const Expr<SomeType> &expression) __asm__(
    "__real__ZN7Fortran8evaluate23HasCUDAImplicitTransferERKNS0_4ExprINS0_8SomeTypeEEE");
bool ourAnswer(const Expr<SomeType> &expression) __asm__(
    "__wrap__ZN7Fortran8evaluate23HasCUDAImplicitTransferERKNS0_4ExprINS0_8SomeTypeEEE");

bool ourAnswer(const Expr<SomeType> &expression) {
  return !cufc::isMade(cufc::Workaround::ImplicitTransfers) && flangsAnswer(expression);
}

namespace cufc {
namespace {

using namespace Fortran;
using semantics::UnorderedSymbolSet;

// Also under the name of an ASSOCIATE.
bool isOnlyOnDevice(const semantics::Symbol *symbol) {
  auto attribute =
      semantics::GetCUDADataAttr(symbol ? &semantics::GetAssociationRoot(*symbol) : nullptr);
  return attribute && (*attribute == common::CUDADataAttr::Device ||
                       *attribute == common::CUDADataAttr::Constant);
}

class Arrays : public ExpressionVisitor {
public:
  // What a name of ASSOCIATE stands for is no part of the expression.
  Found symbol(const semantics::Symbol &) override { return false; }
  bool reference(const semantics::Symbol *last, const semantics::Symbol *base, int rank) override {
    const semantics::Symbol *symbol = isOnlyOnDevice(last) ? last : base;
    if (rank > 0 && isOnlyOnDevice(symbol))
      found.insert(semantics::GetAssociationRoot(*symbol));
    return false;
  }

  UnorderedSymbolSet found;
};

} // namespace

bool mixesHostAndDevice(const AnyExpression &expression) { return flangsAnswer(expression); }

UnorderedSymbolSet deviceArraysIn(const AnyExpression &expression) {
  Arrays arrays;
  walkExpression(expression, arrays);
  return std::move(arrays.found);
}

} // namespace cufc
