// Which lines the preprocessor leaves out, by the macros of the project and those that the text and
// its #include files define. What cannot be decided counts as active.
#ifndef CUFLS_IDE_CONDITIONS_H
#define CUFLS_IDE_CONDITIONS_H

#include "index/workspace.h"
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cufc {

// The text of a file, or nothing.
using ReadText = std::function<std::optional<std::string>(const std::string &path)>;

struct LineRange {
  int first, last; // both inclusive
  bool operator==(const LineRange &) const = default;
};

struct Conditions {
  std::vector<LineRange> inactive; // in order; the lines of directives are in none
  // From each #if, #elif and #else to the line of the directive that ends its lines.
  std::vector<LineRange> branches;
  std::map<std::string, std::string> macros; // defined at the end, with their texts

  bool isInactive(int line) const;
};

Conditions conditionsOf(const Document &document, const std::string &path,
                        const SourceReading &reading, const ReadText &read);

// The file that an INCLUDE or #include names: relative to the file that includes it and to the
// folders of the project; empty if there is none.
std::string includedFile(const std::string &name, const std::string &path,
                         const SourceReading &reading, const ReadText &read);

} // namespace cufc
#endif // CUFLS_IDE_CONDITIONS_H
