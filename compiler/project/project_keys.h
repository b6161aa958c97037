// The rows of tables/project_keys.def.
#ifndef CUFC_PROJECT_PROJECT_KEYS_H
#define CUFC_PROJECT_PROJECT_KEYS_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

enum class Scope { Project, Target };
enum class KeyType { Text, Texts, Gpu, Kind, Defines, Targets, Settings, Machines };

struct ProjectKey {
  std::string_view name;
  bool inProject, inTarget;
  KeyType type;
  std::string_view description;

  bool in(Scope scope) const { return scope == Scope::Project ? inProject : inTarget; }
};

const std::vector<ProjectKey> &projectKeys();
// Null if no such key may stand there.
const ProjectKey *findProjectKey(std::string_view name, Scope scope);
// "an array of texts".
const char *describe(KeyType type);

} // namespace cufc
#endif // CUFC_PROJECT_PROJECT_KEYS_H
