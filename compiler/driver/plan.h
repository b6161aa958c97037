// What a command line amounts to: sources to compile, files to link, and where the results go.
#ifndef CUFC_DRIVER_PLAN_H
#define CUFC_DRIVER_PLAN_H

#include "base/files.h"
#include "driver/compile.h"
#include <map>

namespace cufc {

struct Plan {
  std::vector<CompileJob> jobs;
  std::vector<std::string> linked;            // objects and libraries in the order given
  std::string executable;                     // what is linked, if anything is
  std::map<std::string, std::string> sources; // by the output that each is compiled to
};

// Sorts the inputs and chooses the outputs; objects that are only linked go to `scratch`. Reports
// what can be known to fail before anything is compiled.
Plan makePlan(const Options &options, const TemporaryFolder &scratch, Diagnostics &diagnostics);

// Where a compilation writes what it has after a stage. Of several each gets the name of the output
// with a suffix of its own, as without -o.
std::string outputOf(const CompileJob &job, Emit kind, const Options &options);

// Reports that module files cannot be written to a folder. Of use only if a source defines modules:
// configure scripts name folders that are not there with programs that define none.
void checkModuleFolder(const std::string &path, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_PLAN_H
