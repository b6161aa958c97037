// flang's warnings about variables name them in apostrophes; their symbols say more than flang has
// looked at.
#include "frontend/false_warnings.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/symbol.h"
#include "frontend/left_out_code.h"
#include "frontend/name_suggestions.h"
#include "frontend/partial_interfaces.h"
#include "frontend/statement_visitor.h"
#include "frontend/variable_values.h"
#include <map>
#include <optional>
#include <set>
#include <string_view>

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
        std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.call.t).u);
    std::string callee = name ? name->ToString() : "";
    bool mpi = callee.compare(0, 4, "mpi_") == 0 || callee.compare(0, 5, "pmpi_") == 0;
    auto place = call.chevrons || mpi ? cooked.GetProvenanceRange(source) : std::nullopt;
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

// Whether a message or one that explains it says something.
bool says(const parser::Message &message, std::string_view words) {
  for (const parser::Message *part = &message; part; part = part->attachment().get())
    if (part->ToString().find(words) != std::string::npos)
      return true;
  return false;
}

// Two calls of MPI without an interface, whose buffers are of two types.
bool isOfChoiceBuffers(const parser::Message &message) {
  return (says(message, "Reference to the procedure 'mpi_") ||
          says(message, "Reference to the procedure 'pmpi_")) &&
         says(message, "incompatible dummy data object");
}

class Warnings {
public:
  explicit Warnings(FlangProgram &program) : program(program), places(program), leftOut(program) {}

  // Procedures of MPI have other interfaces in mpi_f08 than in mpi, and none with mpif.h.
  bool isFalse(const parser::Message &message) {
    if (says(message, "is_contiguous() is always true for named constants") ||
        says(message, "is not known to be contiguous on its first dimension") ||
        says(message, "may not be associated in a device subprogram") ||
        says(message, "The external interface 'mpi_") ||
        says(message, "The external interface 'pmpi_") || isOfChoiceBuffers(message))
      return true;
    // What other compilers or later standards make of it is no mistake here.
    if (says(message, "may be reallocated to a different length under the new Fortran 202X") ||
        says(message, "is required by some other compilers") ||
        says(message, "Type of Cray pointee '"))
      return true;
    if (!message.usageWarning())
      return false;
    switch (*message.usageWarning()) {
    case common::UsageWarning::UnusedVariable:
    case common::UsageWarning::UsedUndefinedVariable:
      return isFalseUse(message);
    case common::UsageWarning::PointerToUndefinable:
      return true;
    case common::UsageWarning::NonTargetPassedToTarget:
      return isLaunch(message);
    case common::UsageWarning::CUDAUsage: // buffers of MPI may be device data
      return says(message, "should be passed via an explicit interface") && isOfMpi(message);
    default:
      return false;
    }
  }

  // Variables whose warning has to say that they have no value.
  std::vector<const semantics::Symbol *> undefined;

private:
  bool isFalseUse(const parser::Message &message) {
    std::string text = message.ToString();
    size_t begin = text.find('\''), end = text.find('\'', begin + 1);
    if (begin == std::string::npos || end == std::string::npos)
      return false;
    std::string name = text.substr(begin + 1, end - begin - 1);
    bool unused = *message.usageWarning() == common::UsageWarning::UnusedVariable;
    if (unused && places.indices.count(name) != 0)
      return true;
    const semantics::Scope *scope = scopeAround(program, message);
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

  // What a kernel's pointers point to is forgotten when it ends.
  bool isLaunch(const parser::Message &message) const {
    auto place = message.GetProvenanceRange(program.cooked);
    return place && places.isLaunch(place->start().offset());
  }

  bool isOfMpi(const parser::Message &message) const {
    auto place = message.GetProvenanceRange(program.cooked);
    return place && places.isMpiCall(place->start().offset());
  }

  FlangProgram &program;
  Places places;
  LeftOutCode leftOut;
  std::optional<VariableValues> values; // made when asked for
};

} // namespace

void dropFalseWarnings(FlangProgram &program) {
  using namespace Fortran::parser::literals;
  Warnings warnings(program);
  const bool mayLack = mayLackNames(program); // a kernel may be of a module that is not there
  program.context->messages().messages().remove_if([&](const parser::Message &message) {
    return !message.IsFatal() &&
           (warnings.isFalse(message) ||
            (mayLack &&
             message.ToString().find("is launched without an interface") != std::string::npos));
  });
  for (const semantics::Symbol *symbol : warnings.undefined)
    program.context->Warn(
        common::UsageWarning::UsedUndefinedVariable, symbol->name(),
        "Value of uninitialized local variable '%s' is used but never defined"_warn_en_US,
        symbol->name());
}

} // namespace cufc
