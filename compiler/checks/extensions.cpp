// What cufc supports in device code and the guide does not allow (CUDA Fortran guide, "Restrictions
// on device subprograms" and "Device code restrictions"): for programs that other compilers shall
// take too. Information, for `cufls check` and editors alone.
#include "base/diag.h"
#include "checks/code_visitor.h"
#include "checks/fixes.h"
#include "checks/scopes.h"

namespace cufc {
namespace {

using namespace Fortran;

class Extensions : public CodeVisitor {
public:
  explicit Extensions(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::StopStmt &stop) override {
    if (!inDeviceProcedure())
      return true;
    bool isError = std::get<parser::StopStmt::Kind>(stop.t) == parser::StopStmt::Kind::ErrorStop;
    Diagnostic &found = context.report(Diag::BeyondGuide, source, isError ? "ERROR STOP" : "STOP");
    found.fixes.push_back(fixOf("replace it by RETURN", replace(context, source, "return")));
    return true;
  }
  bool Pre(const parser::AllocateStmt &) override { return report("ALLOCATE"); }
  bool Pre(const parser::DeallocateStmt &) override { return report("DEALLOCATE"); }
  bool Pre(const parser::Substring &) override { return report("a substring"); }

private:
  bool report(const char *what) {
    if (inDeviceProcedure())
      context.report(Diag::BeyondGuide, source, what);
    return true;
  }

  CheckContext &context;
};

// What a declaration has that the guide does not know.
const char *extensionOf(const semantics::Symbol &symbol) {
  bool isDummy = semantics::IsDummy(symbol);
  if (symbol.attrs().test(semantics::Attr::OPTIONAL))
    return "an optional dummy argument";
  if (semantics::IsPointer(symbol))
    return isDummy ? "a dummy argument with the POINTER attribute" : "a pointer";
  if (semantics::IsAllocatable(symbol))
    return isDummy ? "a dummy argument with the ALLOCATABLE attribute" : "an allocatable variable";
  if (!isDummy && !semantics::IsCUDAShared(symbol) && semantics::IsAutomatic(symbol))
    return "an array or a character variable whose size is not constant";
  const semantics::DeclTypeSpec *type = symbol.GetType();
  if (type && type->category() == semantics::DeclTypeSpec::Character) {
    const auto &length = type->characterTypeSpec().length().GetExplicit();
    if (!length || evaluate::ToInt64(*length) != 1)
      return "a character variable of another length than 1";
  }
  return nullptr;
}

} // namespace

void checkExtensions(CheckContext &context) {
  if (!context.options.hazards)
    return;
  context.visit<Extensions>(context);
  context.afterwards([&context] {
    forEachObject(context, [&](const semantics::Symbol &symbol) {
      if (isOfDeviceProcedure(symbol.owner()) && !semantics::IsNamedConstant(symbol) &&
          isOfThisFile(context, symbol))
        if (const char *extension = extensionOf(symbol))
          context.report(Diag::BeyondGuide, symbol.name(), extension);
    });
  });
}

} // namespace cufc
