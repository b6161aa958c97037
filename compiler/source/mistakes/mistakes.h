// What a text that does not parse, or that has an unknown name, is likely to mean: spellings of C,
// words that are missing, launches, ENDs, the form of the file. By the text around the place alone,
// no flang.
#ifndef CUFC_SOURCE_MISTAKES_MISTAKES_H
#define CUFC_SOURCE_MISTAKES_MISTAKES_H

#include "base/diagnostics.h"
#include <memory>
#include <optional>
#include <string>

namespace cufc {

class MistakeText;

class Mistakes {
public:
  Mistakes(const std::string &file, const std::string &text, bool fixedForm, int fixedColumns,
           bool cuda);
  Mistakes(Mistakes &&) noexcept;
  ~Mistakes();

  // The mistake that concerns the whole file: all other errors follow from it.
  std::optional<Diagnostic> ofFile() const;

  // What is said in place of a syntax error, if the text there is a mistake that is known.
  std::optional<Diagnostic> ofSyntax(const Diagnostic &error) const;

  // The same for an error that shows when names are looked up.
  std::optional<Diagnostic> ofName(const Diagnostic &error) const;

private:
  std::unique_ptr<MistakeText> text;
};

} // namespace cufc
#endif // CUFC_SOURCE_MISTAKES_MISTAKES_H
