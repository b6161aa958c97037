// Data of device procedures that would have to outlive a call, or to be there before it: SAVE, DATA
// and initial values. A thread's variables begin and end with the call, and a block's shared memory
// begins with anything. Data in constant memory is there all the time and may have a value; so what
// has a value that nothing changes, such as a table, becomes constant data, and a value that the
// first statements replace unread is dropped (frontend/workarounds/initial_values.h has put an
// assignment there where they do not). The same holds in a BLOCK, of a device procedure or in the
// body of a CUF kernel.
#include "base/diag.h"
#include "base/hazard.h"
#include "checks/fixes.h"
#include "checks/scopes.h"
#include "frontend/extract/variable_values.h"
#include "frontend/lenient/replaced_values.h"
#include "frontend/symbol_making.h"
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

bool hasValue(const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  return (object && object->init()) || symbol.test(semantics::Symbol::Flag::InDataStmt);
}

// Lowering takes the attribute from the symbol.
void makeConstant(CheckContext &context, const semantics::Symbol &symbol) {
  const_cast<semantics::Symbol &>(symbol).get<semantics::ObjectEntityDetails>().set_cudaDataAttr(
      common::CUDADataAttr::Constant);
  if (context.options.hazards)
    context.report(Diag::ValueAsConstant, symbol.name(), symbol.name().ToString());
}

// Nobody gives components their initial values (lower/initialisation.cpp): each thread would.
void checkDefaultValues(CheckContext &context, const semantics::Symbol &symbol) {
  const semantics::DeclTypeSpec *type = symbol.GetType();
  const semantics::DerivedTypeSpec *derived = type ? type->AsDerived() : nullptr;
  if (derived && derived->HasDefaultInitialization(/*ignoreAllocatable=*/true))
    context.report(Hazard::SharedDefaultValues, symbol.name(), derived->name().ToString(),
                   symbol.name().ToString());
}

void checkVariable(CheckContext &context, const VariableValues &values,
                   const ReplacedValues &replaced, const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  const auto *pointer = symbol.detailsIf<semantics::ProcEntityDetails>();
  if ((!object && !pointer) || semantics::IsNamedConstant(symbol) || semantics::IsDummy(symbol) ||
      symbol.test(semantics::Symbol::Flag::CompilerCreated))
    return;
  auto attribute = semantics::GetCUDADataAttr(&symbol);
  if (attribute == common::CUDADataAttr::Constant)
    return;
  if (attribute == common::CUDADataAttr::Shared)
    checkDefaultValues(context, symbol);
  bool value = hasValue(symbol);
  if (!value && !symbol.attrs().test(semantics::Attr::SAVE) && !semantics::IsSaved(symbol))
    return;
  std::string what = value ? "an initial value" : "the SAVE attribute";
  bool ofThread = !attribute || attribute == common::CUDADataAttr::Device;
  if (value && object && ofThread && !values.isChanged(symbol))
    return makeConstant(context, symbol);
  if (value && object && ofThread && object->init() && replaced.has(symbol))
    return dropInitialValue(const_cast<semantics::Symbol &>(symbol));
  bool shared = attribute == common::CUDADataAttr::Shared;
  Diagnostic &found = context.report(shared ? Diag::SharedVariableValue : Diag::SavedDeviceVariable,
                                     symbol.name(), symbol.name().ToString(), what);
  if (auto fix = value ? std::nullopt : removeAttribute(context, symbol, "save"))
    found.fixes.push_back(std::move(*fix));
}

// The scopes of BLOCK constructs in CUF kernels.
class KernelBlocks : public ShallowVisitor {
public:
  explicit KernelBlocks(const semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &) override { return ++kernels > 0; }
  void Post(const parser::CUFKernelDoConstruct &) override { --kernels; }
  // flang counts this statement as part of the scope, and the opening one as part of that around.
  bool Pre(const parser::Statement<parser::EndBlockStmt> &statement) override {
    if (kernels > 0)
      scopes.insert(&context.FindScope(statement.source));
    return true;
  }
  std::set<const semantics::Scope *> scopes;

private:
  const semantics::SemanticsContext &context;
  int kernels = 0;
};

} // namespace

void checkSavedData(CheckContext &context) {
  const auto &kernelBlocks = context.visit<KernelBlocks>(*context.program.context);
  context.afterwards([&] {
    VariableValues values(context.tree());
    ReplacedValues replaced(context.tree(), *context.program.context);
    forEachScope(context, [&](const semantics::Scope &scope) {
      if (!isOfDeviceProcedure(scope) && !kernelBlocks.scopes.count(&scope))
        return;
      for (const auto &[name, symbol] : scope)
        if (&symbol->owner() == &scope)
          checkVariable(context, values, replaced, *symbol);
    });
  });
}

} // namespace cufc
