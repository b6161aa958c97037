// Places of an analysis in a text that was edited since.
#include "index/edit_map.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

const TextRange word{{3, 5}, {3, 9}};

TEST(EditMap, MovesWhatStandsBehindAnEdit) {
  EditMap edits;
  edits.add({{{1, 1}, {1, 1}}, "! a\n! b\n"});
  EXPECT_EQ(edits.now(word), (TextRange{{5, 5}, {5, 9}}));
  EXPECT_EQ(edits.before({5, 6}), (TextPosition{3, 6}));
  edits.add({{{5, 1}, {5, 3}}, ""});
  EXPECT_EQ(edits.now(word), (TextRange{{5, 3}, {5, 7}}));
  EXPECT_EQ(edits.before({5, 4}), (TextPosition{3, 6}));
}

TEST(EditMap, KeepsWhatStandsBefore) {
  EditMap edits;
  edits.add({{{3, 9}, {3, 9}}, "x"}); // right behind
  edits.add({{{4, 1}, {9, 1}}, ""});
  EXPECT_EQ(edits.now(word), word);
}

TEST(EditMap, GrowsWithAnEditInside) {
  EditMap edits;
  edits.add({{{3, 6}, {3, 7}}, "abc"});
  EXPECT_EQ(edits.now(word), (TextRange{{3, 5}, {3, 11}}));
  EXPECT_EQ(edits.before({3, 11}), (TextPosition{3, 9}));
}

TEST(EditMap, LosesWhatAnEditCutsInto) {
  EditMap edits;
  edits.add({{{3, 7}, {3, 12}}, ""});
  EXPECT_EQ(edits.now(word), std::nullopt);
}

TEST(EditMap, TypingIsOneEdit) {
  EditMap edits;
  for (int i = 0; i < 10; ++i)
    edits.add({{{2, 1 + i}, {2, 1 + i}}, "x"});
  EXPECT_EQ(edits.now({{2, 4}, {2, 6}}), (TextRange{{2, 14}, {2, 16}}));
  EXPECT_EQ(edits.before({2, 5}), (TextPosition{2, 1}));
}

} // namespace
} // namespace cufc
