// A project: which sources there are, how each is compiled, and what is made of them. It comes from
// cufls.json, otherwise from a build (compile_commands.json, an answer of make, a reply of CMake,
// fpm.toml), otherwise from the sources of a folder. The command line, the build and the language
// server all start here.
//
// Plain data; all paths are absolute and without "." and "..".
#ifndef CUFC_PROJECT_PROJECT_H
#define CUFC_PROJECT_PROJECT_H

#include "base/diagnostics.h"
#include "project/included_files.h"
#include "project/module_graph.h"
#include "project/scan_options.h"
#include <optional>
#include <string>
#include <vector>

namespace cufc {

// Text of a project file with its place, for messages that are found later.
struct PlacedText {
  std::string text;
  SourceRange range;
};

// A source as it is compiled for one set of arguments. A file that targets compile with different
// arguments is there once for each.
struct ProjectSource {
  std::string path;
  std::string directory;              // where it is compiled
  std::vector<std::string> arguments; // of cufc: without the source, -c, -o and -module
  bool asked = false;                 // named by the user, where others were only found in a folder
};

enum class TargetKind { Program, Library, Shared };

struct ProjectTarget {
  std::string name;
  TargetKind kind = TargetKind::Program;
  std::vector<size_t> sources;            // indices of Project::sources
  std::vector<size_t> libraries;          // indices of Project::targets that are linked
  std::vector<std::string> linkArguments; // objects, -l..., and the flags, which may matter
  SourceRange range;                      // of its name
};

struct Project {
  enum class Origin { ProjectFile, CompileCommands, Make, CMake, Fpm, Folder };
  Origin origin = Origin::Folder;
  std::string root; // the folder of the project
  std::string file; // cufls.json or that of the build; empty for Folder
  std::vector<ProjectSource> sources;
  std::vector<ModuleFacts> facts; // one for each source
  std::vector<ProjectTarget> targets;
  std::vector<std::string> includes;  // of the whole project
  std::vector<std::string> arguments; // of cufc for a source that the project does not list
  std::vector<PlacedText> flags;      // of cufls.json as written, for who can judge them
  std::vector<std::pair<PlacedText, PlacedText>> diagnostics; // code or group, and its severity
  std::string buildDirectory;
  std::vector<std::string> notes; // what was left out, for -v
  std::string outdated;           // a file of the build that has changed since make was asked
  bool searched = false;          // its sources were found in a folder, not listed
  bool complete = true;           // false if a folder was not looked through to its end

  bool isFolder() const { return origin == Origin::Folder || searched; }
  // The first with this path, or null.
  const ProjectSource *find(const std::string &path) const;
  // The arguments of cufc for any file: its own, or those of the project.
  const std::vector<std::string> &argumentsFor(const std::string &path) const;
};

constexpr const char *projectFileName = "cufls.json";

// The project that a folder or file belongs to. Files are looked for in the folder and those above
// it, up to the one that holds .git; compile_commands.json also in their subfolder "build", replies
// of CMake in build folders. What the user has said of the build (kept_flags.h) comes before all
// but cufls.json. Always returns what could be read; mistakes are reported with their places.
Project loadProject(const std::string &path, Diagnostics &diagnostics,
                    const ScanOptions &scan = {});

// A source that was found in a folder of a project without a file: with -cuda if it uses CUDA, with
// -Mfree if it is in free form and its name says fixed form.
ProjectSource foundSource(const std::string &path, const std::string &root,
                          const ModuleFacts &facts);

// The path without links being followed, "." and "..", relative to `base` if it is relative.
std::string absolutePath(const std::string &path, const std::string &base = {});

// Scans a source, or a newer text of it, as its arguments say, with the files that it includes;
// nothing is found in a file that cannot be read.
ModuleFacts scanSource(const ProjectSource &source);
ModuleFacts scanSource(const ProjectSource &source, const std::string &text);
// The same in two steps.
ModuleFacts scanText(const ProjectSource &source);
ModuleFacts scanText(const ProjectSource &source, const std::string &text);
void addIncluded(ModuleFacts &facts, const ProjectSource &source, IncludedFiles &files);

// The JSON schema of cufls.json.
std::string projectSchema();

} // namespace cufc
#endif // CUFC_PROJECT_PROJECT_H
