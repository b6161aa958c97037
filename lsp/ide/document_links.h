// Places of a text that lead to files: INCLUDE, #include and USE.
#ifndef CUFLS_IDE_DOCUMENT_LINKS_H
#define CUFLS_IDE_DOCUMENT_LINKS_H

#include "ide/conditions.h"
#include "ide/query.h"

namespace cufc {

struct DocumentLink {
  TextRange range;    // the name, without quotes
  std::string target; // a path
  std::string tooltip;
};

// Only those whose files are there.
std::vector<DocumentLink> documentLinks(const Query &query, const ReadText &read);

} // namespace cufc
#endif // CUFLS_IDE_DOCUMENT_LINKS_H
