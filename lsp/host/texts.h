// Texts of files for features that look into others: as the editor shows them, or from the disk.
#ifndef CUFLS_HOST_TEXTS_H
#define CUFLS_HOST_TEXTS_H

#include "base/files.h"
#include "ide/conditions.h"
#include "index/workspace.h"

namespace cufc {

// Valid as long as the workspace is.
inline ReadText textReader(const Workspace &workspace) {
  return [&workspace](const std::string &path) -> std::optional<std::string> {
    if (const SourceFile *file = workspace.find(path); file && file->open)
      return file->document.text();
    std::string text;
    return readFile(path, text) ? std::optional(std::move(text)) : std::nullopt;
  };
}

} // namespace cufc
#endif // CUFLS_HOST_TEXTS_H
