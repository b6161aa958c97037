// Lines of OpenACC and OpenMP that are statements where these are on.
#include "source/conditional_lines.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

std::string opened(std::string text, bool fixedForm = false,
                   ConditionalLines wanted = {true, true}) {
  EXPECT_EQ(openConditionalLines(text, fixedForm, wanted), text.find("x = 1") != text.npos &&
                                                               text.find('!') == text.npos &&
                                                               text.find("c$") == text.npos);
  return text;
}

TEST(ConditionalLines, freeForm) {
  EXPECT_EQ(opened("  !@acc x = 1\n"), "        x = 1\n");
  EXPECT_EQ(opened("!@ACC x = 1\n"), "      x = 1\n");
  EXPECT_EQ(opened("!$ x = 1\n"), "   x = 1\n");
  EXPECT_EQ(opened("!$ x = 1 + &\n!$& 2\n"), "   x = 1 + &\n  & 2\n");
}

TEST(ConditionalLines, fixedForm) {
  EXPECT_EQ(opened("!$    x = 1\n", true), "      x = 1\n");
  EXPECT_EQ(opened("c$ 10 x = 1\n", true), "   10 x = 1\n");
  EXPECT_EQ(opened("!@acc x = 1\n", true), "      x = 1\n");
}

TEST(ConditionalLines, otherLinesStay) {
  for (const char *line : {"!$omp parallel\n", "!$cuf kernel do\n", "!$acc loop\n", "!@accx = 1\n",
                           "! $ x\n", "y = '!$ x'\n", "!\n", "", "!$", "!@cuf use m\n"}) {
    EXPECT_EQ(opened(line), line);
    EXPECT_EQ(opened(line, true), line);
  }
}

TEST(ConditionalLines, onlyWhatIsWanted) {
  std::string text = "!$ x = 1\n!@acc x = 1\n";
  EXPECT_TRUE(openConditionalLines(text, false, {true, false}));
  EXPECT_EQ(text, "!$ x = 1\n      x = 1\n");
  EXPECT_FALSE(openConditionalLines(text, false, {}));
}

} // namespace
} // namespace cufc
