// A project without a file that describes it: the CUDA Fortran sources of a folder, the other
// Fortran sources that these use, and those with a main program; all of them where there is
// neither.
#include "project/kept_scan.h"
#include "project/project_parts.h"
#include "project/source_graph.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>
#include <set>

namespace cufc {
namespace {

namespace fs = std::filesystem;

bool isCudaName(const std::string &path) {
  std::optional<SourceForm> form = sourceForm(path);
  return form && form->cuda;
}

// Files that others include are no sources of their own.
std::set<std::string> includedFiles(const Project &all) {
  std::set<std::string> names;
  for (size_t i = 0; i < all.sources.size(); ++i)
    for (const IncludeLine &line : all.facts[i].includes) {
      std::string folder = fs::path(all.sources[i].path).parent_path().string();
      names.insert(absolutePath(line.name, folder));
      names.insert(absolutePath(line.name, all.root));
    }
  return names;
}

} // namespace

ProjectSource foundSource(const std::string &path, const std::string &root,
                          const ModuleFacts &facts) {
  ProjectSource source{path, root, {}};
  if (facts.cuda && !isCudaName(path))
    source.arguments = {"-cuda"};
  if (facts.freeForm)
    source.arguments.push_back("-Mfree");
  return source;
}

void scanFolder(Project &project, const ScanOptions &options) {
  Project all;
  all.root = project.root;
  ScannedFolder found = scanFiles(project.root, true, options);
  for (ScannedFile &file : found.files) {
    all.sources.push_back(foundSource(file.path, project.root, file.facts));
    all.facts.push_back(std::move(file.facts));
  }
  project.searched = true;
  project.complete = found.complete;
  std::set<std::string> included = includedFiles(all);
  IncludedFiles files;
  for (size_t i = 0; i < all.sources.size(); ++i)
    addIncluded(all.facts[i], all.sources[i], files);
  std::vector<size_t> start, plain;
  for (size_t i = 0; i < all.sources.size(); ++i) {
    bool cuda = all.facts[i].cuda || isCudaName(all.sources[i].path);
    if (!included.contains(all.sources[i].path))
      (cuda || !all.facts[i].programs.empty() ? start : plain).push_back(i);
  }
  std::vector<size_t> chosen = neededSources(all, start.empty() ? plain : std::move(start));
  std::sort(chosen.begin(), chosen.end());
  for (size_t source : chosen) {
    project.sources.push_back(std::move(all.sources[source]));
    project.facts.push_back(std::move(all.facts[source]));
  }
  targetsFromPrograms(project);
}

} // namespace cufc
