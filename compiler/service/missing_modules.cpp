// See missing_modules.h.
#include "service/missing_modules.h"
#include "analysis/interface_hash.h"
#include "base/diag.h"
#include "service/missing_flags.h"
#include <algorithm>
#include <array>

namespace cufc {
namespace {

constexpr std::string_view moduleNotFound = "CUF1103";

// Whether a diagnostic is about the text alone.
bool needsNoModules(const Diagnostic &diagnostic) {
  static constexpr std::array<std::string_view, 5> groups{"syntax", "input", "project", "tools",
                                                          "internal"};
  const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
  return row && std::find(groups.begin(), groups.end(), row->group) != groups.end();
}

void sayAmbiguousModules(const Project &project, const SourceGraph &graph, size_t source,
                         Analysis &analysis) {
  auto found = graph.ambiguous.find(source);
  if (found == graph.ambiguous.end())
    return;
  Diagnostics ambiguous;
  for (const ModuleStatement &use : project.facts[source].uses)
    if (auto files = found->second.find(use.name); files != found->second.end())
      ambiguous.report(Diag::ModuleAmbiguous, use.range, use.name, files->second);
  // What is wrong with one of them may be right with the other.
  if (!ambiguous.list().empty())
    std::erase_if(analysis.diagnostics, [](const Diagnostic &d) {
      return !needsNoModules(d) && d.code != moduleNotFound;
    });
  analysis.diagnostics.insert(analysis.diagnostics.begin(), ambiguous.list().begin(),
                              ambiguous.list().end());
}

} // namespace

void sayMissingModules(const Project &project, const SourceGraph &graph, size_t source,
                       const InterfacesOf &interfacesOf, Analysis &analysis) {
  dropConsequencesOfIncludes(analysis);
  Diagnostics missing, partial;
  for (size_t other : graph.needs[source]) {
    const std::vector<ModuleInterface> *made = interfacesOf(other);
    if (!made)
      continue;
    for (const ModuleInterface &module : *made)
      for (const ModuleStatement &use : project.facts[source].uses)
        if (module.name == use.name && (module.hash == 0 || lacksDeclarations(module.hash)))
          (module.hash == 0 ? missing : partial)
              .report(Diag::ModuleHasErrors, use.range, use.name, project.sources[other].path);
  }
  analysis.diagnostics.insert(analysis.diagnostics.begin(), partial.list().begin(),
                              partial.list().end());
  if (missing.list().empty())
    return sayAmbiguousModules(project, graph, source, analysis);
  std::erase_if(analysis.diagnostics, [](const Diagnostic &d) { return !needsNoModules(d); });
  analysis.diagnostics.insert(analysis.diagnostics.begin(), missing.list().begin(),
                              missing.list().end());
  for (ModuleInterface &module : analysis.interfaces)
    module.hash = 0;
}

} // namespace cufc
