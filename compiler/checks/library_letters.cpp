// Letters such as 'N' where a function of the CUDA libraries takes a constant such as CUBLAS_OP_N:
// flang would pass the bytes of the text as a number. The BLAS names that take letters are other
// procedures (module cublas).
#include "base/mistake_diag.h"
#include "checks/check.h"
#include "checks/fixes.h"
#include "checks/library_checks.h"
#include <cctype>
#include <string>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

struct Letter {
  std::string_view library, dummy;
  char letter;
  const char *constant;
};

constexpr Letter letters[] = {
#define CUF_LETTER(library, dummy, letter, constant) {library, dummy, letter, constant},
#include "tables/library_letters.def"
#undef CUF_LETTER
};

const char *constantFor(std::string_view function, std::string_view dummy, char letter) {
  for (const Letter &row : letters)
    if (function.substr(0, row.library.size()) == row.library &&
        dummy.substr(0, row.dummy.size()) == row.dummy && row.letter == letter)
      return row.constant;
  return nullptr;
}

class Letters : public StatementVisitor {
public:
  explicit Letters(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Call &call) override {
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    if (name && name->symbol && name->ToString().rfind("cu", 0) == 0)
      check(name->symbol->GetUltimate(), call);
    return true;
  }

private:
  void check(const Symbol &function, const parser::Call &call) {
    const auto *details = function.detailsIf<semantics::SubprogramDetails>();
    if (!details)
      return;
    size_t position = 0;
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t)) {
      const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
      std::string dummy = keyword ? keyword->v.ToString() : nameOf(*details, position++);
      const auto *value = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      if (value)
        check(function, dummy, value->value());
    }
  }

  static std::string nameOf(const semantics::SubprogramDetails &details, size_t position) {
    const auto &dummies = details.dummyArgs();
    return position < dummies.size() && dummies[position] ? dummies[position]->name().ToString()
                                                          : std::string();
  }

  // flang's warning is at the text.
  void check(const Symbol &function, const std::string &dummy, const parser::Expr &actual) {
    std::string text = actual.source.ToString();
    if (text.size() != 3 || (text[0] != '\'' && text[0] != '"'))
      return;
    char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(text[1])));
    const char *constant = constantFor(function.name().ToString(), dummy, letter);
    if (!constant || context.replaceableAt(actual.source).empty())
      return;
    Diagnostic &found = context.report(MistakeDiag::LetterForConstant, actual.source, text, dummy,
                                       std::string(constant));
    found.fixes.push_back(
        fixOf(std::string("write ") + constant, replace(context, actual.source, constant)));
  }

  CheckContext &context;
};

} // namespace

void checkLibraryLetters(CheckContext &context) { context.visit<Letters>(context); }

} // namespace cufc
