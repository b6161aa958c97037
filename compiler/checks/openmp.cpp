// Device data in OpenMP's clauses. That device code has no directives, flang says itself.
//
// The private copies of device arrays are on the device (lower/private_device_data.cpp). Scalars
// have none there, and nothing combines or sends back what copies hold.
#include "checks/openmp.h"
#include "base/parallel.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "frontend/flang_versions.h"
#include <set>

namespace cufc {
namespace {

using namespace Fortran;
using Flag = semantics::Symbol::Flag;

// What a clause makes of a variable when each thread, task or iteration has a copy of it.
const char *copiedBy(const semantics::Symbol &symbol) {
  static constexpr std::pair<Flag, const char *> clauses[] = {
      {Flag::OmpFirstPrivate, "FIRSTPRIVATE"},
      {Flag::OmpLastPrivate, "LASTPRIVATE"},
      {Flag::OmpPrivate, "PRIVATE"},
      {Flag::OmpReduction, "REDUCTION"},
      {Flag::OmpInReduction, "IN_REDUCTION"},
      {Flag::OmpLinear, "LINEAR"},
      {Flag::OmpThreadprivate, "THREADPRIVATE"}};
  for (auto [flag, clause] : clauses)
    if (symbol.test(flag))
      return clause;
  return nullptr;
}

class Openmp : public CodeVisitor {
public:
  explicit Openmp(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::OpenMPConstruct &) override { return ++constructs > 0; }
  void Post(const parser::OpenMPConstruct &) override { --constructs; }
  bool Pre(const OmpThreadprivate &) override { return ++constructs > 0; }
  void Post(const OmpThreadprivate &) override { --constructs; }

  bool Pre(const parser::Name &name) override {
    const semantics::Symbol *symbol = name.symbol;
    const char *clause = constructs > 0 && symbol && !onDevice() ? copiedBy(*symbol) : nullptr;
    if (!clause || !isWrong(*symbol) || !reported.insert(symbol).second)
      return false;
    context.addDeclaration(context.report(Parallel::PrivateDeviceData, name.source, name.ToString(),
                                          std::string(clause)),
                           symbol->GetUltimate());
    return false;
  }

private:
  static bool isWrong(const semantics::Symbol &copy) {
    const semantics::Symbol &symbol = copy.GetUltimate();
    auto attribute = semantics::GetCUDADataAttr(&symbol);
    if (!attribute || *attribute == common::CUDADataAttr::Pinned)
      return false;
    bool isCopied = copy.test(Flag::OmpPrivate) || copy.test(Flag::OmpFirstPrivate);
    bool isLost = copy.test(Flag::OmpLastPrivate) || copy.test(Flag::OmpThreadprivate);
    const semantics::DeclTypeSpec *type = symbol.GetType();
    bool isIntrinsic = type && type->AsIntrinsic();
    if (isCopied && !isLost && isIntrinsic &&
        (symbol.Rank() > 0 || semantics::IsAllocatableOrPointer(symbol)))
      return false;
    // The host computes with managed data, in copies of its own as well.
    bool isShared =
        *attribute == common::CUDADataAttr::Managed || *attribute == common::CUDADataAttr::Unified;
    return !isShared || isCopied || isLost;
  }

  CheckContext &context;
  std::set<const semantics::Symbol *> reported; // each construct has symbols of its own
  int constructs = 0;
};

} // namespace

void checkOpenmp(CheckContext &context) {
  if (!context.program.languageOptions.OpenMPVersion)
    return;
  context.visit<Openmp>(context);
}

} // namespace cufc
