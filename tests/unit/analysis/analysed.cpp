// See analysed.h.
#include "analysed.h"
#include "analysis/names.h"
#include "analysis/serialise.h"
#include "base/files.h"
#include "base/large_stack.h"
#include "codegen/targets.h"
#include "driver/frontend_options.h"
#include "service/analyse_file.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {

Analysis analyse(const std::string &text, const std::string &name) {
  static TemporaryFolder folder;
  static const bool initialised = (initialiseTargets(), true);
  Analysis result;
  Options options;
  options.moduleDirectory = folder.root();
  std::string path = folder.root() + "/" + name;
  if (!initialised || !writeFile(path, text))
    return result;
  Installation installation{"", CUFC_MODULES};
  FrontendOptions front =
      frontendOptions(options, installation, path, *sourceForm(path), folder.root());
  onLargeStack([&] {
    analyseFile(
        front, checkOptions(options, std::nullopt), nullptr,
        [&](const std::string &bytes, bool) { result = fromBytes(bytes).value_or(Analysis{}); });
    return 0;
  });
  return result;
}

int rowOf(const Analysis &analysis, const std::string &name) {
  auto found = std::find_if(analysis.symbols.begin(), analysis.symbols.end(),
                            [&](const SymbolInfo &symbol) { return symbol.name == name; });
  return found == analysis.symbols.end() ? -1 : static_cast<int>(found - analysis.symbols.begin());
}

const SymbolInfo &symbol(const Analysis &analysis, const std::string &name) {
  static const SymbolInfo none;
  int row = rowOf(analysis, name);
  return row < 0 ? none : analysis.symbols[row];
}

std::vector<std::string> uses(const Analysis &analysis, const std::string &name) {
  std::vector<std::string> found;
  for (const Occurrence &occurrence : analysis.occurrences)
    if (analysis.symbols[occurrence.symbol].name == name)
      found.push_back(fmt::format("{}:{} {}", occurrence.place.line, occurrence.place.column,
                                  nameOf(occurrence.role)));
  return found;
}

std::vector<std::string> errors(const Analysis &analysis) {
  std::vector<std::string> found;
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Severity::Error)
      found.push_back(fmt::format("{}: {}", diagnostic.range.line, diagnostic.message));
  return found;
}

namespace {

std::string extents(const LaunchExtent &extent) {
  std::string text;
  for (const auto &one : extent.extents)
    text += (text.empty() ? "" : ",") + (one ? std::to_string(*one) : "?");
  return text;
}

} // namespace

std::vector<std::string> launches(const Analysis &analysis) {
  std::vector<std::string> found;
  for (const LaunchInfo &launch : analysis.launches)
    found.push_back(fmt::format("{} grid={} block={} shared={}",
                                launch.kernel < 0 ? "do(" + std::to_string(launch.loops) + ")"
                                                  : analysis.symbols[launch.kernel].name,
                                extents(launch.grid), extents(launch.block),
                                launch.sharedBytes ? std::to_string(*launch.sharedBytes) : "?"));
  return found;
}

} // namespace cufc
