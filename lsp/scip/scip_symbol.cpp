// "cufls . heat . solver/grid#extent." is a component: scheme, manager, package, version, and a
// descriptor for each thing around it. What several files define under one name, and main programs,
// have the path of their file in front.
#include "base/source_text.h"
#include "ide/declaration.h"
#include "scip/scip.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace cufc {
namespace {

bool isSimple(const std::string &name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '+' || c == '-' || c == '$';
  });
}

std::string identifier(const std::string &name) {
  if (isSimple(name))
    return name;
  std::string text = "`";
  for (char c : name)
    text += c == '`' ? "``" : std::string(1, c);
  return text + "`";
}

// Spaces separate the parts of a package.
std::string part(const std::string &text) {
  if (text.empty())
    return ".";
  std::string result;
  for (char c : text)
    result += c == ' ' ? "  " : std::string(1, c);
  return result;
}

// What ends the descriptor says what it describes.
std::string descriptor(const SymbolInfo &info) {
  std::string name = identifier(lowerCase(info.name));
  if (info.dummyOf >= 0)
    return "(" + name + ")";
  switch (info.kind) {
  case SymbolKind::Program:
  case SymbolKind::Module:
  case SymbolKind::Submodule:
  case SymbolKind::BlockData:
    return name + "/";
  case SymbolKind::Generic:
    return name + "(+generic).";
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
  case SymbolKind::Binding:
    return name + "().";
  case SymbolKind::DerivedType:
    return name + "#";
  case SymbolKind::Namelist:
  case SymbolKind::CommonBlock:
  case SymbolKind::Construct:
  case SymbolKind::Label:
    return name + ":";
  default:
    return name + ".";
  }
}

// The descriptors of what is around a scope.
std::string scopeDescriptors(const Analysis &analysis, int number) {
  if (number <= 0)
    return {};
  const ScopeInfo &scope = analysis.scopes[static_cast<size_t>(number)];
  std::string outer = scopeDescriptors(analysis, scope.parent);
  bool named =
      scope.symbol >= 0 && scope.kind != ScopeKind::Block && scope.kind != ScopeKind::Construct;
  if (!named)
    return outer + std::to_string(number) + ":";
  return outer + descriptor(analysis.symbols[static_cast<size_t>(scope.symbol)]);
}

// Of a symbol of a module without a source.
std::string foreignDescriptors(const Analysis &analysis, const SymbolInfo &info) {
  std::string own = descriptor(info);
  if (info.owner >= 0 && info.owner < static_cast<int>(analysis.symbols.size()))
    return foreignDescriptors(analysis, analysis.symbols[static_cast<size_t>(info.owner)]) + own;
  if (info.dummyOf >= 0 && info.dummyOf < static_cast<int>(analysis.symbols.size()))
    return foreignDescriptors(analysis, analysis.symbols[static_cast<size_t>(info.dummyOf)]) + own;
  return (info.module.empty() ? "" : identifier(lowerCase(info.module)) + "/") + own;
}

// "/name" of an external procedure, "//name" of a COMMON block: the same from wherever it is named.
bool isGlobalKey(const std::string &key) {
  size_t name = key.starts_with("//") ? 2 : 1;
  return key.starts_with("/") && key.find('/', name) == std::string::npos;
}

// The file in front of what is known only in it, and of what has a mark because others define it
// too.
std::string filePart(SymbolRef symbol, const std::string &root) {
  const std::string &key = symbol.key();
  bool marked = key.substr(0, key.find('/', 1)).find('@') != std::string::npos;
  if (!marked && !key.starts_with("file:"))
    return {};
  const std::string &path = symbol.file->path;
  return identifier(path.starts_with(root + "/") ? path.substr(root.size() + 1) : path) + "/";
}

} // namespace

std::string scipSymbol(const Workspace &workspace, SymbolRef symbol, const ScipOptions &options) {
  const SymbolInfo &info = symbol.info();
  const Analysis &analysis = *symbol.file->analysis;
  if (info.intrinsic && info.kind != SymbolKind::Module)
    return "cufls . fortran . intrinsic/" + descriptor(info);
  bool foreign = !info.module.empty() && !workspace.moduleFile(info.module, symbol.file);
  if (info.kind == SymbolKind::Module)
    foreign = !workspace.moduleFile(info.name, symbol.file);
  if (foreign)
    return "cufls . cufc . " + foreignDescriptors(analysis, info);
  std::string head = fmt::format("cufls . {} . ", part(options.package));
  if (!info.module.empty()) // its module is there, but does not declare it: there are errors
    return head + foreignDescriptors(analysis, info);
  head += filePart(symbol, options.root);
  if (isGlobalKey(symbol.key()))
    return head + descriptor(info);
  return head + scopeDescriptors(analysis, info.scope) + descriptor(info);
}

} // namespace cufc
