// Interfaces of modules as hashes of the module files that flang has written: these hold what users
// of a module see, and the checksums of the modules it depends on, and neither bodies nor comments.
#include "analysis/hash.h"
#include "analysis/interface_hash.h"
#include "base/files.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "frontend/extract/extract_parts.h"
#include "frontend/modules/partial_interfaces.h"
#include "frontend/modules/partial_mark.h"
#include "frontend/own_scopes.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

struct Made {
  std::string folder; // where module files are; empty if they are not of this source
  bool knowsOthers;   // all of the modules that are used are there, and whole
};

void addInterface(const semantics::Scope &scope, const Made &made, Analysis &analysis) {
  const semantics::Symbol &symbol = *scope.symbol();
  const auto *details = symbol.detailsIf<semantics::ModuleDetails>();
  std::string name = symbol.name().ToString(), file = name;
  if (details && details->isSubmodule() && details->ancestor() && details->ancestor()->GetName()) {
    std::string ancestor = details->ancestor()->GetName()->ToString();
    file = ancestor + "-" + name;
    name = ancestor + ":" + name;
  }
  std::string text;
  bool written = !made.folder.empty() && readFile(made.folder + "/" + file + ".mod", text);
  // Errors of its own, where nothing else explains what is missing.
  bool lacks = made.knowsOthers && text.find(partialMark) != text.npos;
  analysis.interfaces.push_back({name, written ? interfaceHash(hashOf(text), lacks) : 0});
  for (const semantics::Scope &child : scope.children()) // submodules of this file
    if (child.IsSubmodule())
      addInterface(child, made, analysis);
}

} // namespace

void extractModules(Extraction &extraction, const Program &program) {
  Made made{program.wroteInterfaces() ? program.options().moduleDirectory : "",
            !mayLackNames(extraction.program)};
  Analysis &analysis = extraction.analysis;
  std::set<std::string> defined;
  for (const semantics::Scope *scope : ownScopes(extraction.program.context->globalScope()))
    if (scope->kind() == semantics::Scope::Kind::Module && scope->symbol()) {
      defined.insert(scope->symbol()->name().ToString());
      addInterface(*scope, made, analysis);
    }
  for (const ScopeInfo &scope : analysis.scopes)
    for (const UseInfo &use : scope.uses)
      if (defined.insert(use.module).second)
        analysis.modulesUsed.push_back(use.module);
  std::sort(analysis.modulesUsed.begin(), analysis.modulesUsed.end());
}

} // namespace cufc
