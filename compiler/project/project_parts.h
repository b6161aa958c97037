// The ways to a project, and what they share. Only compiler/project includes this.
#ifndef CUFC_PROJECT_PROJECT_PARTS_H
#define CUFC_PROJECT_PROJECT_PARTS_H

#include "project/project.h"

namespace cufc {

// From the text of cufls.json.
void readProjectFile(Project &project, const ScanOptions &scan, Diagnostics &diagnostics);

// From the entries for Fortran in compile_commands.json.
void readCompileCommands(Project &project, Diagnostics &diagnostics);

// From what make has answered (kept_flags.h).
struct KeptFlags;
void readMakeCommands(Project &project, const KeptFlags &flags);

// From the reply of CMake's File API in a build folder.
void readCMakeReply(Project &project, const std::string &buildFolder);
bool hasCMakeReply(const std::string &buildFolder);
// The folders in which CMake has configured the project of `folder`, the last one first.
std::vector<std::string> cmakeBuildFolders(const std::string &folder);

// From fpm.toml in `project.root`.
void readFpmManifest(Project &project, const ScanOptions &scan, Diagnostics &diagnostics);

// From the sources below the folder `project.root`.
void scanFolder(Project &project, const ScanOptions &options);

// Fills `facts`, adds a target for each main program with the sources it needs and, if there is no
// main program, a library of all sources.
void targetsFromPrograms(Project &project);

// The indices of `start` and of all sources that they need by their modules, and the submodules of
// those. Of several sources that define a module the nearest is taken.
class ModuleIndex;
std::vector<size_t> neededSources(const Project &project, std::vector<size_t> start);
std::vector<size_t> neededSources(const Project &project, const ModuleIndex &index,
                                  std::vector<size_t> start);

// Folders that hold no sources of the project: hidden ones, those that build tools fill.
bool isSkippedFolder(const std::string &path);

// The name nearest to a mistyped one, as "; did you mean 'x'?", or empty.
std::string suggestion(std::string_view typed, const std::vector<std::string> &names);

} // namespace cufc
#endif // CUFC_PROJECT_PROJECT_PARTS_H
