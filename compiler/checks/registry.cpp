// The list of checks, and how they are run.
#include "checks/check.h"
#include "checks/hazard_checks.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

constexpr void (*checks[])(CheckContext &) = {
    checkSavedData,    checkDispatch,       checkRecursion,       checkDeviceAllocation,
    checkSharedMemory, checkConstantMemory, checkKernelArguments, checkHostCalls,
    checkImages,       checkRealKinds,      checkLaunches,        checkDeviceVariables,
    checkCrayPointers,
};

// flang's warnings of variables that are never used, where a hint of ours says the same and mends
// it.
void dropRepeated(const std::vector<Diagnostic> &found, Diagnostics &diagnostics) {
  constexpr std::string_view ending = " is never used";
  auto same = [](const Diagnostic &one, const Diagnostic &other) {
    return std::tie(one.range.file, one.range.line, one.range.column) ==
           std::tie(other.range.file, other.range.line, other.range.column);
  };
  std::vector<Diagnostic> kept;
  for (const Diagnostic &diagnostic : diagnostics.list()) {
    const std::string &text = diagnostic.message;
    bool repeated = diagnostic.severity == Severity::Warning && text.size() > ending.size() &&
                    text.compare(text.size() - ending.size(), ending.size(), ending) == 0 &&
                    std::any_of(found.begin(), found.end(), [&](const Diagnostic &ours) {
                      return ours.tag == DiagnosticTag::Unnecessary && same(ours, diagnostic);
                    });
    if (!repeated)
      kept.push_back(diagnostic);
  }
  diagnostics.replace(std::move(kept));
}

} // namespace

void runChecks(Program &program, const CheckOptions &options, Diagnostics &diagnostics) {
  Diagnostics found;
  CheckContext context(program.flang(), options, found);
  for (auto *check : checks)
    check(context);
  if (options.hazards) {
    checkHazards(context, found);
    checkUnused(context, found);
  }
  std::vector<Diagnostic> list = found.list();
  if (options.hazards)
    dropRepeated(list, diagnostics);
  auto key = [](const Diagnostic &d) {
    return std::tie(d.range.file, d.range.line, d.range.column, d.message);
  };
  std::sort(list.begin(), list.end(),
            [&](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  for (const Diagnostic &diagnostic : list)
    if (options.warnings || diagnostic.severity == Severity::Error)
      diagnostics.add(diagnostic);
}

} // namespace cufc
