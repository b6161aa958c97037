// Positions in all encodings, and edits, which must leave the same lines as a text that is new.
#include "index/document.h"
#include <gtest/gtest.h>
#include <random>

namespace cufc {
namespace {

TEST(Document, FindsLinesOfAllKinds) {
  Document document("a\nbc\r\nd\re");
  ASSERT_EQ(document.lineCount(), 4);
  EXPECT_EQ(document.line(1), "a");
  EXPECT_EQ(document.line(2), "bc");
  EXPECT_EQ(document.line(3), "d");
  EXPECT_EQ(document.line(4), "e");
  EXPECT_EQ(document.line(5), "");
  EXPECT_EQ(document.line(0), "");
}

TEST(Document, CountsInTheEncodingOfTheClient) {
  Document document("x = 'aé😀b'\n"); // é: 2 bytes, 1 unit; 😀: 4 bytes, 2 units of UTF-16
  TextPosition b{1, 13};
  EXPECT_EQ(document.unitsBefore(b, PositionEncoding::Utf8), 12);
  EXPECT_EQ(document.unitsBefore(b, PositionEncoding::Utf16), 9);
  EXPECT_EQ(document.unitsBefore(b, PositionEncoding::Utf32), 8);
  EXPECT_EQ(document.positionOf(0, 12, PositionEncoding::Utf8), b);
  EXPECT_EQ(document.positionOf(0, 9, PositionEncoding::Utf16), b);
  EXPECT_EQ(document.positionOf(0, 8, PositionEncoding::Utf32), b);
  // Inside of the pair of surrogates: the character's beginning.
  EXPECT_EQ(document.positionOf(0, 8, PositionEncoding::Utf16), (TextPosition{1, 9}));
}

TEST(Document, MovesPositionsOutsideOfTheTextInside) {
  Document document("ab\nc");
  EXPECT_EQ(document.positionOf(0, 99, PositionEncoding::Utf16), (TextPosition{1, 3}));
  EXPECT_EQ(document.positionOf(99, 0, PositionEncoding::Utf16), (TextPosition{2, 2}));
  EXPECT_EQ(document.positionOf(-1, 5, PositionEncoding::Utf16), (TextPosition{1, 1}));
  EXPECT_EQ(document.offsetOf({9, 9}), 4U);
  EXPECT_EQ(document.offsetOf({1, -3}), 0U);
  EXPECT_EQ(document.slice({{1, 2}, {2, 1}}), "b\n");
  EXPECT_EQ(document.slice({{2, 1}, {1, 1}}), "");
}

TEST(Document, DamagedUtf8CountsByteByByte) {
  Document document("a\xC3(\xF0\x9F");
  EXPECT_EQ(document.unitsBefore({1, 6}, PositionEncoding::Utf16), 5);
}

TEST(Document, AfterEditsIsAsIfNew) {
  std::mt19937 random(7);
  auto pick = [&](size_t n) { return static_cast<size_t>(random() % n); };
  const char *const pieces[] = {"\n", "\r\n", "\r", "a", "call s(x)", "", "\n\n", "x\r", "\né"};
  Document document("program p\nend\n");
  for (int i = 0; i < 5000; ++i) {
    size_t size = document.text().size();
    size_t begin = pick(size + 1), end = std::min(size, begin + pick(6));
    std::string text = size > 2000 ? "" : pieces[pick(std::size(pieces))];
    std::string expected = document.text();
    TextRange range{document.positionAt(begin), document.positionAt(end)};
    begin = document.offsetOf(range.begin);
    end = document.offsetOf(range.end);
    expected.replace(begin, end - begin, text);
    TextChange change{range, text};
    document.apply(i % 2 ? change : document.shortened(change));
    ASSERT_EQ(document.text(), expected);
    Document fresh(expected);
    ASSERT_EQ(document.lineCount(), fresh.lineCount());
    for (int line = 1; line <= fresh.lineCount(); ++line)
      ASSERT_EQ(document.line(line), fresh.line(line));
  }
}

TEST(Document, ShortensWhatStaysTheSame) {
  Document document("integer :: é\r\nend\n");
  TextChange all{document.all(), "integer :: è\r\nend\n"};
  TextChange change = document.shortened(all);
  EXPECT_EQ(change.range, (TextRange{{1, 12}, {1, 14}}));
  EXPECT_EQ(change.text, "è");
  all.text = "integer :: é\nend\n"; // not from inside of "\r\n"
  EXPECT_EQ(document.shortened(all).range.end, (TextPosition{2, 1}));
  all.text = document.text();
  EXPECT_TRUE(document.shortened(all).text.empty());
}

} // namespace
} // namespace cufc
