// See project_definitions.h.
#include "host/project_definitions.h"
#include "host/projects.h"
#include <algorithm>

namespace cufc {
namespace {

class ProjectDefinitions : public Definitions {
public:
  ProjectDefinitions(const std::string &folder, const ScanOptions &scan, Diagnostics &diagnostics) {
    loaded.project = loadProject(folder, diagnostics, scan);
    loaded.graph = makeSourceGraph(loaded.project, {}, diagnostics);
    loaded.graphChanged();
  }

  std::string definerFor(const std::string &file, const std::string &name) const override {
    std::optional<size_t> source = loaded.sourceOf(file);
    return source ? loaded.definerFor(*source, name) : "";
  }

  bool linked(const std::string &file, const std::string &other) const override {
    std::optional<size_t> a = loaded.sourceOf(file), b = loaded.sourceOf(other);
    if (!a || !b)
      return false;
    const std::vector<size_t> &x = loaded.targetsOf[*a], &y = loaded.targetsOf[*b];
    return (x.empty() && y.empty()) || std::any_of(x.begin(), x.end(), [&](size_t target) {
             return std::find(y.begin(), y.end(), target) != y.end();
           });
  }

private:
  LoadedProject loaded;
};

} // namespace

std::unique_ptr<Definitions> definitionsOf(const std::string &folder, const ScanOptions &scan,
                                           Diagnostics &diagnostics) {
  return std::make_unique<ProjectDefinitions>(folder, scan, diagnostics);
}

} // namespace cufc
