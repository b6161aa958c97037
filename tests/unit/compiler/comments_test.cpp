// Comments that document something.
#include "source/comments.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(Comments, Above) {
  Comments comments("! not this\n\n!> First.\n!!\n!! Last.\ninteger :: i\n!$omp parallel\nx\n",
                    false);
  EXPECT_EQ(comments.above(6), "First.\n\nLast.");
  EXPECT_EQ(comments.above(8), ""); // a directive
  EXPECT_EQ(comments.above(1), "");
}

TEST(Comments, WithoutRules) {
  Comments comments("!------\n! What it does\n!------\nx\n", false);
  EXPECT_EQ(comments.above(4), "What it does");
}

TEST(Comments, Behind) {
  Comments comments("integer :: i ! how many\n             ! and why\nx = '! no'\n", false);
  EXPECT_EQ(comments.behind(1, 13), "how many\nand why");
  EXPECT_EQ(comments.behind(3, 11), "");
  EXPECT_EQ(comments.behind(9, 1), "");
}

TEST(Comments, OfFixedForm) {
  Comments comments("C     one\n*     two\n      x\nc$omp no\n      y\n", true);
  EXPECT_EQ(comments.above(3), "one\ntwo");
  EXPECT_EQ(comments.above(5), "");
}

TEST(Comments, Blocks) {
  Comments comments("! a\n! b\nx\n! c\n\n! d\n! e\n! f\n", false);
  EXPECT_EQ(comments.blocks(), (std::vector<std::pair<int, int>>{{1, 2}, {6, 8}}));
}

} // namespace
} // namespace cufc
