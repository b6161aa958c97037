// Mistakes of a whole file: fixed form in a file of free form and the reverse, CUDA Fortran where
// it is off. One message takes the place of all that follow from them.
#include "base/files.h"
#include "base/mistake_diag.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

// What a line says of the form of its file.
struct Signs {
  int fixedOnly = 0; // comments with C or *, marks of continuation in column 6
  int freeOnly = 0;  // statements that begin before column 7, & at the end
  int firstFixed = 0, firstFree = 0;
};

bool isBlank(char c) { return c == ' ' || c == '\t'; }

bool isFixedComment(std::string_view line) {
  char first = static_cast<char>(std::tolower(static_cast<unsigned char>(line[0])));
  if (first == '*')
    return true;
  // A word that begins with c is none.
  return first == 'c' && (line.size() == 1 || isBlank(line[1]) || line[1] == '-' ||
                          line[1] == '*' || line[1] == '=' || line[1] == '$');
}

bool isContinuation(std::string_view line) {
  return line.size() > 6 && line.substr(0, 5) == "     " && !isBlank(line[5]) && line[5] != '0' &&
         line[5] != '!' && !std::isalpha(static_cast<unsigned char>(line[5]));
}

// Letters in columns 1 to 6: no label, no comment.
bool beginsEarly(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t0123456789");
  return begin != std::string_view::npos && begin < 5 &&
         line.find('\t') == std::string_view::npos &&
         std::isalpha(static_cast<unsigned char>(line[begin]));
}

Signs signsOf(const MistakeText &text) {
  Signs signs;
  for (int line = 1; line <= text.count(); ++line) {
    std::string_view raw = text.raw(line);
    if (trimmed(raw).empty() || raw[0] == '!' || raw[0] == '#')
      continue;
    if (isFixedComment(raw) || isContinuation(raw)) {
      signs.fixedOnly += 1;
      signs.firstFixed = signs.firstFixed ? signs.firstFixed : line;
    } else if (beginsEarly(raw)) {
      signs.freeOnly += 1;
      signs.firstFree = signs.firstFree ? signs.firstFree : line;
    }
  }
  return signs;
}

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
  Signs signs = signsOf(text);
  if (!text.fixedForm && signs.fixedOnly > 0 && signs.freeOnly == 0)
    return finding(text, signs.firstFixed, "fixed", "free", "-Mfixed", ".f");
  if (text.fixedForm && signs.freeOnly > 2 && signs.fixedOnly == 0)
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
