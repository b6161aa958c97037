// Rewrites of launch configurations in CUF kernel directives, and the way back of columns.
#include "source/dialect_rewrite.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

std::string rewritten(const std::string &line, bool fixedForm = false) {
  Rewrite rewrite = rewriteDialect(line + "\n", fixedForm);
  EXPECT_FALSE(rewrite.text.empty());
  EXPECT_EQ(rewrite.text.back(), '\n');
  return rewrite.text.substr(0, rewrite.text.size() - 1);
}

void expectUnchanged(const std::string &line, bool fixedForm = false) {
  EXPECT_EQ(rewritten(line, fixedForm), line);
  EXPECT_TRUE(rewriteDialect(line + "\n", fixedForm).insertions.empty());
}

TEST(DialectRewrite, expressionThatBeginsWithAParenthesis) {
  EXPECT_EQ(rewritten("!$cuf kernel do <<< (n+31)/32, 32>>>"),
            "!$cuf kernel do <<< +(n+31)/32, 32>>>");
  EXPECT_EQ(rewritten("!$cuf kernel do <<<(n+31)/32, (m)*2>>>"),
            "!$cuf kernel do <<<+(n+31)/32, +(m)*2>>>");
  EXPECT_EQ(rewritten("  !$CUF KERNEL DO(2) <<<(f(a, b)+1)/2, 32>>>"),
            "  !$CUF KERNEL DO(2) <<<+(f(a, b)+1)/2, 32>>>");
}

TEST(DialectRewrite, bytesOfSharedMemoryBeforeAStream) {
  EXPECT_EQ(rewritten("!$cuf kernel do <<<*, *,128, s>>>"), "!$cuf kernel do <<<*, *,0,   s>>>");
  EXPECT_EQ(rewritten("!$cuf kernel do <<<*, *, n*4, s>>>"), "!$cuf kernel do <<<*, *,0,    s>>>");
}

TEST(DialectRewrite, listsStay) {
  expectUnchanged("!$cuf kernel do(2) <<<(a,b),(c,d)>>>");
  expectUnchanged("!$cuf kernel do(2) <<< (a, b) , (c, d) >>>");
  expectUnchanged("!$cuf kernel do <<<(a),(b)>>>");
  expectUnchanged("!$cuf kernel do(2) <<<(*,*),(32,4)>>>");
}

TEST(DialectRewrite, directivesOfAnOlderName) {
  EXPECT_EQ(rewritten("  !pgi$ ignore_tkr a, (t) b"), "  !dir$ ignore_tkr a, (t) b");
  EXPECT_EQ(rewritten("!PGI$ IGNORE_TKR"), "!dir$ IGNORE_TKR");
  EXPECT_EQ(rewritten("cpgi$ ignore_tkr a", true), "cdir$ ignore_tkr a");
  expectUnchanged("!pgi$ unroll = c:4");
  expectUnchanged("!pgi$ l tp haswell");
  expectUnchanged("!pgi$");
}

TEST(DialectRewrite, plainValuesStay) {
  expectUnchanged("!$cuf kernel do <<<*,*>>>");
  expectUnchanged("!$cuf kernel do");
  expectUnchanged("!$cuf kernel do <<<n, 32, 0, stream>>>");
  expectUnchanged("!$cuf kernel do <<<f(n)/2, 32>>>");
}

TEST(DialectRewrite, onlyDirectives) {
  expectUnchanged("call k<<<(n+31)/32, 32>>>(a)");
  expectUnchanged("! comment !$cuf kernel do <<<(n+31)/32, 32>>>");
  expectUnchanged("print *, '!$cuf kernel do <<<(n+31)/32, 32>>>'");
  expectUnchanged("!$cu");
  expectUnchanged("");
}

TEST(DialectRewrite, unfinishedText) {
  expectUnchanged("!$cuf kernel do <<<(n+31");
  expectUnchanged("!$cuf kernel do <<<");
  expectUnchanged("!$cuf kernel do <<<)>>>");
}

TEST(DialectRewrite, fixedForm) {
  EXPECT_EQ(rewritten("c$cuf kernel do <<<(n+31)/32, 32>>>", true),
            "c$cuf kernel do <<<+(n+31)/32, 32>>>");
  EXPECT_EQ(rewritten("*$CUF kernel do <<<(n+31)/32, 32>>>", true),
            "*$CUF kernel do <<<+(n+31)/32, 32>>>");
  expectUnchanged("c$cuf kernel do <<<(n+31)/32, 32>>>", false);
}

TEST(DialectRewrite, expressionOnAContinuationLine) {
  Rewrite rewrite = rewriteDialect("!$cuf kernel do &\n!$cuf <<<(n+31)/32, 32>>>\n", false);
  EXPECT_EQ(rewrite.text, "!$cuf kernel do &\n!$cuf <<<+(n+31)/32, 32>>>\n");
}

TEST(DialectRewrite, columnsLeadBack) {
  std::string line = "!$cuf kernel do <<<(n+31)/32, (m)*2>>>";
  Rewrite rewrite = rewriteDialect("x = 1\n" + line + "\n", false);
  ASSERT_EQ(rewrite.insertions.size(), 2u);
  std::string text = rewrite.text.substr(rewrite.text.find('\n') + 1);
  for (char c : {'n', 'm', '*', 'd'}) {
    int now = static_cast<int>(text.rfind(c)) + 1;
    EXPECT_EQ(rewrite.originalColumn(2, now), static_cast<int>(line.rfind(c)) + 1) << c;
  }
  EXPECT_EQ(rewrite.originalColumn(2, 1), 1);
  EXPECT_EQ(rewrite.originalColumn(1, 5), 5);
  // The "+" itself stands for the parenthesis after it.
  int plus = static_cast<int>(text.find('+')) + 1;
  EXPECT_EQ(rewrite.originalColumn(2, plus), plus);
  EXPECT_EQ(rewrite.originalColumn(2, plus + 1), plus);
}

TEST(DialectRewrite, conditionalSentinelBecomesBlanks) {
  Rewrite rewrite = rewriteDialect("!@cuf use cudafor\n  !@CUF x = '!@cuf'\n", false);
  EXPECT_EQ(rewrite.text, "      use cudafor\n        x = '!@cuf'\n");
  EXPECT_TRUE(rewrite.changed);
  EXPECT_TRUE(rewrite.insertions.empty());
  EXPECT_EQ(rewritten("c@cuf x = 1", true), "      x = 1");
  expectUnchanged("c@cuf x = 1", false);
  expectUnchanged("x = '@' ! !@cuf");
}

TEST(DialectRewrite, otherLinesAndLineEndsStay) {
  std::string text = "a\r\n\r\n!$cuf kernel do <<<(n)/2, 1>>>\r\nlast";
  EXPECT_EQ(rewriteDialect(text, false).text, "a\r\n\r\n!$cuf kernel do <<<+(n)/2, 1>>>\r\nlast");
  EXPECT_EQ(rewriteDialect("", false).text, "");
}

} // namespace
} // namespace cufc
