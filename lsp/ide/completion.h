// What can be written at the cursor.
#ifndef CUFLS_IDE_COMPLETION_H
#define CUFLS_IDE_COMPLETION_H

#include "ide/api_table.h"
#include "ide/query.h"

namespace cufc {

enum class CompletionKind : std::uint8_t {
  Subroutine,
  Function,
  Kernel,
  Variable,
  Constant,
  Type,
  Component,
  Binding,
  Module,
  Argument, // "name=" of a dummy
  Keyword,
  Snippet,
  Text, // a word of the text of which nothing is known
};

struct CompletionItem {
  std::string label;
  CompletionKind kind = CompletionKind::Variable;
  std::string insert;             // for the label
  bool snippet = false;           // `insert` has the protocol's placeholders
  std::string filter;             // what is typed is compared with this, if not with the label
  double weight = 0;              // the higher ones come first
  std::string origin;             // what stands beside the label: a module
  std::vector<TextChange> others; // further edits
  // For the declaration and documentation, which are asked for later: a symbol of a file, by its
  // number and, since a newer analysis may number them differently, its name; or a row of the
  // table.
  std::string file, name;
  int symbol = -1;
  std::string entry, module;
};

struct CompletionList {
  std::vector<CompletionItem> items; // sorted
  TextRange range;                   // that each replaces
  bool incomplete = false;           // there are more, for which more letters are needed
};

CompletionList completions(const Query &query, const ApiTable &api, bool snippets);

struct CompletionDetails {
  std::string declaration, documentation;
};
CompletionDetails completionDetails(const Workspace &workspace, const ApiTable &api,
                                    const CompletionItem &item);

} // namespace cufc
#endif // CUFLS_IDE_COMPLETION_H
