// Mistakes of a whole file: fixed form in a file of free form and the reverse, CUDA Fortran where
// it is off. One message takes the place of all that follow from them.
#include "base/files.h"
#include "base/mistake_diag.h"
#include "source/form_signs.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

Found finding(const MistakeText &text, int line, std::string_view is, std::string_view as,
              std::string_view option, std::string_view suffix) {
  std::string_view raw = text.raw(line);
  Diagnostics diagnostics;
  size_t begin = indentationOf(raw);
  SourceRange range{text.file, line, static_cast<int>(begin) + 1, line,
                    static_cast<int>(begin + trimmed(raw).size()) + 1};
  return diagnostics.report(MistakeDiag::WrongForm, range, is, as, option, suffix);
}

} // namespace

Found wrongForm(const MistakeText &text) {
  FormSigns signs = formSigns(text.whole());
  if (!text.fixedForm && signs.isFixed())
    return finding(text, signs.firstFixed, "fixed", "free", "-Mfixed", ".f");
  if (text.fixedForm && signs.isFree())
    return finding(text, signs.firstFree, "free", "fixed", "-Mfree", text.cuda ? ".cuf" : ".f90");
  return std::nullopt;
}

Found cudaOff(const MistakeText &text) {
  if (text.cuda)
    return std::nullopt;
  for (int line = 1; line <= text.count(); ++line) {
    const std::string &code = text.code(line);
    size_t begin = indentationOf(code);
    std::string_view word = nameAt(code, begin);
    size_t at = std::string::npos, size = 0;
    if (word == "attributes" && skipBlanks(code, begin + 10) < code.size() &&
        code[skipBlanks(code, begin + 10)] == '(') {
      at = begin;
      size = std::min(code.find(')', begin), code.size() - 1) + 1 - begin;
    } else if (size_t chevrons = code.find("<<<");
               chevrons != std::string::npos && word == "call") {
      at = chevrons;
      size = std::min(code.find(">>>", chevrons), code.size() - 3) + 3 - chevrons;
    } else if (isDeclaration(code)) {
      for (std::string_view attribute : {"device", "managed", "pinned", "constant", "shared"})
        if (auto found = findWord(code, attribute);
            found && code.find("::") != std::string::npos && *found < code.find("::")) {
          at = *found;
          size = attribute.size();
        }
    }
    if (at == std::string::npos)
      continue;
    Diagnostics diagnostics;
    SourceRange range{text.file, line, static_cast<int>(at) + 1, line,
                      static_cast<int>(at + size) + 1};
    return diagnostics.report(MistakeDiag::CudaOff, range, text.raw(line).substr(at, size),
                              extension(text.file));
  }
  return std::nullopt;
}

} // namespace cufc
