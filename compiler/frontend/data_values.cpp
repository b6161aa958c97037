// See data_values.h. What flang's DataChecker does at the end of
// Semantics::Perform (flang/lib/Semantics/check-data.cpp).
#include "frontend/data_values.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/symbol.h"
#include "frontend/statement_visitor.h"
#include <list>
#include <map>
#include <new>

namespace Fortran::semantics {

// Not installed by flang (lib/Semantics/data-to-inits.h); declared with the same names.
struct SymbolDataInitialization;
using DataInitializations = std::map<const Symbol *, SymbolDataInitialization>;
void AccumulateDataInitializations(DataInitializations &, evaluate::ExpressionAnalyzer &,
                                   const parser::DataStmtSet &);
void AccumulateDataInitializations(DataInitializations &, evaluate::ExpressionAnalyzer &,
                                   const Symbol &,
                                   const std::list<common::Indirection<parser::DataStmtValue>> &);
void ConvertToInitializers(DataInitializations &, evaluate::ExpressionAnalyzer &,
                           bool forDerivedTypes);

} // namespace Fortran::semantics

namespace cufc {
namespace {

using namespace Fortran;

// A map of values whose type is not known here. The header of a map is the same for all of them;
// what flang puts into it lives until the process ends, which analyses one source.
class Initializations {
public:
  Initializations() { new (storage) std::map<const semantics::Symbol *, int>; }
  Initializations(const Initializations &) = delete;
  Initializations &operator=(const Initializations &) = delete;
  semantics::DataInitializations &map() {
    return *reinterpret_cast<semantics::DataInitializations *>(storage);
  }

private:
  alignas(std::map<const semantics::Symbol *,
                   int>) unsigned char storage[sizeof(std::map<const semantics::Symbol *, int>)];
};

class Values : public ShallowVisitor {
public:
  explicit Values(semantics::SemanticsContext &context) : analyzer(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::DataStmtSet &set) override {
    semantics::AccumulateDataInitializations(values.map(), analyzer, set);
    return false;
  }
  // integer i /3/
  bool Pre(const parser::EntityDecl &entity) override {
    const auto &initial = std::get<std::optional<parser::Initialization>>(entity.t);
    using List = std::list<common::Indirection<parser::DataStmtValue>>;
    const auto *list = initial ? std::get_if<List>(&initial->u) : nullptr;
    if (const semantics::Symbol *symbol = std::get<parser::Name>(entity.t).symbol; symbol && list)
      semantics::AccumulateDataInitializations(values.map(), analyzer, *symbol, *list);
    return false;
  }
  void convert() { semantics::ConvertToInitializers(values.map(), analyzer, false); }

private:
  evaluate::ExpressionAnalyzer analyzer;
  Initializations values;
};

} // namespace

void completeInitialValues(FlangProgram &program) {
  Values values(*program.context);
  walkTree(*program.parsing->parseTree(), values);
  values.convert();
}

} // namespace cufc
