// What a launch asks for (the arguments of the protocol's `launch`; docs/debugger.md), and how the
// program and its debugger are started.
#ifndef CUFLS_DEBUG_LAUNCH_H
#define CUFLS_DEBUG_LAUNCH_H

#include "debug/mi_connection.h"
#include "debug/program_streams.h"
#include <nlohmann/json.hpp>

namespace cufc::debug {

using Json = nlohmann::json;

struct LaunchOptions {
  std::string program; // an executable, or a source that is built
  std::vector<std::string> arguments;
  std::string folder;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment; // nothing: unset
  std::string input;                       // a file for standard input
  std::string debugger;                    // empty: the one that fits the device
  std::string device;                      // "host", "gpu" or "auto"
  int hostThreads = 1;                     // 0: as many as there are cores
  std::optional<bool> hardwareWatchpoints; // nothing: if they are seen to fire
  bool stopsOnEntry = false;
  bool checks = false; // with -gpu=check
  bool builds = false; // also where the program is there
};

LaunchOptions launchOptions(const Json &arguments);

// A source becomes an executable. What the compiler says goes to `said`; false after errors.
bool build(const std::string &cufls, LaunchOptions &options, std::string &said);

// Whether the program says by itself which faults in device memory are mistakes (cufrt/debugger.h).
bool takesFaultsItself(MiConnection &gdb);

// Starts a debugger, which decides on `options.hardwareWatchpoints`, with the program loaded; why
// that was not possible, or empty.
std::string startDebugger(LaunchOptions &options, MiConnection &gdb, const ProgramStreams &streams);

} // namespace cufc::debug
#endif // CUFLS_DEBUG_LAUNCH_H
