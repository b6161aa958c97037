// Messages of editors, debuggers and assistants: the frames of the Language Server and Debug
// Adapter Protocols with their JSON, lines of JSON-RPC, and what gdb answers.
#include "debug/gdb_text.h"
#include "debug/mi_value.h"
#include "server/framing.h"
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace cufc;

namespace {

// The pieces in which a stream arrives make no difference.
void readFrames(std::string_view text, size_t piece) {
  MessageReader whole, pieces;
  whole.add(text);
  std::vector<std::string> one, other;
  while (std::optional<std::string> message = whole.next())
    one.push_back(*message);
  for (size_t at = 0; at < text.size(); at += piece) {
    pieces.add(text.substr(at, piece));
    while (std::optional<std::string> message = pieces.next())
      other.push_back(*message);
  }
  if (one != other || whole.broken() != pieces.broken())
    std::abort();
  for (const std::string &message : one)
    static_cast<void>(nlohmann::json::parse(message, nullptr, false));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, size_t size) {
  if (size < 2 || size > 50000)
    return 0;
  const std::string_view text(reinterpret_cast<const char *>(data) + 2, size - 2);
  if (data[0] % 3 == 0)
    readFrames(text, 1 + data[1]);
  else if (data[0] % 3 == 1) {
    if (std::optional<debug::MiRecord> record = debug::parseMiLine(text)) {
      record->results.number("thread-id");
      debug::addressOf(record->results["addr"].text);
      debug::miQuoted(record->text);
    }
  } else {
    debug::parseType(text);
    debug::partsOf(text);
    debug::shownValue(text);
    debug::characterLength(text);
  }
  return 0;
}
