// What is left of the messages that flang's parser gives for one syntax error.
#include "frontend/syntax_errors.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Texts = std::vector<std::string>;

Diagnostic at(int line, int column, const std::string &text) {
  return {Severity::Error, "", text, {"a.cuf", line, column, line, column + 1}, {}};
}

Texts reduced(std::vector<Diagnostic> errors) {
  reduceSyntaxErrors(errors);
  Texts texts;
  for (const Diagnostic &d : errors)
    texts.push_back(fmt::format("{}:{} {}", d.range.line, d.range.column, d.message));
  return texts;
}

TEST(SyntaxErrors, farthestPlaceOfALine) {
  EXPECT_EQ(reduced({at(2, 9, "expected ')'"), at(2, 4, "expected '('"), at(3, 1, "expected 'x'")}),
            (Texts{"2:9 expected ')'", "3:1 expected 'x'"}));
}

TEST(SyntaxErrors, alternativesAreJoined) {
  EXPECT_EQ(reduced({at(1, 1, "expected '['"), at(1, 1, "expected '('"), at(1, 1, "expected '('"),
                     at(1, 1, "expected end of statement")}),
            (Texts{"1:1 expected '(', '[' or end of statement"}));
  EXPECT_EQ(reduced({at(1, 1, "expected one of '(+-'")}), (Texts{"1:1 expected one of '(+-'"}));
  EXPECT_EQ(reduced({at(1, 1, "expected one of '(+-'"), at(1, 1, "expected '='")}),
            (Texts{"1:1 expected '='"}));
}

TEST(SyntaxErrors, manyAlternativesSayNothing) {
  std::vector<Diagnostic> errors;
  for (char c : std::string("abcde"))
    errors.push_back(at(1, 1, fmt::format("expected '{}'", c)));
  EXPECT_EQ(reduced(errors), (Texts{"1:1 syntax error"}));
}

TEST(SyntaxErrors, whatIsKnownBeatsWhatWasExpected) {
  EXPECT_EQ(reduced({at(1, 9, "expected ')'"), at(1, 5, "Unmatched '('")}),
            (Texts{"1:5 Unmatched '('"}));
}

TEST(SyntaxErrors, endOfFile) {
  EXPECT_EQ(reduced({at(5, 9, "end of file"), at(5, 4, "expected ')'")}),
            (Texts{"5:4 expected ')'", "5:9 end of file"}));
  EXPECT_EQ(reduced({at(5, 9, "end of file"), at(5, 9, "expected ')'")}),
            (Texts{"5:9 end of file"}));
  EXPECT_EQ(reduced({at(5, 9, "end of file"), at(2, 4, "expected ')'")}),
            (Texts{"2:4 expected ')'"}));
}

TEST(SyntaxErrors, errorsWithoutAPlace) {
  Diagnostic none{Severity::Error, "", "lost", {}, {}};
  EXPECT_EQ(reduced({none, at(1, 2, "found")}), (Texts{"1:2 found"}));
  EXPECT_EQ(reduced({none}), (Texts{"0:0 lost"}));
  EXPECT_EQ(reduced({}), Texts{});
}

} // namespace
} // namespace cufc
