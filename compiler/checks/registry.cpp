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
