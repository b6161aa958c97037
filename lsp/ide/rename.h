// A new name for a symbol, in the whole workspace.
//
// Refuses, with a reason for the user, whatever might change the meaning of the program or leave an
// old name somewhere: rename_checks.h. All or nothing.
#ifndef CUFLS_IDE_RENAME_H
#define CUFLS_IDE_RENAME_H

#include "ide/api_table.h"
#include "ide/query.h"
#include <functional>
#include <map>

namespace cufc {

// The text of a file as it is now, read from disk if it is not open.
using TextOf = std::function<const Document &(const std::string &path)>;

struct NewText {
  TextRange range;
  std::string text;
};

struct RenameAnswer {
  std::string refusal; // empty: it is possible
  std::map<std::string, std::vector<NewText>> edits;
  std::string warning; // what the user has to confirm
};

struct RenameStart {
  std::string refusal;
  TextRange range;
};

// Nothing if no name stands at the position.
std::optional<RenameStart> prepareRename(const Query &query, const TextOf &textOf);
// Without `mayWarn` it refuses what would need a warning.
RenameAnswer rename(const Query &query, const std::string &newName, const TextOf &textOf,
                    const ApiTable &api, bool mayWarn);

// Whether other files can name what stands at the position, so that all must have been analysed.
bool renamesAcrossFiles(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_RENAME_H
