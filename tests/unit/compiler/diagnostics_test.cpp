// How a diagnostic is shown: the place, the source line and the marks under it.
#include "base/diag.h"
#include "base/files.h"
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

class Rendering : public testing::Test {
protected:
  // What is shown for bytes `column` to `endColumn` of a line of a file with the given text.
  std::string show(const std::string &text, int line, int column, int endLine, int endColumn) {
    EXPECT_TRUE(writeFile(path, text));
    std::string shown =
        render({Severity::Error, "", "wrong", {path, line, column, endLine, endColumn}, {}});
    size_t firstLine = shown.find('\n');
    EXPECT_EQ(shown.substr(0, firstLine),
              fmt::format("{}:{}:{}: error: wrong", path, line, column));
    return shown.substr(firstLine + 1);
  }

  TemporaryFolder folder;
  std::string path = folder.path("source.cuf");
};

TEST_F(Rendering, caretAndTildes) {
  EXPECT_EQ(show("x = 1\ncall s(abc)\n", 2, 8, 2, 11), "  call s(abc)\n         ^~~\n");
}

TEST_F(Rendering, oneColumn) { EXPECT_EQ(show("x = 1\n", 1, 1, 1, 2), "  x = 1\n  ^\n"); }

TEST_F(Rendering, endOfLine) { EXPECT_EQ(show("x =\n", 1, 4, 1, 5), "  x =\n     ^\n"); }

TEST_F(Rendering, rangeOverSeveralLinesMarksItsBegin) {
  EXPECT_EQ(show("call s( &\n  a)\n", 1, 6, 2, 5), "  call s( &\n       ^\n");
}

TEST_F(Rendering, tabsStayTabs) {
  EXPECT_EQ(show("\tx\t= 1\n", 1, 4, 1, 5), "  \tx\t= 1\n  \t \t^\n");
}

TEST_F(Rendering, carriageReturnIsNoText) {
  EXPECT_EQ(show("x = 1\r\ny = 2\r\n", 2, 5, 2, 6), "  y = 2\n      ^\n");
}

TEST_F(Rendering, charactersOfSeveralBytesTakeOneMark) {
  // "é" has two bytes, "€" three; the name after them begins at byte 9.
  EXPECT_EQ(show("'\xc3\xa9\xe2\x82\xac' x\n", 1, 9, 1, 10),
            "  '\xc3\xa9\xe2\x82\xac' x\n       ^\n");
  EXPECT_EQ(show("'\xc3\xa9\xe2\x82\xac' x\n", 1, 1, 1, 8), "  '\xc3\xa9\xe2\x82\xac' x\n  ^~~~\n");
}

TEST_F(Rendering, bytesThatAreNoTextShowAsQuestionMarks) {
  EXPECT_EQ(show("a\x01\xff\xe9 b\n", 1, 6, 1, 7), "  a??? b\n       ^\n");
  EXPECT_EQ(show("a\xc3\n", 1, 1, 1, 2), "  a?\n  ^\n");
}

TEST_F(Rendering, longLinesAreCut) {
  std::string line = std::string(1000, 'a') + "b" + std::string(1000, 'c');
  std::string shown = show(line + "\n", 1, 1001, 1, 1002);
  EXPECT_EQ(shown, "  " + std::string(80, 'a') + "b" + std::string(79, 'c') + "\n  " +
                       std::string(80, ' ') + "^\n");
  shown = show(line + "\n", 1, 1001, 1, 2002);
  EXPECT_EQ(shown.substr(shown.find('^')), "^" + std::string(79, '~') + "\n");
}

TEST_F(Rendering, cutDoesNotSplitACharacter) {
  std::string line;
  for (int i = 0; i < 200; ++i)
    line += "\xc3\xa9";
  std::string shown = show(line + "x\n", 1, 401, 1, 402);
  EXPECT_EQ(shown.find('?'), std::string::npos);
  size_t marks = shown.find('\n') + 1;
  EXPECT_EQ(shown.substr(marks), "  " + std::string(40, ' ') + "^\n");
}

TEST_F(Rendering, placesOutsideTheFileShowNoLine) {
  EXPECT_EQ(show("x\n", 5, 1, 5, 2), "");
  EXPECT_EQ(show("x\n", 1, 9, 1, 10), "");
}

TEST(Diagnostics, withoutPlace) {
  Diagnostics diagnostics;
  diagnostics.report(Diag::NoInput, {});
  EXPECT_TRUE(diagnostics.hasErrors());
  EXPECT_EQ(render(diagnostics.list().front()), "cufc: error: no input files [CUF0008]\n");
}

TEST(Diagnostics, fileWithoutLine) {
  EXPECT_EQ(render({Severity::Warning, "", "odd", {"a.cuf", 0, 0, 0, 0}, {}}),
            "a.cuf: warning: odd\n");
}

TEST(Diagnostics, relatedNotesFollow) {
  Diagnostic diagnostic{
      Severity::Error, "CUF0001", "one", {}, {{Severity::Note, "", "two", {}, {}}}};
  EXPECT_EQ(render(diagnostic), "cufc: error: one [CUF0001]\ncufc: note: two\n");
}

TEST(Diagnostics, notesAndWarningsAreNoErrors) {
  Diagnostics diagnostics;
  diagnostics.report(Diag::OptionIgnored, {}, std::string("x"));
  EXPECT_FALSE(diagnostics.hasErrors());
}

std::string flushed(Diagnostics &diagnostics) {
  testing::internal::CaptureStderr();
  diagnostics.flush();
  EXPECT_TRUE(diagnostics.list().empty());
  return testing::internal::GetCapturedStderr();
}

TEST(Diagnostics, atMostTwentyErrorsAreShown) {
  Diagnostics diagnostics;
  for (int i = 0; i < 20; ++i)
    diagnostics.report(Diag::NoInput, {});
  EXPECT_EQ(flushed(diagnostics).find("more"), std::string::npos);
  for (int i = 0; i < 1000; ++i)
    diagnostics.report(Diag::NoInput, {});
  std::string text = flushed(diagnostics);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 21);
  EXPECT_NE(text.find("cufc: note: 980 more errors are not shown [CUF0021]\n"), std::string::npos);
  for (int i = 0; i < 21; ++i)
    diagnostics.report(Diag::NoInput, {});
  EXPECT_NE(flushed(diagnostics).find("note: 1 more error is not shown"), std::string::npos);
}

TEST(Diagnostics, warningsDoNotHideErrors) {
  Diagnostics diagnostics;
  for (int i = 0; i < 150; ++i)
    diagnostics.add({Severity::Warning, "", "odd", {}, {}});
  diagnostics.report(Diag::NoInput, {});
  std::string text = flushed(diagnostics);
  EXPECT_NE(text.find("CUF0008"), std::string::npos);
  EXPECT_NE(text.find("50 more warnings are not shown"), std::string::npos);
}

} // namespace
} // namespace cufc
