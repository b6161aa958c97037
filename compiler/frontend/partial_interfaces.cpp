// See partial_interfaces.h.
#include "frontend/partial_interfaces.h"
#include "base/source_text.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

constexpr std::string_view mark = "cufc_partial";

// The words of a statement in lower case, with one space between them.
std::string wordsOf(std::string_view line) {
  std::string words;
  for (char c : line) {
    if (c == '!')
      break;
    if (!std::isspace(static_cast<unsigned char>(c)))
      words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.empty() && words.back() != ' ')
      words += ' ';
  }
  while (!words.empty() && words.back() == ' ')
    words.pop_back();
  return words;
}

bool opensModule(const std::string &words) {
  return words.rfind("module ", 0) == 0 && words.rfind("module procedure ", 0) != 0 &&
         words.find_first_of(" (", 7) == std::string::npos;
}

// Where the declarations of a module end.
bool endsDeclarations(const std::string &words) {
  return words == "contains" || words == "end" || words.rfind("end module", 0) == 0 ||
         words.rfind("endmodule", 0) == 0;
}

} // namespace

std::string markedPartial(const std::string &source) {
  std::string result;
  bool inDeclarations = false;
  int types = 0; // that are open: they may have CONTAINS, too
  for (std::string_view line : linesOf(source)) {
    std::string words = wordsOf(line);
    bool ends = inDeclarations && types == 0 && endsDeclarations(words);
    if (opensModule(words))
      inDeclarations = true;
    if (words.rfind("type", 0) == 0 && words.rfind("type(", 0) != 0 &&
        words.rfind("type (", 0) != 0)
      ++types;
    if (types > 0 && (words.rfind("end type", 0) == 0 || words.rfind("endtype", 0) == 0))
      --types;
    if (ends) {
      inDeclarations = false;
      size_t at = line.find_first_not_of(" \t");
      result.append(line.substr(0, at))
          .append("integer,parameter,private::")
          .append(mark)
          .append("=1;")
          .append(line.substr(at));
    } else {
      result.append(line);
    }
    result += '\n';
  }
  return result;
}

bool usesPartialModules(const FlangProgram &program) {
  for (const Fortran::semantics::Scope &scope : program.context->globalScope().children())
    if (scope.IsModule() &&
        scope.find(Fortran::parser::CharBlock(mark.data(), mark.size())) != scope.end())
      return true;
  return false;
}

bool lacksModules(const FlangProgram &program) {
  for (const Fortran::parser::Message &message : program.context->messages().messages())
    if (message.IsFatal() &&
        message.ToString().rfind("Cannot parse module file for module '", 0) == 0)
      return true;
  return false;
}

} // namespace cufc
