// The sources of a command, compiled by processes of their own in the order of their modules.
#ifndef CUFC_DRIVER_COMPILATIONS_H
#define CUFC_DRIVER_COMPILATIONS_H

#include "driver/child.h"
#include "driver/compile.h"
#include <deque>
#include <limits>

namespace cufc {

// Tells who waits for the modules of a source that it is checked and they are written; code is made
// of it after that.
void announceModules(const CompileJob &job);

class Compilations {
public:
  explicit Compilations(const CompileContext &context);
  ~Compilations();
  Compilations(const Compilations &) = delete;
  Compilations &operator=(const Compilations &) = delete;

  // Waits for the modules of all sources that were started; false if one of these failed.
  bool areChecked();
  // Starts one of a level, whose sources do not need each other but those of lower levels. After a
  // failure in a lower level nothing is started.
  void start(CompileJob job, size_t level);
  // Waits for all; false if one failed. What those of levels above a failure say is not shown.
  bool finish();

private:
  struct Running {
    size_t level;
    int modules;    // a pipe's end to read from
    bool isChecked; // or has no modules
    Child process;
  };
  void finishFirst();

  const CompileContext context;
  const size_t most; // at a time
  std::deque<Running> running;
  static constexpr size_t none = std::numeric_limits<size_t>::max();
  size_t failedLevel = none;
};

} // namespace cufc
#endif // CUFC_DRIVER_COMPILATIONS_H
