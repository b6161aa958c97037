// The working folder of a program that posix_spawn starts. glibc can say it from 2.29 on; with an
// older one a shell goes there first.
#pragma once

#include <spawn.h>
#include <string>
#include <vector>

namespace cufc {

/// A program to start: the file, and its arguments from its name on.
struct SpawnedProgram {
  std::string file;
  std::vector<std::string> arguments;
};

/// Adds the folder to `actions`; returns what to start with them, which is `program` itself where
/// that can be done.
SpawnedProgram inFolder(posix_spawn_file_actions_t &actions, const std::string &folder,
                        SpawnedProgram program);

/// The same through a shell, with any C library.
SpawnedProgram throughShell(const std::string &folder, SpawnedProgram program);

} // namespace cufc
