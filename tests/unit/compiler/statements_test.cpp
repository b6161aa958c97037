// Splitting a source into statements, in free and fixed form.
#include "source/statements.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Texts = std::vector<std::string>;

Texts split(const std::string &text, bool fixedForm = false, int columns = 72) {
  Texts found;
  forEachStatement(text, fixedForm, columns, [&](const Statement &statement) {
    EXPECT_EQ(statement.text.size(), statement.places.size());
    std::string trimmed = statement.text;
    trimmed.erase(0, trimmed.find_first_not_of(" \t"));
    trimmed.erase(trimmed.find_last_not_of(" \t") + 1);
    found.push_back(trimmed);
  });
  return found;
}

TEST(FreeForm, linesAndSemicolons) {
  EXPECT_EQ(split("use a\n\n  use b; use c ;\nend"), (Texts{"use a", "use b", "use c", "end"}));
  EXPECT_EQ(split(""), Texts{});
  EXPECT_EQ(split(";;\n"), Texts{});
}

TEST(FreeForm, comments) {
  EXPECT_EQ(split("use a ! use b\n! use c\n#include \"d\"\n"), (Texts{"use a"}));
  EXPECT_EQ(split("!$cuf kernel do\n"), Texts{});
}

TEST(FreeForm, characterConstants) {
  EXPECT_EQ(split("x = 'a;b!c'; y = \"d'!;\" ! e\n"), (Texts{"x = 'a;b!c'", "y = \"d'!;\""}));
  EXPECT_EQ(split("x = 'it''s; x'; use a\n"), (Texts{"x = 'it''s; x'", "use a"}));
}

TEST(FreeForm, aConstantEndsWithItsStatement) {
  EXPECT_EQ(split("x = 'open\nuse a\n"), (Texts{"x = 'open", "use a"}));
}

TEST(FreeForm, continuation) {
  EXPECT_EQ(split("use, &\n  intrinsic :: a\n"), (Texts{"use,   intrinsic :: a"}));
  EXPECT_EQ(split("use &  ! why\n\n  ! because\n  & a\nuse b"), (Texts{"use  a", "use b"}));
  EXPECT_EQ(split("us&\n  &e a\n"), (Texts{"use a"}));
  EXPECT_EQ(split("x = 'a&\n  &b; c'\n"), (Texts{"x = 'ab; c'"}));
  EXPECT_EQ(split("x = 'a & b'; use c\n"), (Texts{"x = 'a & b'", "use c"}));
  EXPECT_EQ(split("use a &\n#ifdef X\n, only: b\n#endif\n"), (Texts{"use a , only: b"}));
  EXPECT_EQ(split("use a &"), (Texts{"use a"}));
}

TEST(FreeForm, labels) {
  EXPECT_EQ(split("10 use a\n  20  continue\n"), (Texts{"use a", "continue"}));
}

TEST(FreeForm, carriageReturns) {
  EXPECT_EQ(split("use &\r\n  a\r\nuse b\r\n"), (Texts{"use   a", "use b"}));
}

TEST(FixedForm, columns) {
  EXPECT_EQ(split("      use a\n   10 use b\nc     use c\n*     use d\n! use e\n", true),
            (Texts{"use a", "use b"}));
  EXPECT_EQ(split("      use a ! use b\n      use c; use d\n", true),
            (Texts{"use a", "use c", "use d"}));
}

TEST(FixedForm, continuation) {
  EXPECT_EQ(split("      use,\n     & intrinsic :: a\n      use b\n", true),
            (Texts{"use, intrinsic :: a", "use b"}));
  EXPECT_EQ(split("      us\n      ! comment\nc comment\n\n     1e a\n", true), (Texts{"use a"}));
  EXPECT_EQ(split("      use a\n     0use b\n", true), (Texts{"use a", "use b"}));
  EXPECT_EQ(split("      use a\n     !use b\n", true), (Texts{"use ause b"}));
}

TEST(FixedForm, tabs) {
  EXPECT_EQ(split("\tuse\n\t1 a\n10\tuse b\n", true), (Texts{"use a", "use b"}));
}

TEST(FixedForm, textBeyondTheLastColumnIsComment) {
  std::string line = "      use a" + std::string(61, ' ') + "; use b\n";
  EXPECT_EQ(split(line, true), (Texts{"use a"}));
  EXPECT_EQ(split(line, true, 132), (Texts{"use a", "use b"}));
}

TEST(Statements, placesAreThoseOfTheSource) {
  std::vector<Statement> found;
  forEachStatement("x; use &\n   & a\n", false, 72,
                   [&](const Statement &statement) { found.push_back(statement); });
  ASSERT_EQ(found.size(), 2u);
  size_t at = found[1].text.find('a');
  EXPECT_EQ(found[1].places[at].line, 2);
  EXPECT_EQ(found[1].places[at].column, 6);
  at = found[1].text.find('u');
  EXPECT_EQ(found[1].places[at].line, 1);
  EXPECT_EQ(found[1].places[at].column, 4);
}

} // namespace
} // namespace cufc
