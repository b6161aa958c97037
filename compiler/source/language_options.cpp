// One list of switches and one of values; the words are gfortran's options.
#include "source/language_options.h"
#include <cstdlib>
#include <iterator>

namespace cufc {
namespace {

struct Switch {
  bool LanguageOptions::*field;
  bool on; // what the word says
  const char *word;
};

constexpr Switch switches[] = {{&LanguageOptions::integer8, true, "-fdefault-integer-8"},
                               {&LanguageOptions::implicitNone, true, "-fimplicit-none"},
                               {&LanguageOptions::saveLocals, true, "-fno-automatic"},
                               {&LanguageOptions::standard, true, "-pedantic"},
                               {&LanguageOptions::debugLines, true, "-fd-lines-as-code"},
                               {&LanguageOptions::reallocate, false, "-fno-realloc-lhs"},
                               {&LanguageOptions::underscore, false, "-fno-underscoring"},
                               {&LanguageOptions::stackArrays, true, "-fstack-arrays"}};

constexpr const char *columnsWord = "-ffixed-line-length=";

std::vector<std::pair<std::string, std::string *>> valuesOf(LanguageOptions &language) {
  return {{"-fconvert=", &language.conversion},
          {"-mno-workaround=", &language.leftOut},
          {"-finit-real=", &language.initial.real},
          {"-finit-integer=", &language.initial.integer},
          {"-finit-logical=", &language.initial.logical}};
}

} // namespace

void addLanguage(const LanguageOptions &language, MacroList &macros) {
  for (const Switch &one : switches)
    if (language.*one.field == one.on)
      macros.emplace_back(one.word, true);
  LanguageOptions copy = language;
  for (const auto &[word, text] : valuesOf(copy))
    if (!text->empty())
      macros.emplace_back(word + *text, true);
  if (language.fixedColumns != LanguageOptions().fixedColumns)
    macros.emplace_back(columnsWord + std::to_string(language.fixedColumns), true);
}

LanguageOptions languageIn(const MacroList &macros) {
  LanguageOptions language;
  for (const auto &[macro, defined] : macros) {
    if (!isLanguageWord(macro))
      continue;
    for (const Switch &one : switches)
      if (macro == one.word)
        language.*one.field = one.on;
    for (const auto &[word, text] : valuesOf(language))
      if (macro.starts_with(word))
        *text = macro.substr(word.size());
    if (macro.starts_with(columnsWord))
      language.fixedColumns = static_cast<int>(
          std::strtol(macro.c_str() + std::string(columnsWord).size(), nullptr, 10));
  }
  return language;
}

} // namespace cufc
