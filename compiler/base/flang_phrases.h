// Words of flang that code of ours looks for, by name: rows of tables/flang_phrases.def. Text
// alone, no flang.
#ifndef CUFC_BASE_FLANG_PHRASES_H
#define CUFC_BASE_FLANG_PHRASES_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

enum class Phrase {
#define CUF_FLANG_PHRASE(name, pattern) name,
#include "tables/flang_phrases.def"
};

// The parts of `text` that the holes {} of `pattern` stand for, or false if it is another text. A
// hole may be empty only at the ends.
bool matchPattern(std::string_view pattern, std::string_view text,
                  std::vector<std::string_view> &holes);

// Whether a text of flang's is such a phrase.
bool isPhrase(std::string_view text, Phrase phrase);

// What the hole of that number stands for, from 0; empty in another text.
std::string inPhrase(std::string_view text, Phrase phrase, size_t hole);

} // namespace cufc
#endif // CUFC_BASE_FLANG_PHRASES_H
