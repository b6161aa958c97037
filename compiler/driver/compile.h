// Compiling one source file.
#ifndef CUFC_DRIVER_COMPILE_H
#define CUFC_DRIVER_COMPILE_H

#include "codegen/device_unit.h"
#include "codegen/toolkit.h"
#include "driver/installation.h"
#include "driver/options.h"
#include "source/source_form.h"
#include <optional>
#include <string>

namespace cufc {

struct CompileJob {
  std::string source;
  SourceForm form;
  std::string output;  // of the last kind of options.emit, see outputOf; "-" is standard output
  std::string scratch; // folder for intermediate files; exists, belongs to the caller
  DeviceLinking linking = DeviceLinking::Whole; // of device code that other files may share
  int modulesKnown = -1; // where announceModules writes, if somebody waits for them
  int unitsKnown = -1;   // where announceUnit writes, if the link of device code waits for it
};

struct CompileContext {
  const Options &options;
  const Installation &installation;
  const std::optional<Toolkit> &toolkit;
};

// Compiles and returns the exit status, 0 or 1. Prints diagnostics. Runs in a child process, since
// flang and LLVM may end it.
int compileSource(const CompileJob &job, const CompileContext &context);

} // namespace cufc
#endif // CUFC_DRIVER_COMPILE_H
