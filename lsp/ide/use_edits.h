// Edits that make a name of a module visible: a name more in an ONLY list, or a USE statement more.
#ifndef CUFLS_IDE_USE_EDITS_H
#define CUFLS_IDE_USE_EDITS_H

#include "ide/visible_names.h"

namespace cufc {

class UseEdits {
public:
  UseEdits(const Query &query, const VisibleNames &names, bool capitals);

  // Without a name the whole module. Nothing if it is visible already, or no program unit is there
  // to put it in.
  std::vector<TextChange> add(const std::string &module, const std::string &name) const;

private:
  void findPlace();

  const Query &query;
  const VisibleNames &names;
  const bool capitals;
  std::optional<TextPosition> place; // of a new statement
  std::string before, after;         // around it: indentation, ends of lines
};

} // namespace cufc
#endif // CUFLS_IDE_USE_EDITS_H
