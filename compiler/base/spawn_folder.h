// The working folder of a program that posix_spawn starts. glibc can say it from 2.29 on; with an
// older one env of coreutils (8.28 or later) goes there first.
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

/// The same through env, with any C library. The program's name is its file there, which may hold
/// no equals sign.
SpawnedProgram throughEnv(const std::string &folder, SpawnedProgram program);

} // namespace cufc
