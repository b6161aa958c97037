// See variable_values.h.
#include "frontend/extract/variable_values.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/tools.h"
#include "frontend/extract/name_roles.h"
#include <algorithm>

namespace cufc {

using namespace Fortran;
using semantics::Symbol;

class VariableValuesSink : public NameSink {
public:
  explicit VariableValuesSink(VariableValues &values) : values(values) {}

  void name(const parser::Name &name, Role role, NamePurpose purpose) override {
    const Symbol *symbol = name.symbol;
    if (!symbol || !symbol->GetUltimate().has<semantics::ObjectEntityDetails>())
      symbol = symbol ? &semantics::GetAssociationRoot(*symbol) : nullptr;
    if (!symbol)
      return;
    symbol = &symbol->GetUltimate();
    if (role == Role::Reference && symbol->name().begin() == name.source.begin())
      return; // its declaration
    values.mentioned.insert(symbol);
    if (purpose == NamePurpose::Address)
      values.defined.insert(symbol);
    if (purpose != NamePurpose::Value)
      return;
    bool called = role == Role::Call || role == Role::Launch; // a procedure pointer
    if (called || role == Role::Read || role == Role::ReadWrite)
      values.read.insert(symbol);
    if (role == Role::ReadWrite && dummy && hasBody(*dummy))
      values.passed[symbol].insert(&dummy->GetUltimate());
    else if (role == Role::Write || role == Role::ReadWrite)
      values.defined.insert(symbol);
  }
  void enterArgument(const Symbol *symbol) override { dummy = symbol; }
  void leaveArgument() override { dummy = nullptr; }

private:
  // Whether the procedure of a dummy argument is in this file, so that the walk sees what it does.
  static bool hasBody(const Symbol &dummy) {
    const Symbol *procedure = dummy.owner().symbol();
    const auto *details =
        procedure ? procedure->detailsIf<semantics::SubprogramDetails>() : nullptr;
    return details && !details->isInterface() &&
           !semantics::FindModuleFileContaining(dummy.owner());
  }

  VariableValues &values;
  const Symbol *dummy = nullptr; // of the argument that is looked at
};

VariableValues::VariableValues(const parser::Program &program) {
  VariableValuesSink sink(*this);
  forEachName(program, sink);
  followArguments();
}

// What a dummy argument gets changes with it; arguments are passed on, so until nothing is found.
void VariableValues::followArguments() {
  for (bool found = true; found;) {
    found = false;
    for (const auto &[variable, dummies] : passed)
      if (!defined.count(variable) &&
          std::any_of(dummies.begin(), dummies.end(),
                      [&](const Symbol *dummy) { return isChanged(*dummy); }))
        found = defined.insert(variable).second;
  }
}

bool VariableValues::isChanged(const Symbol &symbol) const {
  const Symbol &variable = symbol.GetUltimate();
  return defined.count(&variable) > 0 || variable.test(Symbol::Flag::CrayPointee) ||
         semantics::FindEquivalenceSet(variable) || semantics::FindCommonBlockContaining(variable);
}

bool VariableValues::mayBeDefined(const Symbol &symbol) const {
  const Symbol &variable = symbol.GetUltimate();
  const auto *object = variable.detailsIf<semantics::ObjectEntityDetails>();
  // Assumed-size shared arrays lie at the same place, CUDA Fortran's dynamic shared memory.
  bool hasValue =
      variable.test(Symbol::Flag::CrayPointee) || variable.test(Symbol::Flag::InDataStmt) ||
      semantics::IsInitialized(variable, false, true, true) ||
      semantics::FindEquivalenceSet(variable) || semantics::FindCommonBlockContaining(variable) ||
      (object && object->cudaDataAttr() == common::CUDADataAttr::Shared &&
       object->shape().CanBeAssumedSize());
  return hasValue || defined.count(&variable) > 0 || passed.count(&variable) > 0;
}

} // namespace cufc
