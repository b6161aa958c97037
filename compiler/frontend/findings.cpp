// See findings.h.
#include "frontend/findings.h"
#include "frontend/messages.h"
#include <algorithm>

namespace cufc {

Finding::Finding(const Fortran::parser::Message &message, const FlangProgram &program)
    : message(message) {
  for (const Fortran::parser::Message *part = &message; part; part = part->attachment().get())
    texts.push_back(part->ToString());
  if (auto range = message.GetProvenanceRange(program.cooked))
    at = range->start().offset();
}

bool Finding::says(Phrase phrase) const {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string &text) { return isPhrase(text, phrase); });
}

std::string Finding::anywhere(Phrase phrase, size_t hole) const {
  for (const std::string &text : texts)
    if (isPhrase(text, phrase))
      return inPhrase(text, phrase, hole);
  return {};
}

void recordDropped(std::string_view filter, const Finding &finding, FlangProgram &program) {
  program.dropped.push_back({filter, diagnosticOf(finding.message, program)});
}

} // namespace cufc
