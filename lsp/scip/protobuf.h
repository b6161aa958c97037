// The wire format of Protocol Buffers, as much as writing needs: a message is a text of fields.
#ifndef CUFLS_SCIP_PROTOBUF_H
#define CUFLS_SCIP_PROTOBUF_H

#include <cstdint>
#include <string>
#include <vector>

namespace cufc {

class ProtoMessage {
public:
  // Nothing is written for 0 and for empty texts and lists, which are the fields' defaults.
  void add(int field, std::uint64_t value);
  void add(int field, const std::string &text);
  void add(int field, const ProtoMessage &message);     // empty ones too
  void add(int field, const std::vector<int> &numbers); // packed; none is negative

  const std::string &bytes() const { return content; }

private:
  void varint(std::uint64_t value);
  void lengthDelimited(int field, const std::string &bytes);

  std::string content;
};

} // namespace cufc
#endif // CUFLS_SCIP_PROTOBUF_H
