// Down from the global scope, into modules of files only to find submodules.
#include "frontend/own_scopes.h"

namespace cufc {
namespace {

using Fortran::semantics::Scope;

void addSubmodules(const Scope &moduleFile, std::vector<const Scope *> &found) {
  for (const Scope &child : moduleFile.children())
    if (child.IsSubmodule() && child.IsModuleFile())
      addSubmodules(child, found);
    else if (child.IsSubmodule())
      found.push_back(&child);
}

} // namespace

std::vector<const Scope *> ownScopes(const Scope &global) {
  std::vector<const Scope *> found;
  for (const Scope &scope : global.children())
    if (scope.IsModuleFile())
      addSubmodules(scope, found);
    else if (!scope.IsIntrinsicModules())
      found.push_back(&scope);
  return found;
}

} // namespace cufc
