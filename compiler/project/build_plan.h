// What a build consists of: a compilation for each source, a link for each target, and which of
// them waits for which.
//
// In the build folder are the targets and the folder .cufls: obj/ with an object for each source,
// mod/ with a folder of module files for each set of arguments, `state` and `lock`. Sources that
// define a module which others of the same arguments define too have a folder of module files of
// their own.
#ifndef CUFC_PROJECT_BUILD_PLAN_H
#define CUFC_PROJECT_BUILD_PLAN_H

#include "project/content_hash.h"
#include "project/source_graph.h"

namespace cufc {

// Where a build keeps what is not a target; no target has a name that begins with a dot.
inline std::string workFolder(const std::string &buildDirectory) {
  return buildDirectory + "/.cufls";
}

struct BuildStep {
  enum class Kind { Compile, Link, Archive };
  Kind kind = Kind::Compile;
  std::string name;                 // for people: the source or the output, relative to the root
  std::string key;                  // in the state
  std::string directory;            // where the command runs
  std::vector<std::string> command; // the program first; "cufc" is the compiler
  std::vector<std::string> inputs;  // the source; the objects and libraries
  std::vector<std::string> outputs; // the object or target first; module files that may come
  std::string dependencies;         // the file in which the compiler says what it read, if any
  std::vector<size_t> needs;        // steps that must be done before
  size_t height = 0;                // the longest chain of steps that wait for this one
};

struct BuildPlan {
  std::vector<BuildStep> steps; // each after those it needs
  std::vector<size_t> targets;  // the steps that make Project::targets
};

BuildPlan makeBuildPlan(const Project &project, const SourceGraph &graph);

// The steps that a target consists of; all steps without one.
std::vector<bool> stepsOf(const BuildPlan &plan, const std::vector<size_t> &targets);

} // namespace cufc
#endif // CUFC_PROJECT_BUILD_PLAN_H
