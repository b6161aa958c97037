// See spawn_folder.h.
#include "base/spawn_folder.h"

namespace cufc {

SpawnedProgram inFolder(posix_spawn_file_actions_t &actions, const std::string &folder,
                        SpawnedProgram program) {
  if (posix_spawn_file_actions_addchdir_np(&actions, folder.c_str()) == 0)
    return program;
  return throughShell(folder, std::move(program));
}

SpawnedProgram throughShell(const std::string &folder, SpawnedProgram program) {
  SpawnedProgram shell{"bash",
                       {"bash", "-c", "cd -- \"$0\" && exec -a \"$1\" -- \"${@:2}\"", folder}};
  std::vector<std::string> &words = shell.arguments;
  words.push_back(program.arguments.empty() ? program.file : program.arguments.front());
  words.push_back(program.file);
  if (!program.arguments.empty())
    words.insert(words.end(), program.arguments.begin() + 1, program.arguments.end());
  return shell;
}

} // namespace cufc
