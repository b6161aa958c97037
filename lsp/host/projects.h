// The projects that the open files belong to: how each file is analysed, which files need which,
// and where the modules of a project lie.
#ifndef CUFLS_HOST_PROJECTS_H
#define CUFLS_HOST_PROJECTS_H

#include "base/diagnostic_settings.h"
#include "base/files.h"
#include "driver/options.h"
#include "host/indexer.h"
#include "index/workspace.h"
#include "project/source_finder.h"
#include "service/module_folders.h"
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

namespace cufc {

struct LoadedProject {
  std::string folder; // that was looked at
  Project project;
  SourceGraph graph;
  Diagnostics mistakes; // in the project file
  DiagnosticSettings settings;
  TemporaryFolder scratch;   // module files of all sources analysed so far
  ModuleFolders modules;     // in it
  std::set<size_t> provided; // sources whose module files are in it
  std::map<std::string, std::vector<ModuleInterface>> interfaces; // of these files, by source
  std::unique_ptr<Indexer> indexer;                               // null before the first start
  size_t indexed = 0;   // sources found by the indexer that runs
  size_t listed = 0;    // sources that are not there for open files alone, the first ones
  bool stale = true;    // sources may have changed since the last index
  bool limited = false; // the index came to its limits: only what open files need is made
  std::chrono::steady_clock::time_point indexBegan;
  // When folders of module files last changed, as far as they were looked through.
  std::map<std::string, std::filesystem::file_time_type> foldersSeen;
  size_t indexDeaths = 0;   // of the index's process since it was last complete
  std::set<size_t> crashed; // sources whose last analysis by the index ended early
  bool tryCrashed = false;  // for the first time
  size_t graphNumber = 0;   // of `graph`, which is another one now and then
  size_t graphSeen = 0;     // whose consequences were drawn

  // Of modules and external procedures that several files define, those files.
  std::unordered_map<std::string, std::vector<size_t>> disputed;
  std::unordered_map<std::string, size_t> numbers; // of files
  std::vector<std::vector<size_t>> targetsOf;      // of each source
  std::optional<ModuleIndex> index;

  // The number of a file, or nothing.
  std::optional<size_t> sourceOf(const std::string &path) const;
  // What a source needs, directly and not.
  std::set<size_t> needsOf(size_t source) const;
  // The file that a source means by such a name, or empty.
  std::string definerFor(size_t source, const std::string &name) const;
  void graphChanged(); // and what follows from it
  // Where the module files of a file lie.
  std::string moduleFolder(const std::string &path) const;

private:
  mutable std::unordered_map<size_t, std::set<size_t>> needed; // found by needsOf
};

class Projects : public Definitions {
public:
  // Files that are open in the workspace, which must outlive this, have its texts.
  Projects(const Workspace &workspace, ProjectCheckOptions options, std::string cacheFolder)
      : workspace(workspace), options(std::move(options)), cacheFolder(std::move(cacheFolder)) {}

  std::string definerFor(const std::string &file, const std::string &name) const override;
  bool linked(const std::string &file, const std::string &other) const override;

  // Folders of the client's workspace; files outside of them have projects too.
  void setFolders(std::vector<std::string> folders);
  const std::vector<std::string> &workspaceFolders() const { return folders; }
  // From the client's settings: the severities, arguments for all files.
  void setSettings(std::vector<std::pair<std::string, std::string>> severities,
                   std::vector<std::string> flags);

  // The project of a file or folder, loaded when it is first asked for.
  LoadedProject &of(const std::string &path);
  const std::map<std::string, std::unique_ptr<LoadedProject>> &loaded() const { return projects; }
  // All is read again when it is next asked for.
  void forget() { projects.clear(); }
  // What a source defines and uses, by its text if it is open.
  ModuleFacts scan(const ProjectSource &source) const;
  // Looks again which modules a file defines and uses, and finds sources that it needs now. False
  // if module files may now have to lie elsewhere, so that the project has to be loaded anew.
  bool rescan(LoadedProject &project, const std::string &path) const;
  // An open file is a source of the project, in a folder without a project file with what it needs.
  // False as above.
  bool addOpen(LoadedProject &project, const std::string &path) const;
  // There, a file whose name does not say so is CUDA Fortran if its text is. True if that changes
  // how it is analysed. `mayEnd`: also when nothing of CUDA is left.
  bool followCuda(LoadedProject &project, const std::string &path, bool mayEnd) const;

  // Folders are looked through for a moment when a project is loaded; where that was not enough
  // `Project::complete` is false. Then another process does it, and this says that it has.
  void folderScanned(const std::string &folder) { scanned.insert(folder); }
  // Files came or went.
  void filesChanged() { scanned.clear(); }
  std::string scansFolder() const;

  AnalysisRequest requestFor(LoadedProject &project, const std::string &path) const;
  // The options of cufc for a file.
  Options optionsOf(const LoadedProject &project, const std::string &path) const;
  SourceReading readingOf(LoadedProject &project, const std::string &path) const;
  // The analysis of a source as an earlier run has left it, if nothing has changed since.
  std::optional<KnownSource> knownSource(const LoadedProject &project, size_t source) const;
  Indexer::Work workFor(const LoadedProject &project,
                        std::vector<std::vector<size_t>> stages) const;
  // Of analyses; other caches lie beside it.
  const std::string &analysesFolder() const { return cacheFolder; }
  // Of answers of builds (project/kept_flags.h).
  std::string flagsFolder() const {
    return cacheFolder.empty() ? "" : directoryOf(cacheFolder) + "/flags";
  }
  const ProjectCheckOptions &checkOptions() const { return options; }

private:
  std::string folderFor(const std::string &path) const;
  ProjectCheckOptions optionsWithTexts() const;
  void addNeeded(LoadedProject &project, size_t source) const;
  void completeArguments(const LoadedProject &project, ProjectSource &source) const;
  void makeGraph(LoadedProject &project) const;
  std::unique_ptr<LoadedProject> load(const std::string &folder) const;
  ProjectSource sourceFor(const LoadedProject &project, const std::string &path) const;

  const Workspace &workspace;
  ProjectCheckOptions options;
  std::string cacheFolder;
  std::vector<std::string> folders;
  std::vector<std::pair<std::string, std::string>> severities;
  std::vector<std::string> flags;
  std::map<std::string, std::unique_ptr<LoadedProject>> projects; // by folder
  std::set<std::string> scanned;
};

} // namespace cufc
#endif // CUFLS_HOST_PROJECTS_H
