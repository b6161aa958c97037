// See spawn_folder.h.
#include "base/spawn_folder.h"

namespace cufc {

SpawnedProgram inFolder(posix_spawn_file_actions_t &actions, const std::string &folder,
                        SpawnedProgram program) {
  if (posix_spawn_file_actions_addchdir_np(&actions, folder.c_str()) == 0)
    return program;
  return throughEnv(folder, std::move(program));
}

SpawnedProgram throughEnv(const std::string &folder, SpawnedProgram program) {
  SpawnedProgram env{"env", {"env", "-C", folder, "--", program.file}};
  if (!program.arguments.empty())
    env.arguments.insert(env.arguments.end(), program.arguments.begin() + 1,
                         program.arguments.end());
  return env;
}

} // namespace cufc
