// See declaration.h.
#include "ide/declaration.h"
#include "analysis/names.h"
#include <algorithm>

namespace cufc {
namespace {

const SymbolInfo *rowOf(const Analysis &analysis, int symbol) {
  return symbol < 0 ? nullptr : &analysis.symbols[static_cast<size_t>(symbol)];
}

std::string procedurePrefix(const SymbolInfo &symbol) {
  std::string words;
  auto add = [&](int bit, const char *word) {
    if (symbol.procedureAttributes & bit)
      words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(procedure_attribute::Host, "host");
  add(procedure_attribute::Device, "device");
  add(procedure_attribute::Global, "global");
  add(procedure_attribute::GridGlobal, "grid_global");
  std::string prefix = words.empty() || words == "host" ? "" : "attributes(" + words + ") ";
  for (const char *word : {"pure", "elemental", "impure", "recursive", "module"})
    if (std::find(symbol.attributes.begin(), symbol.attributes.end(), word) !=
        symbol.attributes.end())
      prefix += std::string(word) + " ";
  return prefix;
}

std::string dataDeclaration(const SymbolInfo &symbol) {
  std::string text = symbol.type.empty() ? "procedure()" : symbol.type;
  for (const std::string &attribute : symbol.attributes)
    text += ", " + attribute;
  text += " :: " + symbol.name + symbol.shape;
  if (!symbol.value.empty())
    text += " = " + symbol.value;
  return text;
}

std::string procedureDeclaration(const Analysis &analysis, const SymbolInfo &symbol,
                                 bool withDummies) {
  bool function = symbol.kind == SymbolKind::Function;
  const SymbolInfo *result = rowOf(analysis, symbol.result);
  std::string text = procedurePrefix(symbol);
  if (function && !result && !symbol.type.empty())
    text += symbol.type + " ";
  text += (function ? "function " : "subroutine ") + headOf(analysis, symbol);
  if (result)
    text += " result(" + result->name + ")";
  if (!withDummies)
    return text;
  for (int dummy : symbol.dummies)
    if (const SymbolInfo *row = rowOf(analysis, dummy))
      text += "\n  " + declarationOf(analysis, *row);
  if (result)
    text += "\n  " + declarationOf(analysis, *result);
  return text;
}

} // namespace

bool isProcedure(const SymbolInfo &symbol) {
  return symbol.kind == SymbolKind::Subroutine || symbol.kind == SymbolKind::Function;
}

bool isKernel(const SymbolInfo &symbol) {
  return (symbol.procedureAttributes &
          (procedure_attribute::Global | procedure_attribute::GridGlobal)) != 0;
}

std::string headOf(const Analysis &analysis, const SymbolInfo &procedure) {
  std::string text = procedure.name + "(";
  for (size_t i = 0; i < procedure.dummies.size(); ++i) {
    const SymbolInfo *dummy = rowOf(analysis, procedure.dummies[i]);
    text += (i > 0 ? ", " : "") + (dummy ? dummy->name : "*");
  }
  return text + ")";
}

std::string declarationOf(const Analysis &analysis, const SymbolInfo &symbol, bool withDummies) {
  switch (symbol.kind) {
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
    return procedureDeclaration(analysis, symbol, withDummies);
  case SymbolKind::Variable:
  case SymbolKind::Constant:
  case SymbolKind::Component:
    return dataDeclaration(symbol);
  case SymbolKind::DerivedType: {
    const SymbolInfo *parent = rowOf(analysis, symbol.typeSymbol);
    std::string text = "type";
    if (parent)
      text += ", extends(" + parent->name + ")";
    for (const std::string &attribute : symbol.attributes)
      text += ", " + attribute;
    return text + " :: " + symbol.name;
  }
  case SymbolKind::Generic: {
    std::string text = "interface " + symbol.name;
    for (int specific : symbol.specifics)
      if (const SymbolInfo *row = rowOf(analysis, specific))
        text += "\n  " + declarationOf(analysis, *row);
    return text;
  }
  case SymbolKind::Binding: {
    const SymbolInfo *target =
        symbol.specifics.empty() ? nullptr : rowOf(analysis, symbol.specifics.front());
    return "procedure :: " + symbol.name +
           (target && target->name != symbol.name ? " => " + target->name : "");
  }
  default:
    return std::string(nameOf(symbol.kind)) + " " + symbol.name;
  }
}

std::string ownerOf(const Analysis &analysis, const SymbolInfo &symbol) {
  std::string text;
  auto add = [&](const SymbolInfo &owner) {
    text += (text.empty() ? "in " : " of ") + std::string(nameOf(owner.kind)) + " " + owner.name;
  };
  if (!symbol.module.empty()) {
    for (const SymbolInfo *owner = rowOf(analysis, symbol.owner); owner;
         owner = rowOf(analysis, owner->owner))
      add(*owner);
    return text + (text.empty() ? "in module " : " of module ") + symbol.module;
  }
  for (int scope = symbol.scope; scope > 0;
       scope = analysis.scopes[static_cast<size_t>(scope)].parent)
    if (const SymbolInfo *owner =
            rowOf(analysis, analysis.scopes[static_cast<size_t>(scope)].symbol);
        owner && owner->kind != SymbolKind::Construct)
      add(*owner);
  return text;
}

std::string memoryOf(const SymbolInfo &symbol) {
  struct Memory {
    int bit;
    const char *text;
  };
  static constexpr Memory memories[] = {
      {data_attribute::Device, "global memory of the device"},
      {data_attribute::Shared, "shared memory of a thread block"},
      {data_attribute::Constant, "constant memory of the device"},
      {data_attribute::Managed, "managed memory: moves between host and device on demand"},
      {data_attribute::Unified, "unified memory: host and device use the same address"},
      {data_attribute::Pinned, "pinned (page-locked) host memory"},
      {data_attribute::Texture, "texture memory: read-only through the texture cache"}};
  for (const Memory &memory : memories)
    if (symbol.dataAttributes & memory.bit)
      return memory.text;
  return {};
}

} // namespace cufc
