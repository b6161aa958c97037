// A message of flang's as code of ours looks at it, and the filters that it passes. Private to
// frontend/ and checks/.
#ifndef CUFC_FRONTEND_FINDINGS_H
#define CUFC_FRONTEND_FINDINGS_H

#include "base/dropped_messages.h"
#include "base/flang_phrases.h"
#include "base/workarounds.h"
#include "flang/Parser/message.h"
#include "frontend/flang_program.h"
#include <variant>

namespace cufc {

// The border to flang's words: what the message says is asked by the names of phrases
// (tables/flang_phrases.def), in itself or in the messages that explain it.
class Finding {
public:
  Finding(const Fortran::parser::Message &message, const FlangProgram &program);

  bool is(Phrase phrase) const { return isPhrase(texts.front(), phrase); }
  bool says(Phrase phrase) const;
  // What a hole of the phrase stands for in the message's own text.
  std::string operator()(Phrase phrase, size_t hole) const {
    return inPhrase(texts.front(), phrase, hole);
  }
  // The same in the first that says so, of it and those that explain it.
  std::string anywhere(Phrase phrase, size_t hole) const;
  const std::string &text() const { return texts.front(); }

  bool isError() const { return message.IsFatal(); }
  // In flang's text of all files; nothing for what has no place.
  std::optional<size_t> place() const { return at; }
  const Fortran::parser::Message &message;

private:
  std::vector<std::string> texts; // of the message, then of those that explain it
  std::optional<size_t> at;
};

// A row of a list of filters of flang's messages: what it is called, and what it drops.
template <typename Context>
struct FindingFilter {
  std::variant<Workaround, MessageFilter> name;
  bool (*drops)(const Finding &, Context &);

  // A workaround may be left out.
  bool isOn() const {
    const auto *workaround = std::get_if<Workaround>(&name);
    return !workaround || isMade(*workaround);
  }
  std::string_view text() const {
    const auto *workaround = std::get_if<Workaround>(&name);
    return workaround ? rowOf(*workaround).name : nameOf(std::get<MessageFilter>(name));
  }
};

// Records that a filter has dropped a message.
void recordDropped(std::string_view filter, const Finding &finding, FlangProgram &program);

// Takes from the program's messages, of errors or of the others, what a filter drops, the first in
// the list that does. Whether there was any.
template <typename Context, typename Filters>
bool dropFindings(FlangProgram &program, bool errors, const Filters &filters, Context &context) {
  auto &list = program.context->messages().messages();
  const size_t before = list.size();
  list.remove_if([&](const Fortran::parser::Message &message) {
    if (message.IsFatal() != errors)
      return false;
    const Finding finding(message, program);
    for (const FindingFilter<Context> &filter : filters)
      if (filter.isOn() && filter.drops(finding, context)) {
        recordDropped(filter.text(), finding, program);
        return true;
      }
    return false;
  });
  return list.size() != before;
}

} // namespace cufc
#endif // CUFC_FRONTEND_FINDINGS_H
