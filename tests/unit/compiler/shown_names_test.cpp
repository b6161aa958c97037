// Names of files, and text of others, where they are written for make, in #line, in URIs and for a
// terminal.
#include "base/percent_encoding.h"
#include "base/terminal_text.h"
#include "project/dependency_file.h"
#include "source/line_markers.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

const std::vector<std::string> names = {
    "plain.cuf", "say \"x\".cuf", "back\\slash.cuf", "two\nlines.cuf", "\xff\xfe.cuf",
    "\\",        "a\\\\\"b",      "\\042",           "\x1b[2J",        ""};

TEST(LineMarkers, namesComeBack) {
  for (const std::string &name : names) {
    EXPECT_EQ(nameInMarker(markedName(name)), name);
    EXPECT_EQ(markedName(name).find_first_of("\"\n\x1b"), std::string::npos);
  }
}

TEST(LineMarkers, literalsOfC) {
  EXPECT_EQ(nameInMarker("a\\\\b"), "a\\b");
  EXPECT_EQ(nameInMarker("a\\\"b"), "a\"b");
  EXPECT_EQ(nameInMarker("a\\042b\\12"), "a\"b\\12");
  EXPECT_EQ(nameInMarker("a\\b\\"), "a\\b\\");
  EXPECT_EQ(withSingleBackslashes("a\\\\b\\\\\\\\"), "a\\b\\\\");
}

TEST(LineMarkers, literalsOfFortran) {
  EXPECT_EQ(nameInLiteral("it''s \"x\"", '\''), "it's \"x\"");
  EXPECT_EQ(nameInLiteral("it''s \"\"x\"\"", '"'), "it''s \"x\"");
  EXPECT_EQ(nameInLiteral("a''", '\''), "a'");
}

TEST(LineMarkers, flangsMarkersBecomeReadable) {
  const std::string text = "#line \"./a\nb.cuf\" 12\nx = '#line \"c\" 1'\n#line \"other\" 1\n#line "
                           "\"say \"x\".inc\" 3\nend";
  EXPECT_EQ(withReadableMarkers(text, {"./a\nb.cuf", "say \"x\".inc", "c"}),
            "#line 12 \"./a\\012b.cuf\"\nx = '#line \"c\" 1'\n#line \"other\" 1\n#line 3 \"say "
            "\\042x\\042.inc\"\nend");
}

TEST(DependencyFile, namesInRule) {
  EXPECT_EQ(namesInRule("a.o: \\\n  b.cuf \\\n  c\\ d.inc\n"),
            (std::vector<std::string>{"b.cuf", "c d.inc"}));
  EXPECT_EQ(namesInRule("x\\:y.o: a\\:b c\\d e\\\\\\ f $$g \\#h\n"),
            (std::vector<std::string>{"a:b", "c\\d", "e\\ f", "$g", "#h"}));
  EXPECT_EQ(namesInRule("x.o: a\\\\ \\\n  b\\\\\n"), (std::vector<std::string>{"a\\", "b\\"}));
  EXPECT_EQ(namesInRule("x.o: two$(\\n)lines/a\n"), (std::vector<std::string>{"two\nlines/a"}));
  EXPECT_EQ(namesInRule("x.o: a\n\nb:\nc:\n").front(), "a");
  EXPECT_TRUE(namesInRule("").empty());
}

TEST(PercentEncoding, bytesComeBack) {
  for (const std::string &name : names)
    EXPECT_EQ(percentDecoded(percentEncoded(name)), name);
  EXPECT_EQ(percentEncoded("/a b/\xff%"), "/a%20b/%FF%25");
  EXPECT_EQ(percentDecoded("%zz%4"), "%zz%4");
}

TEST(TerminalText, nothingThatATerminalObeys) {
  EXPECT_EQ(terminalText("a\x1b[2Jb\tc\nd\r\n\x7f\b\rx"), "a\\x1b[2Jb\tc\nd\n\\x7f\\x08\\x0dx");
  EXPECT_EQ(terminalText("\xc2\x9b"
                         "2J\x9b"),
            "\\x9b2J\xef\xbf\xbd");
  EXPECT_EQ(terminalText("\xe2\x80\xae"
                         "abc\xe2\x81\xa6"),
            "\\u202eabc\\u2066");
  EXPECT_EQ(terminalText("gr\xc3\xbc\xc3\x9f \xe7\xa8\x8b"), "gr\xc3\xbc\xc3\x9f \xe7\xa8\x8b");
  EXPECT_EQ(terminalText("a\nb", LineEnds::Shown), "a\\x0ab");
}

TEST(TerminalText, ourColoursStay) {
  EXPECT_EQ(colouredTerminalText("\x1b[1;31merror\x1b[0m \x1b]0;title\x07\x1b[2J"),
            "\x1b[1;31merror\x1b[0m \\x1b]0;title\\x07\\x1b[2J");
}

} // namespace
} // namespace cufc
