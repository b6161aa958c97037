// The protocol's numbers for kinds of symbols.
#ifndef CUFLS_SERVER_ANSWERS_SYMBOL_JSON_H
#define CUFLS_SERVER_ANSWERS_SYMBOL_JSON_H

#include "analysis/analysis.h"
#include <string>

namespace cufc {

// SymbolKind; a generic without letters at its beginning is an operator.
inline int protocolKind(SymbolKind kind, const std::string &name) {
  enum {
    Module = 2,
    Method = 6,
    Field = 8,
    Interface = 11,
    Function = 12,
    Variable = 13,
    Constant = 14,
    Object = 19,
    Key = 20,
    Struct = 23,
    Operator = 25
  };
  switch (kind) {
  case SymbolKind::Program:
  case SymbolKind::Module:
  case SymbolKind::Submodule:
  case SymbolKind::BlockData:
    return Module;
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
    return Function;
  case SymbolKind::Generic:
    return name.find_first_of("(.") == std::string::npos ? Interface : Operator;
  case SymbolKind::Variable:
    return Variable;
  case SymbolKind::Constant:
    return Constant;
  case SymbolKind::DerivedType:
    return Struct;
  case SymbolKind::Component:
    return Field;
  case SymbolKind::Binding:
    return Method;
  case SymbolKind::Namelist:
  case SymbolKind::CommonBlock:
    return Object;
  case SymbolKind::Construct:
  case SymbolKind::Label:
    break;
  }
  return Key;
}

} // namespace cufc
#endif // CUFLS_SERVER_ANSWERS_SYMBOL_JSON_H
