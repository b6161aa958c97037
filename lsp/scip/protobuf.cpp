// https://protobuf.dev/programming-guides/encoding/: a field is its number and kind as one varint,
// then a varint, or a length and so many bytes.
#include "scip/protobuf.h"

namespace cufc {
namespace {
constexpr unsigned varintKind = 0, lengthKind = 2;

std::uint64_t tag(int field, unsigned kind) {
  return static_cast<std::uint64_t>(field) << 3 | kind;
}
} // namespace

void ProtoMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    content += static_cast<char>((value & 0x7F) | 0x80);
  content += static_cast<char>(value);
}

void ProtoMessage::lengthDelimited(int field, const std::string &bytes) {
  varint(tag(field, lengthKind));
  varint(bytes.size());
  content += bytes;
}

void ProtoMessage::add(int field, std::uint64_t value) {
  if (value == 0)
    return;
  varint(tag(field, varintKind));
  varint(value);
}

void ProtoMessage::add(int field, const std::string &text) {
  if (!text.empty())
    lengthDelimited(field, text);
}

void ProtoMessage::add(int field, const ProtoMessage &message) {
  lengthDelimited(field, message.content);
}

void ProtoMessage::add(int field, const std::vector<int> &numbers) {
  ProtoMessage packed;
  for (int number : numbers)
    packed.varint(static_cast<std::uint64_t>(number));
  if (!numbers.empty())
    lengthDelimited(field, packed.content);
}

} // namespace cufc
