// What shows that a file is read without the flags that its build gives it: include files and
// modules that are not there, names that stand only under macros that nobody defines.
#ifndef CUFC_SERVICE_MISSING_FLAGS_H
#define CUFC_SERVICE_MISSING_FLAGS_H

#include "analysis/analysis.h"
#include "base/flags_diag.h"
#include "project/project.h"
#include <set>

namespace cufc {

// Errors that may come of an include file that is not there, names and syntax alike, go: one
// message says what is wrong.
void dropConsequencesOfIncludes(Analysis &analysis);

// Collects over the files of a project.
class MissingFlags {
public:
  // `macros` are those that the file is read with, "NAME=VALUE".
  void add(const Analysis &analysis, const std::string &path, const std::string &text,
           const std::vector<std::string> &macros);

  // One message for the project, if there is something to say and a build that may know more.
  // `how` says what asks the build, with the build's name for {}.
  std::vector<Diagnostic> notice(const Project &project, const std::string &how) const;

private:
  std::set<std::string> files;
  std::set<std::string> undefined; // macros
};

} // namespace cufc
#endif // CUFC_SERVICE_MISSING_FLAGS_H
