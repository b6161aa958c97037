// The analyses of a project's sources, in the order of their modules, several at a time.
#ifndef CUFC_SERVICE_CHECK_PROJECT_H
#define CUFC_SERVICE_CHECK_PROJECT_H

#include "codegen/toolkit.h"
#include "driver/installation.h"
#include "project/source_graph.h"
#include "service/analysis_cache.h"
#include "service/worker.h"
#include <functional>

namespace cufc {

struct CheckedSource {
  Analysis analysis;
  bool cached = false;
  std::vector<std::string> outside; // files on which it depends: outside_files.h
  FrontendOptions front; // with `keepModules`: with the folders of the modules that it uses
};

struct ProjectCheckOptions {
  Installation installation;
  std::optional<Toolkit> toolkit;
  std::string version;         // of this program, part of each cached entry's key
  std::string moduleDirectory; // an empty folder for module files
  size_t jobs = 1;
  bool keepModules = false;                 // moduleDirectory is to hold all modules afterwards
  std::map<std::string, std::string> texts; // of files that are not as on disk, by path
  // Called for each source as soon as its analysis is there, with the module files that it makes.
  std::function<void(size_t source, const CheckedSource &, const std::vector<ModuleFile> &)>
      finished;
};

// How a source of a project is analysed. Wrong arguments are reported.
AnalysisRequest requestFor(const ProjectSource &source, const ProjectCheckOptions &options,
                           Diagnostics &diagnostics);

// The analyses of the wanted sources (indices of project.sources) and of all that they need, by
// index. A worker is started only if the cache does not hold everything. Mistakes in the project
// are reported if they concern what is wanted; those in sources are in their analyses.
std::map<size_t, CheckedSource> checkProject(const Project &project,
                                             const std::vector<size_t> &wanted,
                                             const ProjectCheckOptions &options,
                                             const AnalysisCache &cache, Diagnostics &diagnostics);

// The analysis of a source, with the module files of it and of all that it needs by their sources,
// if the cache holds everything. Nothing is analysed or written.
struct KnownSource {
  Analysis analysis;
  std::map<size_t, std::vector<ModuleFile>> modules;
  std::map<size_t, std::vector<ModuleInterface>> interfaces;
};
std::optional<KnownSource> knownSource(const Project &project, const SourceGraph &graph,
                                       size_t source, const ProjectCheckOptions &options,
                                       const AnalysisCache &cache);

} // namespace cufc
#endif // CUFC_SERVICE_CHECK_PROJECT_H
