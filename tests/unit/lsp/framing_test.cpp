// Messages in a stream of bytes: in pieces, together, and what is none.
#include "server/framing.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(Framing, TakesMessagesInAnyPieces) {
  std::string stream = framed("{}") + framed("[1,2]") +
                       "content-LENGTH:3\r\nContent-Type: application/vscode-jsonrpc\r\n\r\nabc";
  for (size_t piece : {size_t(1), size_t(7), stream.size()}) {
    MessageReader reader;
    std::vector<std::string> messages;
    for (size_t at = 0; at < stream.size(); at += piece) {
      reader.add(std::string_view(stream).substr(at, piece));
      while (auto message = reader.next())
        messages.push_back(*message);
    }
    EXPECT_EQ(messages, (std::vector<std::string>{"{}", "[1,2]", "abc"}));
    EXPECT_FALSE(reader.broken());
  }
}

TEST(Framing, RefusesWhatIsNoMessage) {
  for (const char *bytes :
       {"hello\r\n\r\n", "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n",
        "Content-Type: a\r\n\r\n{}", "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 999999999999\r\n\r\n"}) {
    MessageReader reader;
    reader.add(bytes);
    EXPECT_EQ(reader.next(), std::nullopt);
    EXPECT_TRUE(reader.broken()) << bytes;
  }
  MessageReader endless;
  endless.add(std::string(MessageReader::mostHeader + 1, 'x'));
  EXPECT_EQ(endless.next(), std::nullopt);
  EXPECT_TRUE(endless.broken());
}

TEST(Framing, TakesAnEmptyMessage) {
  MessageReader reader;
  reader.add(framed(""));
  EXPECT_EQ(reader.next(), "");
}

} // namespace
} // namespace cufc
