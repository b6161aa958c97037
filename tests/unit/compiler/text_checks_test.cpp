// Faults of a text that are found before flang reads it.
#include "source/text_checks.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

// "LINE:COLUMN-ENDCOLUMN CODE" of the fault, or empty.
std::string fault(const std::string &text, bool fixedForm = false) {
  Diagnostics diagnostics;
  bool good = checkText("a.cuf", text, fixedForm, 72, diagnostics);
  EXPECT_EQ(good, diagnostics.list().empty());
  if (good)
    return {};
  const Diagnostic &found = diagnostics.list().front();
  return fmt::format("{}:{}-{} {}", found.range.line, found.range.column, found.range.endColumn,
                     found.code);
}

TEST(TextChecks, goodText) {
  EXPECT_EQ(fault(""), "");
  EXPECT_EQ(fault("program p\nend program\n"), "");
}

TEST(TextChecks, nulByte) {
  EXPECT_EQ(fault(std::string("ab\nc\0d\n", 7)), "2:2-3 CUF0013");
  EXPECT_EQ(fault(std::string("\0", 1)), "1:1-2 CUF0013");
}

TEST(TextChecks, unclosedConditionals) {
  EXPECT_EQ(fault("#ifdef X\nx\n#endif\n"), "");
  EXPECT_EQ(fault("x\n#ifdef X\nx\n#else\n"), "2:1-7 CUF0105");
  EXPECT_EQ(fault("#if A\n#ifndef B\n#endif\n"), "1:1-4 CUF0105");
  EXPECT_EQ(fault("#if A\n  # if B\n#endif\n"), "1:1-4 CUF0105");
  EXPECT_EQ(fault("#if A\n  # ifdef B\n"), "2:3-10 CUF0105");
  EXPECT_EQ(fault("! #if A\nprint *, '#if'\n#iffy\n"), "");
  EXPECT_EQ(fault("#endif\n"), ""); // flang reports this one
}

TEST(TextChecks, nesting) {
  auto nested = [](int depth) {
    return "x = " + std::string(depth, '(') + "1" + std::string(depth, ')') + "\n";
  };
  EXPECT_EQ(fault(nested(10000)), "");
  EXPECT_EQ(fault(nested(10001)), "1:10005-10006 CUF0106");
  EXPECT_EQ(fault("y\n" + nested(50000)), "2:10005-10006 CUF0106");
  EXPECT_EQ(fault("x = '" + std::string(20000, '(') + "'\n"), "");
  EXPECT_EQ(fault("! " + std::string(20000, '(') + "\n"), "");
  EXPECT_EQ(fault(nested(6000) + nested(6000)), "");
  std::string half(6000, '(');
  EXPECT_EQ(fault("x = " + half + "&\n&" + half + "\n"), "2:4002-4003 CUF0106");
}

} // namespace
} // namespace cufc
