// What a symbol is: its declaration, memory, value and documentation.
#ifndef CUFLS_IDE_HOVER_H
#define CUFLS_IDE_HOVER_H

#include "ide/query.h"

namespace cufc {

struct Hover {
  std::string markdown;
  TextRange range;
};

std::optional<Hover> hover(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_HOVER_H
