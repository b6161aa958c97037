// Who has dropped which message: every filter between flang or a check and the user leaves a
// record.
#ifndef CUFC_BASE_DROPPED_MESSAGES_H
#define CUFC_BASE_DROPPED_MESSAGES_H

#include "base/diagnostics.h"
#include <functional>

namespace cufc {

enum class MessageFilter {
#define CUF_MESSAGE_FILTER(name, text) name,
#include "tables/message_filters.def"
};

// As -v calls it.
std::string_view nameOf(MessageFilter filter);

struct DroppedMessage {
  std::string_view filter; // of a MessageFilter, or of a row of tables/workarounds.def
  Diagnostic diagnostic;
};
using DroppedMessages = std::vector<DroppedMessage>;

// A step between those who find messages and the user: it takes some from the list, or makes one of
// several.
struct ListFilter {
  MessageFilter filter;
  std::function<void(std::vector<Diagnostic> &)> apply;
};

// One after the other; what a filter has taken away or changed is recorded under its name.
void applyFilters(const std::vector<ListFilter> &filters, std::vector<Diagnostic> &list,
                  DroppedMessages &dropped);

// "cufc: object-counts dropped a.cuf:3:5: error: text", a line each; once where a source was
// analysed several times.
std::string textOf(const DroppedMessages &dropped);

} // namespace cufc
#endif // CUFC_BASE_DROPPED_MESSAGES_H
