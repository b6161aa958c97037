// A question about a place of a file: what all features start from.
//
// A feature is a pure function of a query; it knows neither JSON nor flang and never fails: what it
// does not know is not in its answer. All ranges in answers are those of the texts as they are now.
#ifndef CUFLS_IDE_QUERY_H
#define CUFLS_IDE_QUERY_H

#include "index/workspace.h"

namespace cufc {

struct Query {
  const Workspace &workspace;
  const SourceFile &file; // open
  TextPosition position;  // where the cursor stands

  const Document &document() const { return file.document; }
};

// The word (letters, digits, "_", "$", "%" not) that a position is in or right behind; empty range
// if there is none. Does not look at strings and comments.
TextRange wordAt(const Document &document, TextPosition position);

// The occurrence at a position, or -1: of two at one place (a generic call) the specific one last.
struct OccurrenceAt {
  SymbolRef symbol;
  Role role = Role::Reference;
  TextRange range; // of the text as it is now
};
std::optional<OccurrenceAt> occurrenceAt(const Query &query);
// All at one place: of a call of a generic name, the generic and the specific.
std::vector<OccurrenceAt> occurrencesAt(const Query &query);

// The innermost scope at a position, as a number of the file's analysis; 0 is the global one, -1 if
// there is no analysis.
int scopeAt(const Query &query);

// Where a place of a file's analysis is in its text as it is now.
std::optional<Location> locationOf(const SourceFile &file, const Place &place);

} // namespace cufc
#endif // CUFLS_IDE_QUERY_H
