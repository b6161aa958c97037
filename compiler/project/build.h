// Builds a project: compiles what changed and what depends on a changed interface, several files at
// once, and links the targets whose objects changed.
#ifndef CUFC_PROJECT_BUILD_H
#define CUFC_PROJECT_BUILD_H

#include "project/build_plan.h"
#include "project/build_state.h"
#include <functional>

namespace cufc {

struct BuildOptions {
  std::string compiler; // the program that is run under the name cufc
  std::string
      identity; // of the compiler and what it uses; everything is compiled again if it changes
  int jobs = 1;
  std::vector<size_t> targets; // of the project; all if empty
};

// What happens, told while it does.
struct BuildEvents {
  // A step begins: how many are done, of how many, and why it must be done.
  std::function<void(size_t done, size_t all, const BuildStep &, const std::string &reason)> begin =
      [](auto &&...) {};
  // What a step printed, now or when it was done: a JSON object of a diagnostic a line, or text.
  std::function<void(const BuildStep &, const std::string &messages)> messages = [](auto &&...) {};
  // A diagnostic that must be seen now, since the build waits.
  std::function<void()> waits = [] {};
};

struct BuildResult {
  size_t compiled = 0, linked = 0, upToDate = 0, failed = 0, left = 0;
  int interruption = 0; // the signal

  bool good() const { return failed == 0 && left == 0 && interruption == 0; }
};

// Takes the lock of the build folder, waits for it if another build has it, and returns when all is
// done that can be done. Mistakes of sources come through the events.
BuildResult build(const Project &project, const BuildPlan &plan, const BuildOptions &options,
                  const BuildEvents &events, Diagnostics &diagnostics);

// Removes what builds made; false for a folder that no build made.
bool cleanBuildFolder(const std::string &folder, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_BUILD_H
