// An index in the form of SCIP, which code hosts read: where each symbol of a project is declared
// and used, what it is, and how symbols belong together.
//
// https://github.com/sourcegraph/scip/blob/main/scip.proto is the schema; the numbers of its fields
// and values that are written here stand below.
#ifndef CUFLS_SCIP_SCIP_H
#define CUFLS_SCIP_SCIP_H

#include "ide/api_table.h"
#include "index/workspace.h"

namespace cufc {

struct ScipOptions {
  std::string root; // files below it are the documents
  std::string rootUri;
  std::string package;                // the name of the project
  std::string version;                // of this program
  std::vector<std::string> arguments; // of the command
};

struct ScipIndex {
  std::string bytes;
  size_t documents = 0, occurrences = 0, symbols = 0, externalSymbols = 0;
};

ScipIndex scipIndex(const Workspace &workspace, const ApiTable &api, const ScipOptions &options);

// The name of a symbol in an index, by the grammar of message Symbol there. `declared` is where it
// is declared, or a row that stands for what no file declares.
std::string scipSymbol(const Workspace &workspace, SymbolRef declared, const ScipOptions &options);

namespace scip {
enum Index { metadata = 1, documents, externalSymbols };
enum Metadata { toolInfo = 2, projectRoot, textEncoding };
enum ToolInfo { toolName = 1, toolVersion, toolArguments };
enum Document { relativePath = 1, occurrences, symbols, language, text, positionEncoding };
enum SymbolInformation {
  symbol = 1,
  documentation = 3,
  relationships,
  kind,
  displayName,
  signature,
  enclosingSymbol
};
enum Relationship { relatedSymbol = 1, isReference, isImplementation, isTypeDefinition };
enum Occurrence { range = 1, occurrenceSymbol, symbolRoles, enclosingRange = 7 };
constexpr int utf8 = 1; // of both encodings

enum Role { definition = 1, import = 2, write = 4, read = 8, forwardDefinition = 64 };
enum Kind {
  constantKind = 8,
  fieldKind = 15,
  functionKind = 17,
  interfaceKind = 21,
  methodKind = 26,
  moduleKind = 29,
  namespaceKind = 30,
  parameterKind = 37,
  structKind = 49,
  variableKind = 61,
};
} // namespace scip

} // namespace cufc
#endif // CUFLS_SCIP_SCIP_H
