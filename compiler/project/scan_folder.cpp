// A project without a file that describes it: the CUDA Fortran sources of a folder, the other
// Fortran sources that these use, and those with a main program.
#include "project/project_parts.h"
#include "project/source_graph.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>
#include <set>

namespace cufc {
namespace {

namespace fs = std::filesystem;

// More entries than any project has: a home folder was given by mistake.
constexpr size_t mostEntries = 200000;

bool isCudaName(const std::string &path) {
  std::optional<SourceForm> form = sourceForm(path);
  return form && form->cuda;
}

std::vector<std::string> fortranFiles(const std::string &root) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entries(root, fs::directory_options::skip_permission_denied,
                                           error);
  size_t seen = 0;
  for (fs::recursive_directory_iterator end; !error && entries != end; entries.increment(error)) {
    if (++seen > mostEntries)
      break;
    std::string path = entries->path().string();
    std::error_code ignored;
    if (entries->is_directory(ignored)) {
      if (isSkippedFolder(path))
        entries.disable_recursion_pending();
      continue;
    }
    std::optional<SourceForm> form = sourceForm(path);
    if (form && form->kind == FileKind::Fortran && entries->is_regular_file(ignored))
      files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Files that others include are no sources of their own.
std::set<std::string> includedFiles(const Project &all) {
  std::set<std::string> names;
  for (size_t i = 0; i < all.sources.size(); ++i)
    for (const std::string &name : all.facts[i].includes) {
      std::string folder = fs::path(all.sources[i].path).parent_path().string();
      names.insert(absolutePath(name, folder));
      names.insert(absolutePath(name, all.root));
    }
  return names;
}

} // namespace

void scanFolder(Project &project) {
  Project all;
  all.root = project.root;
  for (const std::string &path : fortranFiles(project.root)) {
    all.sources.push_back({path, project.root, {}});
    all.facts.push_back(scanSource(all.sources.back()));
    if (all.facts.back().cuda && !isCudaName(path))
      all.sources.back().arguments = {"-cuda"};
  }
  std::set<std::string> included = includedFiles(all);
  std::vector<size_t> start;
  for (size_t i = 0; i < all.sources.size(); ++i) {
    bool cuda = all.facts[i].cuda || isCudaName(all.sources[i].path);
    if ((cuda || !all.facts[i].programs.empty()) && !included.contains(all.sources[i].path))
      start.push_back(i);
  }
  std::vector<size_t> chosen = neededSources(all, std::move(start));
  std::sort(chosen.begin(), chosen.end());
  for (size_t source : chosen) {
    project.sources.push_back(all.sources[source]);
    project.facts.push_back(all.facts[source]);
  }
  targetsFromPrograms(project);
}

} // namespace cufc
