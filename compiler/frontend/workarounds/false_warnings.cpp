// flang's warnings about variables name them in apostrophes; their symbols say more than flang has
// looked at. The filters are listed at the end.
#include "frontend/workarounds/false_warnings.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/symbol.h"
#include "frontend/extract/variable_values.h"
#include "frontend/findings.h"
#include "frontend/flang_versions.h"
#include "frontend/left_out_code.h"
#include "frontend/modules/partial_interfaces.h"
#include "frontend/name_suggestions.h"
#include "frontend/statement_visitor.h"
#include <map>
#include <optional>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

// Indices of DO CONCURRENT and FORALL, where kernels are launched and procedures of MPI called.
class Places : public ShallowVisitor {
public:
  explicit Places(const FlangProgram &program) : cooked(program.cooked) {
    walkTree(*program.parsing->parseTree(), *this);
  }

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  void Post(const parser::ConcurrentControl &control) override {
    indices.insert(std::get<parser::Name>(control.t).ToString());
  }
  bool Pre(const parser::CallStmt &call) override {
    const auto *name =
        std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(callIn(call).t).u);
    std::string callee = name ? name->ToString() : "";
    bool mpi = callee.compare(0, 4, "mpi_") == 0 || callee.compare(0, 5, "pmpi_") == 0;
    auto place = chevronsIn(call) || mpi ? cooked.GetProvenanceRange(source) : std::nullopt;
    if (place)
      (mpi ? mpiCalls : launches)[place->start().offset()] =
          place->start().offset() + place->size();
    return false;
  }

  bool isLaunch(size_t place) const { return isIn(launches, place); }
  bool isMpiCall(size_t place) const { return isIn(mpiCalls, place); }

  std::set<std::string> indices;

private:
  using Statements = std::map<size_t, size_t>; // first to one past the last character

  static bool isIn(const Statements &statements, size_t place) {
    auto next = statements.upper_bound(place);
    return next != statements.begin() && place < std::prev(next)->second;
  }

  const parser::AllCookedSources &cooked;
  Statements launches, mpiCalls;
};

class Warnings {
public:
  explicit Warnings(FlangProgram &program) : program(program), places(program), leftOut(program) {}

  // Where statements begin.
  bool isLaunch(const Finding &finding) const {
    return finding.place() && places.isLaunch(*finding.place());
  }
  bool isMpiCall(const Finding &finding) const {
    return finding.place() && places.isMpiCall(*finding.place());
  }
  // A kernel may be of a module that is not there.
  bool mayLack() const { return mayLackNames(program); }

  bool isFalseUse(const Finding &finding);

  // Variables whose warning has to say that they have no value.
  std::vector<const semantics::Symbol *> undefined;

private:
  FlangProgram &program;
  Places places;
  LeftOutCode leftOut;
  std::optional<VariableValues> values; // made when asked for
};

bool Warnings::isFalseUse(const Finding &finding) {
  const std::string &text = finding.text();
  size_t begin = text.find('\''), end = text.find('\'', begin + 1);
  if (begin == std::string::npos || end == std::string::npos)
    return false;
  std::string name = text.substr(begin + 1, end - begin - 1);
  bool unused = *finding.message.usageWarning() == common::UsageWarning::UnusedVariable;
  if (unused && places.indices.count(name) != 0)
    return true;
  const semantics::Scope *scope = scopeAround(program, finding.message);
  const semantics::Symbol *symbol = scope ? scope->FindSymbol(parser::CharBlock(name)) : nullptr;
  if (!symbol)
    return false;
  if (!values)
    values.emplace(*program.parsing->parseTree());
  if (!values->isMentioned(*symbol))
    return !unused || leftOut.names(symbol->owner(), name);
  if (!values->isRead(*symbol) || values->mayBeDefined(*symbol))
    return true;
  if (unused)
    undefined.push_back(symbol);
  return unused;
}

using Kind = common::UsageWarning;
bool isOf(Kind kind, const Finding &finding) { return finding.message.usageWarning() == kind; }

bool isAboutGaps(const Finding &finding, Warnings &) {
  return finding.says(Phrase::ContiguousConstant) || finding.says(Phrase::UnknownGaps);
}
bool setsPointer(const Finding &finding, Warnings &) { return finding.says(Phrase::DevicePointer); }
// Procedures of MPI have other interfaces in mpi_f08 than in mpi, and none with mpif.h; two calls
// without an interface may have buffers of two types.
bool namesMpi(const Finding &finding, Phrase phrase) {
  const std::string name = finding.anywhere(phrase, 0);
  return name.compare(0, 4, "mpi_") == 0 || name.compare(0, 5, "pmpi_") == 0;
}
bool isOfMpiInterface(const Finding &finding, Warnings &) {
  return namesMpi(finding, Phrase::ExternalInterface) ||
         (namesMpi(finding, Phrase::ReferenceToProcedure) &&
          finding.says(Phrase::IncompatibleData));
}
// What other compilers or later standards make of it is no mistake here.
bool isOfOthers(const Finding &finding, Warnings &) {
  return finding.says(Phrase::ReallocatedLength) || finding.says(Phrase::WantedByOthers) ||
         finding.says(Phrase::CrayPointee) || finding.says(Phrase::ScalarOfAnyType);
}
bool isFalseUse(const Finding &finding, Warnings &warnings) {
  return (isOf(Kind::UnusedVariable, finding) || isOf(Kind::UsedUndefinedVariable, finding)) &&
         warnings.isFalseUse(finding);
}
bool isOfProtected(const Finding &finding, Warnings &) {
  return isOf(Kind::PointerToUndefinable, finding);
}
// What a kernel's pointers point to is forgotten when it ends.
bool isOfLaunch(const Finding &finding, Warnings &warnings) {
  return isOf(Kind::NonTargetPassedToTarget, finding) && warnings.isLaunch(finding);
}
// Buffers of MPI may be device data.
bool isOfMpiBuffer(const Finding &finding, Warnings &warnings) {
  return isOf(Kind::CUDAUsage, finding) && finding.says(Phrase::ImplicitInterface) &&
         warnings.isMpiCall(finding);
}
// A warning of ours (lenient_calls.h).
bool mayHaveInterface(const Finding &finding, Warnings &warnings) {
  return finding.text().find("is launched without an interface") != std::string::npos &&
         warnings.mayLack();
}

constexpr FindingFilter<Warnings> falseWarnings[] = {
    {Workaround::GapWarnings, isAboutGaps},           {Workaround::DevicePointers, setsPointer},
    {Workaround::MpiInterfaces, isOfMpiInterface},    {MessageFilter::OthersTakeIt, isOfOthers},
    {Workaround::ValueWarnings, isFalseUse},          {Workaround::ProtectedTargets, isOfProtected},
    {Workaround::LaunchTargets, isOfLaunch},          {Workaround::MpiBuffers, isOfMpiBuffer},
    {MessageFilter::MissingModule, mayHaveInterface},
};

} // namespace

void dropFalseWarnings(FlangProgram &program) {
  using namespace Fortran::parser::literals;
  Warnings warnings(program);
  dropFindings(program, /*errors=*/false, falseWarnings, warnings);
  for (const semantics::Symbol *symbol : warnings.undefined)
    program.context->Warn(
        common::UsageWarning::UsedUndefinedVariable, symbol->name(),
        "Value of uninitialized local variable '%s' is used but never defined"_warn_en_US,
        symbol->name());
}

} // namespace cufc
