// See message.h.
#include "host/message.h"
#include "core/settings.h"
#include "cufrt/debugger.h"

#include <cstdlib>

namespace cufrt::host {

Message::Message() : pieces(open_memstream(&text, &bytes)) {}

Message::~Message() {
  if (!pieces)
    return;
  std::fclose(pieces);
  std::fputs(text, stderr);
  if (settings().debugged)
    cufrt_debugger_stop(text);
  std::free(text);
}

} // namespace cufrt::host
