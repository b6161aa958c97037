// `cufls symbols`: what a file declares, also if it has errors.
#include "analysis/names.h"
#include "base/diag.h"
#include "base/files.h"
#include "commands/commands.h"
#include "driver/frontend_options.h"
#include "service/analysis_queue.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cufc {
namespace {

using nlohmann::ordered_json;

bool isDeclaredHere(const SymbolInfo &symbol) {
  return symbol.declared.file >= 0 && !symbol.intrinsic && symbol.module.empty();
}

// "module::procedure::variable"
std::string qualifiedName(const Analysis &analysis, const SymbolInfo &symbol) {
  std::string name = symbol.name;
  for (int scope = symbol.scope; scope >= 0; scope = analysis.scopes[scope].parent)
    if (int owner = analysis.scopes[scope].symbol; owner >= 0)
      name.insert(0, analysis.symbols[owner].name + "::");
  return name;
}

ordered_json toJson(const Analysis &analysis, const SymbolInfo &symbol) {
  ordered_json json = {{"name", symbol.name},
                       {"qualifiedName", qualifiedName(analysis, symbol)},
                       {"kind", nameOf(symbol.kind)},
                       {"file", analysis.files[symbol.declared.file]},
                       {"line", symbol.declared.line},
                       {"column", symbol.declared.column},
                       {"endLine", std::max(symbol.definition.endLine, symbol.declared.endLine)}};
  if (!symbol.type.empty())
    json["type"] = symbol.type + symbol.shape;
  if (!symbol.value.empty())
    json["value"] = symbol.value;
  if (!symbol.attributes.empty())
    json["attributes"] = symbol.attributes;
  if (!symbol.documentation.empty())
    json["documentation"] = symbol.documentation;
  return json;
}

ordered_json toJson(const Analysis &analysis) {
  ordered_json symbols = ordered_json::array();
  for (const SymbolInfo &symbol : analysis.symbols)
    if (isDeclaredHere(symbol))
      symbols.push_back(toJson(analysis, symbol));
  return {{"file", analysis.files.front()},
          {"complete", analysis.complete},
          {"symbols", std::move(symbols)}};
}

// An outline: what is in a scope stands under it, further right.
void print(const Analysis &analysis, int scope, int depth) {
  for (int row : analysis.scopes[scope].symbols) {
    const SymbolInfo &symbol = analysis.symbols[row];
    if (!isDeclaredHere(symbol))
      continue;
    std::string type = symbol.type.empty() ? "" : " : " + symbol.type + symbol.shape;
    fmt::print("{:>5}  {:{}}{} {}{}\n", symbol.declared.line, "", depth * 2, nameOf(symbol.kind),
               symbol.name, type);
    if (symbol.ownScope >= 0 && symbol.ownScope != scope)
      print(analysis, symbol.ownScope, depth + 1);
  }
}

} // namespace

int symbolsCommand(const Arguments &arguments) {
  Diagnostics diagnostics;
  std::vector<std::string> paths;
  bool json = false;
  for (const std::string &argument : arguments)
    if (argument == "--format=json" || argument == "--format=text")
      json = argument == "--format=json";
    else
      paths.push_back(argument);
  Installation installation = findInstallation(diagnostics);
  Options options;
  TemporaryFolder scratch;
  options.moduleDirectory = scratch.root();
  FrontendOptions defaults =
      frontendOptions(options, installation, "", {FileKind::Fortran, false, true, false}, "");
  std::unique_ptr<Worker> worker = Worker::start(defaults);
  ordered_json all = ordered_json::array();
  for (const std::string &path : paths) {
    std::optional<SourceForm> form = sourceForm(path);
    if (!form || form->kind != FileKind::Fortran) {
      diagnostics.report(Diag::UnknownSuffix, {}, path);
      continue;
    }
    Analysis analysis =
        analyseNow(*worker, {frontendOptions(options, installation, path, *form, ""),
                             checkOptions(options, std::nullopt)});
    if (analysis.files.empty())
      analysis.files = {path};
    if (json)
      all.push_back(toJson(analysis));
    else if (!analysis.scopes.empty())
      print(analysis, 0, 0);
  }
  if (json)
    fmt::print("{}\n", all.dump(1, ' ', false, ordered_json::error_handler_t::replace));
  bool failed = diagnostics.hasErrors() || paths.empty();
  diagnostics.flush();
  return failed ? exitFailed : exitClean;
}

} // namespace cufc
