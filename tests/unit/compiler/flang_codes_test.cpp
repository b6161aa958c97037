// Codes and texts for flang's messages, merging of errors, and fixes of syntax errors.
#include "base/files.h"
#include "frontend/flang_codes.h"
#include "frontend/syntax_fixes.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Holes = std::vector<std::string_view>;

Diagnostic coded(Severity severity, const std::string &text, const FlangWarning &warning = {}) {
  Diagnostic d{severity, "", text, {"a.cuf", 1, 2, 1, 3}};
  giveCode(d, warning);
  return d;
}

TEST(FlangPatterns, holes) {
  Holes holes;
  EXPECT_TRUE(matchPattern("'{}' is not {}", "'a' is not an array", holes));
  EXPECT_EQ(holes, (Holes{"a", "an array"}));
  EXPECT_TRUE(matchPattern("{} mismatch", "DO name mismatch", holes));
  EXPECT_EQ(holes, (Holes{"DO name"}));
  EXPECT_FALSE(matchPattern("{} mismatch", "DO name mismatch here", holes));
  EXPECT_FALSE(matchPattern("'{}' is", "a is", holes));
  EXPECT_TRUE(matchPattern("end of file", "end of file", holes));
  EXPECT_FALSE(matchPattern("a{}a", "a", holes));
}

TEST(FlangCodes, codeAndText) {
  Diagnostic d = coded(Severity::Error, "No explicit type declared for 'x'");
  EXPECT_EQ(d.code, "CUF1101");
  EXPECT_EQ(d.message, "'x' is not declared");
}

TEST(FlangCodes, kindsOfConstantsAreLeftOut) {
  EXPECT_EQ(coded(Severity::Error, "CASE (1_4:a5_4) conflicts with previous cases").code,
            "CUF1225");
  EXPECT_EQ(coded(Severity::Error, "strange 'x(1_8,n_4)' and 12_4").message,
            "strange 'x(1,n_4)' and 12");
  EXPECT_EQ(coded(Severity::Error, "strange 'x=' and a = 'b'").message, "strange 'x' and a = 'b'");
}

TEST(FlangCodes, generalCodes) {
  EXPECT_EQ(coded(Severity::Error, "never heard of").code, "CUF1390");
  EXPECT_EQ(coded(Severity::Warning, "never heard of").code, "CUF1391");
  EXPECT_EQ(coded(Severity::Warning, "never heard of", {"Byte", true}).code, "CUF1392");
}

TEST(FlangCodes, categoryOfAWarningCountsBeforeItsText) {
  EXPECT_EQ(coded(Severity::Warning, "never heard of", {"UnusedVariable", false}).code, "CUF1302");
}

TEST(FlangCodes, textOfARowOfOurs) {
  Diagnostic d = coded(Severity::Error, "'f' may not be called in device code");
  EXPECT_EQ(d.code, "CUF0201");
  EXPECT_EQ(d.message, "'f' is called in device code, but it has no device version");
}

TEST(FlangCodes, everyPatternHasARow) {
  for (const DiagnosticInfo &row : allDiagnostics())
    EXPECT_EQ(findDiagnostic(row.code), &row) << row.code;
}

TEST(MergedErrors, atOnePlace) {
  std::vector<Diagnostic> list = {{Severity::Error, "CUF1109", "one", {"a.cuf", 1, 2, 1, 9}},
                                  {Severity::Error, "CUF1214", "two", {"a.cuf", 1, 2, 1, 9}},
                                  {Severity::Warning, "CUF1301", "three", {"a.cuf", 1, 2, 1, 9}}};
  mergeErrors(list);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].message, "one");
  ASSERT_EQ(list[0].related.size(), 1u);
  EXPECT_EQ(list[0].related[0].message, "two");
}

TEST(MergedErrors, shapeOfAStatementFollowsFromItsParts) {
  std::vector<Diagnostic> list = {{Severity::Error, "CUF1205", "outer", {"a.cuf", 1, 2, 1, 9}},
                                  {Severity::Error, "CUF1201", "inner", {"a.cuf", 1, 5, 1, 9}}};
  mergeErrors(list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].message, "inner");
}

class SyntaxFixes : public testing::Test {
protected:
  Diagnostic explained(const std::string &text, Diagnostic error) {
    EXPECT_TRUE(writeFile(path, text));
    error.range.file = path;
    for (Diagnostic &related : error.related)
      related.range.file = path;
    SourceLines lines;
    explainSyntaxError(error, lines);
    return error;
  }
  TemporaryFolder folder;
  std::string path = folder.path("a.cuf");
};

TEST_F(SyntaxFixes, misspelledKeyword) {
  Diagnostic d =
      explained("  prnt *, x\n", {Severity::Error, "", "expected '('", {"", 1, 8, 1, 9}});
  EXPECT_EQ(d.message, "syntax error: 'prnt' is no keyword; did you mean 'print'?");
  EXPECT_EQ(d.range.column, 3);
  EXPECT_EQ(d.range.endColumn, 7);
  ASSERT_EQ(d.fixes.size(), 1u);
  EXPECT_EQ(d.fixes[0].edits[0].text, "print");
}

TEST_F(SyntaxFixes, thenAndAssignments) {
  EXPECT_EQ(explained("if (x > 3) thn\n", {Severity::Error, "", "expected '('", {"", 1, 15, 1, 16}})
                .message,
            "syntax error: 'thn' is no keyword; did you mean 'then'?");
  EXPECT_EQ(
      explained("rel = 3 *\n", {Severity::Error, "", "expected 'x'", {"", 1, 10, 1, 11}}).message,
      "expected 'x'");
}

TEST_F(SyntaxFixes, endsAfterAnErrorInTheBeginning) {
  ASSERT_TRUE(writeFile(path, "if (a thn\nend if\nx = *\nend do\n"));
  auto at = [&](int line, const char *text) {
    return Diagnostic{Severity::Error, "", text, {path, line, 1, line, 2}};
  };
  std::vector<Diagnostic> errors = {at(1, "'thn' is no keyword; did you mean 'then'?"),
                                    at(2, "expected 'END DO'"), at(3, "expected ')'"),
                                    at(4, "end of file")};
  SourceLines lines;
  dropUnopenedEnds(errors, lines);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[1].range.line, 3);
  errors = {at(2, "expected 'END DO'")};
  dropUnopenedEnds(errors, lines);
  EXPECT_EQ(errors.size(), 1u);
}

} // namespace
} // namespace cufc
